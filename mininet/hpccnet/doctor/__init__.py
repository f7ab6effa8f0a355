"""Checks of this machine: installed programs, features, and capacity."""
