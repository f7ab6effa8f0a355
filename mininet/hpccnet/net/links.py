"""Links without a queue of their own.

A veth pair passes packets on at once. The queue that telemetry measures is the switch's, so rate
and depth are settings of the port that sends; Mininet's TCLink would add a second, unmeasured
queue behind it, in which the packets would really wait.
"""

from typing import Any

from mininet.link import Intf, Link

from ..errors import HpccnetError
from ..machine.run_state import current_run
from .interfaces import (
    HEADROOM_BYTES,
    HOST_MTU,
    ip_batch,
    ipv6_quiet,
    kernel_ignores,
    offloads_off,
    set_delay,
)
from .nodes import OwnedNode
from .switches import HpccSwitch

_OF_TCLINK = ("bw", "jitter", "loss", "max_queue_size", "speedup", "use_hfsc", "use_tbf")


class HpccIntf(Intf):
    """An interface that is configured before it is up, so that nothing strange leaves it."""

    def config(
        self,
        mtu: int = HOST_MTU + HEADROOM_BYTES,
        delay_us: float = 0,
        ipv6: bool = False,
        rate_bps: float | None = None,
        queue_packets: int | None = None,
        up: bool = True,
        routed: bool = True,
        **params: Any,
    ) -> dict[str, Any]:
        """Mininet calls it with the parameters of the link.

        :param mtu: largest IP packet that it takes, with all that telemetry adds.
        :param rate_bps: of the sending port, in bits per second; a switch reads it at its start.
        :param queue_packets: depth of the port's queues; likewise.
        :param routed: False where no way leads over the link although it is up.
        """
        pid = self.node.pid if self.node.inNamespace else None
        offloads_off(pid, self.name)
        ipv6_quiet(pid, self.name, ipv6)
        if delay_us > 0:
            set_delay(pid, self.name, delay_us)
        if isinstance(self.node, HpccSwitch):
            kernel_ignores(pid, self.name)
        if isinstance(self.node, OwnedNode) and not (up and routed):
            self.node.unused.add(self.name)
        state = "up" if up else "down"
        ip_batch(pid, [f"link set {self.name} mtu {mtu} {state}"])
        if pid is None:
            _note(self.name)
        return super().config(up=None, **params)

    def ifconfig(self, *args: str) -> str:
        # Mininet's configLinkStatus, and `link s1 s2 down` in its command line, end here.
        if args in (("up",), ("down",)) and isinstance(self.node, OwnedNode):
            self.node.set_interface(self.name, args == ("up",))
            return ""
        return super().ifconfig(*args)


class HpccLink(Link):
    """A veth pair; `rate_bps`, `queue_packets`, `delay_us` and `mtu` hold for both directions,
    and `params1` or `params2` for the one that leaves the first or second node.
    """

    def __init__(self, node1: Any, node2: Any, **params: Any) -> None:
        for name in _OF_TCLINK:
            if params.get(name) is not None:
                raise HpccnetError(
                    f"link {node1}-{node2}: {name} would put a queue behind the switch's, where "
                    "telemetry cannot see it; give rate_bps and queue_packets, which set the "
                    "switch's own queue"
                )
        delay = params.pop("delay", None)
        if delay is not None:
            params["delay_us"] = parse_delay(delay)
        params["intf"] = HpccIntf
        super().__init__(node1, node2, **params)

    def stop(self) -> None:
        # Mininet removes links before it stops switches, which then lose their interfaces.
        HpccSwitch.stop_running()
        super().stop()


def parse_delay(text: Any) -> float:
    """Microseconds of `5ms`, `10us`, `1s` or a number of microseconds."""
    for unit, factor in (("us", 1.0), ("ms", 1e3), ("s", 1e6), ("", 1.0)):
        digits = str(text).replace(" ", "")
        if digits.endswith(unit):
            try:
                return float(digits[: len(digits) - len(unit)]) * factor
            except ValueError:
                continue
    raise HpccnetError(f"wanted a delay such as 5ms or 10us, found {text!r}")


def _note(name: str) -> None:
    state = current_run()
    if state is not None:
        state.add_interface(name)
