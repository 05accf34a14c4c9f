"""Training and benchmark sets: kept apart, counted, shown."""
