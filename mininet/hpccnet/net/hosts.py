"""Hosts that can run this project's agent, and iperf3 and tcpdump as on any Mininet host."""

import ipaddress
from collections.abc import Mapping, Sequence
from typing import Any

from mininet.node import Host

from ..machine.process import RunningProcess
from ..machine.readiness import contains, wait_until
from .host_routes import other_hosts, ways_of
from .interfaces import HOST_MTU, ip_batch, ipv6_quiet, several_links
from .nodes import GROUP, OwnedNode

#: A neighbour: IPv4 or IPv6 address, and MAC address.
Neighbour = tuple[str, str]

#: What `hpcc agent` logs once it receives.
AGENT_READY = '"msg":"ready"'
AGENT_SECONDS = 20.0


class HpccHost(OwnedNode, Host):
    """A host whose neighbours are known, with one interface or several.

    Neighbours are static since a network that only routes has no broadcast to ask by. Several
    interfaces have the same addresses; to each other host the kernel has a route over all of them
    that are at the beginning of a shortest path, and loses those that fail.
    """

    def __init__(self, name: str, **params: Any) -> None:
        #: Commands by interface that bring back what the kernel forgets when it goes down.
        self._lost_when_down: dict[str, list[str]] = {}
        #: The command of `ip` that set the route to an address.
        self._routes: dict[str, str] = {}
        self._mtu = HOST_MTU
        super().__init__(name, **params)

    def config(
        self,
        mac: str | None = None,
        ip: str | None = None,
        ipv6: str | None = None,
        mtu: int = HOST_MTU,
        neighbours: Sequence[Neighbour] | Mapping[str, Sequence[Neighbour]] = (),
        lo: str = "up",
        **params: Any,
    ) -> dict[str, Any]:
        """Set addresses and neighbours; Mininet calls it with the parameters of `addHost`.

        :param ip: address/length. Likewise `ipv6`.
        :param mtu: largest IP packet that it sends; the interface takes longer ones, which have
            grown by telemetry on the way.
        :param neighbours: of all interfaces, or by the names of interfaces.
        """
        self._mtu = mtu
        ip_batch(self.node_pid(), [f"link set lo {lo}"])
        for intf in self.intfList():
            ipv6_quiet(self.node_pid(), intf.name, used=ipv6 is not None)
            self._set_mac(intf, mac)
            self._address(intf, [each for each in (ip, ipv6) if each])
            own = neighbours.get(intf.name, ()) if isinstance(neighbours, Mapping) else neighbours
            self.add_neighbours(own, intf.name)
        if self.has_several_links():
            several_links(self.node_pid(), [each.name for each in self.intfList()])
            self.use_ways()
        # Other parameters, such as defaultRoute, are left to Mininet.
        return super().config(lo=lo, **params)

    def has_several_links(self) -> bool:
        return len(self.intfList()) > 1

    def _set_mac(self, intf: Any, mac: str | None) -> None:
        state = "down" if intf.name in self.unused else "up"
        lines = [f"link set {intf.name} {state}"]
        if mac is not None:
            intf.mac = mac
            lines = [f"link set {intf.name} down", f"link set {intf.name} address {mac}", *lines]
        ip_batch(self.node_pid(), lines)

    def _address(self, intf: Any, addresses: Sequence[str]) -> None:
        lines = []
        for address in addresses:
            host, length = address.split("/")
            if ":" not in address:
                intf.ip, intf.prefixLen = host, int(length)
            # The kernel's own route for the prefix would have the interface's MTU.
            lines.append(f"address replace {address} dev {intf.name} noprefixroute")
            if not self.has_several_links():
                route = f"{_prefix(address)} dev {intf.name} src {host} mtu {self._mtu}"
                lines.append(f"route replace {route}")
        self._restore(intf.name, lines)

    def _restore(self, interface: str, lines: Sequence[str]) -> None:
        """Run commands of `ip` now, and again whenever the interface comes back."""
        self._lost_when_down.setdefault(interface, []).extend(lines)
        if interface not in self.unused:
            ip_batch(self.node_pid(), lines)

    def change_interface(self, interface: str, up: bool) -> None:
        super().change_interface(interface, up)
        # The kernel forgets routes and neighbours of an interface that goes down.
        if up:
            ip_batch(self.node_pid(), self._lost_when_down.get(interface, []))

    def use_ways(self) -> None:
        """Have the kernel take the ways to other hosts that are left now."""
        ways = ways_of(self)
        lines = []
        for other in other_hosts(self):
            for family in ("ip", "ipv6"):
                address, own = (_address_of(each, family) for each in (other, self))
                if address is None or own is None:
                    continue
                hops = " ".join(f"nexthop dev {each.name}" for each in ways.get(other.name, []))
                # One that is unreachable replaces what the kernel may have deleted by itself.
                route = f"{address} src {own} mtu {self._mtu} {hops}"
                line = f"route replace {route if hops else f'unreachable {address}'}"
                if self._routes.get(address) != line:
                    lines.append(line)
                self._routes[address] = line
        ip_batch(self.node_pid(), lines)

    def add_neighbours(self, neighbours: Sequence[Neighbour], interface: str | None = None) -> None:
        """Tell the kernel for good which MAC address an IP address has."""
        name = self.defaultIntf().name if interface is None else interface
        lines = [f"neighbour replace {ip} lladdr {mac} dev {name}" for ip, mac in neighbours]
        self._restore(name, lines)

    def interface_words(self) -> list[str]:
        """The option of `hpcc agent` and `hpcc send` that names its interfaces."""
        interfaces = self.intfList()
        if not self.has_several_links():
            return ["-i", self.defaultIntf().name]
        rates = [(each.name, each.params.get("rate_bps")) for each in interfaces]
        words = [name if rate is None else f"{name}={rate:.0f}" for name, rate in rates]
        return ["-i", ",".join(words)]

    def start_agent(
        self, *options: str, name: str | None = None, own_process: bool = False
    ) -> RunningProcess:
        """Run `hpcc agent` here and wait until it receives; `name` is that of its files.

        :param own_process: not in one process with other nodes.
        """
        words = ["agent", *self.interface_words(), *options]
        group = None if own_process else GROUP
        process = self.launch_hpcc(name or f"{self.name}-agent", words, group)
        log = process.command.stderr
        wait_until(process, lambda: contains(log, AGENT_READY), "become ready", AGENT_SECONDS)
        return process

    def start_send(
        self, to: str, *options: str, name: str | None = None, own_process: bool = False
    ) -> RunningProcess:
        """Run `hpcc send` here; its report is in the file of its standard output."""
        words = ["send", to, *self.interface_words(), *options]
        return self.launch_hpcc(name or f"{self.name}-send", words, None if own_process else GROUP)


def _address_of(host: Any, family: str) -> str | None:
    """Address that a host has or will have: hosts are configured one after the other."""
    text = host.params.get(family)
    return text.split("/")[0] if text else None


def _prefix(address: str) -> str:
    return str(ipaddress.ip_interface(address).network)
