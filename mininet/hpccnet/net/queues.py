"""Rates and depths of a switch's queues over Thrift.

bmv2 counts in packets per second and in packets, and P4Runtime says nothing about queues.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import HpccnetError
from ..machine.readiness import parse_address

_CLI = "simple_switch_CLI"
_FAULTS = ("Error", "Invalid", "Unknown", "not", "Could not")


@dataclass(frozen=True)
class QueueSettings:
    """Settings of all queues of a port; None leaves a setting as it is."""

    port: int
    rate_packets: int | None
    depth_packets: int | None


def queue_commands(settings: Sequence[QueueSettings]) -> list[str]:
    """Lines for bmv2's command line."""
    lines = []
    for each in settings:
        if each.rate_packets is not None:
            lines.append(f"set_queue_rate {each.rate_packets} {each.port}")
        if each.depth_packets is not None:
            lines.append(f"set_queue_depth {each.depth_packets} {each.port}")
    return lines


def set_queues(thrift_address: str, settings: Sequence[QueueSettings]) -> None:
    """Set them on a switch whose Thrift server runs.

    :raises HpccnetError: when bmv2's command line is missing or refuses a line.
    """
    lines = queue_commands(settings)
    if not lines:
        return
    host, port = parse_address(thrift_address)
    argv = [_CLI, "--thrift-ip", host, "--thrift-port", str(port)]
    try:
        done = subprocess.run(
            argv, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise HpccnetError(f"queue rates need bmv2's {_CLI} on PATH") from error
    refused = [line for line in done.stdout.splitlines() if any(w in line for w in _FAULTS)]
    if done.returncode != 0 or refused:
        said = "; ".join(refused) or done.stderr.strip() or f"exit code {done.returncode}"
        raise HpccnetError(f"{_CLI} at {thrift_address} refused queue settings: {said}")
