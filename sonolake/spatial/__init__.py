"""Spatial scenes of sounds in homes, the questions about them and how answers are scored (RMS-AQA).

Conventions everywhere inside: first-order Ambisonics in AmbiX (channels W, Y, Z, X; SN3D), 24 kHz, 10 s clips;
azimuth in degrees, 0 in front, counter-clockwise positive (+90 is left), in [-180, 180); elevation in degrees,
up positive, in [-90, 90]; distances in metres; times in seconds from the clip's start.
"""
