import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { runScenario } from '../emulator/io/run-scenario';
import { loadScenario } from '../emulator/io/inputs/scenario-files';
import { scenarioSchema } from '../emulator/scenario/schema';
import type { ScenarioDocument } from '../emulator/scenario/schema';
import { writeResult } from '../emulator/io/results/write-result';
import { openInChromium } from './live/chromium';
import type { BrowserPage } from './live/chromium';

const SIZE = { width: 1400, height: 900 };
const SECONDS = 5;

/** WebSearch on 320 hosts below 20 leaves in 5 pods. */
const LARGE = scenarioSchema.parse({
  name: 'frames320',
  title: 'WebSearch at half load on 320 hosts',
  topology: {
    kind: 'clos',
    pods: 5,
    leaves: 4,
    aggregations: 4,
    spinesPerPlane: 4,
    hostsPerLeaf: 16,
    rateGbps: 100,
    fabricRateGbps: 400,
    delayNs: 1000,
  },
  workloads: [
    { kind: 'poisson', name: 'search', distribution: 'WebSearch', load: 0.5, durationUs: 100 },
  ],
  parameters: { maxStage: 5 },
  giveUpAfterUs: 300,
});

/**
 * Frames of pages that play runs: of 17 hosts with its first screen alone, and with all details open and charts
 * of flows in view; of 320 hosts with the whole network in view, and with the nodes of a pod.
 * @throws InputError where chromium is not on PATH.
 */
export async function benchFrames(): Promise<object> {
  const hosts17 = await onPageOf(loadScenario('incast16'), async (page) => {
    const firstScreen = await played(page);
    await page.evaluate(OPEN);
    return { firstScreen, allOpen: await played(page) };
  });
  const hosts320 = await onPageOf(LARGE, async (page) => {
    await page.evaluate(SEE_NETWORK);
    const wholeNetwork = await played(page);
    await page.evaluate(OPEN_POD);
    return { wholeNetwork, onePod: await played(page) };
  });
  return { hosts17, hosts320 };
}

async function onPageOf(
  scenario: ScenarioDocument,
  measure: (page: BrowserPage) => Promise<object>,
): Promise<object> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-frames-'));
  try {
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
    const { report } = writeResult(result, folder);
    const page = await openInChromium(`file://${report}`, SIZE);
    try {
      const readyMs = await page.evaluate(READY);
      return { readyMs, ...(await measure(page)) };
    } finally {
      await page.close();
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function played(page: BrowserPage): Promise<object> {
  const before = await page.busySeconds();
  const intervals = (await page.evaluate(PLAY)) as number[];
  const busy = (await page.busySeconds()) - before;
  const sorted = intervals.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
  return {
    framesPerSecond: (1000 * intervals.length) / intervals.reduce((sum, ms) => sum + ms, 0),
    frameP50Ms: at(0.5),
    frameP99Ms: at(0.99),
    busyMsPerFrame: (1000 * busy) / intervals.length,
  };
}

/** Runs in the page: until it shows its first picture. */
const READY = `(async () => {
  while (document.querySelector('.drawing svg') === null) await new Promise(requestAnimationFrame);
  return Math.round(performance.now());
})()`;

const OPEN = `(async () => {
  for (const each of document.querySelectorAll('.fold')) each.open = true;
  document.querySelector('#chart-rates').scrollIntoView();
  for (let i = 0; i < 30; i++) await new Promise(requestAnimationFrame);
})()`;

const SEE_NETWORK = "document.querySelector('.picture').scrollIntoView()";

const OPEN_POD = "document.querySelectorAll('button.group')[1].click()";

/** Runs in the page: plays for some seconds; ms between frames. */
const PLAY = `(async () => {
  document.querySelector('.player .play').click();
  const intervals = [];
  let last = await new Promise(requestAnimationFrame);
  const until = last + ${SECONDS * 1000};
  while (last < until) {
    const now = await new Promise(requestAnimationFrame);
    intervals.push(now - last);
    last = now;
  }
  document.querySelector('.player .play').click();
  return intervals;
})()`;
