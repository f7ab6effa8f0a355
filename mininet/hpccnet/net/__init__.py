"""Switches, hosts and links for Mininet, and the documents that describe them."""
