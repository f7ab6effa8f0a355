"""Kinds of switches that tests can run here."""

import os
import shutil
import subprocess


def can_run_bmv2() -> bool:
    """True if bmv2 is there, with Thrift and the command line that sets its queues."""
    target = shutil.which(os.environ.get("HPCC_BMV2", "simple_switch_grpc"))
    if target is None or shutil.which("simple_switch_CLI") is None:
        return False
    said = subprocess.run(["ldd", target], capture_output=True, text=True, check=False).stdout
    return "libthrift" in said
