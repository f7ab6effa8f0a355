import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { Pause } from '../turns/lazily';
import { cellsOf, exactNumber, indexOf, objectOf, readCells, stateOf } from './array-index';
import type { RunningPipeline } from '../state/running-pipeline';
import { inState, requireModify } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';
import { RpcError } from '../../../common/p4runtime/codes';
import type { MeterTraits } from '../../../common/p4runtime/p4info-externs';
import type { MeterSettings } from '../../control/program-control';

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
export function readMeters(
  { info, control }: RunningPipeline,
  filter: p4.MeterEntry,
): Iterable<p4.MeterEntry | Pause> {
  refuseColorCounters(filter);
  return readCells(
    info.meters,
    control.meters,
    { id: filter.meterId, filter },
    (each, meter, cell) => {
      const settings = meter.settings(cell);
      return new p4.MeterEntry({
        meterId: each.id,
        index: indexOf(cell),
        ...(settings && { config: encodeMeterConfig(settings) }),
      });
    },
  );
}

/** Bursts of bmv2's meters have 32 bits. */
const BURST_MAX = 2 ** 32 - 1;

/**
 * Reads the configuration of a meter by the rules of its kind (P4Runtime 1.5.0, section "MeterEntry
 * & DirectMeterEntry"). The data plane has two rates and three colours; a meter of one rate and two
 * colours is one whose rates are equal.
 * @throws RpcError INVALID_ARGUMENT or OUT_OF_RANGE, UNIMPLEMENTED for an excess burst.
 */
export function decodeMeterConfig(
  config: p4.MeterConfig,
  { meterKind }: MeterTraits,
  where: string,
): MeterSettings {
  const settings = {
    committedRate: exactNumber(config.cir, `${where}, cir`),
    committedBurst: decodeBurst(config.cburst, `${where}, cburst`),
    peakRate: exactNumber(config.pir, `${where}, pir`),
    peakBurst: decodeBurst(config.pburst, `${where}, pburst`),
  };
  const excess = exactNumber(config.eburst, `${where}, eburst`);
  if (meterKind === 'two-rate-three-color') {
    if (settings.committedRate > settings.peakRate) {
      throw invalid(`${where}: cir ${config.cir} is above pir ${config.pir}`);
    }
  } else if (config.cir !== config.pir || config.cburst !== config.pburst) {
    throw invalid(`${where}: a meter of a single rate wants equal rates and equal bursts`);
  }
  if (excess === 0) return settings;
  if (meterKind !== 'single-rate-three-color') throw invalid(`${where}: it takes no eburst`);
  throw new RpcError('UNIMPLEMENTED', `${where}: excess bursts are not supported`);
}

export function encodeMeterConfig(settings: MeterSettings): p4.MeterConfig {
  return new p4.MeterConfig({
    cir: String(settings.committedRate),
    cburst: String(settings.committedBurst),
    pir: String(settings.peakRate),
    pburst: String(settings.peakBurst),
  });
}

/** Refuses counters per colour, which do not exist here. @throws RpcError UNIMPLEMENTED */
export function refuseColorCounters(entry: { readonly hasCounterData: boolean }): void {
  if (!entry.hasCounterData) return;
  throw new RpcError('UNIMPLEMENTED', 'this switch has no counters per colour of a meter');
}

function decodeBurst(text: string, where: string): number {
  const burst = exactNumber(text, where);
  if (burst <= BURST_MAX) return burst;
  throw new RpcError('OUT_OF_RANGE', `${where}: ${text} is above ${BURST_MAX}`);
}

function invalid(reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', reason);
}
