"""Record of a run: run.json."""

import json
import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

from ..machine.process import RunningProcess
from .progress import Progress

RUN_SCHEMA = "hpcc-mininet-run/1"

_VERSION_COMMANDS = {
    "bmv2": ["simple_switch_grpc", "--version"],
    "iproute2": ["ip", "-V"],
    "iperf3": ["iperf3", "--version"],
    "Node.js": ["node", "--version"],
}


class RunRecord:
    """Collects what happens and writes it at the end."""

    def __init__(self, run: str, progress: Progress) -> None:
        self.run = run
        self.progress = progress
        self.errors: list[str] = []
        self.interrupted = False
        #: Whether the whole timeline took place.
        self.complete = False
        #: Whether switches had sent all that they had when ports were looked at last.
        self.quiet = False
        self.ready_since: float | None = None
        self.links: list[dict[str, Any]] = []
        self._processes: list[RunningProcess] = []
        self._nodes: dict[str, str | None] = {}

    def add_process(self, process: RunningProcess, node: str | None) -> None:
        """Note a process; how it ended is read when the file is written."""
        self._processes.append(process)
        self._nodes[process.name] = node

    def add_link(self, link: str, state: str) -> None:
        """Note that a link went down or up just now."""
        seconds = self.progress.seconds()
        self.links.append({"link": link, "state": state, "seconds": seconds})

    def fail(self, sentence: str) -> None:
        """Note an error and report it to the process that follows the run."""
        self.errors.append(sentence)
        self.progress.say("error", message=sentence)

    def write(self, path: Path, duration: float | None) -> None:
        """Write what happened."""
        content = {
            "schema": RUN_SCHEMA,
            "run": self.run,
            "complete": self.complete and not self.errors,
            "interrupted": self.interrupted,
            "quiet": self.quiet,
            "errors": self.errors,
            "cores": os.cpu_count(),
            "versions": versions(),
            "readySince": self.ready_since,
            "startSeconds": self.progress.start_seconds(),
            "durationSeconds": duration,
            "processes": [self._describe(each) for each in self._processes],
            "links": self.links,
        }
        _write_whole(path, content)

    def write_ready(self, path: Path) -> None:
        """Write the time from which seconds count, for processes that follow the run's files."""
        _write_whole(path, {"readySince": self.ready_since})

    def _describe(self, process: RunningProcess) -> dict[str, Any]:
        moment = self.progress.seconds
        return {
            "name": process.name,
            "node": self._nodes[process.name],
            "argv": list(process.command.argv),
            "exitCode": process.exit_code,
            "signal": process.signal,
            "startedSeconds": moment(process.started),
            "endedSeconds": None if process.ended is None else moment(process.ended),
            "cpuSeconds": process.cpu_seconds,
        }


def _write_whole(path: Path, content: dict[str, Any]) -> None:
    """The file appears whole or not at all."""
    scratch = path.with_suffix(".tmp")
    scratch.write_text(json.dumps(content, indent=2) + "\n")
    scratch.replace(path)


def versions() -> dict[str, str]:
    """Versions that results may depend on; missing tools are left out."""
    found = {"Linux": platform.release(), "Python": platform.python_version()}
    try:
        from mininet.net import VERSION

        found["Mininet"] = VERSION
    except ImportError:
        pass  # The doctor says so; a run would not have come this far.
    for name, argv in _VERSION_COMMANDS.items():
        text = first_line(argv)
        if text:
            found[name] = text
    return found


def first_line(argv: list[str]) -> str | None:
    """The first line that a command writes; None when there is no such command."""
    if shutil.which(argv[0]) is None:
        return None
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0] if lines else ""
