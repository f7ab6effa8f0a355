"""Reads a trace with Perfetto's own definitions and prints what is in it as one JSON object."""

import collections
import json
import sys

from perfetto.protos.perfetto.trace import perfetto_trace_pb2

trace = perfetto_trace_pb2.Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())
names = {}
parents = {}
counters = collections.defaultdict(list)
slices = collections.defaultdict(list)
arrows = collections.defaultdict(list)
for packet in trace.packet:
    if packet.HasField("track_descriptor"):
        track = packet.track_descriptor
        names[track.uuid] = track.process.process_name or track.name
        parents[track.uuid] = track.parent_uuid
        continue
    event = packet.track_event
    where = names[parents[event.track_uuid]] + " " + names[event.track_uuid]
    if event.type == event.TYPE_COUNTER:
        counters[where].append(event.double_counter_value)
    elif event.type != event.TYPE_SLICE_END:
        slices[where].append([packet.timestamp, event.name])
    for arrow in [*event.flow_ids, *event.terminating_flow_ids]:
        arrows[arrow].append(where)
print(
    json.dumps(
        {
            "counters": {name: max(values) for name, values in counters.items()},
            "slices": {name: len(each) for name, each in slices.items()},
            "names": sorted({name for each in slices.values() for _, name in each}),
            "arrow": max(arrows.values(), key=len),
        }
    )
)
