"""A small network on both kinds of switch: what interfaces look like, and links that fail."""

import json
import os
import shutil
import signal
import tempfile
import unittest
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hpccnet.machine.isolation import isolate
from tests.kinds import can_run_bmv2

_ABLE = os.geteuid() == 0 and shutil.which("mnexec") is not None
_EFFORT = int(os.environ.get("HPCC_EFFORT", "1"))
_KINDS = ["embedded", *(["bmv2"] if can_run_bmv2() else [])]

_DOCUMENT: dict[str, list[dict[str, Any]]] = {
    "switches": [{"name": "s1"}, {"name": "s2"}],
    "hosts": [{"name": "h1"}, {"name": "h2"}],
    "links": [
        {"between": ["h1", "s1:1"], "rate": "10 Gb/s"},
        {"between": ["s1:2", "s2:1"], "rate": "10 Gb/s"},
        {"between": ["s2:2", "h2"], "rate": "10 Gb/s"},
    ],
}

_RECEIVE = (
    "import socket, sys; s = socket.socket(2, 2); s.bind(('', 5000)); s.settimeout(1);"
    "print('listening', file=sys.stderr, flush=True); s.recv(9)"
)
_SEND = "import socket; socket.socket(2, 2).sendto(b'hello', ('10.0.0.2', 5000))"


@unittest.skipUnless(_ABLE, "needs root and Mininet")
class LiveTest(unittest.TestCase):
    def test_interfaces_are_quiet_and_packets_stop_at_a_link_that_is_down(self) -> None:
        for kind in _KINDS:
            with self.subTest(kind):
                found = _in_child(partial(_look_and_fail_links, kind))
                self.assertEqual(found, "")

    def test_a_host_with_several_links_uses_those_that_are_left(self) -> None:
        for kind in _KINDS:
            with self.subTest(kind):
                if kind != _KINDS[0] and _EFFORT == 1:
                    self.skipTest("HPCC_EFFORT is 1")
                self.assertEqual(_in_child(partial(_use_several_links, kind)), "")

    def test_embedded_switches_share_a_process_and_end_one_by_one(self) -> None:
        self.assertEqual(_in_child(_share_a_process), "")

    def test_a_delay_works_or_is_refused_by_name(self) -> None:
        self.assertEqual(_in_child(_ask_for_delay), "")


def _in_child(body: Callable[[], list[str]]) -> str:
    """Run it in namespaces of its own and return what it complains of."""
    with tempfile.TemporaryFile("w+") as complaints:
        child = os.fork()
        if child == 0:
            isolate("test-live")
            try:
                complaints.write("\n".join(body()))
            except BaseException as error:
                complaints.write(repr(error))
            complaints.flush()
            os._exit(0)
        os.waitpid(child, 0)
        complaints.seek(0)
        return complaints.read()


def _wrong_interfaces(net: Any) -> list[str]:
    wrong = []
    for node in (net["h1"], net["s1"]):
        name = node.intfNames()[-1]
        features = node.cmd(f"ethtool -k {name}")
        wrong += [
            f"{name}: {line.strip()}"
            for line in features.splitlines()
            if line.split(":")[0].strip() in _OFF and not line.split(":")[1].startswith(" off")
        ]
        for command, text in (
            (f"ip link show {name}", "mtu 2012 qdisc noqueue"),
            (f"cat /proc/sys/net/ipv6/conf/{name}/disable_ipv6", "1"),
        ):
            said = node.cmd(command)
            wrong += [] if text in said else [f"{command}: wanted {text}, found {said}"]
    route = net["h1"].cmd("ip route")
    return wrong if "mtu 1500" in route else [*wrong, f"route: {route}"]


_OFF = (
    "rx-checksumming",
    "tx-checksumming",
    "scatter-gather",
    "tcp-segmentation-offload",
    "generic-segmentation-offload",
    "generic-receive-offload",
)


def _look_and_fail_links(kind: str) -> list[str]:
    from hpccnet import SWITCH_KINDS

    def look(net: Any, folder: Path) -> list[str]:
        wrong = _wrong_interfaces(net)
        steps = [("at first", _arrives(net, folder), True)]
        for link in (("s1", "s2"), ("s2", "h2")):
            net.configLinkStatus(*link, "down")
            steps.append((f"{link} down", _arrives(net, folder), False))
            net.configLinkStatus(*link, "up")
            steps.append((f"{link} up", _arrives(net, folder), True))
        failed = [f"{step}: {arrived}" for step, arrived, wanted in steps if arrived != wanted]
        return [f"{kind}, {each}" for each in (*wrong, *failed)]

    return _with_network(SWITCH_KINDS[kind], _DOCUMENT, look)


#: Two planes that are joined; h3 is in the first one only, and h4 on a cable to h1.
_PLANES: dict[str, list[dict[str, Any]]] = {
    "switches": [{"name": "s1"}, {"name": "s2"}],
    "hosts": [{"name": f"h{i}"} for i in (1, 2, 3, 4)],
    "links": [
        {"between": ends, "rate": "10 Gb/s"}
        for ends in (
            ["h1:1", "s1:1"],
            ["h1:2", "s2:1"],
            ["h2:1", "s1:2"],
            ["h2:2", "s2:2"],
            ["h3", "s1:3"],
            ["s1:4", "s2:4"],
            ["h1:3", "h4"],
        )
    ],
}


def _use_several_links(kind: str) -> list[str]:
    from hpccnet import SWITCH_KINDS

    def look(net: Any, folder: Path) -> list[str]:
        host = net["h1"]
        steps: list[tuple[str, Any, Any]] = [
            ("words", host.interface_words()[1].split(",")[0], "h1-eth1=10000000000"),
            ("at first", _ways(host), {2: ["h1-eth1", "h1-eth2"], 3: ["h1-eth1"], 4: ["h1-eth3"]}),
            ("at first", _arrives(net, folder), True),
        ]
        net.configLinkStatus("h1", "s1", "down")
        # The other end of the plane still knows the link, and no controller watches.
        left = {2: ["h1-eth2"], 3: ["h1-eth2"], 4: ["h1-eth3"]}
        steps.append(("without a NIC", _ways(host), left))
        steps.append(("without a NIC", _arrives(net, folder), True))
        net.configLinkStatus("s2", "h2", "down")
        steps.append(("the other side", _ways(net["h2"]), {1: ["h2-eth1"], 3: ["h2-eth1"]}))
        net.configLinkStatus("s1", "s2", "down")
        steps.append(("apart", _ways(host), {4: ["h1-eth3"]}))
        for link in (("s1", "s2"), ("s2", "h2"), ("h1", "s1")):
            net.configLinkStatus(*link, "up")
        steps += [
            ("as before", _ways(host), steps[1][2]),
            ("as before", _arrives(net, folder), True),
        ]
        return [f"{kind}, {step}: {found}" for step, found, wanted in steps if found != wanted]

    return _with_network(SWITCH_KINDS[kind], _PLANES, look)


def _ways(host: Any) -> dict[int, list[str]]:
    """Interfaces of the kernel's routes, by the last number of the address."""
    routes = json.loads(host.cmd("ip -j route"))
    return {
        int(each["dst"].split(".")[-1]): [hop["dev"] for hop in each.get("nexthops", [each])]
        for each in routes
        if each.get("type") != "unreachable"
    }


def _share_a_process() -> list[str]:
    from hpccnet import EmbeddedSwitch, apply_document, network_of

    def look(net: Any, folder: Path) -> list[str]:
        first, second = net["s1"], net["s2"]
        agent = net["h2"].start_agent("--address", "10.0.0.9")
        send = net["h1"].start_send("10.0.0.9", "-n", "1K", own_process=True)
        group = first.process.group
        steps: list[tuple[str, Any, Any]] = [
            ("one process for switches", second.process.group is group, True),
            ("the same for hosts", agent.group is group, True),
            ("or a process alone", hasattr(send, "group"), False),
            ("at first", _arrives(net, folder), True),
        ]
        send.stop()
        agent.stop()
        first.stop_process()
        steps += [
            ("s1 has ended", first.process.exit_code, 0),
            ("s2 goes on", second.connected(), True),
            ("s1 does not forward", _arrives(net, folder), False),
        ]
        first.start([])
        first.wait_ready()
        apply_document(network_of(_DOCUMENT), net.switches, folder / "again.yaml")
        steps.append(("s1 again", _arrives(net, folder), True))
        group.process.stop(signal.SIGKILL)
        steps += [
            (f"{each.name} has ended", (each.connected(), each.process.signal), (False, "SIGKILL"))
            for each in (first, second)
        ]
        return [f"{step}: {found}" for step, found, wanted in steps if found != wanted]

    return _with_network(EmbeddedSwitch, _DOCUMENT, look)


def _arrives(net: Any, folder: Path) -> bool:
    from hpccnet.machine.readiness import contains, wait_until

    receiver = net["h2"].launch("receiver", ["python3", "-c", _RECEIVE])
    log = folder / "receiver.err"
    wait_until(receiver, lambda: contains(log, "listening"), "listen", 10)
    # A port may need a moment to notice that its link is back.
    for _ in range(3):
        net["h1"].launch("sender", ["python3", "-c", _SEND]).wait(10)
        if receiver.wait(0.3):
            break
    receiver.wait(10)
    return receiver.exit_code == 0


def _ask_for_delay() -> list[str]:
    from hpccnet import EmbeddedSwitch, HpccnetError
    from hpccnet.doctor.features import kernel_features

    has_netem = kernel_features().get("netem", False)
    links = [{**each, "delay": "1 ms"} for each in _DOCUMENT["links"]]
    try:
        return _with_network(EmbeddedSwitch, {**_DOCUMENT, "links": links}, lambda *_: [])
    except SystemExit:
        return ["refused although there is netem"] if has_netem else []
    except HpccnetError as error:
        return [] if "needs netem" in str(error) and not has_netem else [str(error)]


def _with_network(
    switch: Any, text: dict[str, Any], body: Callable[[Any, Path], list[str]]
) -> list[str]:
    from hpccnet import HpccTopo, apply_document, network, network_of

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        topology = HpccTopo(network=network_of(text), switch_options={"log_dir": name})
        with network(topology, switch) as net:
            for host in net.hosts:
                host.log_dir = folder
            apply_document(topology.network, net.switches, folder / "network.yaml")
            return body(net, folder)
