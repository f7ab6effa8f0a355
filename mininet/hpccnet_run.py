#!/usr/bin/python3
"""Runs a plan: hpccnet_run.py PLAN.json. README.md says what it writes."""

import sys

from hpccnet.commands import run_command

if __name__ == "__main__":
    sys.exit(run_command(sys.argv[1:]))
