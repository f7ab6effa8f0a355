"""State of runs: one small file per run lists what belongs to it.

Processes are identified by id *and* start time, since ids are used again. The next run removes
what runs whose owner has died have left behind, and nothing else.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

#: In the environment of all processes of a run.
RUN_VARIABLE = "HPCCNET_RUN"
#: Set inside the namespaces that isolation.py makes.
ISOLATED_VARIABLE = "HPCCNET_ISOLATED"
#: Where the files are, instead of /run/hpccnet or a directory below /tmp.
STATE_VARIABLE = "HPCCNET_STATE_DIR"

_VERSION = 1


def new_run_id(name: str | None = None) -> str:
    """An id that no other run on this machine has; it begins with the script's name, or `name`."""
    return f"{name or Path(sys.argv[0]).stem or 'run'}-{os.getpid()}-{int(time.time())}"


def state_directory() -> Path:
    """The directory of all runs' files, which exists afterwards."""
    given = os.environ.get(STATE_VARIABLE)
    default = "/run/hpccnet" if os.access("/run", os.W_OK) else f"/tmp/hpccnet-{os.getuid()}"
    path = Path(given or default)
    path.mkdir(mode=0o755, parents=True, exist_ok=True)
    return path


def start_time(process: int) -> int | None:
    """When a process started, in ticks since boot; None when there is none or it has ended."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name in parentheses may contain anything, so fields are counted from behind it.
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else int(fields[19])


class RunState:
    """The file of one run."""

    def __init__(self, path: Path, content: dict[str, Any]) -> None:
        self.path = path
        self.content = content

    @classmethod
    def create(cls, run: str, directory: str, isolated: bool) -> "RunState":
        """Begin a run that this process owns, and remove the remains of dead ones."""
        sweep()
        owner = {"pid": os.getpid(), "started": start_time(os.getpid())}
        content = {
            "version": _VERSION,
            "run": run,
            "directory": directory,
            "isolated": isolated,
            "pidNamespace": _namespace("pid"),
            "networkNamespace": _namespace("net"),
            "owner": owner,
            "processes": [],
            "interfaces": [],
        }
        state = cls(state_directory() / f"{run}.json", content)
        state._write()
        return state

    @property
    def run(self) -> str:
        return self.content["run"]

    @property
    def processes(self) -> list[dict[str, Any]]:
        return self.content["processes"]

    def add_process(self, name: str, process: int) -> None:
        """Note a process that ends with the run."""
        started = start_time(process)
        if started is not None:
            self.processes.append({"name": name, "pid": process, "started": started})
            self._write()

    def add_interface(self, name: str) -> None:
        """Note an interface of the namespace that all runs without isolation share."""
        index = interface_index(name)
        if index is not None:
            self.content["interfaces"].append({"name": name, "index": index})
            self._write()

    def owner_lives(self) -> bool:
        owner = self.content["owner"]
        return start_time(owner["pid"]) == owner["started"]

    def is_ours_to_judge(self) -> bool:
        """Ids of processes and interfaces mean something only in the namespaces they are of."""
        here = {"pidNamespace": _namespace("pid"), "networkNamespace": _namespace("net")}
        return all(self.content[kind] == own for kind, own in here.items())

    def remove(self) -> None:
        """Forget the run."""
        self.path.unlink(missing_ok=True)

    def _write(self) -> None:
        # A reader sees the old file or the new one, never a half.
        scratch = self.path.with_suffix(f".{os.getpid()}.tmp")
        scratch.write_text(json.dumps(self.content))
        scratch.replace(self.path)


def all_runs() -> list[RunState]:
    """The runs that have a file, dead ones too."""
    found = []
    for path in sorted(state_directory().glob("*.json")):
        try:
            content = json.loads(path.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            continue  # Removed meanwhile, or not one of ours.
        if content.get("version") == _VERSION:
            found.append(RunState(path, content))
    return found


def sweep() -> list[str]:
    """Remove what dead runs left: processes, interfaces, files. Their ids are returned."""
    runs = [each for each in all_runs() if each.is_ours_to_judge()]
    dead = [each for each in runs if not each.owner_lives()]
    for each in dead:
        _kill_remains(each)
        for name in remaining_interfaces(each):
            # The other end may go first and take this one along, which is no error.
            subprocess.run(["ip", "link", "del", name], capture_output=True, check=False)
        each.remove()
    _remove_scratch_files()
    return [each.run for each in dead]


def interface_index(name: str) -> int | None:
    """The kernel's number of an interface, which is not used again; None when there is none.

    Read from the kernel directly: /sys may be another namespace's.
    """
    try:
        return socket.if_nametoindex(name)
    except OSError:
        return None


def remaining_interfaces(state: RunState) -> list[str]:
    """Interfaces of a run that exist, as opposed to later ones with the same names."""
    noted = state.content["interfaces"]
    return [each["name"] for each in noted if interface_index(each["name"]) == each["index"]]


def remaining_processes(state: RunState) -> list[int]:
    """Processes of a run that live: those noted, and all that have inherited its id."""
    noted = state.processes
    found = {each["pid"] for each in noted if start_time(each["pid"]) == each["started"]}
    mark = f"{RUN_VARIABLE}={state.run}".encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in path.read_bytes().split(b"\0"):
                found.add(int(path.parent.name))
        except OSError:
            continue  # It has ended since, or is somebody else's.
    return sorted(found - {os.getpid()})


def _kill_remains(state: RunState) -> None:
    for process in remaining_processes(state):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass  # It ended by itself in between.


def _remove_scratch_files() -> None:
    for path in state_directory().glob("*.tmp"):
        writer = path.suffixes[-2].lstrip(".")
        if writer.isdigit() and start_time(int(writer)) is None:
            path.unlink(missing_ok=True)


def _namespace(kind: str) -> str:
    return os.readlink(f"/proc/self/ns/{kind}")


_current: RunState | None = None


def current_run() -> RunState | None:
    """The state of this process's run, made when first needed.

    None inside an isolated run: the process outside keeps the file, and nothing can be left.
    """
    global _current
    if ISOLATED_VARIABLE in os.environ:
        return None
    if _current is None:
        # A script that another run has started is a run of its own.
        run = os.environ[RUN_VARIABLE] = new_run_id()
        _current = RunState.create(run, os.getcwd(), isolated=False)
        owner = os.getpid()
        state = _current
        atexit.register(lambda: _forget(state, owner))
    return _current


def _forget(state: RunState, owner: int) -> None:
    """At the end of a script: forget the run if nothing of it is left to sweep."""
    if os.getpid() != owner:
        return
    if not remaining_processes(state) and not remaining_interfaces(state):
        state.remove()
