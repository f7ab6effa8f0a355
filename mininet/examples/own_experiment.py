#!/usr/bin/python3
"""An experiment of your own: two flows share a link, and then one has it for itself.

    h1 ===.                         sudo ./own_experiment.py [--switch bmv2] [--out DIRECTORY]
           s1 --- s2 === h3
    h2 ===`          20 Mb/s

Claim: while both are active each gets about half of the link, and the queue stays short.
"""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hpccnet import (  # noqa: E402
    SWITCH_KINDS,
    HpccnetError,
    HpccTopo,
    apply_document,
    exit_codes,
    isolate,
    network,
)

DOCUMENT = Path(__file__).with_name("own_topology.yaml")
#: Bytes per flow. The second to start has the link for itself at the end.
FLOW_BYTES = ("1500K", "2500K")
#: Longer than the longest round trip of the idle network, in microseconds.
BASE_RTT_US = "4000"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--switch", choices=sorted(SWITCH_KINDS), default="embedded")
    parser.add_argument("--out", help="where logs and results go; nowhere unless given")
    options = parser.parse_args()
    with exit_codes():
        isolate("own-experiment", options.out)
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(run(options.switch, Path(folder)), indent=1))
            if options.out:
                shutil.copytree(folder, options.out, dirs_exist_ok=True)


def run(kind: str, folder: Path) -> dict[str, Any]:
    """Run both flows to their end and return what each achieved."""
    topology = HpccTopo.from_document(str(DOCUMENT), log_dir=str(folder))
    with network(topology, SWITCH_KINDS[kind]) as net:
        apply_document(topology.network, net.switches, folder / "network.yaml")
        # Hosts send at most at the rate of their own link; nothing else would pace them.
        common = ["--base-rtt-us", BASE_RTT_US, "--link-rate-bps", "100M"]
        # The algorithm runs at the senders.
        sender = [*common, "--expected-flows", "2"]
        net["h3"].start_agent(*common)
        flows = [
            net[name].start_send(net["h3"].IP(), "-n", size, "--json", *sender)
            for name, size in zip(("h1", "h2"), FLOW_BYTES, strict=True)
        ]
        for flow in flows:
            if not flow.wait(60) or flow.exit_code != 0:
                raise HpccnetError(f"{flow.name} {flow.how_it_ended()}: {flow.last_words()}")
        return {flow.name: summary(flow.command.stdout) for flow in flows}


def summary(path: Path) -> dict[str, Any]:
    """Figures of a flow, from the report of `hpcc send`."""
    return json.loads(path.read_text())["sent"]["flows"][0]


if __name__ == "__main__":
    main()
