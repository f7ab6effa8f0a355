import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { cellsOf, objectOf, objectsOf, stateOf } from './array-index';
import type { RunningPipeline } from '../state/running-pipeline';
import { decodeMeterConfig, encodeMeterConfig, refuseColorCounters } from './meter-config';
import { inState } from '../errors/state-errors';
import { requireModify } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';

/**
 * Configures one cell of a meter or all; without config it colours everything green (P4Runtime
 * 1.5.0, section "MeterEntry"). @throws RpcError
 */
export function writeMeter(running: RunningPipeline, type: UpdateType, entry: p4.MeterEntry): void {
  const info = objectOf(running.info.meters, entry.meterId);
  const where = `meter '${info.name}'`;
  requireModify(type, where);
  refuseColorCounters(entry);
  const cells = cellsOf(entry, info.size, where);
  const settings = entry.hasConfig ? decodeMeterConfig(entry.config, info, where) : undefined;
  const meter = stateOf(running.control.meters, info);
  inState(where, () => {
    for (const cell of cells) meter.configure(cell, settings);
  });
}

/** One cell, all cells of a meter, or all meters. @throws RpcError */
export function readMeters(running: RunningPipeline, filter: p4.MeterEntry): p4.MeterEntry[] {
  refuseColorCounters(filter);
  return objectsOf(running.info.meters, filter.meterId).flatMap((info) => {
    const meter = stateOf(running.control.meters, info);
    const cells = [...cellsOf(filter, info.size, `meter '${info.name}'`)];
    return cells.map((cell) => {
      const settings = meter.settings(cell);
      const base = { meterId: info.id, index: new p4.Index({ index: String(cell) }) };
      return new p4.MeterEntry(
        settings === undefined ? base : { ...base, config: encodeMeterConfig(settings) },
      );
    });
  });
}
