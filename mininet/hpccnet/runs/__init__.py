"""Plans: what one says, and how it is carried out and recorded."""
