"""Counts in sentences."""


def counted(count: int, one: str, many: str = "") -> str:
    """``1 item``, ``2,000 items``; ``many`` is the plural where it is not ``one`` and an s."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
