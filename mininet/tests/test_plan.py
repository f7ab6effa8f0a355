"""Plans are refused with the place of what is wrong, before anything is made."""

import copy
import json
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hpccnet.errors import HpccnetError
from hpccnet.runs.plan import load_plan
from tests.sample_plan import process, sample_plan

Change = Callable[[dict[str, Any]], object]

#: A change to a good plan, and what the message has to say.
_FAULTS: dict[str, Change] = {
    "hosts: wanted 2 items at least, found 1": lambda plan: plan["hosts"].pop(),
    "run: is missing": lambda plan: plan.pop("run"),
    "colour: is not known": lambda plan: plan.update(colour="red"),
    "switches[0].kind: wanted one of ['bmv2', 'embedded'], found 'ovs'": (
        lambda plan: plan["switches"][0].update(kind="ovs")
    ),
    "hosts[1].mtu: wanted integer, found '1500'": (
        lambda plan: plan["hosts"][1].update(mtu="1500")
    ),
    "links[0].delayUs: wanted 0 at least, found -1": (
        lambda plan: plan["links"][0].update(delayUs=-1)
    ),
    "h1-s1:1: s1 has no interface s1-eth9": (
        lambda plan: plan["links"][0]["b"].update(interface="s1-eth9")
    ),
    "process receiver is there twice": (
        lambda plan: plan["services"].append(process("receiver", ["true"]))
    ),
    "process other: there is no host h9": (
        lambda plan: plan["services"].append(process("other", ["true"], "h9"))
    ),
    "timeline[2]: there is no link h9-s1:9": (
        lambda plan: plan["timeline"][2].update(link="h9-s1:9")
    ),
    "timeline[3]: is at 0.1 s, after an event at 0.2 s": (
        lambda plan: plan["timeline"][3].update(at=0.1)
    ),
    "timeline[1]: process nobody has not been started before": (
        lambda plan: plan["timeline"][1].update(process="nobody")
    ),
    "output: there is no directory /nowhere": lambda plan: plan.update(output="/nowhere"),
}


class PlanTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.plan = sample_plan(self.folder)

    def load(self, plan: dict[str, Any]) -> dict[str, Any]:
        path = self.folder / "plan.json"
        path.write_text(json.dumps(plan))
        return load_plan(str(path))

    def test_a_good_plan_is_read_as_it_is(self) -> None:
        self.assertEqual(self.load(self.plan), self.plan)

    def test_each_fault_is_told_with_its_place(self) -> None:
        for message, change in _FAULTS.items():
            with self.subTest(message):
                plan = copy.deepcopy(self.plan)
                change(plan)
                with self.assertRaises(HpccnetError) as caught:
                    self.load(plan)
                self.assertIn(message, str(caught.exception))

    def test_text_that_is_no_json_is_told_with_its_file(self) -> None:
        path = self.folder / "plan.json"
        path.write_text("{")
        with self.assertRaisesRegex(HpccnetError, "plan.json: Expecting"):
            load_plan(str(path))
