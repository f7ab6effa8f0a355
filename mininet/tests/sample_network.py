"""A user's script without a plan: two switches, until it is stopped.

sample_network.py KIND DIRECTORY SECONDS [isolated]
"""

import sys
import time

from hpccnet import HpccTopo, isolate, network_of

_TEXT = {
    "switches": [{"name": "s1"}, {"name": "s2"}],
    "hosts": [{"name": "h1"}, {"name": "h2"}],
    "links": [
        {"between": ["h1", "s1:1"], "rate": "10 Mb/s"},
        {"between": ["s1:2", "s2:1"], "rate": "10 Mb/s"},
        {"between": ["s2:2", "h2"], "rate": "10 Mb/s"},
    ],
}


def main(arguments: list[str]) -> None:
    kind, directory, seconds, *rest = arguments
    if rest:
        isolate(directory=directory)
    from hpccnet import SWITCH_KINDS, network

    topology = HpccTopo(network=network_of(_TEXT), switch_options={"log_dir": directory})
    with network(topology, SWITCH_KINDS[kind]) as net:
        # A process that a user has left in the background, without a handle.
        net["h1"].cmd("sleep 1000 &")
        print("started", flush=True)
        time.sleep(float(seconds))
        print("finished", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
