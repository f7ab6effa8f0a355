"""The Mininet network of a plan."""

from typing import Any

from ..net.hosts import HpccHost
from ..net.links import HpccLink
from ..net.session import HpccNet
from ..net.switches import SWITCH_KINDS
from .plan import Plan


def planned_network(plan: Plan) -> HpccNet:
    """Make nodes and links with all addresses. The runner starts the switches, as the plan says."""
    net = HpccNet(host=HpccHost, link=HpccLink, controller=None, build=False)
    for host in plan["hosts"]:
        net.addHost(host["name"], **_host_parameters(host))
    for switch in plan["switches"]:
        net.addSwitch(
            switch["name"],
            cls=SWITCH_KINDS[switch["kind"]],
            device_id=switch["deviceId"],
        )
    ends = _ends(plan)
    for link in plan["links"]:
        _add_link(net, link, ends)
    net.build()
    return net


def port_names(plan: Plan) -> dict[str, str]:
    """`s1:2` by the name of the interface."""
    return {
        port["interface"]: f"{switch['name']}:{port['port']}"
        for switch in plan["switches"]
        for port in switch["ports"]
    }


def _host_parameters(host: dict[str, Any]) -> dict[str, Any]:
    return {
        "ip": f"{host['ipv4']}/{host['prefixLength']}",
        "mac": host["mac"],
        "mtu": host["mtu"],
        "neighbours": {
            each["interface"]: [(other["ipv4"], other["mac"]) for other in each["neighbours"]]
            for each in host["interfaces"]
        },
    }


#: Port, MTU and MAC address of an interface.
_End = tuple[int, int, str]


def _ends(plan: Plan) -> dict[str, _End]:
    found = {
        each["interface"]: (port, host["mtu"], host["mac"])
        for host in plan["hosts"]
        for port, each in enumerate(host["interfaces"])
    }
    for switch in plan["switches"]:
        for port in switch["ports"]:
            found[port["interface"]] = (port["port"], port["mtu"], port["mac"])
    return found


def _add_link(net: HpccNet, link: dict[str, Any], ends: dict[str, _End]) -> None:
    names = (link["a"]["interface"], link["b"]["interface"])
    first, second = (ends[name] for name in names)
    net.addLink(
        link["a"]["node"],
        link["b"]["node"],
        port1=first[0],
        port2=second[0],
        intfName1=names[0],
        intfName2=names[1],
        addr1=first[2],
        addr2=second[2],
        # A packet must fit both ends of a veth pair, and the longer MTU is the one that counts with
        # what telemetry adds; what a host sends is held back by its route.
        mtu=max(first[1], second[1]),
        params1={"delay_us": link["delayUs"]},
        params2={"delay_us": link["backDelayUs"]},
        routed=link["routed"],
    )
