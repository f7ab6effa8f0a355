// npm run view-figures: what the page of hpcc view costs, in Chromium.
import { Command } from 'commander';
import { percentileOf } from '../../common/statistics/statistics';
import { estimateOf } from '../../emulator/study/confidence';
import type { Browser } from 'playwright-core';
import { CHROMIUM, launch } from '../support/browser';
import { liveExperiment } from './live-run';
import type { LiveExperiment, LiveFigures } from './live-run';
import { measureResult } from './finished-run';
import { measureLarger } from './larger-run';
import { drawPictures } from './pictures';

const program = new Command('npm run view-figures --');

program
  .command('result')
  .description('first picture, frames while scrubbing, memory, and time to reach a moment')
  .argument('<folder>', 'of a result with its scenario.json')
  .action(async (folder: string) => {
    await withBrowser((browser) => measureResult(browser, folder, print));
  });

program
  .command('larger')
  .description('what a run takes that is a hundred times as long, and one with as many hosts')
  .action(async () => {
    await withBrowser((browser) => measureLarger(browser, print));
  });

program
  .command('pictures')
  .description('pages as they look in a light, a dark and a narrow window')
  .argument('[names...]', 'only these')
  .requiredOption('--out <folder>', 'where pictures go, and what is run for them')
  .action(async (wanted: string[], { out }: { out: string }) => {
    await withBrowser((browser) => drawPictures(browser, { folder: out, wanted }, print));
  });

program
  .command('mininet')
  .description('how far a page is behind, and the same experiment with and without a viewer')
  .option('--pairs <n>', 'runs of each kind, one after the other', '3')
  .option('--seconds <n>', 'how long the flow of each sends', '10')
  .option('--realtime', 'schedule the runs before everything else on the machine')
  .option('--steady', 'a flow with a fixed window, whose queue tells small changes, not HPCC++')
  .action(async ({ pairs, seconds, realtime: isRealtime, steady: isSteady }: PairFlags) => {
    const experiment = { seconds: Number(seconds), isRealtime, isSteady };
    await withBrowser((browser) => comparePairs(browser, Number(pairs), experiment));
  });

async function withBrowser(use: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launch();
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}

interface PairFlags {
  readonly pairs: string;
  readonly seconds: string;
  readonly realtime?: true;
  readonly steady?: true;
}

async function comparePairs(
  browser: Browser,
  count: number,
  experiment: LiveExperiment,
): Promise<void> {
  const alone: LiveFigures[] = [];
  const seen: LiveFigures[] = [];
  for (let i = 0; i < count; i++) {
    alone.push(await liveExperiment(undefined, experiment));
    seen.push(await liveExperiment(browser, experiment));
  }
  const lags = seen.flatMap((each) => each.lags);
  print(`behind: median ${median(lags).toFixed(2)} s, at most ${Math.max(...lags).toFixed(2)} s`);
  const cost = (of: (figures: LiveFigures) => number): string => median(seen.map(of)).toFixed(0);
  print(
    `processor time per second: ${cost(({ serverMs }) => serverMs)} ms of who reads and tells, ` +
      `${cost(({ browserMs }) => browserMs)} ms of the browser`,
  );
  for (const [name, of] of FIGURES) print(`${name}: ${difference(alone.map(of), seen.map(of))}`);
}

const FIGURES: readonly (readonly [string, (of: LiveFigures) => number])[] = [
  ['payload (Mb/s)', ({ result }) => result.figures.throughputMbps ?? NaN],
  ['mean queue (bytes)', ({ result }) => mean(result.queueTimeline.bytes)],
  ['queue p99 (packets)', ({ result }) => result.figures.queueP99Packets ?? NaN],
];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const median = (values: readonly number[]): number => percentileOf([...values], 0.5);

function difference(alone: readonly number[], seen: readonly number[]): string {
  const spread = (values: readonly number[]): string =>
    `${mean(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  const changes = seen.map((value, i) => value - (alone[i] ?? NaN));
  const { mean: change, halfWidth } = estimateOf(changes);
  const percent = (value: number): string => ((100 * value) / mean(alone)).toFixed(1);
  return (
    `${spread(alone)} without a viewer, ${spread(seen)} with one: ` +
    `${percent(change)} % ±${halfWidth === null ? '?' : percent(halfWidth)} (95 % interval over pairs)`
  );
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (CHROMIUM === undefined) {
  process.stderr.write('chromium is not on PATH\n');
  process.exitCode = 1;
} else {
  void program.parseAsync();
}
