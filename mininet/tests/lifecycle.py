"""Start and stop networks, interrupt half of them at random moments, and compare the system before
and after: processes, interfaces, queueing disciplines, namespaces, files.

lifecycle.py [--cycles N] [--seed N]

It does so inside namespaces of its own, so that other programs do not disturb the comparison,
and prints one line of JSON per cycle. The exit code is 1 if anything was left.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hpccnet import isolate  # noqa: E402
from hpccnet.machine.run_state import ISOLATED_VARIABLE, RUN_VARIABLE, STATE_VARIABLE  # noqa: E402
from tests.kinds import can_run_bmv2  # noqa: E402
from tests.sample_plan import sample_plan  # noqa: E402

_FOLDER = Path(__file__).resolve().parents[1]
#: bmv2 where it is there, with the command line that sets its queues.
_KINDS = ("embedded", "bmv2") if can_run_bmv2() else ("embedded",)
_WAYS = ("plan", "script", "script without isolation")
_SIGNALS = ("SIGINT", "SIGTERM", "SIGKILL")
#: What both samples print once they have done what they had to.
_SAMPLE_DONE = "finished"
#: Longest time to a signal, in seconds: start, traffic and stop take about as long.
_LONGEST_SECONDS = 3.0
#: How long the kernel may take to clear away namespaces, in seconds.
_SETTLE_SECONDS = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hpccnet-lifecycle-") as folder:
        os.environ[STATE_VARIABLE] = f"{folder}/state-outside"
        Path(folder, "state-outside").mkdir()
        status = os.fork()
        if status == 0:
            isolate("lifecycle", folder)
            os._exit(_all_cycles(options, Path(folder)))
        _, code = os.waitpid(status, 0)
    return os.waitstatus_to_exitcode(code)


def _all_cycles(options: argparse.Namespace, folder: Path) -> int:
    # Runs below make namespaces of their own within these, as they would on a machine.
    for name in (ISOLATED_VARIABLE, RUN_VARIABLE):
        os.environ.pop(name)
    for name in ("state", "tmp"):
        (folder / name).mkdir()
    os.environ[STATE_VARIABLE] = str(folder / "state")
    os.environ["TMPDIR"] = str(folder / "tmp")
    generator = random.Random(options.seed)
    before = inventory(folder)
    clean = True
    for index in range(options.cycles):
        found = _cycle(index, generator, folder, before)
        print(json.dumps(found), flush=True)
        clean = clean and not found["left"]
    return 0 if clean else 1


def _cycle(
    index: int, generator: random.Random, folder: Path, before: dict[str, Any]
) -> dict[str, Any]:
    output = folder / f"run-{index}"
    output.mkdir()
    way = _WAYS[index % len(_WAYS)]
    kind = generator.choice(_KINDS)
    number = generator.choice(_SIGNALS) if index % 2 == 0 else None
    delay = generator.uniform(0, _LONGEST_SECONDS)
    child = _start(way, kind, output)
    over = number is not None and _ends_within(child, delay)
    if number is not None:
        child.send_signal(getattr(signal, number))
    code = child.wait(timeout=60)
    swept = _sweep() if number == "SIGKILL" else []
    # Signals during the clean-up of a run that came to its end change nothing.
    over = over or _SAMPLE_DONE in (output / "log").read_text()
    left = _left(folder, before)
    shown = None if number is None else {"signal": number, "afterSeconds": round(delay, 3)}
    expected = _expected(number, over, code)
    return {
        "cycle": index,
        "way": way,
        "switch": kind,
        "interrupted": shown,
        "exitCode": code,
        "swept": swept,
        "left": left if expected else {**left, "exitCode": code},
    }


def _expected(number: str | None, over: bool, code: int) -> bool:
    if number is None:
        return code == 0
    # It may have been over already, or not yet so far that it handles signals.
    value = int(getattr(signal, number))
    return code in (130, 128 + value, -value) or (over and code == 0)


def _start(way: str, kind: str, output: Path) -> "subprocess.Popen[bytes]":
    if way == "plan":
        plan = output / "plan.json"
        plan.write_text(json.dumps(sample_plan(output, kind)))
        argv = [str(_FOLDER / "hpccnet_run.py"), str(plan)]
    else:
        argv = [str(_FOLDER / "tests" / "sample_network.py"), kind, str(output), "0.3"]
        argv += ["isolated"] if way == "script" else []
    environment = {**os.environ, "PYTHONPATH": str(_FOLDER)}
    with open(output / "log", "wb") as log:
        return subprocess.Popen(
            [sys.executable, *argv], stdout=log, stderr=log, env=environment, cwd=output
        )


def _ends_within(child: "subprocess.Popen[bytes]", seconds: float) -> bool:
    try:
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return False  # The moment to interrupt it.
    return True


def _sweep() -> list[str]:
    """Cleanup that the next start would do first; returns its report."""
    argv = [sys.executable, "-m", "hpccnet", "clean"]
    done = subprocess.run(argv, cwd=_FOLDER, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _left(folder: Path, before: dict[str, Any]) -> dict[str, Any]:
    """Differences from the inventory before, after the kernel had time to clear away."""
    deadline = time.monotonic() + _SETTLE_SECONDS
    while True:
        after = inventory(folder)
        found = {
            kind: sorted(set(after[kind]) ^ set(before[kind]))
            for kind in before
            if after[kind] != before[kind]
        }
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def inventory(folder: Path) -> dict[str, list[str]]:
    """Everything of the kinds that a network is made of."""
    return {
        "processes": _processes(),
        "interfaces": _lines(["ip", "-brief", "link"]),
        "qdiscs": _lines(["tc", "qdisc"]),
        "named namespaces": _lines(["ip", "netns", "list"]),
        "namespaces": _namespaces(),
        "files": sorted(
            str(path) for name in ("state", "tmp") for path in (folder / name).rglob("*")
        ),
    }


def _processes() -> list[str]:
    """All but this one, which has no others before and after."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            name = (path / "comm").read_text().strip()
        except OSError:
            continue  # It has ended since.
        if int(path.name) not in (1, os.getpid()):
            found.append(f"{path.name} {name}")
    return sorted(found)


def _namespaces() -> list[str]:
    found = set()
    for path in Path("/proc").glob("[0-9]*/ns/*"):
        try:
            found.add(os.readlink(path))
        except OSError:
            continue  # The process has ended since.
    return sorted(found)


def _lines(argv: list[str]) -> list[str]:
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
