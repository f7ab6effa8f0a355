"""A plan: everything that a run does, spelled out. plan.schema.json has its form."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import HpccnetError
from .schema_check import faults

Plan = dict[str, Any]

SCHEMA_FILE = Path(__file__).resolve().parents[2] / "plan.schema.json"

_SHOWN_FAULTS = 5


def load_plan(path: str) -> Plan:
    """Read and check a plan.

    :raises HpccnetError: naming the file, and the first faults with their places.
    """
    try:
        plan = json.loads(Path(path).read_text())
    except (OSError, json.JSONDecodeError) as error:
        raise HpccnetError(f"{path}: {error}") from error
    schema = json.loads(SCHEMA_FILE.read_text())
    found = list(islice(faults(schema, plan), _SHOWN_FAULTS)) or list(reference_faults(plan))
    if found:
        raise HpccnetError("; ".join(f"{path}: {fault}" for fault in found))
    return plan


def processes_of(plan: Plan) -> list[dict[str, Any]]:
    """All processes, in the order in which they start."""
    started = [each["process"] for each in plan["timeline"] if each["action"] == "start"]
    setup = [each["process"] for each in plan["setup"]]
    switches = [each["process"] for each in plan["switches"]]
    return [*plan["groups"], *switches, *setup, *plan["services"], *started]


def reference_faults(plan: Plan) -> Iterator[str]:
    """Names that nothing has, and names that two things have."""
    hosts = [each["name"] for each in plan["hosts"]]
    nodes = [*hosts, *(each["name"] for each in plan["switches"])]
    processes = processes_of(plan)
    links = [each["name"] for each in plan["links"]]
    groups = [each["name"] for each in plan["groups"]]
    yield from _twice("node", nodes)
    yield from _twice("process", [each["name"] for each in processes])
    yield from _twice("link", links)
    for each in processes:
        if each.get("node", hosts[0]) not in hosts:
            yield f"process {each['name']}: there is no host {each['node']}"
        if each.get("group", None) not in (None, *groups):
            yield f"process {each['name']}: there is no group {each['group']}"
    yield from _interface_faults(plan)
    yield from _timeline_faults(plan, links)
    if not Path(plan["output"]).is_dir():
        yield f"output: there is no directory {plan['output']}"


def interfaces_of(plan: Plan) -> dict[str, set[str]]:
    """The names of the interfaces of each node."""
    ports = {each["name"]: each["interfaces"] for each in plan["hosts"]}
    ports.update({each["name"]: each["ports"] for each in plan["switches"]})
    return {name: {each["interface"] for each in own} for name, own in ports.items()}


def _interface_faults(plan: Plan) -> Iterator[str]:
    known = interfaces_of(plan)
    ends = [(each["name"], each[end]) for each in plan["links"] for end in ("a", "b")]
    ends += [(f"capture {each['file']}", each) for each in plan["captures"]]
    for where, end in ends:
        if end["interface"] not in known.get(end["node"], set()):
            yield f"{where}: {end['node']} has no interface {end['interface']}"
    yield from _twice("interface", [end["interface"] for _, end in ends[: 2 * len(plan["links"])]])


def _timeline_faults(plan: Plan, links: list[str]) -> Iterator[str]:
    started = {each["name"] for each in plan["services"]}
    last = 0.0
    for index, event in enumerate(plan["timeline"]):
        where = f"timeline[{index}]"
        if event["at"] < last:
            yield f"{where}: is at {event['at']} s, after an event at {last} s"
        last = event["at"]
        if event["action"] == "start":
            started.add(event["process"]["name"])
        elif event["action"] == "link" and event["link"] not in links:
            yield f"{where}: there is no link {event['link']}"
        elif event["action"] in ("stop", "wait") and event["process"] not in started:
            yield f"{where}: process {event['process']} has not been started before"


def _twice(what: str, names: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{what} {name} is there twice"
        seen.add(name)
