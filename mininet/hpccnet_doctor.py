#!/usr/bin/python3
"""Report what this machine lacks for Mininet runs. README.md describes the output."""

import sys

from hpccnet.doctor.checks import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
