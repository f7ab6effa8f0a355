"""Ways of hosts that have several interfaces.

Hosts do not forward, and a host sends by the interfaces at the beginning of the shortest paths to
another one, as in virtual time. Links with an end that is out of service carry nothing.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any

from mininet.node import Host

#: Interfaces by the name of the host that they lead to.
Ways = dict[str, list[Any]]


def ways_of(host: Any) -> Ways:
    """Interfaces of a host that lead to each other host soonest; none where no path is left."""
    hops = [(intf, _hops_from(host, intf)) for intf in host.intfList() if _is_used(intf)]
    ways: Ways = {}
    for name in sorted({each for _, found in hops for each in found}):
        least = min(found[name] for _, found in hops if name in found)
        ways[name] = [intf for intf, found in hops if found.get(name) == least]
    return ways


def with_several_links(start: Any) -> Iterator[Any]:
    """Hosts with several interfaces in the network of a node."""
    for node in _nodes_of(start):
        if isinstance(node, Host) and len(_wired(node)) > 1:
            yield node


def other_hosts(start: Any) -> list[Any]:
    """Hosts in the network of a node, without itself."""
    return [each for each in _nodes_of(start) if isinstance(each, Host) and each is not start]


def reroute(start: Any) -> None:
    """Let all hosts of a network that have several interfaces use the ways that are left."""
    for host in with_several_links(start):
        use_ways = getattr(host, "use_ways", None)
        if use_ways is not None:
            use_ways()


def _hops_from(host: Any, intf: Any) -> dict[str, int]:
    """Links to other hosts on the shortest paths that begin at an interface."""
    found: dict[str, int] = {}
    seen = {host}
    queue = deque([(_peer(intf).node, 1)])
    while queue:
        node, hops = queue.popleft()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Host):
            found[node.name] = hops
            continue
        queue.extend((_peer(each).node, hops + 1) for each in _wired(node) if _is_used(each))
    return found


def _nodes_of(start: Any) -> list[Any]:
    nodes = [start]
    for node in nodes:
        peers = (_peer(each).node for each in _wired(node))
        nodes.extend(each for each in dict.fromkeys(peers) if each not in nodes)
    return nodes


def _wired(node: Any) -> list[Any]:
    return [each for each in node.intfList() if each.link is not None]


def _peer(intf: Any) -> Any:
    return intf.link.intf2 if intf.link.intf1 is intf else intf.link.intf1


def _is_used(intf: Any) -> bool:
    ends = (intf, _peer(intf))
    return all(each.name not in getattr(each.node, "unused", ()) for each in ends)
