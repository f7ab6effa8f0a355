"""Processes, namespaces and signals of this machine, and what of a run is left behind."""
