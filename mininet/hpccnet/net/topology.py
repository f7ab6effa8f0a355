"""A Mininet topology from the document that the controller reads.

topology = HpccTopo.from_document("net.yaml")
net = Mininet(topo=topology, switch=EmbeddedSwitch, host=HpccHost, link=HpccLink,
controller=None)
"""

import dataclasses
from typing import Any

from mininet.topo import Topo

from .document import HostEntry, LinkEnd, LinkEntry, Network, load_document
from .interfaces import HEADROOM_BYTES


class HpccTopo(Topo):
    """Switches, hosts and links of a document, with ports and addresses as it says."""

    @classmethod
    def from_document(cls, path: str, delays: bool = True, **options: Any) -> "HpccTopo":
        """Read a network document, or a topology.json of the tutorials or of p4-utils.

        :param delays: False to do without the delays of links, on a kernel that has no netem.
        :param options: parameters for every switch; hosts have `log_dir`, too.
        """
        network = load_document(path)
        if not delays:
            links = [dataclasses.replace(each, delays_us=(0.0, 0.0)) for each in network.links]
            network = dataclasses.replace(network, links=links)
        return cls(network=network, switch_options=options)

    def build(self, network: Network, switch_options: dict[str, Any]) -> None:
        """Mininet calls it with what the constructor got."""
        self.network = network
        for switch in network.switches:
            own = {"device_id": switch.device_id, "packet_bytes": switch.packet_bytes}
            self.addSwitch(switch.name, **{**own, **switch_options})
        logs = {name: value for name, value in switch_options.items() if name == "log_dir"}
        for host in network.hosts:
            self.addHost(host.name, **_host_parameters(host, network.hosts), **logs)
        depths = {each.name: each.queue_packets for each in network.switches}
        ipv6_hosts = {each.name: each.ipv6 is not None for each in network.hosts}
        for link in network.links:
            self._add_link(link, depths, ipv6_hosts)

    def _add_link(self, link: LinkEntry, depths: dict[str, Any], ipv6_hosts: Any) -> None:
        first, second = (
            {**_end_parameters(end, depths, ipv6_hosts), "rate_bps": rate, "delay_us": delay}
            for end, rate, delay in zip(link.ends, link.rates_bps, link.delays_us, strict=True)
        )
        self.addLink(
            link.ends[0].node,
            link.ends[1].node,
            port1=_port(link.ends[0]),
            port2=_port(link.ends[1]),
            params1=first,
            params2=second,
            mtu=link.mtu + HEADROOM_BYTES,
            up=link.up,
        )


def _port(end: LinkEnd) -> int:
    return 0 if end.port is None else end.port


def _end_parameters(end: LinkEnd, depths: dict[str, Any], ipv6_hosts: Any) -> dict[str, Any]:
    if end.node in ipv6_hosts:
        return {"ipv6": ipv6_hosts[end.node]}
    return {"queue_packets": depths[end.node]}


def _host_parameters(host: HostEntry, hosts: list[HostEntry]) -> dict[str, Any]:
    others = [each for each in hosts if each.name != host.name]
    neighbours = [(each.ipv4, each.mac) for each in others]
    if host.ipv6 is not None:
        neighbours += [(each.ipv6, each.mac) for each in others if each.ipv6 is not None]
    return {
        "ip": f"{host.ipv4}/8",
        "mac": host.mac,
        "mtu": host.mtu,
        "neighbours": neighbours,
        **({} if host.ipv6 is None else {"ipv6": f"{host.ipv6}/64"}),
    }
