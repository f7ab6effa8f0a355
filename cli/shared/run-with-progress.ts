import { InputError } from '../../common/errors';
import { note, progressBar } from '../../common/io/terminal';
import { runWhenNeeded } from '../../emulator/io/run-when-needed';
import type { Run, RunOptions } from '../../emulator/io/run-scenario';
import type { RunProgress } from '../../emulator/io/run-progress';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { ExecutorName } from '../../switch/codegen/executor-names';

/** The first one ends the run, a second one the process. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

interface ProgressOptions {
  readonly seed: number;
  readonly check: boolean;
  readonly executor?: ExecutorName;
  readonly workers?: RunOptions['workers'];
  /** True if an algorithm of a file has all rights. What was loaded before keeps its rights. */
  readonly trust?: boolean | undefined;
  /** True if the result of an interrupted run is wanted, marked as a part. Default false. */
  readonly keepsPart?: boolean;
  readonly observer?: RunOptions['observer'] | undefined;
  readonly causesOf?: RunOptions['causesOf'];
  /** Takes the flows of a run that does not hold them. */
  readonly flowSink?: RunOptions['flowSink'];
  readonly peer?: RunOptions['peer'];
}

/** Runs with a progress bar on the terminal; an interrupt ends the run. */
export async function runWithProgress(
  scenario: ScenarioDocument,
  options: ProgressOptions,
): Promise<Run> {
  const { seed, check, executor, observer, flowSink, workers = 1, keepsPart = false } = options;
  const { trust } = options;
  const bar = progressBar(scenario.name);
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    const run = await runWhenNeeded({
      scenario,
      seed,
      checkInvariants: check,
      workers,
      ...(observer !== undefined && { observer }),
      ...(options.causesOf !== undefined && { causesOf: options.causesOf }),
      ...(executor !== undefined && { executor }),
      ...(trust !== undefined && { trust }),
      ...(flowSink !== undefined && { flowSink }),
      ...(options.peer !== undefined && { peer: options.peer }),
      signal: interruption.signal,
      onProgress: (progress) => bar.update(progress.fraction, progressDetail(progress)),
    });
    if (keepsPart || run.result.interruptedAtUs === undefined) return run;
    throw new InputError(`interrupted while ${scenario.name} ran; nothing is left of it`);
  } finally {
    bar.stop();
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

/** Speed, what is left of real time, and memory. */
export function progressDetail({ fraction, packetHops, wallSeconds }: RunProgress): string {
  const left = fraction > 0 ? Math.ceil((wallSeconds * (1 - fraction)) / fraction) : undefined;
  const speed = `${Math.round(packetHops / wallSeconds / 1000)} k packet-hops/s`;
  const memory = `${Math.round(process.memoryUsage.rss() / 1e6)} MB`;
  return [speed, ...(left === undefined ? [] : [`${left} s left`]), memory].join(', ');
}

/** A run that broke a law, or whose flows did not finish or had no control, is no result: say so and fail. */
export function reportViolations({ result: { violations, unfinished, uncontrolled } }: Run): void {
  if (violations.length > 0) {
    note(`hpcc: ${violations.length} broken invariants:\n${violations.join('\n')}`);
  }
  for (const fault of [unfinished, uncontrolled]) {
    if (fault === undefined) continue;
    note(`hpcc: ${fault}`);
    process.exitCode = 1;
  }
  if (violations.length > 0) process.exitCode = 1;
}
