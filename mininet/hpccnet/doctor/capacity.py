"""Capacity of one switch on this machine: two hosts, one switch, as many packets as it takes.

The receiver tells the sender over a pipe, past the network, how many packets have come, and the
sender keeps so few under way that no queue overflows. So the rate settles at what the switch and
the two processes can do together, whatever that is.
"""

import json
import os
import select
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..machine import kernel
from ..machine.isolation import isolate
from ..net.controller import apply_document
from ..net.document import network_of
from ..net.session import network
from ..net.switches import SWITCH_KINDS
from ..net.topology import HpccTopo
from ..runs.sampling import IdleMeter

PAYLOAD_BYTES = 1000
#: Ethernet, IPv4 and UDP.
HEADER_BYTES = 14 + 20 + 8
#: Packets under way, below the 64 that a queue of bmv2 holds.
WINDOW_PACKETS = 48
#: Packets per word of the receiver.
BATCH_PACKETS = 8
#: After so long without a word, in seconds, what is under way counts as lost.
SILENCE_SECONDS = 0.2
_WARM_UP_SECONDS = 0.5
_UDP_PORT = 5001
_SO_RCVBUFFORCE = 33
_RECEIVE_BUFFER = 4 << 20


@dataclass(frozen=True)
class Capacity:
    """Capacity of one kind of switch."""

    kind: str
    packetsPerSecond: int
    #: Share of all cores' time that was left over.
    idle: float
    frameBytes: int
    lostShare: float
    #: In 98 % of its turns the switch found no frame that had waited for so many milliseconds; None
    #: where it does not say.
    lateMs: int | None = None


def measure_capacity(kind: str, seconds: float) -> Capacity:
    """Build the network, measure for so many seconds after half a second, and take it down."""
    with tempfile.TemporaryDirectory(prefix="hpccnet-") as folder:
        options = {"log_dir": folder}
        topology = HpccTopo(network=network_of(_document()), switch_options=options)
        with network(topology, SWITCH_KINDS[kind]) as net:
            apply_document(topology.network, net.switches, Path(folder) / "network.yaml")
            sender, receiver = (_socket_in(net[name].pid) for name in ("h1", "h2"))
            receiver.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _RECEIVE_BUFFER)
            receiver.bind((net["h2"].IP(), _UDP_PORT))
            sender.connect((net["h2"].IP(), _UDP_PORT))
            found = _measure(kind, sender, receiver, seconds)
        # Adds the lateness that a switch reports at its end.
        return replace(found, lateMs=_late_ms(Path(folder) / "s1.out"))


#: Of the turns of a switch; a run in which more of them are late by T is not valid.
_LATE_SHARE = 0.02


def _late_ms(output: Path) -> int | None:
    lines = output.read_text(errors="replace").splitlines()
    try:
        summary = json.loads(lines[-1])
    except (IndexError, ValueError):
        return None  # bmv2 says nothing.
    late = summary.get("late", {"turns": 0, "waited": {}})
    often = [int(ms) for ms, n in late["waited"].items() if n > _LATE_SHARE * late["turns"]]
    return 2 * max(often) if often else 1


def _document() -> dict[str, Any]:
    return {
        "network": "capacity",
        "switches": [{"name": "s1", "queues": {"enforceRate": False}}],
        "hosts": [{"name": "h1"}, {"name": "h2"}],
        "links": [
            {"between": ["h1", "s1:1"], "rate": "10 Gb/s"},
            {"between": ["s1:2", "h2"], "rate": "10 Gb/s"},
        ],
    }


def _socket_in(process: int) -> socket.socket:
    """A UDP socket belongs for good to the namespace in which it was made."""
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    other = os.open(f"/proc/{process}/ns/net", os.O_RDONLY)
    try:
        kernel.enter_namespace(other)
        return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    finally:
        kernel.enter_namespace(own)
        os.close(own)
        os.close(other)


def _measure(kind: str, sender: socket.socket, receiver: socket.socket, seconds: float) -> Capacity:
    words, voice = os.pipe()
    setup = kernel.child_setup()
    child = os.fork()
    if child == 0:
        setup()
        _receive(receiver, voice)
    os.close(voice)
    try:
        meter = IdleMeter()
        delivered = lost = 0
        begin = now = time.monotonic() + _WARM_UP_SECONDS
        for count, missing in _send(sender, words, begin + seconds):
            now = time.monotonic()
            if now < begin:
                meter.share()
                continue
            delivered += count
            lost += missing
        idle = meter.share()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(words)
    return Capacity(
        kind=kind,
        packetsPerSecond=round(delivered / (now - begin)) if now > begin else 0,
        idle=round(idle, 3),
        frameBytes=PAYLOAD_BYTES + HEADER_BYTES,
        lostShare=round(lost / (delivered + lost), 6) if delivered + lost > 0 else 1.0,
    )


def _send(sender: socket.socket, words: int, until: float) -> Iterator[Any]:
    """Send until then; yields the packets that have arrived, and those that are lost."""
    payload = bytes(PAYLOAD_BYTES)
    under_way = 0
    poll = select.poll()
    poll.register(words, select.POLLIN)
    while time.monotonic() < until:
        while under_way < WINDOW_PACKETS:
            sender.send(payload)
            under_way += 1
        if poll.poll(SILENCE_SECONDS * 1000):
            arrived = len(os.read(words, 4096)) * BATCH_PACKETS
            under_way = max(0, under_way - arrived)
            yield arrived, 0
        else:
            yield 0, under_way
            under_way = 0


def _receive(receiver: socket.socket, voice: int) -> None:
    buffer = bytearray(PAYLOAD_BYTES)
    while True:
        for _ in range(BATCH_PACKETS):
            receiver.recv_into(buffer)
        os.write(voice, b".")


def main(kind: str, seconds: str) -> None:
    """Print the capacity of one kind as JSON."""
    isolate(f"capacity-{kind}-{os.getpid()}")
    print(json.dumps(asdict(measure_capacity(kind, float(seconds)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
