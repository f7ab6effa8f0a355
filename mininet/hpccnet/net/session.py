"""A network that runs inside a `with` block, and ends however the block is left."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mininet.log import setLogLevel
from mininet.net import Mininet
from mininet.topo import Topo

from ..errors import HpccnetError, Interrupted
from ..launcher import prepare_command
from ..machine.interruption import interruptible, undisturbed
from ..machine.isolation import is_isolated
from .hosts import HpccHost
from .links import HpccLink
from .switches import HpccSwitch


class HpccNet(Mininet):
    """Mininet that leaves the machine's settings alone.

    The original raises system-wide limits for networks of thousands of hosts, and never lowers
    them.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        if os.geteuid() != 0:
            raise HpccnetError("Mininet needs root: it makes network namespaces and interfaces")
        # Mininet's mark for "limits are raised already".
        Mininet.inited = True
        super().__init__(*args, **options)


@contextmanager
def network(topo: Topo, switch: type[HpccSwitch], **options: Any) -> Iterator[Mininet]:
    """Start a network, hand it to the block, and stop it.

    Signals end the block at whatever point it is, with the exit code that shells expect; errors
    are one line on standard error and exit code 1.
    """
    # The level of what Mininet's command line answers, and of nothing else below warnings.
    setLogLevel("output")
    net: Mininet | None = None
    with exit_codes(), interruptible():
        try:
            if not is_isolated():
                prepare_command()
            net = HpccNet(
                topo=topo,
                switch=switch,
                host=HpccHost,
                link=HpccLink,
                controller=None,
                build=False,
                **options,
            )
            net.start()
            yield net
        finally:
            with undisturbed():
                HpccSwitch.stop_running()
                if net is not None:
                    net.stop()


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn errors and interruptions into what a command hands back."""
    try:
        yield
    except HpccnetError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)
    except Interrupted as interruption:
        sys.stderr.write(f"{interruption}\n")
        sys.exit(128 + getattr(signal, interruption.signal_name))
