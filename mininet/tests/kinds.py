"""Kinds of switches that tests can run here."""

import os
import shutil


def can_run_bmv2() -> bool:
    """True if bmv2 is there, with its command line, which sets the rates of its queues."""
    target = os.environ.get("HPCC_BMV2", "simple_switch_grpc")
    return all(shutil.which(name) is not None for name in (target, "simple_switch_CLI"))
