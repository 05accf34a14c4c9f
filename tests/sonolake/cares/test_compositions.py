from sonolake.cares.compositions import COMPOSITIONS, KEYS, reactions_of

LISTED = (
    "0000 0001 0010 0100 1000 0002 0011 0020 0101 0110 0200 1001 1010 1100 "
    "0003 0012 0021 0030 0102 0111 0120 0201 0210 0300 1002 1011 1020 1101 1110 1200"
)


def test_the_thirty_compositions_in_the_published_order():
    assert " ".join("".join(map(str, c)) for c in COMPOSITIONS) == LISTED


def test_names_and_reactions():
    assert KEYS[-1] == "P1V2B0A0"
    assert reactions_of("P1V0B2A0") == ("pivot", "behavioral", "behavioral")
    assert reactions_of("P0V0B0A0") == ()
