"""Waiting until a process is ready, by looking and not by sleeping."""

import socket
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ..errors import HpccnetError
from .process import RunningProcess, wait_for_end

_LOOK_SECONDS = 0.02


def free_port() -> int:
    """A free TCP port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def parse_address(text: str) -> tuple[str, int]:
    """Read host:port."""
    host, _, port = text.rpartition(":")
    return host, int(port)


def accepts(address: str) -> bool:
    """True if a server takes connections there."""
    try:
        with socket.create_connection(parse_address(address), timeout=1):
            return True
    except OSError:
        return False


def wait_for_servers(process: RunningProcess, p4runtime: str, thrift: str, seconds: float) -> None:
    """Wait until both servers of a switch accept connections.

    :raises HpccnetError: when the process ends before, or the time is over.
    """
    built = "for Thrift (bmv2's simple_switch_grpc has it only when configured --with-thrift)"
    for address, purpose in ((p4runtime, "for P4Runtime"), (thrift, built)):
        wanted = f"accept connections at {address} {purpose}"
        wait_until(process, partial(accepts, address), wanted, seconds)


def contains(path: Path, text: str) -> bool:
    """True if a file contains a text; a missing file has none."""
    try:
        return text in path.read_text(errors="replace")
    except FileNotFoundError:
        return False


def wait_until(
    process: RunningProcess,
    condition: Callable[[], bool],
    wanted: str,
    seconds: float,
) -> None:
    """Wait until `condition` holds.

    :param wanted: what is waited for, to end the sentence "s1 did not ...".
    :raises HpccnetError: when the process ends before, or the time is over.
    """
    deadline = time.monotonic() + seconds
    while not condition():
        reason = _failure(process, deadline, seconds)
        if reason is not None:
            raise HpccnetError(f"{process.name} did not {wanted}: {reason}; {process.last_words()}")
        wait_for_end([process], _LOOK_SECONDS)


def _failure(process: RunningProcess, deadline: float, seconds: float) -> str | None:
    if process.poll():
        return f"it {process.how_it_ended()}"
    if time.monotonic() > deadline:
        return f"{seconds:g} s were not enough"
    return None
