"""The controller's document of a network, as far as Mininet needs it.

Foreign formats, of the p4lang tutorials and of p4-utils, are read by `hpcc controller import`.
"""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ..errors import HpccnetError
from ..launcher import hpcc
from .interfaces import HOST_MTU

_RATES = {"bit/s": 1.0, "kb/s": 1e3, "Mb/s": 1e6, "Gb/s": 1e9}
_TIMES_US = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}


@dataclass(frozen=True)
class SwitchEntry:
    name: str
    device_id: int
    packet_bytes: int
    queue_packets: int | None


@dataclass(frozen=True)
class HostEntry:
    name: str
    ipv4: str
    mac: str
    ipv6: str | None
    mtu: int


@dataclass(frozen=True)
class LinkEnd:
    node: str
    #: None at a host that has one link.
    port: int | None


@dataclass(frozen=True)
class LinkEntry:
    ends: tuple[LinkEnd, LinkEnd]
    #: In bits per second, from the first end and from the second.
    rates_bps: tuple[float, float]
    #: In microseconds, likewise.
    delays_us: tuple[float, float]
    mtu: int
    up: bool


@dataclass(frozen=True)
class Network:
    """Nodes and links of a network; `text` is the document itself, as plain data."""

    switches: list[SwitchEntry]
    hosts: list[HostEntry]
    links: list[LinkEntry]
    text: dict[str, Any]


def load_document(path: str) -> Network:
    """Read a network document, or a topology.json of the tutorials or of p4-utils.

    :raises HpccnetError: naming the file and what is wrong.
    """
    try:
        text = yaml.safe_load(Path(path).read_text())
    except (OSError, yaml.YAMLError) as error:
        raise HpccnetError(f"{path}: {error}") from error
    if not isinstance(text, dict):
        raise HpccnetError(f"{path}: wanted a network document, found {type(text).__name__}")
    if _is_foreign(text):
        text = _import(path)
    try:
        return network_of(_with_absolute_files(text, Path(path).resolve().parent))
    except KeyError as error:
        raise HpccnetError(f"{path}: not a network document: {error} is missing") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise HpccnetError(f"{path}: not a network document: {error}") from error


def network_of(text: dict[str, Any]) -> Network:
    """Fill in what a document leaves open, by the same rules as the controller."""
    switches = [_switch(each, i + 1) for i, each in enumerate(text["switches"])]
    hosts = [_host(each, i + 1) for i, each in enumerate(text.get("hosts", []))]
    links = [_link(each) for each in text.get("links", [])]
    known = {each.name for each in switches} | {each.name for each in hosts}
    names = {each.name for each in switches}
    for i, link in enumerate(links):
        for end in link.ends:
            if end.node not in known:
                raise ValueError(f"links[{i}] leads to {end.node}, which is no switch and no host")
            if end.node in names and end.port is None:
                wanted = f"wanted a port, as in '{end.node}:1'"
                raise ValueError(f"links[{i}]: {end.node} is a switch: {wanted}")
    _check_host_ports(hosts, links)
    return Network(switches, hosts, links, text)


def _check_host_ports(hosts: list[HostEntry], links: list[LinkEntry]) -> None:
    for host in hosts:
        ports = [end.port for link in links for end in link.ends if end.node == host.name]
        if len(ports) > 1 and (None in ports or len(set(ports)) < len(ports)):
            wanted = f"wanted a port of its own for each, as in '{host.name}:1'"
            raise ValueError(f"{host.name} has {len(ports)} links: {wanted}")


def parse_rate(text: str) -> float:
    """Bits per second of a rate such as `10 Mb/s`."""
    return _quantity(text, _RATES, "a rate such as 10 Mb/s")


def parse_duration_us(text: Any) -> float:
    """Microseconds of a duration such as `1.5 ms`."""
    return _quantity(str(text), {**_TIMES_US, "": 1.0}, "a duration such as 1.5 ms")


def _is_foreign(text: dict[str, Any]) -> bool:
    # Theirs are keyed by name, or lists of nodes; ours is a list of switches.
    return not isinstance(text.get("switches"), list)


def _import(path: str) -> dict[str, Any]:
    argv = hpcc("controller", "import", path, "--json")
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HpccnetError(done.stderr.strip() or f"{' '.join(argv)} failed")
    return json.loads(done.stdout)


def _with_absolute_files(text: dict[str, Any], folder: Path) -> dict[str, Any]:
    """File names in a document are relative to it, but its copies lie elsewhere."""

    def absolute(owner: dict[str, Any], key: str) -> dict[str, Any]:
        files = owner.get(key)
        if not isinstance(files, dict):
            return owner
        return {**owner, key: {name: str(folder / file) for name, file in files.items()}}

    def both(owner: dict[str, Any]) -> dict[str, Any]:
        return absolute(absolute(owner, "program"), "tls")

    return {**both(text), "switches": [both(each) for each in text["switches"]]}


def _switch(each: dict[str, Any], position: int) -> SwitchEntry:
    return SwitchEntry(
        name=each["name"],
        device_id=each.get("deviceId", position),
        packet_bytes=each.get("packetBytes", 1514),
        queue_packets=each.get("queues", {}).get("depthPackets"),
    )


def _host(each: dict[str, Any], position: int) -> HostEntry:
    low = position.to_bytes(4, "big")
    return HostEntry(
        name=each["name"],
        ipv4=each.get("ipv4", ".".join(map(str, (10, *low[1:])))),
        mac=each.get("mac", "02:01:" + ":".join(f"{byte:02x}" for byte in low)),
        ipv6=each.get("ipv6"),
        mtu=each.get("mtu", HOST_MTU),
    )


def _link(each: dict[str, Any]) -> LinkEntry:
    ends = each["between"]
    if not isinstance(ends, list) or len(ends) != 2:
        raise ValueError(f"a link is between two ends, as in [h1, 's1:1'], not {ends!r}")
    first, second = ends
    delay = each.get("delay", "0 us")
    return LinkEntry(
        ends=(_end(first), _end(second)),
        rates_bps=(parse_rate(each["rate"]), parse_rate(each.get("backRate", each["rate"]))),
        delays_us=(parse_duration_us(delay), parse_duration_us(each.get("backDelay", delay))),
        mtu=each.get("mtu", HOST_MTU),
        up=each.get("up", True),
    )


def _end(text: Any) -> LinkEnd:
    if not isinstance(text, str):
        # YAML reads s1:1 without quotes as a mapping in braces, and digits as a number.
        raise ValueError(f"wanted a link's end such as h1 or 's1:1', found {text!r}")
    found = re.fullmatch(r"(.+):(\d+)", text)
    return LinkEnd(found[1], int(found[2])) if found else LinkEnd(text, None)


def _quantity(text: str, units: dict[str, float], wanted: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z/]*)", text.strip())
    if found is None or found[2] not in units:
        raise ValueError(f"wanted {wanted}, found {text!r}")
    return float(found[1]) * units[found[2]]
