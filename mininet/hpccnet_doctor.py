#!/usr/bin/python3
"""Says what this machine lacks for Mininet runs. README.md says what it prints."""

import sys

from hpccnet.doctor.checks import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
