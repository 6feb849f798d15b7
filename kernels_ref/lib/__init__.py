"""What every kernel folder leans on. `loader`, `formula` and `roofline` need the standard library only."""
