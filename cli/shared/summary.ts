import { flowSumsOf } from '../../emulator/result/flow-totals';
import { losslessLines } from '../../emulator/result/lossless-lines';
import type { LosslessRecord } from '../../emulator/result/lossless-record';
import type { Result } from '../../emulator/result/result';
import type { Run } from '../../emulator/io/run-scenario';
import { alignedTable } from '../../common/io/terminal';

/** Makes the output of `--json`: the figures that scripts want, in one object. */
export function jsonSummary({ result, wallSeconds }: Run): object {
  const { fctUs, slowdowns, bottleneck, queueTimeline, jain } = result;
  const { jainTimeline, counters, violations } = result;
  return {
    scenario: result.scenario.name,
    seed: result.seed,
    fctUs,
    ...(slowdowns !== undefined && { slowdowns }),
    queuePeakBytes: bottleneck.queuePeakBytes,
    queuePeakAtUs: bottleneck.queuePeakAtUs,
    drainedAtUs: bottleneck.drainedAtUs,
    settledAtUs: bottleneck.settledAtUs,
    bottleneck: bottleneck.link,
    queueTimeline: { intervalUs: queueTimeline.intervalUs, bytes: queueTimeline.bytes },
    utilization: bottleneck.utilization,
    jain,
    jainTimeline,
    frames: result.frames,
    unfinishedFlows: unfinishedFlows(result),
    ...(result.flowTotals !== undefined && { flowTotals: result.flowTotals }),
    packetHops: counters.packetHops,
    telemetryRecords: counters.telemetryRecords,
    wallSeconds,
    packetHopsPerSecond: counters.packetHops / wallSeconds,
    drops: counters.drops,
    ...(isAlone(result) && {
      controlledBy: 'switch-responses',
      switchResponses: responses(result),
    }),
    ...(result.lossless !== undefined && { lossless: losslessFigures(result.lossless) }),
    ...(result.interruptedAtUs !== undefined && { interruptedAtUs: result.interruptedAtUs }),
    violations,
  };
}

/** The same for people. */
export function textSummary({ result, wallSeconds }: Run): string {
  const { bottleneck, fctUs, jain, counters, violations, lossless } = result;
  const { flows } = flowSumsOf(result);
  const unfinished = unfinishedFlows(result);
  const drops = Object.values(counters.drops).reduce((sum, n) => sum + n, 0);
  const rate = counters.packetHops / wallSeconds;
  return alignedTable([
    ['flows', `${flows}${unfinished > 0 ? ` (${unfinished} unfinished)` : ''}`],
    ['FCT min / median / max', fctUs === null ? '-' : fctLine(fctUs)],
    ...totalsRows(result),
    ...slowdownRows(result),
    ['bottleneck', bottleneck.link],
    ['queue peak', `${kilobytes(bottleneck.queuePeakBytes)} at ${us(bottleneck.queuePeakAtUs)}`],
    ['queue down to 5 KB', bottleneck.drainedAtUs === null ? '-' : us(bottleneck.drainedAtUs)],
    ['utilisation', `${(bottleneck.utilization * 100).toFixed(1)} %`],
    ["Jain's index", jain === null ? '-' : jain.toFixed(4)],
    ['drops', String(drops)],
    ...controlRows(result),
    ...(lossless === undefined ? [] : losslessLines(lossless)),
    ['packet-hops', `${counters.packetHops} (${Math.round(rate)} per second)`],
    ['telemetry records checked', String(counters.telemetryRecords)],
    ['violations', violations.length === 0 ? 'none' : String(violations.length)],
  ]);
}

/** Without a line for each link and flow. */
const losslessFigures = ({ links: _links, flows: _flows, ...figures }: LosslessRecord) => figures;

/** True if responses of switches controlled the flows, whose packets brought no telemetry. */
const isAlone = (result: Result): boolean => flowSumsOf(result).switchResponses !== undefined;

const responses = (result: Result): number => flowSumsOf(result).switchResponses ?? 0;

function unfinishedFlows(result: Result): number {
  const { flows, finished } = flowSumsOf(result);
  return flows - finished;
}

/** Rows of a run whose result does not list all flows. */
function totalsRows({ flowTotals }: Result): [string, string][] {
  if (flowTotals === undefined) return [];
  const { fctUs, relativeError, listed, rows } = flowTotals;
  const above = `up to ${relativeError * 100} % above`;
  const all = rows === null ? 'the others are in sums only' : `all are in ${rows}`;
  return [
    ...(fctUs === null
      ? []
      : [
          [
            `FCT p95 / p99 / p99.9 (${above})`,
            `${fctUs.p95.toFixed(1)} / ${fctUs.p99.toFixed(1)} / ${fctUs.p999.toFixed(1)} us`,
          ] as [string, string],
        ]),
    ['flows of result.json', `the first ${listed}; ${all}`],
  ];
}

const controlRows = (result: Result): [string, string][] =>
  isAlone(result) ? [['controlled by', `switch responses alone (${responses(result)} taken)`]] : [];

/** Rows of the smallest and the largest flows, which the papers compare. */
function slowdownRows({ slowdowns }: Result): [string, string][] {
  const [smallest, largest] = [slowdowns?.[0], slowdowns?.at(-1)];
  if (smallest === undefined || largest === undefined) return [];
  const line = ({ p50, p95, p99 }: typeof smallest): string =>
    [p50, p95, p99].map((value) => value.toFixed(2)).join(' / ');
  return [
    [`slowdown up to ${smallest.toBytes} B p50 / p95 / p99`, line(smallest)],
    [`slowdown from ${largest.fromBytes} B p50 / p95 / p99`, line(largest)],
  ];
}

const us = (value: number): string => `${value.toFixed(1)} us`;
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;

function fctLine({ min, median, max }: NonNullable<Result['fctUs']>): string {
  return `${min.toFixed(1)} / ${median.toFixed(1)} / ${max.toFixed(1)} us`;
}
