"""What this machine has, and how much it can carry."""
