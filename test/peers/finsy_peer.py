"""Drives a P4Runtime server with finsy, a controller that is not ours.

Arguments: address, P4Info file, BMv2 JSON file. A line "INJECT port hex" asks the test for a packet;
the last line is "RESULT" and what was found, as JSON.
"""

import asyncio
import json
import sys
from pathlib import Path

import finsy as fy
from finsy.p4entity import P4ValueSetMember

FRAME = bytes.fromhex("000000000001" "000000000002" "0800" "0102030405")
WAIT_S = 20


def inject(port: int, frame: bytes) -> None:
    """Ask the test to let a frame arrive at a port."""
    print(f"INJECT {port} {frame.hex()}", flush=True)


async def first(stream):
    """Return the first element of a stream."""
    async for each in stream:
        return each


async def exercise(switch: fy.Switch, result: dict) -> None:
    """Write every kind of entity, read it back, and let packets pass."""
    count = fy.P4CounterData(packet_count=5, byte_count=320)
    meter = fy.P4MeterConfig(cir=10, cburst=1, pir=20, pburst=2)
    forward = fy.P4TableAction("forward", port=2)
    await switch.write(
        [
            +fy.P4DigestEntry("learnt_t", max_list_size=1, ack_timeout_ns=10**9),
            +fy.P4TableEntry(
                "dmac",
                match=fy.P4TableMatch({"hdr.ethernet.dst_addr": "00:00:00:00:00:09"}),
                action=forward,
                priority=1,
                counter_data=count,
                meter_config=meter,
            ),
            +fy.P4TableEntry(
                "dmac",
                match=fy.P4TableMatch({"hdr.ethernet.dst_addr": "00:00:00:00:00:01"}),
                action=fy.P4TableAction("to_cpu"),
                priority=2,
            ),
            +fy.P4MulticastGroupEntry(1, replicas=[1, 2, (3, 7)]),
            +fy.P4CloneSessionEntry(5, replicas=[4], packet_length_bytes=64),
            ~fy.P4CounterEntry("rx", index=3, data=fy.P4CounterData(packet_count=1, byte_count=2)),
            ~fy.P4MeterEntry("police", index=2, config=meter),
            ~fy.P4RegisterEntry("last_source", index=1, data=0x0A0B0C0D0E0F),
            ~fy.P4ValueSetEntry(
                "trusted_types", members=[P4ValueSetMember(0x0806)]
            ),
        ]
    )
    # The values of a filter do not matter here, only that it is there.
    wanted = fy.P4TableEntry("dmac", counter_data=count, meter_config=meter)
    entries = [each async for each in switch.read(wanted)]
    result["priorities"] = [each.priority for each in entries]
    result["direct"] = [entries[0].counter_data.packet_count, entries[0].meter_config.pir]
    register = await first(switch.read(fy.P4RegisterEntry("last_source", index=1)))
    result["register"] = register.data
    result["counters"] = len([each async for each in switch.read(fy.P4CounterEntry("rx"))])
    groups = [each async for each in switch.read(fy.P4MulticastGroupEntry())]
    result["groups"] = [each.multicast_group_id for each in groups]
    sessions = [each async for each in switch.read(fy.P4CloneSessionEntry())]
    result["sessions"] = [each.packet_length_bytes for each in sessions]

    packets = switch.read_packets()
    digests = switch.read_digests("learnt_t")
    waiting = asyncio.gather(first(packets), first(digests))
    await asyncio.sleep(0.2)
    inject(3, FRAME)
    packet, digest = await asyncio.wait_for(waiting, WAIT_S)
    result["packet"] = [packet["ingress_port"], packet.payload.hex()]
    result["digest"] = digest.data
    await switch.write([fy.P4PacketOut(FRAME, egress_port=4, _pad=0)])
    received = await first(switch.read(fy.P4CounterEntry("rx", index=3)))
    result["received"] = received.packet_count
    try:
        await switch.write([+fy.P4MulticastGroupEntry(1, replicas=[1])])
    except fy.P4ClientError as error:
        result["refused"] = [int(each.canonical_code) for each in error.details.values()]


async def run(address: str, p4info: Path, program: Path) -> dict:
    """Connect twice: the second connection finds the state of the first."""
    result = {}
    options = fy.SwitchOptions(p4info=p4info, p4blob=program, fail_fast=True)
    async with fy.Switch("first", address, options) as switch:
        await exercise(switch, result)
    async with fy.Switch("second", address, options(initial_election_id=20)) as switch:
        entries = [each async for each in switch.read(fy.P4TableEntry("dmac"))]
        result["reconnected"] = len(entries)
        await switch.delete_all()
        result["left"] = len([each async for each in switch.read(fy.P4TableEntry("dmac"))])
    return result


if __name__ == "__main__":
    found = asyncio.run(run(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
    print("RESULT " + json.dumps(found), flush=True)
