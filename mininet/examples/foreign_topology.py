#!/usr/bin/python3
"""A topology.json of another project, unchanged, with our switch and our controller.

    sudo ./foreign_topology.py tutorials/exercises/basic/pod-topo/topology.json [--switch bmv2]

The formats are those of the p4lang tutorials, with the runtime files that they name, and of
p4-utils. It sends a datagram between every two hosts, and prints which ones arrived.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hpccnet import (  # noqa: E402
    SWITCH_KINDS,
    HpccTopo,
    apply_document,
    exit_codes,
    isolate,
    network,
)

#: Receives one datagram or gives up after a while; the argument is the port.
_RECEIVE = (
    "import socket, sys; s = socket.socket(2, 2); s.bind(('', int(sys.argv[1]))); s.settimeout(3);"
    "print('listening', file=sys.stderr, flush=True); s.recv(9)"
)
_SEND = "import socket, sys; socket.socket(2, 2).sendto(b'hello', (sys.argv[1], int(sys.argv[2])))"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topology")
    parser.add_argument("--switch", choices=sorted(SWITCH_KINDS), default="embedded")
    parser.add_argument("--no-delays", action="store_true", help="for kernels without netem")
    parser.add_argument("--no-traffic", action="store_true", help="only start and set up")
    options = parser.parse_args()
    with exit_codes():
        isolate("foreign-topology")
        with tempfile.TemporaryDirectory() as folder:
            topology = HpccTopo.from_document(
                options.topology, delays=not options.no_delays, log_dir=folder
            )
            with network(topology, SWITCH_KINDS[options.switch]) as net:
                done = apply_document(topology.network, net.switches, f"{folder}/network.yaml")
                sys.stderr.write(done)
                pairs = [] if options.no_traffic else reachability(net.hosts)
                print(json.dumps({"switches": len(net.switches), "reached": pairs}))


def reachability(hosts: list[Any]) -> dict[str, list[str]]:
    """Whom each host has reached with a datagram."""
    return {
        host.name: [other.name for other in hosts if other is not host and reaches(host, other)]
        for host in hosts
    }


def reaches(source: Any, destination: Any) -> bool:
    """True if one datagram gets from one host to another."""
    from hpccnet.machine.readiness import contains, wait_until

    port = "5000"
    name = f"{source.name}-{destination.name}"
    receiver = destination.launch(name, ["/usr/bin/python3", "-c", _RECEIVE, port])
    log = receiver.command.stderr
    wait_until(receiver, lambda: contains(log, "listening"), "listen", 5)
    argv = ["/usr/bin/python3", "-c", _SEND, destination.IP(), port]
    sender = source.launch(f"{name}-send", argv)
    sender.wait(5)
    return receiver.wait(5) and receiver.exit_code == 0


if __name__ == "__main__":
    main()
