#!/usr/bin/python3
"""A P4 profile of your own: compiles hpcc-dscp.p4, runs a flow through it, and reads its counter.

    sudo ./own_profile.py [--switch bmv2]       needs p4c-bm2-ss (https://github.com/p4lang/p4c)

Copy the folder, change dscp_counter.p4, and add what you like. Whatever keeps the tables of the
original gets its routes and port records from the controller.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MININET = HERE.parents[1]
sys.path.insert(0, str(MININET))

from hpccnet import (  # noqa: E402
    SWITCH_KINDS,
    HpccnetError,
    HpccTopo,
    apply_document,
    exit_codes,
    isolate,
    network,
    network_of,
)
from hpccnet.launcher import hpcc  # noqa: E402

PROGRAM = HERE / "hpcc-dscp.p4"
#: The name of the counter as P4Info has it: control, block, counter.
COUNTER = "ingress.dscp.classes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--switch", choices=sorted(SWITCH_KINDS), default="embedded")
    options = parser.parse_args()
    with exit_codes():
        isolate("own-profile")
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(run(options.switch, Path(folder))))


def compile_program(folder: Path) -> tuple[str, str]:
    """Compile with this project's blocks, and return the files for controller and switch."""
    p4info, config = folder / "hpcc-dscp.p4info.txtpb", folder / "hpcc-dscp.json"
    argv = ["p4c-bm2-ss", "--std", "p4-16", "-I", str(MININET.parent / "p4src"), "-I", str(HERE)]
    argv += ["--p4runtime-files", str(p4info), "-o", str(config), str(PROGRAM)]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise HpccnetError("the example needs p4c-bm2-ss on PATH") from error
    if done.returncode != 0:
        raise HpccnetError(f"{' '.join(argv)}: {done.stderr.strip()}")
    return str(p4info), str(config)


def run(kind: str, folder: Path) -> dict[str, int]:
    """Send 100 kB through one switch, and return packets by DSCP."""
    p4info, config = compile_program(folder)
    network_text = network_of(document(p4info, config))
    topology = HpccTopo(network=network_text, switch_options={"log_dir": str(folder)})
    with network(topology, SWITCH_KINDS[kind]) as net:
        for host in net.hosts:
            host.log_dir = folder
        applied = folder / "network.yaml"
        apply_document(topology.network, net.switches, applied)
        net["h2"].start_agent()
        # A busy machine is late: patience, so that no packet is sent and counted twice.
        patience = ("--rto-ms", "2000")
        flow = net["h1"].start_send(net["h2"].IP(), "-n", "100K", *patience, "--json")
        if not flow.wait(30) or flow.exit_code != 0:
            raise HpccnetError(f"the flow {flow.how_it_ended()}: {flow.last_words()}")
        return {str(each["index"]): each["data"]["packets"] for each in counters(applied)}


def document(p4info: str, config: str) -> dict[str, Any]:
    """Two hosts around a switch with the profile."""
    return {
        "network": "own-profile",
        "program": {"p4info": p4info, "config": config},
        "switches": [{"name": "s1", "packetBytes": 1250}],
        "hosts": [{"name": "h1"}, {"name": "h2"}],
        "links": [
            {"between": ["h1", "s1:1"], "rate": "100 Mb/s"},
            {"between": ["s1:2", "h2"], "rate": "50 Mb/s"},
        ],
    }


def counters(applied: Path) -> list[dict[str, Any]]:
    """Cells of the counter that have counted something."""
    argv = hpcc("controller", "get", "counters", str(applied), "--name", COUNTER, "--json")
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HpccnetError(f"{' '.join(argv)}: {done.stderr.strip()}")
    (switch,) = json.loads(done.stdout)["switches"]
    return [each for each in switch["cells"] if each["data"]["packets"] > 0]


if __name__ == "__main__":
    main()
