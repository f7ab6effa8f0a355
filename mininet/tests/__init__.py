"""Tests of hpccnet, with the standard library's unittest: `python3 -m unittest discover mininet`."""
