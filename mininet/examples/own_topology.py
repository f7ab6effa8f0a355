#!/usr/bin/python3
"""A topology of your own: a document, a network, and a command line on its hosts.

    h1 --- s1 --- s2 --- h3         sudo ./own_topology.py [--switch bmv2] [DOCUMENT]
    h2 ---'         '--- h4

Copy it together with own_topology.yaml, and change that. In the command line, `h1 iperf3 ...`,
`h3 tcpdump -i h3-eth0` and `link s1 s2 down` work as in any Mininet.
"""

import argparse
import sys
import tempfile
from pathlib import Path

# A copy of this file elsewhere needs the folder `mininet` of this project on PYTHONPATH instead.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hpccnet import (  # noqa: E402
    SWITCH_KINDS,
    HpccTopo,
    apply_document,
    exit_codes,
    isolate,
    network,
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Start the network of a document.")
    document = str(Path(__file__).with_name("own_topology.yaml"))
    parser.add_argument("document", nargs="?", default=document)
    parser.add_argument("--switch", choices=sorted(SWITCH_KINDS), default="embedded")
    parser.add_argument("--no-cli", action="store_true", help="stop again at once")
    options = parser.parse_args()
    with exit_codes():
        # From here on nothing can be left behind, and no other network is in the way.
        isolate("own-topology")
        run(options)


def run(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        topology = HpccTopo.from_document(options.document, log_dir=folder)
        with network(topology, SWITCH_KINDS[options.switch]) as net:
            print(apply_document(topology.network, net.switches, f"{folder}/network.yaml"))
            if not options.no_cli:
                from mininet.cli import CLI

                CLI(net)


if __name__ == "__main__":
    main()
