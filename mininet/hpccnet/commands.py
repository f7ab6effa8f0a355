"""The commands: run, isolated, list, enter, doctor, clean."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .doctor.checks import add_options, doctor
from .errors import HpccnetError
from .launcher import ROOT
from .machine.isolation import isolate
from .machine.run_state import RUN_VARIABLE, RunState, all_runs, new_run_id, sweep
from .runs.runner import EXIT_FAILED, run_plan

PROGRAM = "python3 -m hpccnet"


def main(arguments: Sequence[str]) -> int:
    """Everything behind `python3 -m hpccnet`."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        return options.action(options)
    except HpccnetError as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_FAILED


def run_command(arguments: Sequence[str]) -> int:
    """Run a plan, as hpccnet_run.py does; the only argument is its file."""
    return main(["run", *arguments])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=PROGRAM, description="HPCC++ under Mininet.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    run = commands.add_parser("run", help="run a plan")
    run.add_argument("plan", help="JSON, as `hpcc mininet` writes it")
    run.set_defaults(action=_run)
    listing = commands.add_parser("list", help="list what runs on this machine")
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(action=_list)
    isolated = commands.add_parser("isolated", help="run any command in namespaces of its own")
    isolated.add_argument(
        "--embedded", action="store_true", help="put this project's switch in the place of bmv2's"
    )
    isolated.add_argument("argv", nargs=argparse.REMAINDER, help="such as a Mininet script")
    isolated.set_defaults(action=_isolated)
    enter = commands.add_parser("enter", help="run a command on a node of a run")
    enter.add_argument("run", help="id of the run, or its beginning")
    enter.add_argument("node", help="a host, or a switch for where all switches are")
    enter.add_argument("argv", nargs=argparse.REMAINDER, help="a shell unless given")
    enter.set_defaults(action=_enter)
    examine = commands.add_parser("doctor", help="what this machine lacks, and what it carries")
    add_options(examine)
    examine.set_defaults(action=doctor)
    clean = commands.add_parser("clean", help="remove what dead runs have left behind")
    clean.set_defaults(action=_clean)
    return parser


def _run(options: argparse.Namespace) -> int:
    try:
        return run_plan(options.plan)
    except HpccnetError as error:
        # A program that reads events does not read standard error as well.
        print(json.dumps({"event": "error", "seconds": None, "message": str(error)}), flush=True)
        raise


def _isolated(options: argparse.Namespace) -> int:
    argv = options.argv[1:] if options.argv[:1] == ["--"] else options.argv
    if not argv:
        raise HpccnetError("isolated: wanted a command, as in: isolated -- python3 my_network.py")
    isolate(new_run_id(Path(argv[0]).name))
    if options.embedded:
        os.environ["PATH"] = f"{ROOT / 'switch' / 'bin'}:{os.environ['PATH']}"
    try:
        # Replaces this process, so that signals reach it.
        os.execvp(argv[0], argv)
    except OSError as error:
        raise HpccnetError(f"isolated: cannot start {argv[0]}: {error}") from error


def _list(options: argparse.Namespace) -> int:
    runs = [{**each.content, "alive": each.owner_lives()} for each in all_runs()]
    if options.json:
        print(json.dumps(runs, indent=2))
        return 0
    for each in runs:
        state = "runs" if each["alive"] else "is dead"
        print(f"{each['run']} {state}, process {each['owner']['pid']}, {each['directory']}")
    return 0


def _clean(_options: argparse.Namespace) -> int:
    for run in sweep():
        print(f"removed what {run} had left")
    return 0


def _enter(options: argparse.Namespace) -> int:
    state = _chosen(options.run)
    target = _process_of(state, options.node)
    argv = options.argv or ["bash"]
    inside = ["nsenter", "--target", str(target), "--net", "--mount", "--pid", "--", *argv]
    return subprocess.run(inside, check=False).returncode


def _chosen(beginning: str) -> RunState:
    found = [each for each in all_runs() if each.run.startswith(beginning) and each.owner_lives()]
    if len(found) == 1:
        return found[0]
    names = ", ".join(each.run for each in found) or "none"
    raise HpccnetError(f"wanted one run whose id begins with {beginning}, found {names}")


def _process_of(state: RunState, node: str) -> int:
    """The shell that Mininet keeps in the namespaces of a node."""
    nodes = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if f"{RUN_VARIABLE}={state.run}" not in _words(path / "environ"):
                continue
            names = [word for word in _words(path / "cmdline") if word.startswith("mininet:")]
        except OSError:
            continue  # It has ended since.
        nodes.update({name.partition(":")[2]: int(path.name) for name in names})
    if node in nodes:
        return nodes[node]
    known = ", ".join(sorted(nodes)) or "none"
    raise HpccnetError(f"run {state.run} has no node {node}; it has {known}")


def _words(path: Path) -> list[str]:
    return path.read_text(errors="replace").split("\0")
