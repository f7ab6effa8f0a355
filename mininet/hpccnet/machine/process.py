"""One process that was started here: how to wait for it, stop it, and learn how it ended."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from ..errors import HpccnetError
from . import kernel
from .run_state import RUN_VARIABLE, current_run

#: How long a process may take to end after SIGTERM before it gets SIGKILL, in seconds.
GRACE_SECONDS = 5.0


@dataclass
class Command:
    """A command and its output files. `stderr` may be the same file as `stdout`."""

    name: str
    argv: Sequence[str]
    stdout: Path
    stderr: Path
    #: Process id of the shell of the Mininet node whose namespaces it enters.
    node_pid: int | None = None
    env: dict[str, str] = field(default_factory=dict)
    cwd: str | None = None
    #: Its standard input and output are pipes to here, and `stdout` stays empty.
    speaks: bool = False


class RunningProcess:
    """Something that was started here and ends: a process, or one of many that share a process."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.started = time.monotonic()
        self.ended: float | None = None
        self.exit_code: int | None = None
        #: Name of the signal that ended it, such as SIGTERM.
        self.signal: str | None = None
        #: User and system time of it and of children that it has waited for, once it has ended;
        #: None for what shares a process.
        self.cpu_seconds: float | None = None

    @property
    def name(self) -> str:
        return self.command.name

    def fileno(self) -> int:
        """A descriptor that polls as readable once it may have ended."""
        raise NotImplementedError

    def poll(self) -> bool:
        """True if it has ended; its exit status is then in the fields."""
        raise NotImplementedError

    def send(self, number: int) -> None:
        """Send a signal to it."""
        raise NotImplementedError

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether it has ended."""
        deadline = time.monotonic() + seconds
        while not self.poll():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            wait_for_end([self], left)
        return True

    def stop(self, number: int = signal.SIGTERM, grace: float = GRACE_SECONDS) -> None:
        """Ask it to end, insist after `grace` seconds, and wait until it has."""
        stop_all([self], number, grace)

    def how_it_ended(self) -> str:
        """Words for a message."""
        if self.ended is None:
            return "runs"
        words = f"by {self.signal}" if self.signal else f"with exit code {self.exit_code}"
        return f"ended {words}"

    def last_words(self, lines: int = 5) -> str:
        """The end of what it wrote to standard error, for a message."""
        try:
            text = self.command.stderr.read_text(errors="replace")
        except FileNotFoundError:
            text = ""
        found = text.strip().splitlines()[-lines:]
        return "; ".join(found) if found else "it wrote nothing to standard error"


class ManagedProcess(RunningProcess):
    """A child that ends at the latest when this process does."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self._popen = _start(command)
        self.pid = self._popen.pid
        self._pidfd = os.pidfd_open(self.pid)
        state = current_run()
        if state is not None:
            state.add_process(command.name, self.pid)

    def fileno(self) -> int:
        return self._pidfd

    @property
    def pipes(self) -> tuple[BinaryIO, BinaryIO]:
        """Standard input and output of a command that exchanges messages."""
        given, taken = self._popen.stdin, self._popen.stdout
        assert given is not None and taken is not None, "the command speaks"
        return cast(BinaryIO, given), cast(BinaryIO, taken)

    def poll(self) -> bool:
        if self.ended is not None:
            return True
        if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return False
        self.ended = time.monotonic()
        # Until it is collected no other process can get its id, so this reaches its own children
        # only.
        _kill_group(self.pid)
        _, status, usage = os.wait4(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        # Popen has to know as well, or it would wait for a process that may not be ours.
        self._popen.returncode = code
        self.exit_code = code if code >= 0 else None
        self.signal = signal.Signals(-code).name if code < 0 else None
        self.cpu_seconds = usage.ru_utime + usage.ru_stime
        os.close(self._pidfd)
        return True

    def send(self, number: int) -> None:
        """Send a signal to it and to the children in its process group."""
        if self.poll():
            return
        os.killpg(self.pid, number)


def wait_for_end(processes: Sequence[RunningProcess], seconds: float) -> None:
    """Sleep until one of the processes ends, at most so long."""
    poll = select.poll()
    for each in processes:
        if each.ended is None:
            poll.register(each, select.POLLIN)
    poll.poll(max(0.0, seconds) * 1000)


def stop_all(
    processes: Sequence[RunningProcess],
    number: int = signal.SIGTERM,
    grace: float = GRACE_SECONDS,
) -> None:
    """Stop processes in the given order, but wait for all at the same time."""
    for each in processes:
        each.send(number)
    deadline = time.monotonic() + grace
    for each in processes:
        if not each.wait(max(0.0, deadline - time.monotonic())):
            each.send(signal.SIGKILL)
    for each in processes:
        each.wait(GRACE_SECONDS)


def _kill_group(leader: int) -> None:
    """Children that outlived their parent would go on otherwise."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # The usual case: nobody is left.


def _start(command: Command) -> "subprocess.Popen[bytes]":
    argv: list[str] = list(command.argv)
    if command.node_pid is not None:
        # Enters the node's namespaces.
        argv = ["mnexec", "-a", str(command.node_pid), *argv]
    environment = {**os.environ, **command.env}
    state = current_run()
    if state is not None:
        environment[RUN_VARIABLE] = state.run
    with open(command.stdout, "wb") as stdout:
        same = command.stderr == command.stdout
        with open(command.stderr, "ab" if same else "wb") as stderr:
            try:
                return subprocess.Popen(
                    argv,
                    stdin=subprocess.PIPE if command.speaks else subprocess.DEVNULL,
                    stdout=subprocess.PIPE if command.speaks else stdout,
                    stderr=stdout if same else stderr,
                    cwd=command.cwd,
                    env=environment,
                    preexec_fn=kernel.child_setup(kernel.begin_session),
                )
            except OSError as error:
                raise HpccnetError(f"cannot start {command.name} ({argv[0]}): {error}") from error
