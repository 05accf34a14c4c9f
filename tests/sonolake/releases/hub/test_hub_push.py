"""Releases in data set repositories: put there, found there, read back by the hub's own library."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
import yaml

from sonolake.errors import InvalidInput, Refused, Unreachable
from sonolake.loading.table import readable
from sonolake.releases import Content, build, read_manifest, verify
from sonolake.releases.exports import export, format_of
from sonolake.releases.finding import Found, find_release
from sonolake.releases.frontmatter import front_matter
from sonolake.releases.hub import push, repository_in
from sonolake.releases.licences import LICENCE_URLS
from sonolake.releases.notice import Notice
from sonolake.releases.origins import FolderOrigin

pytestmark = pytest.mark.filterwarnings(
    "ignore:Use 'content=:DeprecationWarning"
)  # how the library sends files
PLACE = "hf:ann/demo"


def found_at(folder):
    return find_release(str(folder), lambda: "")


@pytest.fixture
def put(client):
    def put_there(folder, private=False):
        return push(found_at(folder), PLACE, private, client)

    return put_there


def test_a_release_is_a_commit_with_its_tag(put, hub, release):
    made = put(release)
    files = [p.relative_to(release).as_posix() for p in release.rglob("*") if p.is_file()]
    assert (made.outcome, made.tag, made.files, made.sent) == ("pushed", "0.1.0", len(files), len(files))
    assert sorted(hub.tree("ann/demo", "0.1.0")) == sorted([*files, ".gitattributes"])
    for path in files:
        assert hub.content("ann/demo", path, "0.1.0") == (release / path).read_bytes()
    assert hub.repositories["ann/demo"].messages == ["initial commit", "demo 0.1.0"]
    assert not hub.repositories["ann/demo"].private


def test_the_library_of_the_hub_reads_it_back(put, hub, client, release, tmp_path):
    from huggingface_hub import DatasetCard

    made = put(release)
    folder = tmp_path / "read"
    client.snapshot_download("ann/demo", repo_type="dataset", revision="0.1.0", local_dir=folder)
    shutil.rmtree(folder / ".cache")
    (folder / ".gitattributes").unlink()
    assert verify(folder) == []
    one = client.hf_hub_download(
        "ann/demo", "README.md", repo_type="dataset", revision=made.commit, cache_dir=tmp_path / "cache"
    )
    assert Path(one).read_bytes() == (release / "README.md").read_bytes()
    card = DatasetCard.load(release / "README.md")
    assert card.data.license == "cc0-1.0" and card.data.configs[0]["config_name"] == "cares"


@pytest.mark.parametrize("licence", [*LICENCE_URLS, "CC-BY-NC-4.0 AND CC-BY-SA-4.0", "LicenseRef-mine"])
def test_the_head_of_a_card_is_valid_for_the_hub(hub_module, content, licence):
    assert hub_module.problems(f"{front_matter(replace(content, licence=licence))}# Card\n") == []


@pytest.mark.parametrize(
    ("licence", "name", "text"),
    [
        ("CC-BY-SA-2.0", "cc-by-sa-2.0", "https://creativecommons.org/licenses/by-sa/2.0/"),
        ("CC-PDM-1.0", "cc-pdm-1.0", "https://creativecommons.org/publicdomain/mark/1.0/"),
    ],
)
def test_a_licence_that_the_hub_does_not_list_is_another_with_its_own_text(content, licence, name, text):
    head = yaml.safe_load(front_matter(replace(content, licence=licence)).split("---\n")[1])
    assert (head["license"], head["license_name"], head["license_link"]) == ("other", name, text)


def test_a_large_release_has_a_size_that_the_hub_knows(hub_module, content):
    ids = pa.array(range(1_000_000)).cast(pa.string())
    table = pa.table({"item_id": ids, "licence": pa.repeat("CC0-1.0", len(ids))})
    config = replace(content.configs[0], splits={"train": table})
    head = front_matter(replace(content, configs=(config,)))
    assert hub_module.problems(f"{head}# Card\n") == []
    assert yaml.safe_load(head.split("---\n")[1])["size_categories"] == ["1M<n<10M"]


def test_the_same_twice_sends_nothing(put, hub, release):
    first = put(release)
    calls = len(hub.calls)
    again = put(release)
    assert (again.outcome, again.sent, again.commit) == ("already", 0, first.commit)
    assert not {"preupload", "batch", "store", "commit", "tag"} & set(hub.calls[calls:])


def test_what_broke_goes_on_with_the_rest(put, hub, release):
    hub.break_after = 3
    with pytest.raises(Unreachable, match="uploading"):
        put(release)
    large = {f.sha256 for f in read_manifest(release) if f.path.endswith(".parquet")}
    assert "commit" not in hub.calls and len(hub.storage) <= 3
    hub.break_after = None
    sent = hub.sent()
    kept = len(hub.storage)
    put(release)
    assert hub.sent() - sent == len(large | set(hub.storage)) - kept


def test_a_commit_without_its_tag_gets_it(put, hub, release):
    first = put(release)
    hub.repositories["ann/demo"].tags.clear()
    again = put(release)
    assert (again.outcome, again.sent, again.commit) == ("pushed", 0, first.commit)
    assert hub.repositories["ann/demo"].tags == {"0.1.0": first.commit}


def test_a_new_version_sends_what_is_new_and_keeps_the_old_one(put, hub, release, content, store, tmp_path):
    put(release)
    sent = hub.sent()
    later = tmp_path / "0.2.0"
    newer: Content = replace(
        content, version="0.2.0", changes=("Another card.",), configs=content.configs[:1]
    )
    build(newer, store.__getitem__, later)
    made = put(later)
    old, new = hub.tree("ann/demo", "0.1.0"), hub.tree("ann/demo", "0.2.0")
    assert "data/rms-aqa/train-00000-of-00001.parquet" in old and made.removed > 0
    assert sorted(p for p in new if p.startswith("data/")) == sorted(
        p.relative_to(later).as_posix() for p in later.glob("data/*/*")
    )
    shard = "data/cares/train-00000-of-00001.parquet"
    assert old[shard] == new[shard] and made.sent < made.files and hub.sent() - sent < sent


def test_what_others_put_there_is_left_alone(put, hub, release, content, store, tmp_path, client):
    client.create_repo("ann/demo", repo_type="dataset")
    repository = hub.repositories["ann/demo"]
    first = repository.head
    repository.add({**hub.tree("ann/demo"), "model.bin": ("regular", b"weights")}, "something else")
    with pytest.raises(Refused, match=r"no release \(model\.bin\): push into a repository of its own"):
        put(release)
    repository.head = first
    put(release)
    repository.add({**hub.tree("ann/demo"), "LICENSE": ("regular", b"Mine.")}, "a licence")
    later = tmp_path / "0.2.0"
    build(replace(content, version="0.2.0", configs=content.configs[:1]), store.__getitem__, later)
    assert put(later).removed > 0
    assert hub.content("ann/demo", "LICENSE") == b"Mine." and put(later).outcome == "already"
    assert not [path for path in hub.tree("ann/demo") if path.startswith("data/rms-aqa")]


def test_other_content_of_a_version_is_refused(put, hub, release, content, store, tmp_path):
    put(release)
    other = tmp_path / "other"
    build(replace(content, summary="Something else."), store.__getitem__, other)
    before = dict(hub.repositories["ann/demo"].commits)
    with pytest.raises(Refused, match=r"demo 0\.1\.0 with other content .*publish the next one"):
        put(other)
    assert hub.repositories["ann/demo"].commits == before


@pytest.mark.parametrize("version", ["0.1.0", "0.2.0"])
def test_a_repository_of_another_release_is_left_alone(put, hub, release, content, store, tmp_path, version):
    put(release)
    other = tmp_path / "other"
    build(replace(content, name="tiny", version=version), store.__getitem__, other)
    before = dict(hub.repositories["ann/demo"].commits)
    with pytest.raises(Refused, match=r"holds release demo: push tiny into a repository of its own"):
        put(other)
    assert hub.repositories["ann/demo"].commits == before and list(hub.repositories["ann/demo"].tags) == [
        "0.1.0"
    ]


def test_what_is_not_whole_or_not_to_be_handed_on_is_refused(put, hub, release, client):
    retracted = Found(FolderOrigin(release), state="retracted")
    with pytest.raises(Refused, match="is retracted"):
        push(retracted, PLACE, api=client)
    notice = release / "_RETRACTED.json"
    notice.write_text(Notice("demo@0.1.0", (), ("scene-test-000",), (), None).text())
    with pytest.raises(Refused, match=r"not pushed: demo@0\.1\.0 was retracted"):
        put(release)
    notice.unlink()
    next(release.glob("data/cares/*.parquet")).unlink()
    with pytest.raises(Refused, match=r"differs from what was published: missing data/cares"):
        put(release)
    assert hub.repositories == {}


def test_a_release_on_the_web_is_handed_on_from_there(hub, client, web, release, tmp_path):
    found = find_release(web, lambda: "")
    assert push(found, PLACE, api=client).outcome == "pushed"
    for path in (p.relative_to(release).as_posix() for p in release.rglob("*") if p.is_file()):
        assert hub.content("ann/demo", path, "0.1.0") == (release / path).read_bytes()
    for place, name in ((web, "there"), (str(release), "here")):
        export(readable(find_release(place, lambda: "")), format_of("webdataset"), tmp_path / name)
    assert [p.read_bytes() for p in sorted((tmp_path / "there").iterdir())] == [
        p.read_bytes() for p in sorted((tmp_path / "here").iterdir())
    ]


def test_a_part_of_a_release_is_refused(put, release, tmp_path):
    from sonolake.releases import pull
    from sonolake.releases.offered import offered

    pull(offered(FolderOrigin(release)), tmp_path / "part", ["test"])
    with pytest.raises(Refused, match="pulled in part"):
        put(tmp_path / "part")


def test_a_commit_of_somebody_else_meanwhile_is_said(put, hub, release, client, monkeypatch):
    create = type(client).create_commit

    def late(self, repository, *given, **more):
        hub.repositories["ann/demo"].add({"README.md": ("regular", b"mine")}, "in between")
        return create(self, repository, *given, **more)

    monkeypatch.setattr(type(client), "create_commit", late)
    with pytest.raises(Refused, match="push again"):
        put(release)


@pytest.mark.parametrize(
    "address", ["demo", "hf:demo", "hf:ann/de mo", "hf:ann/demo/x", "hf:../demo", "s3://a/b"]
)
def test_only_a_repository_is_an_address(address):
    with pytest.raises(InvalidInput, match="hf:owner/name"):
        repository_in(address)


@pytest.fixture
def command(hub, release, tmp_path):
    """``sonolake push`` in a process of its own, with a token or without."""

    def run(*options, token=None):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "HUGGING"))}
        env |= {"HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_DISABLE_XET": "1"}
        env |= {"HF_TOKEN": token} if token else {}
        script = "from sonolake.cli import main; main()"
        return subprocess.run(
            [sys.executable, "-c", script, "push", str(release), PLACE, *options],
            env=env, capture_output=True, text=True,
        )  # fmt: skip

    return run


def test_the_command_finds_the_token_and_says_none(command, hub, hub_module):
    pytest.importorskip("huggingface_hub", reason="pip install -e .[dev] brings huggingface_hub")
    done = command("--private", token=hub_module.TOKEN)
    assert done.returncode == 0, done.stderr
    assert "0.1.0 tagged" in done.stdout and hub_module.TOKEN not in done.stdout + done.stderr
    assert hub.repositories["ann/demo"].private and "signature" not in done.stdout + done.stderr
