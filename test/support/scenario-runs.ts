import { runScenario } from './shared-runs';
import {
  loadScenario,
  scenarioVariant,
  variantNames,
} from '../../emulator/io/inputs/scenario-files';
import type { FlowSeries, Result } from '../../emulator/result/result';

/** Runs every variant of a scenario of the catalogue once, with invariants checked. */
export async function runVariants(name: string): Promise<ReadonlyMap<string, Result>> {
  const scenario = loadScenario(name);
  const results = new Map<string, Result>();
  for (const variant of variantNames(scenario)) {
    const run = await runScenario({ scenario: scenarioVariant(scenario, variant), seed: 1 });
    results.set(variant, run.result);
  }
  return results;
}

/** The result of a variant that has been run. */
export function resultOf(results: ReadonlyMap<string, Result>, variant: string): Result {
  const found = results.get(variant);
  if (found === undefined) throw new Error(`the scenario has no variant ${variant}`);
  return found;
}

/** The series of a flow, by its number from 1 on. */
export function seriesOf({ series }: Result, flow: number): FlowSeries {
  const found = series.find((each) => each.flow === flow);
  if (found === undefined) throw new Error(`flow ${flow} was not sampled`);
  return found;
}

/** Payload that was delivered in order, in Gb/s, between two instants. */
export function goodput(result: Result, flow: number, [from, to]: [number, number]): number {
  const { timeUs, deliveredBytes } = seriesOf(result, flow);
  const at = (us: number): number => deliveredBytes[timeUs.findLastIndex((t) => t <= us)] ?? 0;
  return ((at(to) - at(from)) * 8) / ((to - from) * 1000);
}

/** When the rate of a flow first falls below a share of what it was at `from`, in us after it. */
export function reactionUs(result: Result, flow: number, from: number, share = 0.95): number {
  const { timeUs, rateGbps } = seriesOf(result, flow);
  const first = timeUs.findIndex((t) => t >= from);
  const before = rateGbps[first] ?? NaN;
  const found = timeUs.findIndex((_, i) => i > first && (rateGbps[i] ?? NaN) < share * before);
  return found < 0 ? Infinity : (timeUs[found] ?? NaN) - from;
}

/** Longest queue of the bottleneck between two instants, in bytes. */
export function queuePeak({ queueTimeline }: Result, [from, to]: [number, number]): number {
  const { intervalUs, bytes } = queueTimeline;
  return Math.max(0, ...bytes.slice(Math.ceil(from / intervalUs), Math.floor(to / intervalUs)));
}
