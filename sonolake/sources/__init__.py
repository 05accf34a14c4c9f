"""Where sounds come from: folders with manifests, audio that installed packages carry, and procedural sounds."""
