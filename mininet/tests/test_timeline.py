"""Events of a run take place at their times, and changes of links only while flows last."""

import time
import unittest
from typing import Any
from unittest import mock

from hpccnet.runs import timeline
from hpccnet.runs.timeline import Timeline


class Flow:
    """Stands for a process that ends by itself."""

    def __init__(self, name: str, lasts: float) -> None:
        self.name = name
        self._until = time.monotonic() + lasts

    @classmethod
    def from_event(cls, each: dict[str, Any]) -> "Flow":
        return cls(**each)

    @property
    def ended(self) -> float | None:
        return self._until if time.monotonic() >= self._until else None

    def poll(self) -> bool:
        return self.ended is not None

    def how_it_ended(self) -> str:
        return "0"


def _sleep(_living: list[Flow], seconds: float) -> None:
    time.sleep(max(0.0, min(seconds, 0.01)))


class TimelineTest(unittest.TestCase):
    def run_events(self, *events: dict[str, Any]) -> tuple[mock.Mock, float]:
        record, node = mock.Mock(), mock.Mock()
        begun = time.monotonic()
        with mock.patch.object(timeline, "wait_for_end", _sleep):
            links = {"a-b": ((node, "e0"), (node, "e1"))}
            start: Any = Flow.from_event
            Timeline({}, start, links, record).run(list(events), begun)
        return record, time.monotonic() - begun

    flow = (
        {"at": 0, "action": "start", "process": {"name": "f", "lasts": 0.1}},
        {"at": 0, "action": "wait", "process": "f", "deadlineSeconds": 5},
    )

    def test_changes_of_links_behind_all_flows_are_left_out_and_told(self) -> None:
        down = {"at": 60, "action": "link", "link": "a-b", "state": "down"}
        record, took = self.run_events(*self.flow, down, {**down, "at": 61.5, "state": "up"})
        self.assertLess(took, 30)
        record.add_link.assert_not_called()
        said = [each.args for each in record.progress.say.call_args_list]
        self.assertIn(("left out", "a-b", "down at 60 s, behind the end of all flows"), said)
        self.assertIn(("left out", "a-b", "up at 61.5 s, behind the end of all flows"), said)

    def test_changes_of_links_take_place_while_flows_last(self) -> None:
        down = {"at": 0.02, "action": "link", "link": "a-b", "state": "down"}
        record, _took = self.run_events(*self.flow, down)
        record.add_link.assert_called_once_with("a-b", "down")

    def test_changes_of_links_take_place_before_flows_that_are_still_to_start(self) -> None:
        down = {"at": 0.2, "action": "link", "link": "a-b", "state": "down"}
        later = ({**self.flow[0], "at": 0.3}, {**self.flow[1], "at": 0.3})
        record, _took = self.run_events(*self.flow, down, *later)
        record.add_link.assert_called_once_with("a-b", "down")

    def test_changes_of_links_need_no_flows(self) -> None:
        down = {"at": 0.02, "action": "link", "link": "a-b", "state": "down"}
        record, _took = self.run_events(down)
        record.add_link.assert_called_once_with("a-b", "down")
