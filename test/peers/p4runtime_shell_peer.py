"""Drives a P4Runtime server with p4runtime-shell, a controller that is not ours.

Arguments: address, P4Info file, BMv2 JSON file. A line "INJECT port hex" asks the test for a packet;
the last line is "RESULT" and what was found, as JSON.
"""

import json
import os
import sys

import p4runtime_sh.shell as sh

FRAME = bytes.fromhex("000000000001" "000000000002" "0800" "0102030405")
WAIT_S = 3


def connect(address: str, election: int, config=None) -> None:
    """Become primary, and push a pipeline where one is given."""
    sh.setup(
        device_id=1,
        grpc_addr=address,
        election_id=(0, election),
        config=config,
        verbose=False,
    )


def write_entities() -> None:
    """Write one of most kinds of entity."""
    entry = sh.TableEntry("ingress.dmac")(action="ingress.to_cpu")
    entry.match["hdr.ethernet.dst_addr"] = "00:00:00:00:00:01&&&ff:ff:ff:ff:ff:ff"
    entry.priority = 7
    entry.insert()
    group = sh.MulticastGroupEntry(1)
    group.add(1, 1).add(2, 1)
    group.insert()
    session = sh.CloneSessionEntry(5)
    session.add(4, 1)
    session.insert()
    counter = sh.CounterEntry("ingress.rx")
    counter.index = 2
    counter.packet_count = 3
    counter.modify()
    meter = sh.MeterEntry("ingress.police")
    meter.index = 1
    meter.cir, meter.cburst, meter.pir, meter.pburst = 10, 1, 20, 2
    meter.modify()
    digest = sh.DigestEntry("learnt_t")
    digest.max_list_size = 1
    digest.insert()


def read_back(result: dict) -> None:
    """Read what was written."""
    entries = list(sh.TableEntry("ingress.dmac").read())
    result["priorities"] = [each.priority for each in entries]
    counters = list(sh.CounterEntry("ingress.rx").read())
    result["counters"] = [each.packet_count for each in counters][:3]
    meters = list(sh.MeterEntry("ingress.police").read())
    result["meter"] = meters[1].pir
    result["groups"] = [each.group_id for each in sh.MulticastGroupEntry().read()]


def change_entry(result: dict) -> None:
    """Modify an entry, read it, and delete it."""
    entry = sh.TableEntry("ingress.smac")(action="ingress.known")
    entry.match["hdr.ethernet.src_addr"] = "00:00:00:00:00:09"
    entry.insert()
    entry.counter_data.packet_count = 4
    entry.modify()
    wanted = sh.TableEntry("ingress.smac")
    wanted.counter_data
    result["modified"] = [each.counter_data.packet_count for each in wanted.read()]
    entry.delete()
    result["deleted"] = len(list(sh.TableEntry("ingress.smac").read()))


def exchange_packets(result: dict) -> None:
    """Let a packet arrive, and send one."""
    packets = sh.PacketIn()
    digests = sh.DigestList()
    print(f"INJECT 3 {FRAME.hex()}", flush=True)
    for message in packets.sniff(timeout=WAIT_S):
        port = int.from_bytes(message.packet.metadata[0].value, "big")
        result["packet"] = [port, message.packet.payload.hex()]
    result["digests"] = [
        [int.from_bytes(member.bitstring, "big") for member in sample.struct.members]
        for message in digests.sniff(timeout=1)
        for sample in message.digest.data
    ]
    received = sh.CounterEntry("ingress.rx")
    received.index = 3
    result["received"] = [each.packet_count for each in received.read()]
    sh.PacketOut(FRAME, egress_port="4").send()


def main(address: str, p4info: str, program: str) -> None:
    """Connect twice: the second connection finds the state of the first."""
    result = {}
    connect(address, 1, sh.FwdPipeConfig(p4info, program))
    write_entities()
    read_back(result)
    change_entry(result)
    exchange_packets(result)
    sh.teardown()
    connect(address, 2)
    result["reconnected"] = len(list(sh.TableEntry("ingress.dmac").read()))
    sh.teardown()
    print("RESULT " + json.dumps(result), flush=True)
    # Threads of the library wait for streams that have ended, and would keep the process.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
