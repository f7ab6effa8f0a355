"""The steps of a run: network, switches, setup, services, timeline, and the end of all that."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from mininet.log import setLogLevel

from ..errors import HpccnetError
from ..machine.group_process import GroupProcess
from ..machine.process import Command, ManagedProcess, RunningProcess, stop_all
from ..machine.readiness import contains, wait_for_servers, wait_until
from ..net.session import HpccNet
from .plan import Plan
from .planned_network import planned_network, port_names
from .record import RunRecord
from .sampling import PortCounters, Sampler, cpu_sampler, port_sampler
from .timeline import Timeline

#: How long switches may take to accept connections, in seconds.
SWITCH_SECONDS = 20.0
#: How long tcpdump may take to begin, in seconds.
CAPTURE_SECONDS = 10.0


class PlannedRun:
    """One run of a plan."""

    def __init__(self, plan: Plan, record: RunRecord) -> None:
        self._plan = plan
        self._record = record
        self._progress = record.progress
        self._output = Path(plan["output"])
        self._net: HpccNet | None = None
        self._groups: dict[str, GroupProcess] = {}
        self._switches: list[RunningProcess] = []
        self._captures: list[ManagedProcess] = []
        self._services: list[RunningProcess] = []
        self._others: dict[str, RunningProcess] = {}
        self._samplers: list[Sampler] = []
        self._zero: float | None = None
        self._before: PortCounters | None = None

    @property
    def _nodes(self) -> HpccNet:
        assert self._net is not None, "the network is the first thing that is built"
        return self._net

    def go(self) -> None:
        """Everything up to the end of the timeline.

        :raises HpccnetError: when a step fails, which ends the run.
        """
        setLogLevel("warning")
        self._net = planned_network(self._plan)
        self._progress.say("network")
        self._start_groups()
        self._start_switches()
        self._run_setup()
        # Hosts have not sent anything yet.
        self._before = PortCounters(port_names(self._plan))
        self._start_captures()
        self._start_services()
        self._begin(self._before)
        self._run_timeline()
        self._check_switches()
        self._record.complete = True

    def end(self) -> None:
        """Stop what runs, from the traffic to the switches, and write the record."""
        ended = None if self._zero is None else time.monotonic() - self._zero
        stop_all(list(self._others.values())[::-1])
        stop_all(self._services[::-1])
        if self._before is not None and self._record.complete:
            # Switches still send what waits in their queues, which is not lost.
            self._record.quiet = self._before.wait_quiet()
        for sampler in self._samplers:
            sampler.stop()
            if sampler.error is not None:
                self._record.fail(sampler.error)
        stop_all(self._switches[::-1])
        stop_all(self._captures)
        for group in self._groups.values():
            group.stop()
        self._record.write(self._output / "run.json", ended)
        self._progress.say("finished")
        # Nodes, links and namespaces end with this process: there is nothing to take down by hand.

    def _start_groups(self) -> None:
        for each in self._plan["groups"]:
            group = GroupProcess(replace(self._command(each), speaks=True))
            self._groups[group.process.name] = group
            self._record.add_process(group.process, None)

    def _start_switches(self) -> None:
        for each in self._plan["switches"]:
            self._switches.append(self._start(each["process"]))
        for each, process in zip(self._plan["switches"], self._switches, strict=True):
            wait_for_servers(process, each["p4runtime"], each["thrift"], SWITCH_SECONDS)
            self._wait_for_text(each["process"], process)
        self._progress.say("switches")

    def _run_setup(self) -> None:
        for each in self._plan["setup"]:
            process = self._start(each["process"])
            self._others[process.name] = process
            if not process.wait(each["deadlineSeconds"]):
                raise HpccnetError(
                    f"setup {process.name} took more than {each['deadlineSeconds']:g} s"
                )
            if process.exit_code != 0:
                how = process.how_it_ended()
                raise HpccnetError(f"setup {process.name} {how}: {process.last_words()}")
            self._progress.say("setup", process.name)

    def _start_captures(self) -> None:
        for each in self._plan["captures"]:
            name = f"capture-{each['file']}"
            argv = ["tcpdump", "-i", each["interface"], "-w", str(self._output / each["file"])]
            # Written at once and as root, since the run may end at any moment, in any directory.
            argv += ["-s", str(each["snapLength"]), "-U", "-Z", "root", "-n"]
            log = self._output / f"{name}.log"
            node = self._nodes[each["node"]]
            process = ManagedProcess(Command(name, argv, log, log, node.node_pid()))
            self._captures.append(process)
            begun = partial(contains, log, "listening on")
            wait_until(process, begun, "begin to capture", CAPTURE_SECONDS)

    def _start_services(self) -> None:
        for each in self._plan["services"]:
            self._services.append(self._start(each))
        for each, process in zip(self._plan["services"], self._services, strict=True):
            self._wait_for_text(each, process)
        self._progress.say("services")

    def _begin(self, before: PortCounters) -> None:
        self._progress.mark_ready()
        self._zero = time.monotonic()
        self._record.ready_since = time.time()
        self._record.write_ready(self._output / "ready.json")
        periods = self._plan["sampling"]
        self._samplers = [
            cpu_sampler(self._output / "cpu.jsonl", periods["cpuMs"], self._zero),
            port_sampler(self._output / "ports.jsonl", periods["portsMs"], self._zero, before),
        ]
        self._progress.say("ready")

    def _run_timeline(self) -> None:
        known = {each.name: each for each in self._services}
        known.update({each.name: each for each in self._switches})
        timeline = Timeline(known, self._start_event, self._link_ends(), self._record)
        timeline.run(self._plan["timeline"], self._zero or 0.0)

    def _start_event(self, each: dict[str, Any]) -> RunningProcess:
        process = self._start(each)
        self._others[process.name] = process
        return process

    def _link_ends(self) -> dict[str, Any]:
        return {
            link["name"]: tuple(
                (self._nodes[link[end]["node"]], link[end]["interface"]) for end in ("a", "b")
            )
            for link in self._plan["links"]
        }

    def _check_switches(self) -> None:
        for each in self._switches:
            if each.poll():
                self._record.fail(
                    f"switch {each.name} {each.how_it_ended()} during the run: {each.last_words()}"
                )

    def _start(self, each: dict[str, Any]) -> RunningProcess:
        command = self._command(each)
        group = each.get("group")
        process: RunningProcess
        if group is None:
            process = ManagedProcess(command)
        else:
            process = self._groups[group].start(command)
        self._record.add_process(process, each.get("node"))
        return process

    def _command(self, each: dict[str, Any]) -> Command:
        node = each.get("node")
        return Command(
            name=each["name"],
            argv=each["argv"],
            stdout=self._output / each["stdout"],
            stderr=self._output / each["stderr"],
            node_pid=None if node is None else self._nodes[node].node_pid(),
            env=each.get("env", {}),
            cwd=each.get("cwd"),
        )

    def _wait_for_text(self, each: dict[str, Any], process: RunningProcess) -> None:
        ready = each.get("ready")
        if ready is None:
            return
        path = self._output / each[ready["stream"]]
        wanted = f"write {ready['contains']!r} to {ready['stream']}"
        written = partial(contains, path, ready["contains"])
        wait_until(process, written, wanted, ready["deadlineSeconds"])
