"""One process that carries many switches or hosts, each of which starts and ends by itself."""

import json
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import HpccnetError
from ..launcher import hpcc
from .process import Command, ManagedProcess, RunningProcess, stop_all

_READ_BYTES = 1 << 16


class GroupNode(RunningProcess):
    """An `hpcc` command that runs inside the process of a group."""

    def __init__(self, group: "GroupProcess", command: Command) -> None:
        super().__init__(command)
        #: Whose process it is in.
        self.group = group

    def fileno(self) -> int:
        return self.group.fileno()

    def poll(self) -> bool:
        if self.ended is None:
            self.group.look()
        return self.ended is not None

    def send(self, number: int) -> None:
        if not self.poll():
            self.group.send_command({"signal": signal.Signals(number).name, "node": self.name})

    def note_end(self, exit_code: int | None, signal_name: str | None) -> None:
        """Remember how it ended, as its group reported."""
        self.ended = time.monotonic()
        self.exit_code, self.signal = exit_code, signal_name


class GroupProcess:
    """A running `hpcc group`."""

    def __init__(self, command: Command) -> None:
        self.process = ManagedProcess(command)
        self._commands, self._events = self.process.pipes
        os.set_blocking(self._events.fileno(), False)
        self._nodes: dict[str, GroupNode] = {}
        self._torn = b""

    @property
    def is_idle(self) -> bool:
        """True if nothing runs in it."""
        return all(each.poll() for each in list(self._nodes.values()))

    def fileno(self) -> int:
        """A descriptor that polls as readable once one of its nodes has ended."""
        return self._events.fileno()

    def start(self, command: Command) -> GroupNode:
        """Start `hpcc` with the words of `command.argv` in it.

        :raises HpccnetError: when it is not there any more, or a node of this name runs.
        """
        if self.process.poll():
            end = self.process
            raise HpccnetError(f"{end.name} has {end.how_it_ended()}: {end.last_words()}")
        for path in (command.stdout, command.stderr):
            # A wait for a text in them must not find that of a run before.
            path.write_bytes(b"")
        node = GroupNode(self, command)
        pid = command.node_pid
        place = {} if pid is None else {"namespace": f"/proc/{pid}/ns/net"}
        files = {"stdout": str(command.stdout), "stderr": str(command.stderr)}
        run = {"name": command.name, "run": list(command.argv), **place, **files}
        self._nodes[command.name] = node
        self.send_command({"start": run})
        return node

    def send_command(self, command: dict[str, Any]) -> None:
        """Send it a command; one that has ended ignores it, which its nodes will notice."""
        try:
            self._commands.write(json.dumps(command).encode() + b"\n")
            self._commands.flush()
        except BrokenPipeError:
            self.process.wait(1)

    def look(self) -> None:
        """Handle the events that have come.

        :raises HpccnetError: when it has refused a command.
        """
        while True:
            try:
                piece = os.read(self._events.fileno(), _READ_BYTES)
            except BlockingIOError:
                return
            if not piece:
                self._end_all()
                return
            *lines, self._torn = (self._torn + piece).split(b"\n")
            for line in lines:
                self._handle(json.loads(line))

    def stop(self) -> None:
        """End it, with what still runs in it."""
        stop_all([self.process])
        self.look()
        for pipe in (self._commands, self._events):
            try:
                pipe.close()
            except BrokenPipeError:
                pass  # It had ended before it heard the last command.

    def _handle(self, event: dict[str, Any]) -> None:
        if event["event"] == "refused":
            raise HpccnetError(f"{self.process.name}: {event['reason']}")
        node = self._nodes.get(event["node"])
        if event["event"] == "ended" and node is not None:
            node.note_end(event["exitCode"], event["signal"])

    def _end_all(self) -> None:
        self.process.wait(1)
        for each in self._nodes.values():
            if each.ended is None:
                each.note_end(self.process.exit_code, self.process.signal)


#: Those that the nodes of this script share, by what they carry.
_SHARED: dict[str, GroupProcess] = {}


def group_command(name: str, folder: Path) -> Command:
    """Command of a group that has its messages in a folder."""
    argv: Sequence[str] = hpcc("group", "--commands")
    return Command(name, argv, folder / f"{name}.out", folder / f"{name}.err", speaks=True)


def shared_group(name: str, folder: Path) -> GroupProcess:
    """The group of this name, which is started with the first node."""
    known = _SHARED.get(name)
    if known is None or known.process.poll():
        known = _SHARED[name] = GroupProcess(group_command(name, folder))
    return known


def stop_idle_groups() -> None:
    """End those in which nothing runs any more."""
    for name, each in list(_SHARED.items()):
        if each.is_idle:
            del _SHARED[name]
            each.stop()
