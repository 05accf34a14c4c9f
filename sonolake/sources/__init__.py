"""Where sounds come from: folders with manifests, installed packages' own audio, and procedural sounds."""
