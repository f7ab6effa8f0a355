"""Namespaces of its own for a run, so that nothing of it can stay behind.

    caller (outside) --- init (process 1 inside) --- the script goes on here
       |  forwards signals, hands back the exit status
       '- when it dies, the kernel kills init; when init dies, the kernel kills all others

With the last process the network namespaces go, and with them interfaces, queueing disciplines and
routes. This holds for SIGKILL at any moment too, which no clean-up code survives. It also means
that runs never collide: interface names and TCP ports are private to each.
"""

import os
import select
import signal
import subprocess
import sys
from typing import NoReturn

from ..errors import HpccnetError
from ..launcher import prepare_command
from . import kernel
from .run_state import ISOLATED_VARIABLE, RUN_VARIABLE, RunState, new_run_id

_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def is_isolated() -> bool:
    """True if this process runs inside namespaces that `isolate` made."""
    return ISOLATED_VARIABLE in os.environ


def isolate(run: str | None = None, directory: str | None = None) -> None:
    """Go on in network, mount and process namespaces of this run's own.

    Call it first, while there is one thread and no child. It returns inside; the caller outside
    waits, forwards signals, and exits with the same status.
    :param run: id of the run; made from name and time unless given.
    :param directory: where output goes, for the list of runs.
    :raises HpccnetError: without the right to make namespaces, or when the build fails.
    """
    if is_isolated():
        return
    # Inside there is no network that a fresh checkout could fetch its packages from.
    prepare_command()
    run = run or new_run_id()
    # A blocked signal waits, whatever its disposition; process 1 would lose it otherwise.
    signal.pthread_sigmask(signal.SIG_BLOCK, _FORWARDED)
    alive, lifeline = os.pipe()
    try:
        kernel.unshare(kernel.CLONE_NEWPID)
    except OSError as error:
        raise HpccnetError(
            f"namespaces need root or CAP_SYS_ADMIN, but the kernel says: {error}"
        ) from error
    sys.stdout.flush()
    sys.stderr.flush()
    init = os.fork()
    if init != 0:
        os.close(alive)
        _wait_outside(init, run, directory)
    os.close(lifeline)
    _become_init(alive, run)


def _wait_outside(init: int, run: str, directory: str | None) -> NoReturn:
    state = RunState.create(run, directory or os.getcwd(), isolated=True)
    state.add_process("init", init)
    for number in _FORWARDED:
        signal.signal(number, lambda received, _frame: _forward(init, received))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _FORWARDED)
    _, status = os.waitpid(init, 0)
    state.remove()
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        name = signal.Signals(-code).name
        sys.stderr.write(f"hpccnet: {name} ended run {run}; nothing of it is left\n")
    # Buffers were flushed before the fork; what the copy inside wrote is not repeated here.
    os._exit(code if code >= 0 else 128 - code)


def _forward(process: int, number: int) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass  # It has just ended, and its waiter will see that.


def _become_init(alive: int, run: str) -> None:
    kernel.die_with_parent()
    if _outside_is_gone(alive):
        os._exit(1)
    os.environ[ISOLATED_VARIABLE] = "1"
    os.environ[RUN_VARIABLE] = run
    try:
        _enter_namespaces()
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"hpccnet: cannot make namespaces: {error}\n")
        os._exit(1)
    script = os.fork()
    if script != 0:
        _reap_as_init(script)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _FORWARDED)


def _outside_is_gone(alive: int) -> bool:
    """The parent may have ended before `die_with_parent`; its end of the pipe is then closed."""
    poll = select.poll()
    poll.register(alive, select.POLLHUP)
    return bool(poll.poll(0))


def _enter_namespaces() -> None:
    kernel.unshare(kernel.CLONE_NEWNET | kernel.CLONE_NEWNS)
    kernel.make_mounts_private()
    kernel.mount("proc", "/proc")
    kernel.mount("sysfs", "/sys")
    if os.path.isdir("/run/netns"):
        # Namespaces with names are those of others, and cannot be entered from here.
        kernel.mount("tmpfs", "/run/netns")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


def _reap_as_init(script: int) -> NoReturn:
    """Process 1 inherits orphans and has to collect them; it ends with the script."""
    for number in _FORWARDED:
        signal.signal(number, lambda received, _frame: _forward(script, received))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _FORWARDED)
    while True:
        process, status = os.wait()
        if process == script:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
