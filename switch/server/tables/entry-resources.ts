import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { DirectCounterInfo, DirectMeterInfo } from '../../../common/p4runtime/p4info-externs';
import type {
  CountData,
  EntryId,
  EntryResources,
  MeterSettings,
} from '../../control/program-control';
import { decodeCount, encodeCount } from '../externs/counter-entries';
import type { RunningPipeline } from '../state/running-pipeline';
import {
  decodeMeterConfig,
  encodeMeterConfig,
  refuseColorCounters,
} from '../externs/meter-entries';

/** Counter, meter and timeout of a written entry. */
export interface DecodedResources {
  /** Undefined leaves the counter as it is. */
  readonly count: CountData | undefined;
  /** Undefined is a meter that colours everything green. */
  readonly meter: MeterSettings | undefined;
  readonly idleTimeoutNs: bigint;
}

/**
 * Reads the direct resources and the time to live of an entry that is written (P4Runtime 1.5.0,
 * sections "Direct Resources" and "Idle-timeout"). @throws RpcError
 */
export function decodeResources(
  { info }: RunningPipeline,
  table: TableInfo,
  entry: p4.TableEntry,
): DecodedResources {
  const idleTimeoutNs = decodeIdleTimeout(table, entry);
  // PERF: most entries are written without.
  if (!entry.hasCounterData && !entry.hasMeterConfig && !entry.hasMeterCounterData) {
    return { count: undefined, meter: undefined, idleTimeoutNs };
  }
  const where = `table '${table.name}'`;
  const [counter, meter] = [directCounterOf(info, table), directMeterOf(info, table)];
  requireResource(entry.hasCounterData, counter, `${where}: no direct counter for counter_data`);
  requireResource(entry.hasMeterConfig, meter, `${where}: no direct meter for meter_config`);
  if (meter === undefined && entry.hasMeterCounterData) throw invalid(`${where}: no direct meter`);
  refuseColorCounters({ hasCounterData: entry.hasMeterCounterData });
  return {
    count: entry.hasCounterData ? decodeCount(entry.counterData, where) : undefined,
    meter:
      meter && entry.hasMeterConfig
        ? decodeMeterConfig(entry.meterConfig, meter, where)
        : undefined,
    idleTimeoutNs,
  };
}

/** Writes what {@link decodeResources} has read to an entry that exists. */
export function applyResources(
  running: RunningPipeline,
  table: TableInfo,
  id: EntryId,
  decoded: DecodedResources,
): void {
  const resources = resourcesOf(running, table);
  if (resources === undefined) return;
  if (decoded.count !== undefined) resources.setCount(id, decoded.count);
  if (directMeterOf(running.info, table) !== undefined) resources.configureMeter(id, decoded.meter);
}

/** Encodes the direct resources that the filter of a read requests. */
export function encodeResources(
  running: RunningPipeline,
  table: TableInfo,
  id: EntryId,
  filter: p4.TableEntry,
): Partial<p4.TableEntry> {
  const resources = resourcesOf(running, table);
  if (resources === undefined) return {};
  const [counter, meter] = [
    directCounterOf(running.info, table),
    directMeterOf(running.info, table),
  ];
  const settings = filter.hasMeterConfig && meter ? resources.meterSettings(id) : undefined;
  const idle = filter.hasTimeSinceLastHit && table.idleTimeouts ? resources.idleNs(id) : undefined;
  return {
    ...(filter.hasCounterData &&
      counter && { counterData: encodeCount(resources.count(id), counter.unit) }),
    ...(settings && { meterConfig: encodeMeterConfig(settings) }),
    ...(idle !== undefined && {
      timeSinceLastHit: new p4.TableEntryIdleTimeout({ elapsedNs: String(idle) }),
    }),
  };
}

/** A filter may ask for what the table has. @throws RpcError INVALID_ARGUMENT */
export function checkResourceFilter(
  info: P4InfoIndex,
  table: TableInfo,
  filter: p4.TableEntry,
): void {
  const where = `table '${table.name}'`;
  const meter = directMeterOf(info, table);
  requireResource(
    filter.hasCounterData,
    directCounterOf(info, table),
    `${where}: no direct counter`,
  );
  requireResource(filter.hasMeterConfig, meter, `${where}: no direct meter`);
  requireResource(filter.hasMeterCounterData, meter, `${where}: no direct meter`);
  refuseColorCounters({ hasCounterData: filter.hasMeterCounterData });
  if (filter.hasTimeSinceLastHit && !table.idleTimeouts)
    throw invalid(`${where}: no idle timeouts`);
}

export function directCounterOf(
  info: P4InfoIndex,
  { id }: TableInfo,
): DirectCounterInfo | undefined {
  return info.directCounters.all.find((each) => each.tableId === id);
}

export function directMeterOf(info: P4InfoIndex, { id }: TableInfo): DirectMeterInfo | undefined {
  return info.directMeters.all.find((each) => each.tableId === id);
}

/** The state of a table's direct resources, where the switch has any. */
export function resourcesOf(
  { control }: RunningPipeline,
  table: TableInfo,
): EntryResources | undefined {
  return control.entryResources?.get(table.name);
}

function decodeIdleTimeout(table: TableInfo, entry: p4.TableEntry): bigint {
  if (entry.hasTimeSinceLastHit) {
    throw invalid(`table '${table.name}': time_since_last_hit is only read`);
  }
  if (entry.idleTimeoutNs === '0') return 0n;
  const where = `table '${table.name}'`;
  const timeout = BigInt(entry.idleTimeoutNs);
  if (timeout < 0n) throw invalid(`${where}: idle_timeout_ns ${timeout} is negative`);
  if (timeout > 0n && !table.idleTimeouts) throw invalid(`${where}: its entries have no timeout`);
  return timeout;
}

function requireResource(asked: boolean, resource: unknown, message: string): void {
  if (asked && resource === undefined) throw invalid(message);
}

function invalid(reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', reason);
}
