import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { runScenario } from '../emulator/io/run-scenario';
import { loadScenario } from '../emulator/io/scenario-files';
import { writeResult } from '../emulator/io/write-result';
import { openInChromium } from './live/chromium';
import type { BrowserPage } from './live/chromium';

const SIZE = { width: 1400, height: 900 };
const SECONDS = 5;

/**
 * Frames of a page that plays a run of 17 hosts: with its first screen alone, and with all details open and charts
 * of flows in view.
 * @throws InputError where chromium is not on PATH.
 */
export async function benchFrames(): Promise<object> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-frames-'));
  try {
    const scenario = loadScenario('incast16');
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
    const { report } = writeResult(result, folder);
    const page = await openInChromium(`file://${report}`, SIZE);
    try {
      const readyMs = await page.evaluate(READY);
      const firstScreen = await played(page);
      await page.evaluate(OPEN);
      return { readyMs, firstScreen, allOpen: await played(page) };
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
