"""Documents of networks, and small readers of text."""

import tempfile
import unittest
from collections.abc import Iterable, Iterator
from itertools import chain, count, repeat
from pathlib import Path
from typing import Any
from unittest import mock

from hpccnet.errors import HpccnetError
from hpccnet.net.document import load_document, network_of, parse_duration_us, parse_rate
from hpccnet.net.queues import QueueSettings, queue_commands
from hpccnet.runs.sampling import PortCounters, port_counters

_PROC_NET_DEV = """Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo
    lo:       1       2    3    4    0     0          0         0        5       6    7    8    0 0
s1-eth1:    100      10    0    1    0     0          0         0      200      20    0    2    0 0
"""


class DocumentTest(unittest.TestCase):
    def test_what_is_left_open_follows_the_controllers_rules(self) -> None:
        network = network_of(
            {
                "switches": [{"name": "a"}, {"name": "b", "deviceId": 0}],
                "hosts": [{"name": "h1"}, {"name": "h300", "ipv6": "fd00::2"}],
                "links": [
                    {"between": ["h1", "a:3"], "rate": "10 Mb/s", "delay": "1.5 ms"},
                    {
                        "between": ["h300", "b:1"],
                        "rate": "10 Mb/s",
                        "backRate": "2 Mb/s",
                        "backDelay": "3 ms",
                    },
                ],
            }
        )
        self.assertEqual([each.device_id for each in network.switches], [1, 0])
        self.assertEqual([each.ipv4 for each in network.hosts], ["10.0.0.1", "10.0.0.2"])
        self.assertEqual(network.hosts[1].mac, "02:01:00:00:00:02")
        link, uneven = network.links
        self.assertEqual((link.ends[1].node, link.ends[1].port), ("a", 3))
        self.assertEqual((link.rates_bps, link.mtu), ((10e6, 10e6), 1500))
        self.assertEqual(link.delays_us, (1500.0, 1500.0))
        self.assertEqual((uneven.rates_bps, uneven.delays_us), ((10e6, 2e6), (0.0, 3000.0)))

    def test_rates_and_durations_have_units(self) -> None:
        rates = {"100 Mb/s": 100e6, "1.5 Gb/s": 1.5e9, "7 bit/s": 7, "3kb/s": 3e3}
        self.assertEqual({text: parse_rate(text) for text in rates}, rates)
        durations = {"10 us": 10, "2ms": 2000, "1 s": 1e6, "500 ns": 0.5, "0": 0}
        self.assertEqual({text: parse_duration_us(text) for text in durations}, durations)
        for text in ("10", "10 MB/s", "fast"):
            with self.assertRaisesRegex(ValueError, "wanted a rate"):
                parse_rate(text)

    def test_a_faulty_document_is_told_with_its_file(self) -> None:
        faults = {
            "switches: [{name: s1}]\nlinks: [{between: [h9, 's1:1'], rate: 1 Mb/s}]": "h9",
            "switches: [{}]": "'name' is missing",
            "switches: [{name: s1}, {name: s2}]\nlinks: [{between: [s1, 's2:1'], rate: 1 Mb/s}]": (
                "links[0]: s1 is a switch: wanted a port, as in 's1:1'"
            ),
            "switches: [{name: s1}]\nlinks: [{between: [s1], rate: 1 Mb/s}]": "between two ends",
            "switches: [{name: s1}]\nlinks: [{between: [5, 's1:1'], rate: 1 Mb/s}]": "found 5",
            (
                "switches: [{name: s1}]\nhosts: [{name: h1}]\n"
                "links: [{between: ['h1:1', 's1:1'], rate: 1 Mb/s},"
                " {between: [h1, 's1:2'], rate: 1 Mb/s}]"
            ): "h1 has 2 links: wanted a port of its own for each, as in 'h1:1'",
            "switches: [s1]": "not a network document",
            "just text": "wanted a network document",
            "a: [": "expected",
        }
        for text, message in faults.items():
            with self.subTest(text), tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(text)
                file.flush()
                with self.assertRaises(HpccnetError) as caught:
                    load_document(file.name)
                self.assertIn(file.name, str(caught.exception))
                self.assertIn(message, str(caught.exception))

    def test_files_of_a_document_are_found_from_its_folder(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "net.yaml")
            path.write_text("program: {p4info: a.txt, config: /b.json}\nswitches: [{name: s1}]\n")
            text = load_document(str(path)).text
        expected = {"p4info": str(path.resolve().parent / "a.txt"), "config": "/b.json"}
        self.assertEqual(text["program"], expected)


class SmallReadersTest(unittest.TestCase):
    def test_counters_are_those_of_the_named_ports(self) -> None:
        counters = {
            "rxBytes": 100,
            "rxPackets": 10,
            "rxDropped": 1,
            "txBytes": 200,
            "txPackets": 20,
            "txDropped": 2,
        }
        self.assertEqual(port_counters(_PROC_NET_DEV, {"s1-eth1": "s1:1"}), {"s1:1": counters})

    def test_ports_are_quiet_once_they_count_nothing_more(self) -> None:
        def lines(numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
            return ({"ports": {"s1:1": {"txPackets": number}}} for number in numbers)

        for numbers, limit in [(chain(range(4), repeat(4)), 60.0), (count(), 0.05)]:
            with mock.patch("hpccnet.runs.sampling._ports_line", side_effect=lines(numbers)):
                counters = PortCounters({"s1-eth1": "s1:1"})
                self.assertEqual(counters.wait_quiet(quiet=0.001, limit=limit), limit > 1)

    def test_queue_settings_are_lines_of_bmv2s_command_line(self) -> None:
        settings = [QueueSettings(1, 5000, 64), QueueSettings(2, None, 10)]
        lines = ["set_queue_rate 5000 1", "set_queue_depth 64 1", "set_queue_depth 10 2"]
        self.assertEqual(queue_commands(settings), lines)
