"""Hosts that can run this project's agent, and iperf3 and tcpdump as on any Mininet host."""

import ipaddress
from collections.abc import Sequence
from typing import Any

from mininet.node import Host

from ..machine.process import RunningProcess
from ..machine.readiness import contains, wait_until
from .interfaces import HOST_MTU, ip_batch, ipv6_quiet
from .nodes import GROUP, OwnedNode

#: A neighbour: IPv4 or IPv6 address, and MAC address.
Neighbour = tuple[str, str]

#: What `hpcc agent` logs once it receives.
AGENT_READY = '"msg":"ready"'
AGENT_SECONDS = 20.0


class HpccHost(OwnedNode, Host):
    """A host with one interface, whose neighbours are known.

    Neighbours are static since a network that only routes has no broadcast to ask by.
    """

    def __init__(self, name: str, **params: Any) -> None:
        self._lost_when_down: list[str] = []
        super().__init__(name, **params)

    def config(
        self,
        mac: str | None = None,
        ip: str | None = None,
        ipv6: str | None = None,
        mtu: int = HOST_MTU,
        neighbours: Sequence[Neighbour] = (),
        lo: str = "up",
        **params: Any,
    ) -> dict[str, Any]:
        """Set addresses and neighbours; Mininet calls it with the parameters of `addHost`.

        :param ip: address/length. Likewise `ipv6`.
        :param mtu: largest IP packet that it sends; the interface takes longer ones, which have
            grown by telemetry on the way.
        """
        intf = self.defaultIntf()
        ip_batch(self.node_pid(), [f"link set lo {lo}"])
        if intf is not None:
            ipv6_quiet(self.node_pid(), intf.name, used=ipv6 is not None)
            self._set_mac(intf, mac)
            self._address(intf, [each for each in (ip, ipv6) if each], mtu)
            self.add_neighbours(neighbours)
        # Other parameters, such as defaultRoute, are left to Mininet.
        return super().config(lo=lo, **params)

    def _set_mac(self, intf: Any, mac: str | None) -> None:
        lines = [f"link set {intf.name} up"]
        if mac is not None:
            intf.mac = mac
            lines = [f"link set {intf.name} down", f"link set {intf.name} address {mac}", *lines]
        ip_batch(self.node_pid(), lines)

    def _address(self, intf: Any, addresses: Sequence[str], mtu: int) -> None:
        lines = []
        for address in addresses:
            host, length = address.split("/")
            if ":" not in address:
                intf.ip, intf.prefixLen = host, int(length)
            # The kernel's own route for the prefix would have the interface's MTU.
            lines.append(f"address replace {address} dev {intf.name} noprefixroute")
            route = f"{_prefix(address)} dev {intf.name} src {host} mtu {mtu}"
            lines.append(f"route replace {route}")
        self._restore(lines)

    def _restore(self, lines: Sequence[str]) -> None:
        """Run commands of `ip` now, and again whenever the interface comes back."""
        self._lost_when_down += lines
        ip_batch(self.node_pid(), lines)

    def set_interface(self, interface: str, up: bool) -> None:
        super().set_interface(interface, up)
        # The kernel forgets routes and neighbours of an interface that goes down.
        if up and interface == self.defaultIntf().name:
            ip_batch(self.node_pid(), self._lost_when_down)

    def add_neighbours(self, neighbours: Sequence[Neighbour]) -> None:
        """Tell the kernel for good which MAC address an IP address has."""
        name = self.defaultIntf().name
        self._restore([f"neighbour replace {ip} lladdr {mac} dev {name}" for ip, mac in neighbours])

    def start_agent(
        self, *options: str, name: str | None = None, own_process: bool = False
    ) -> RunningProcess:
        """Run `hpcc agent` here and wait until it receives; `name` is that of its files.

        :param own_process: not in one process with other nodes.
        """
        words = ["agent", "-i", self.defaultIntf().name, *options]
        group = None if own_process else GROUP
        process = self.launch_hpcc(name or f"{self.name}-agent", words, group)
        log = process.command.stderr
        wait_until(process, lambda: contains(log, AGENT_READY), "become ready", AGENT_SECONDS)
        return process

    def start_send(
        self, to: str, *options: str, name: str | None = None, own_process: bool = False
    ) -> RunningProcess:
        """Run `hpcc send` here; its report is in the file of its standard output."""
        words = ["send", to, "-i", self.defaultIntf().name, *options]
        return self.launch_hpcc(name or f"{self.name}-send", words, None if own_process else GROUP)


def _prefix(address: str) -> str:
    return str(ipaddress.ip_interface(address).network)
