"""P4 switches for Mininet: bmv2's simple_switch_grpc, and this project's in its place.

    Mininet(topo=..., switch=Bmv2Switch, host=HpccHost, link=HpccLink, controller=None)

Both take the same parameters, so that the class is all there is to choose.
"""

import os
import re
import shutil
from collections.abc import Sequence
from typing import Any

from mininet.log import warn
from mininet.node import Switch

from ..errors import HpccnetError
from ..machine.group_process import stop_idle_groups
from ..machine.process import RunningProcess, stop_all
from ..machine.readiness import free_port, wait_for_servers
from .interfaces import blackhole
from .nodes import GROUP, OwnedNode
from .queues import QueueSettings, set_queues

#: How long a switch may take to accept connections, in seconds.
START_SECONDS = 20.0

#: Path of bmv2's simple_switch_grpc, where it is not on PATH.
BMV2_VARIABLE = "HPCC_BMV2"


class HpccSwitch(OwnedNode, Switch):
    """Common base of both kinds: servers at free ports, log files, an orderly end."""

    #: Switches whose process runs, for `stop_running`.
    running: list["HpccSwitch"] = []

    def __init__(self, name: str, **params: Any) -> None:
        """Parameters, all by name and all optional:

        :param program: p4c's BMv2 JSON; without it, the switch waits for a controller to bring one.
        :param device_id: P4Runtime's; the first number in the name, or 1.
        :param grpc_port: of the P4Runtime server; a free one unless given. Likewise `thrift_port`.
        :param host_address: where the servers listen; 127.0.0.1.
        :param cpu_port, priority_queues: the target's flags of these names.
        :param pcap_dir: directory for a capture per interface; costs speed.
        :param log_level: of bmv2's console log, which costs speed; off unless given.
        :param compatible: `bmv2` makes the embedded switch follow bmv2's rules of P4Runtime.
        :param own_process: an embedded switch shares a process with the others unless it is true.
        :param packet_bytes: on the wire, of the packets in which queues are counted; 1514.
        """
        own = {key: params.pop(key) for key in tuple(params) if key in _OWN_PARAMETERS}
        self.options: dict[str, Any] = own
        # 0 is a device id, and the first one that the p4lang tutorials give.
        device_id = own.get("device_id")
        self.device_id: int = _first_number(name) if device_id is None else device_id
        self.packet_bytes: int = own.get("packet_bytes") or 1514
        self.grpc_port: int | None = own.get("grpc_port")
        self.thrift_port: int | None = own.get("thrift_port")
        self.process: RunningProcess | None = None
        params.setdefault("dpid", f"{self.device_id:x}")
        super().__init__(name, **params)

    @property
    def host_address(self) -> str:
        return self.options.get("host_address") or "127.0.0.1"

    @property
    def grpc_address(self) -> str:
        """Address of the P4Runtime server, once the switch has been started."""
        return f"{self.host_address}:{self.grpc_port}"

    @property
    def thrift_address(self) -> str:
        """Address of the Thrift server, once the switch has been started."""
        return f"127.0.0.1:{self.thrift_port}"

    def data_ports(self) -> dict[int, Any]:
        """Interfaces of the data plane by port, in order."""
        return {port: self.intfs[port] for port in sorted(self.intfs) if port > 0}

    def command_line(self) -> Sequence[str]:
        """Command that `start` runs; for an embedded switch, the words behind `hpcc`."""
        raise NotImplementedError

    def start(self, controllers: Sequence[Any]) -> None:
        """Start the process; `wait_ready` returns when it accepts connections.

        Mininet's own start does both, so that all switches start at the same time.
        """
        if self.process is not None and not self.process.poll():
            raise HpccnetError(f"switch {self.name} runs already")
        self.grpc_port = self.grpc_port or free_port()
        self.thrift_port = self.thrift_port or free_port()
        self.process = self.run_program()
        HpccSwitch.running.append(self)

    def run_program(self) -> RunningProcess:
        """Run `command_line` here."""
        return self.launch(self.name, self.command_line())

    def wait_ready(self, seconds: float = START_SECONDS) -> None:
        """Wait until it accepts connections, then set its queues.

        :raises HpccnetError: when it ends instead, or the time is over, with what it wrote.
        """
        if self.process is None:
            raise HpccnetError(f"switch {self.name} has not been started")
        wait_for_servers(self.process, self.grpc_address, self.thrift_address, seconds)
        set_queues(self.thrift_address, self.queue_settings())

    def queue_settings(self) -> list[QueueSettings]:
        """Set rates and depths of links, which this kind takes after its start."""
        return []

    def connected(self) -> bool:
        return self.process is not None and not self.process.poll()

    def stop_process(self) -> None:
        """End the process and keep its interfaces."""
        _stop([self])

    def stop(self, deleteIntfs: bool = True) -> None:
        self.stop_process()
        super().stop(deleteIntfs)

    @classmethod
    def stop_running(cls) -> None:
        """End all switches, before anybody takes their interfaces away."""
        _stop(list(HpccSwitch.running))

    @classmethod
    def batchStartup(cls, switches: Sequence["HpccSwitch"]) -> Sequence["HpccSwitch"]:
        for each in switches:
            each.wait_ready()
        return switches

    @classmethod
    def batchShutdown(cls, switches: Sequence["HpccSwitch"]) -> list["HpccSwitch"]:
        _stop(switches)
        # None, so that Mininet also calls `stop` for each, which deletes interfaces.
        return []


_OWN_PARAMETERS = frozenset(
    [
        "program",
        "device_id",
        "grpc_port",
        "thrift_port",
        "host_address",
        "cpu_port",
        "priority_queues",
        "pcap_dir",
        "log_level",
        "packet_bytes",
        "compatible",
        "own_process",
    ]
)


class Bmv2Switch(HpccSwitch):
    """bmv2's simple_switch_grpc, from PATH or where HPCC_BMV2 says."""

    def command_line(self) -> Sequence[str]:
        name = os.environ.get(BMV2_VARIABLE, "simple_switch_grpc")
        path = shutil.which(name)
        if path is None:
            raise HpccnetError(
                f"switch {self.name} needs bmv2, but there is no {name}; see `hpccnet doctor`"
            )
        return [path, *self.general_flags(), "--", *self.target_flags()]

    def general_flags(self) -> list[str]:
        """Flags that every bmv2 target has, and the program."""
        flags = ["--device-id", str(self.device_id), "--thrift-port", str(self.thrift_port)]
        for port, intf in self.data_ports().items():
            flags += ["-i", f"{port}@{intf.name}"]
        if self.options.get("pcap_dir"):
            flags.append(f"--pcap={self.options['pcap_dir']}")
        if self.options.get("log_level"):
            flags += ["--log-console", "--log-flush", "-L", self.options["log_level"]]
        program = self.options.get("program")
        return [*flags, str(program)] if program else [*flags, "--no-p4"]

    def target_flags(self) -> list[str]:
        """Flags of simple_switch_grpc."""
        flags = ["--grpc-server-addr", self.grpc_address]
        for option in ("cpu_port", "priority_queues"):
            if self.options.get(option) is not None:
                flags += [f"--{option.replace('_', '-')}", str(self.options[option])]
        return flags

    def change_interface(self, interface: str, up: bool) -> None:
        # One thread of bmv2 receives for all ports, and libpcap blocks it at an interface that has
        # been shut until a packet comes in there. So the interface stays open, loses what is sent,
        # and calls itself dormant, which bmv2 reports as a link that is down.
        blackhole(self.node_pid(), interface, on=not up)

    def queue_settings(self) -> list[QueueSettings]:
        found = []
        for port, intf in self.data_ports().items():
            rate, depth = intf.params.get("rate_bps"), intf.params.get("queue_packets")
            packets = None if rate is None else max(1, round(rate / (8 * self.packet_bytes)))
            found.append(QueueSettings(port, packets, depth))
        return [each for each in found if each.rate_packets or each.depth_packets]


class EmbeddedSwitch(Bmv2Switch):
    """This project's switch, which takes bmv2's flags and paces ports by bits."""

    def change_interface(self, interface: str, up: bool) -> None:
        OwnedNode.change_interface(self, interface, up)

    def command_line(self) -> Sequence[str]:
        return ["switch", *self.general_flags(), "--", *self.target_flags()]

    def run_program(self) -> RunningProcess:
        group = None if self.options.get("own_process") else GROUP
        return self.launch_hpcc(self.name, self.command_line(), group)

    def target_flags(self) -> list[str]:
        flags = super().target_flags()
        if self.options.get("compatible") is not None:
            flags += ["--compatible", self.options["compatible"]]
        for port, intf in self.data_ports().items():
            if intf.params.get("rate_bps") is not None:
                flags += ["--link-rate-bps", f"{port}={round(intf.params['rate_bps'])}"]
            if intf.params.get("queue_packets") is not None:
                flags += ["--queue-depth", f"{port}={intf.params['queue_packets']}"]
        return flags

    def queue_settings(self) -> list[QueueSettings]:
        # All of them are flags, so that nothing of bmv2 is needed.
        return []


#: The classes by the names that plans and commands use.
SWITCH_KINDS: dict[str, type[HpccSwitch]] = {"bmv2": Bmv2Switch, "embedded": EmbeddedSwitch}


def _stop(switches: Sequence[HpccSwitch]) -> None:
    ending = [each for each in switches if each in HpccSwitch.running and each.process]
    processes = [each.process for each in ending if each.process is not None]
    died = [each for each in processes if each.poll()]
    stop_all(processes)
    for each in ending:
        HpccSwitch.running.remove(each)
    stop_idle_groups()
    for process in died:
        warn(f"switch {process.name} had {process.how_it_ended()}: {process.last_words()}\n")


def _first_number(name: str) -> int:
    found = re.search(r"\d+", name)
    return int(found.group()) if found else 1
