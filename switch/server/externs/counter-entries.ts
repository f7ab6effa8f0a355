import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { cellsOf, objectOf, objectsOf, stateOf } from './array-index';
import { decodeCount, encodeCount } from './counter-data';
import type { RunningPipeline } from '../state/running-pipeline';
import { requireModify } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';

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
export function readCounters(running: RunningPipeline, filter: p4.CounterEntry): p4.CounterEntry[] {
  return objectsOf(running.info.counters, filter.counterId).flatMap((info) => {
    const counter = stateOf(running.control.counters, info);
    const cells = [...cellsOf(filter, info.size, `counter '${info.name}'`)];
    return cells.map((cell) => {
      const count = counter.read(cell) ?? { packets: 0, bytes: 0 };
      return new p4.CounterEntry({
        counterId: info.id,
        index: new p4.Index({ index: String(cell) }),
        data: encodeCount(count, info.unit),
      });
    });
  });
}
