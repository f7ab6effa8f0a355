import { droppedBySwitches, lostOnLinks } from '../../emulator/result/losses';
import { figureAt } from '../../emulator/figures/dictionary';
import { figureText } from '../../emulator/figures/figure-text';
import { flowSumsOf } from '../../emulator/result/flow-totals';
import { losslessLines } from '../../emulator/result/lossless-lines';
import type { LosslessRecord } from '../../emulator/result/lossless-record';
import type { Result } from '../../emulator/result/result';
import type { TraceRecord } from '../../emulator/result/trace-record';
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
    lostOnLinks: lostOnLinks(result),
    ...(result.reordering !== undefined && { reordering: result.reordering }),
    ...(result.trimming !== undefined && { trimming: result.trimming }),
    ...(isAlone(result) && {
      controlledBy: 'switch-responses',
      switchResponses: responses(result),
    }),
    ...(result.traces !== undefined && { traces: result.traces.map(traceFigures) }),
    ...(result.lossless !== undefined && { lossless: losslessFigures(result.lossless) }),
    ...(result.causes !== undefined && { causes: result.causes }),
    ...(result.interruptedAtUs !== undefined && { interruptedAtUs: result.interruptedAtUs }),
    violations,
  };
}

/** The same for people. */
export function textSummary({ result, wallSeconds }: Run): string {
  const { bottleneck, fctUs, jain, counters, violations, lossless } = result;
  const { flows } = flowSumsOf(result);
  const unfinished = unfinishedFlows(result);
  const rate = counters.packetHops / wallSeconds;
  const peakAt = figureText(figureAt('bottleneck.queuePeakAtUs'), bottleneck.queuePeakAtUs);
  return alignedTable([
    ...traceRows(result),
    ['flows', `${flows}${unfinished > 0 ? ` (${unfinished} unfinished)` : ''}`],
    line('fctUs.min', fctUs?.min),
    line('fctUs.median', fctUs?.median),
    line('fctUs.max', fctUs?.max),
    ...totalsRows(result),
    ...slowdownRows(result),
    ['bottleneck', bottleneck.link],
    line('bottleneck.queuePeakBytes', bottleneck.queuePeakBytes, ` at ${peakAt}`),
    line('bottleneck.drainedAtUs', bottleneck.drainedAtUs),
    line('bottleneck.utilization', bottleneck.utilization),
    line('jain', jain),
    ['drops', figureText(figureAt('compare.drops'), droppedBySwitches(result))],
    ...(lostOnLinks(result) === 0 ? [] : [line('compare.lostOnLinks', lostOnLinks(result))]),
    ...reorderingRows(result),
    ...trimmingRows(result),
    ...controlRows(result),
    ...(lossless === undefined ? [] : losslessLines(lossless)),
    line('counters.packetHops', counters.packetHops, ` (${Math.round(rate)} per second)`),
    line('counters.telemetryRecords', counters.telemetryRecords),
    ['violations', violations.length === 0 ? 'none' : String(violations.length)],
  ]);
}

/** Name and value of a figure. */
function line(path: string, value: number | null | undefined, detail = ''): [string, string] {
  const figure = figureAt(path);
  return [figure.name, `${figureText(figure, value)}${detail}`];
}

/** Packets that were overtaken, where any were. */
function reorderingRows({ reordering }: Result): [string, string][] {
  if (reordering === undefined) return [];
  const of = (path: string, value: number): string => figureText(figureAt(path), value);
  const { packets, share, maxBytes } = reordering;
  const farthest = of('reordering.maxBytes', maxBytes);
  const detail = ` (${of('reordering.share', share)}), up to ${farthest} behind`;
  return [line('reordering.packets', packets, detail)];
}

/** Data that switches have cut to its headers, where they have. */
function trimmingRows({ trimming }: Result): [string, string][] {
  if (trimming === undefined) return [];
  const share = figureText(figureAt('trimming.share'), trimming.share);
  return [line('trimming.headers', trimming.headers, ` (${share})`)];
}

/** Without a line for each rank. */
const traceFigures = ({ ranks, ...figures }: TraceRecord) => ({ ...figures, ranks: ranks.length });

/** Rows of each trace: its step, what bounds it, and its operations with the bandwidth of the slowest. */
const traceRows = ({ traces = [] }: Result): [string, string][] =>
  traces.flatMap(({ name, ranks, stepUs, exposedUs, slowest, collectives }) => [
    ['trace', `${name}, ${ranks.length} ranks`],
    line('traces.*.stepUs', stepUs),
    line('traces.*.exposedUs', exposedUs),
    ...(slowest === null ? [] : [['slowest rank', slowest.text] as [string, string]]),
    ...busRows(collectives),
  ]);

function busRows(collectives: TraceRecord['collectives']): [string, string][] {
  const operations = [...new Set(collectives.map(({ operation }) => operation))];
  return operations.map((operation) => {
    const own = collectives.filter((each) => each.operation === operation);
    const known = own.flatMap(({ busBandwidthGbps }) => busBandwidthGbps ?? []);
    const figure = figureAt('traces.*.collectives.*.busBandwidthGbps');
    const least = known.length === 0 ? null : known.reduce((a, b) => Math.min(a, b));
    const most = known.reduce((a, b) => Math.max(a, b), 0);
    const range = least === null || least === most ? '' : ` to ${figureText(figure, most)}`;
    return [`${figure.name} of ${own.length} ${operation}`, `${figureText(figure, least)}${range}`];
  });
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
  const above = ` (up to ${figureText(figureAt('flowTotals.relativeError'), relativeError)} above)`;
  const all = rows === null ? 'the others are in sums only' : `all are in ${rows}`;
  const quantiles = (['p95', 'p99', 'p999'] as const).map((key) =>
    line(`flowTotals.fctUs.${key}`, fctUs?.[key], above),
  );
  return [
    ...(fctUs === null ? [] : quantiles),
    ['flows of result.json', `the first ${listed}; ${all}`],
  ];
}

const controlRows = (result: Result): [string, string][] =>
  isAlone(result) ? [['controlled by', `switch responses alone (${responses(result)} taken)`]] : [];

/** Rows of the smallest and the largest flows, which the papers compare. */
function slowdownRows({ slowdowns }: Result): [string, string][] {
  const [smallest, largest] = [slowdowns?.[0], slowdowns?.at(-1)];
  if (smallest === undefined || largest === undefined) return [];
  const cells = (bin: typeof smallest): string =>
    (['p50', 'p95', 'p99'] as const)
      .map((key) => figureText(figureAt(`slowdowns.*.${key}`), bin[key]))
      .join(' / ');
  const size = (path: string, bytes: number): string => figureText(figureAt(path), bytes);
  return [
    [
      `slowdown up to ${size('slowdowns.*.toBytes', smallest.toBytes)} p50 / p95 / p99`,
      cells(smallest),
    ],
    [
      `slowdown from ${size('slowdowns.*.fromBytes', largest.fromBytes)} p50 / p95 / p99`,
      cells(largest),
    ],
  ];
}
