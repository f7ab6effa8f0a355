"""A plan with one switch and two hosts, for tests."""

from pathlib import Path
from typing import Any

import yaml

from hpccnet.launcher import hpcc

_DOCUMENT = {
    "network": "sample",
    "switches": [
        {
            "name": "s1",
            "address": "127.0.0.1:50001",
            "thrift": "127.0.0.1:9091",
            "packetBytes": 1250,
        }
    ],
    "hosts": [{"name": "h1"}, {"name": "h2"}],
    "links": [
        {"between": ["h1", "s1:1"], "rate": "100 Mb/s"},
        {"between": ["s1:2", "h2"], "rate": "50 Mb/s"},
    ],
}


def process(name: str, argv: list[str], node: str | None = None, **more: Any) -> dict[str, Any]:
    """A process of a plan that writes to files of its own name."""
    where = {} if node is None else {"node": node}
    files = {"stdout": f"{name}.out", "stderr": f"{name}.err"}
    return {"name": name, "argv": argv, **where, **files, **more}


def sample_plan(output: Path, kind: str = "bmv2", shared: bool = True) -> dict[str, Any]:
    """Two hosts around a switch; a flow of 200 kB, and a link that goes down and up.

    :param shared: switch and hosts have one process.
    """
    document = output / "network.yaml"
    document.write_text(yaml.safe_dump(_DOCUMENT))
    ready = {"stream": "stderr", "contains": '"msg":"ready"', "deadlineSeconds": 20}
    agent = ["agent", "-i", "h2-eth0"]
    send = ["send", "10.0.0.2", "-i", "h1-eth0", "-n", "200K", "--json"]
    return {
        "schema": "hpcc-mininet-plan/1",
        "run": "sample",
        "experiment": "sample",
        "output": str(output),
        "groups": [process("all", hpcc("group", "--commands"))] if shared else [],
        "switches": [_switch(kind, shared)],
        "hosts": [_host(1), _host(2)],
        "links": [_link(1), _link(2)],
        "setup": [
            {
                "process": process("apply", hpcc("controller", "apply", str(document))),
                "deadlineSeconds": 30,
            }
        ],
        "services": [_node("receiver", agent, shared, node="h2", ready=ready)],
        "timeline": [
            {"at": 0.1, "action": "start", "process": _node("sender", send, shared, node="h1")},
            {"at": 0.1, "action": "wait", "process": "sender", "deadlineSeconds": 20},
            {"at": 0.2, "action": "link", "link": "h2-s1:2", "state": "down"},
            {"at": 0.3, "action": "link", "link": "h2-s1:2", "state": "up"},
        ],
        "captures": [{"node": "h2", "interface": "h2-eth0", "file": "h2.pcap", "snapLength": 128}],
        "sampling": {"cpuMs": 100, "portsMs": 200},
    }


def _node(name: str, words: list[str], shared: bool, **more: Any) -> dict[str, Any]:
    if shared:
        return process(name, words, group="all", **more)
    return process(name, hpcc(*words), **more)


def _switch(kind: str, shared: bool) -> dict[str, Any]:
    ports = ["-i", "1@s1-eth1", "-i", "2@s1-eth2"]
    flags = ["--device-id", "1", "--thrift-port", "9091", *ports, "--no-p4", "--"]
    flags += ["--grpc-server-addr", "127.0.0.1:50001"]
    bmv2 = process("s1", ["simple_switch_grpc", *flags])
    return {
        "name": "s1",
        "kind": kind,
        "deviceId": 1,
        "process": bmv2 if kind == "bmv2" else _node("s1", ["switch", *flags], shared),
        "p4runtime": "127.0.0.1:50001",
        "thrift": "127.0.0.1:9091",
        "program": {"name": "hpcc", "p4info": "hpcc.p4info.json", "config": "hpcc.json"},
        "ports": [_port(1, 100e6), _port(2, 50e6)],
    }


def _port(port: int, rate: float) -> dict[str, Any]:
    return {
        "port": port,
        "interface": f"s1-eth{port}",
        "mac": f"02:00:00:01:00:{port:02x}",
        "mtu": 2012,
        "rateBps": rate,
        "queueDepthPackets": None,
    }


def _host(number: int) -> dict[str, Any]:
    other = 3 - number
    return {
        "name": f"h{number}",
        "mac": f"02:01:00:00:00:{number:02x}",
        "ipv4": f"10.0.0.{number}",
        "prefixLength": 8,
        "mtu": 1500,
        "interfaces": [
            {
                "interface": f"h{number}-eth0",
                "neighbours": [{"ipv4": f"10.0.0.{other}", "mac": f"02:01:00:00:00:{other:02x}"}],
            }
        ],
    }


def _link(number: int) -> dict[str, Any]:
    return {
        "name": f"h{number}-s1:{number}",
        "a": {"node": f"h{number}", "interface": f"h{number}-eth0"},
        "b": {"node": "s1", "interface": f"s1-eth{number}"},
        "delayUs": 0,
        "backDelayUs": 0,
        "routed": True,
    }
