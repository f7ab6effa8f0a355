"""Events at their times: start, stop, link, wait."""

import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..machine.process import RunningProcess, wait_for_end
from .progress import Progress
from .record import RunRecord

_LONGEST_SLEEP_SECONDS = 1.0


@dataclass
class _Waiting:
    """A process that has to end by itself, or to follow a signal, until a deadline."""

    process: RunningProcess
    deadline: float
    #: True if its end was requested, so that insisting is part of the plan.
    asked: bool


#: Node and interface at both ends of a link.
LinkEnds = Mapping[str, tuple[tuple[Any, str], tuple[Any, str]]]


class Timeline:
    """Goes through the events of a plan in real time."""

    def __init__(
        self,
        processes: dict[str, RunningProcess],
        start: Callable[[dict[str, Any]], RunningProcess],
        links: LinkEnds,
        record: RunRecord,
    ) -> None:
        self._processes = processes
        self._start = start
        self._links = links
        self._record = record
        self._progress: Progress = record.progress
        self._waiting: list[_Waiting] = []
        self._reported = {each.name for each in processes.values() if each.poll()}

    def run(self, events: list[dict[str, Any]], zero: float) -> None:
        """Do all of them, and return after the last one and after all that is waited for.

        Changes of links behind the end of all flows are left out, as nothing would meet them.

        :param zero: the moment of the monotonic clock that times count from.
        """
        for index, event in enumerate(events):
            moment = zero + event["at"]
            if self._waiting and all(each["action"] == "link" for each in events[index:]):
                while self._waiting and time.monotonic() < moment:
                    self._sleep_until(min(moment, *self._deadlines()), early=True)
                if not self._waiting and time.monotonic() < moment:
                    self._leave_out(events[index:])
                    return
            self._sleep_until(moment)
            self._do(event)
        while self._waiting:
            self._sleep_until(min(self._deadlines()), early=True)

    def _leave_out(self, changes: list[dict[str, Any]]) -> None:
        for each in changes:
            text = f"{each['state']} at {each['at']:g} s, behind the end of all flows"
            self._progress.say("left out", each["link"], text)

    def _deadlines(self) -> list[float]:
        return [each.deadline for each in self._waiting]

    def _do(self, event: dict[str, Any]) -> None:
        action = event["action"]
        if action == "start":
            # A wait for readiness is explicit; a process of the timeline is just started.
            process = self._start(event["process"])
            self._processes[process.name] = process
            self._progress.say("started", process.name)
        elif action == "stop":
            process = self._processes[event["process"]]
            process.send(getattr(signal, event["signal"]))
            self._wait_for(process, event, asked=True)
        elif action == "wait":
            self._wait_for(self._processes[event["process"]], event, asked=False)
        else:
            self._set_link(event["link"], event["state"])

    def _wait_for(self, process: RunningProcess, event: dict[str, Any], asked: bool) -> None:
        deadline = time.monotonic() + event["deadlineSeconds"]
        self._waiting.append(_Waiting(process, deadline, asked))
        self._look()

    def _set_link(self, name: str, state: str) -> None:
        for node, interface in self._links[name]:
            node.set_interface(interface, state == "up")
        self._record.add_link(name, state)
        self._progress.say("link", name, state)

    def _sleep_until(self, moment: float, early: bool = False) -> None:
        """Sleep, but notice processes that end; with `early`, any that is waited for ends it."""
        while True:
            waited = len(self._waiting)
            self._look()
            left = moment - time.monotonic()
            if left <= 0 or (early and len(self._waiting) < waited):
                return
            living = [each for each in self._processes.values() if each.ended is None]
            wait_for_end(living, min(left, _LONGEST_SLEEP_SECONDS, self._until_deadline()))

    def _until_deadline(self) -> float:
        return min(self._deadlines(), default=float("inf")) - time.monotonic()

    def _look(self) -> None:
        for each in self._processes.values():
            if each.poll() and each.name not in self._reported:
                self._reported.add(each.name)
                self._progress.say("exited", each.name, each.how_it_ended())
        for waiting in list(self._waiting):
            if waiting.process.poll():
                self._waiting.remove(waiting)
            elif time.monotonic() >= waiting.deadline:
                self._insist(waiting)

    def _insist(self, waiting: _Waiting) -> None:
        self._waiting.remove(waiting)
        process = waiting.process
        process.stop(signal.SIGKILL)
        if not waiting.asked:
            self._record.fail(f"process {process.name} had not ended in time and was killed")
        self._look()
