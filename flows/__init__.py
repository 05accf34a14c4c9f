"""What runs in which order. ``python -m flows NAME …`` runs any of them here and now."""
