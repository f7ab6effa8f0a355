import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { Pause } from '../turns/lazily';
import { cellsOf, exactNumber, indexOf, objectOf, readCells, stateOf } from './array-index';
import type { RunningPipeline } from '../state/running-pipeline';
import { requireModify } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';
import type { CounterUnit } from '../../../common/p4runtime/p4info-externs';
import type { CountData } from '../../control/program-control';

/** Sets one cell of a counter or all (P4Runtime 1.5.0, section "CounterEntry"). @throws RpcError */
export function writeCounter(
  running: RunningPipeline,
  type: UpdateType,
  entry: p4.CounterEntry,
): void {
  const info = objectOf(running.info.counters, entry.counterId);
  const where = `counter '${info.name}'`;
  requireModify(type, where);
  const cells = cellsOf(entry, info.size, where);
  if (!entry.hasData) return;
  const count = decodeCount(entry.data, where);
  const counter = stateOf(running.control.counters, info);
  for (const cell of cells) counter.write(cell, count);
}

/** One cell, all cells of a counter, or all counters. @throws RpcError */
export const readCounters = (
  { info, control }: RunningPipeline,
  filter: p4.CounterEntry,
): Iterable<p4.CounterEntry | Pause> =>
  readCells(
    info.counters,
    control.counters,
    { id: filter.counterId, filter },
    (each, counter, cell) => {
      const data = encodeCount(counter.read(cell) ?? { packets: 0, bytes: 0 }, each.unit);
      return new p4.CounterEntry({ counterId: each.id, index: indexOf(cell), data });
    },
  );

/** The message of a count; what the program does not ask for stays 0. */
export function encodeCount({ packets, bytes }: CountData, unit: CounterUnit): p4.CounterData {
  return new p4.CounterData({
    packetCount: unit === 'bytes' ? '0' : String(packets),
    byteCount: unit === 'packets' ? '0' : String(bytes),
  });
}

/** @throws RpcError INVALID_ARGUMENT when negative, OUT_OF_RANGE above 2^53 - 1. */
export function decodeCount(data: p4.CounterData, where: string): CountData {
  return {
    packets: exactNumber(data.packetCount, `${where}, packet_count`),
    bytes: exactNumber(data.byteCount, `${where}, byte_count`),
  };
}
