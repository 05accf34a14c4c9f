"""Settings: what is in the file, and a clear word for what cannot be."""

from dataclasses import dataclass

import pytest

from sonolake.datasets import read_settings
from sonolake.errors import InvalidInput, NotFound


@dataclass(frozen=True)
class Settings:
    lake: str
    items: int = 24
    length_s: float = 6.0
    kinds: tuple[str, ...] = ("take",)
    short: bool = False

    def __post_init__(self):
        if self.items < 1:
            raise InvalidInput("items", "1 or more", self.items)


def read(tmp_path, text):
    path = tmp_path / "settings.toml"
    path.write_text(text)
    return read_settings(path, Settings)


def test_values_of_the_file_and_defaults(tmp_path):
    text = 'lake = "my-lake"\nlength_s = 5\nkinds = ["take", "foa"]\nshort = true\n'
    assert read(tmp_path, text) == Settings("my-lake", 24, 5.0, ("take", "foa"), True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lake = 3", "lake: expected a value of the type str, received 3"),
        ('lake = "x"\nitems = "many"', "items: expected a value of the type int, received 'many'"),
        ('lake = "x"\nitems = true', "items: expected a value of the type int, received True"),
        ('lake = "x"\nshort = 1', "short: expected a value of the type bool"),
        ('lake = "x"\nkinds = "take"', "kinds: expected a list"),
        ('lake = "x"\nkinds = [1]', "kinds: expected a value of the type str"),
        ('lake = "x"\nclips = 3', "expected the keys lake, items, length_s, kinds, short, received 'clips'"),
        ("items = 3", "expected values for lake, received 'none for lake'"),
        ('lake = "x"\nitems = 0', "items: expected 1 or more"),
        ("lake = ", "expected TOML"),
    ],
)
def test_what_cannot_be_is_said(tmp_path, text, message):
    with pytest.raises(InvalidInput, match=message):
        read(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(NotFound, match=r"no settings at .*settings\.toml"):
        read_settings(tmp_path / "settings.toml", Settings)
