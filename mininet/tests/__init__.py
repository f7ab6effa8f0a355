"""Tests of hpccnet. In the folder above: `python3 -m unittest discover --top-level-directory .`"""
