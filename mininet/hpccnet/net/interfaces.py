"""Settings of interfaces in a telemetry network.

Offloads are off: with them the kernel hands the switch packets of up to 64 KB that never were on
any wire, with checksums that were never computed. IPv6 is off unless a host has an address,
since router solicitations and multicast reports would be packets that no experiment sent.
"""

import subprocess
from collections.abc import Sequence

from ..errors import HpccnetError

#: Bytes that telemetry may add on the way: bmv2 has room for 512 more than came in.
HEADROOM_BYTES = 512
#: Largest IP packet of a host unless it says otherwise.
HOST_MTU = 1500

OFFLOADS = ("rx", "tx", "sg", "tso", "gso", "gro", "lro", "rxvlan", "txvlan")


def run_in(node_pid: int | None, argv: Sequence[str], text: str = "") -> str:
    """Run a command to its end, in a node's namespaces if given, and return its output.

    :raises HpccnetError: when it fails, with what it said.
    """
    prefix = [] if node_pid is None else ["mnexec", "-a", str(node_pid)]
    try:
        done = subprocess.run(
            [*prefix, *argv], input=text, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise HpccnetError(f"needs {error.filename}, which is not installed") from error
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
        raise HpccnetError(f"{' '.join(argv)}: {said}")
    return done.stdout


def ip_batch(node_pid: int | None, lines: Sequence[str]) -> None:
    """Run several commands of `ip` at once; the first that fails ends them."""
    run_in(node_pid, ["ip", "-batch", "-"], "".join(f"{line}\n" for line in lines))


def offloads_off(node_pid: int | None, interface: str) -> None:
    """Make the kernel send and receive packets as they are on the wire."""
    switches: list[str] = []
    for name in OFFLOADS:
        switches += [name, "off"]
    run_in(node_pid, ["ethtool", "-K", interface, *switches])


def ipv6_quiet(node_pid: int | None, interface: str, used: bool) -> None:
    """No IPv6 at all, or IPv6 with the configured address only."""
    # An address per interface by itself would make the kernel probe, report and solicit.
    settings = (
        {"disable_ipv6": 0, "accept_ra": 0, "autoconf": 0, "addr_gen_mode": 1, "accept_dad": 0}
        if used
        else {"disable_ipv6": 1}
    )
    for name, value in settings.items():
        _set(node_pid, f"ipv6/conf/{interface}/{name}", value)


def several_links(node_pid: int | None, interfaces: Sequence[str]) -> None:
    """Let connections of a host take different links, and no link that has no carrier."""
    _set(node_pid, "ipv4/fib_multipath_hash_policy", 1)
    for each in ("all", *interfaces):
        # Answers come back by whichever link the network chooses.
        _set(node_pid, f"ipv4/conf/{each}/rp_filter", 0)
        _set(node_pid, f"ipv4/conf/{each}/ignore_routes_with_linkdown", 1)


def _set(node_pid: int | None, name: str, value: int) -> None:
    # Not sysctl: a dot in an interface's name would mean another one.
    run_in(node_pid, ["tee", f"/proc/sys/net/{name}"], str(value))


#: Classic BPF: every frame is dropped.
_DROP_ALL = "1,6 0 0 2"


def kernel_ignores(node_pid: int | None, interface: str) -> None:
    """Keep frames that come in from the kernel's own stack, which would look for a route for each.

    Packet sockets, by which switches receive, get them before. Kernels without these filters do
    their needless work, which costs time and changes nothing.
    """
    try:
        run_in(node_pid, ["tc", "qdisc", "add", "dev", interface, "clsact"])
        program = ["bpf", "da", "bytecode", _DROP_ALL]
        run_in(node_pid, ["tc", "filter", "add", "dev", interface, "ingress", *program])
    except HpccnetError:
        pass


def blackhole(node_pid: int | None, interface: str, on: bool) -> None:
    """Lose all that an interface sends, and let it say that its link is not in service."""
    action = ["add", "dev", interface, "root", "pfifo", "limit", "0"]
    run_in(node_pid, ["tc", "qdisc", *(action if on else ["del", "dev", interface, "root"])])
    changes = ["mode dormant", "state dormant"] if on else ["mode default", "state up"]
    ip_batch(node_pid, [f"link set {interface} {change}" for change in changes])


def set_delay(node_pid: int | None, interface: str, microseconds: float) -> None:
    """Delay what an interface sends.

    :raises HpccnetError: where the kernel has no netem; nothing else delays packets.
    """
    # The limit is one of packets; a rate times delay beyond it would drop packets unseen.
    arguments = ["root", "netem", "limit", "100000", "delay", f"{microseconds:g}us"]
    try:
        run_in(node_pid, ["tc", "qdisc", "add", "dev", interface, *arguments])
    except HpccnetError as error:
        raise HpccnetError(
            f"a delay of {microseconds:g} us at {interface} needs netem, which this kernel lacks "
            f"(module sch_netem, CONFIG_NET_SCH_NETEM): {error}"
        ) from error
