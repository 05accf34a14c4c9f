"""Eight directions of 45 degrees around the listener, centred on front, left, rear and right."""

from __future__ import annotations

SECTORS = ("front", "front-left", "left", "rear-left", "rear", "rear-right", "right", "front-right")
"""Counter-clockwise from the front; sector ``i`` is centred on azimuth 45 i degrees."""
WIDTH_DEG = 45.0
EDGE_DEG = 5.0
"""Closer to an edge than this, the sector is not asked for."""
STEEP_DEG = 60.0
"""Above or below this elevation a source has no clear sector."""


def wrap(azimuth_deg: float) -> float:
    """``azimuth_deg`` in [-180, 180)."""
    return (azimuth_deg + 180.0) % 360.0 - 180.0


def sector_index(azimuth_deg: float) -> int:
    """Index into :data:`SECTORS`; an edge belongs to the next sector counter-clockwise."""
    return int((azimuth_deg % 360.0 + WIDTH_DEG / 2) // WIDTH_DEG) % len(SECTORS)


def sector(azimuth_deg: float) -> str:
    """Name of the sector of an azimuth in degrees."""
    return SECTORS[sector_index(azimuth_deg)]


def edge_distance_deg(azimuth_deg: float) -> float:
    """Degrees from the nearest edge between two sectors, in [0, 22.5]."""
    inside = (azimuth_deg + WIDTH_DEG / 2) % WIDTH_DEG
    return min(inside, WIDTH_DEG - inside)


def clear(azimuth_deg: float, elevation_deg: float = 0.0) -> bool:
    """Whether a person could name the sector without doubt."""
    return edge_distance_deg(azimuth_deg) >= EDGE_DEG and abs(elevation_deg) <= STEEP_DEG
