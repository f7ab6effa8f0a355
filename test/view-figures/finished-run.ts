import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readResult } from '../../emulator/io/read-result';
import { loadScenario } from '../../emulator/io/scenario-files';
import { runScenario } from '../../emulator/io/run-scenario';
import { resultSchema } from '../../emulator/result/result';
import { finishedRun } from '../../emulator/view/server/finished-run';
import { serveView } from '../../emulator/view/server/view-server';

/** Figures of the page of one result, as lines of text. */
export async function measureResult(browser: Browser, folder: string): Promise<string[]> {
  const began = performance.now();
  const { result } = readResult(folder, () => resultSchema);
  const scenario = loadScenario(path.join(folder, 'scenario.json'));
  const repeat = { scenario, seed: result.seed };
  const session = finishedRun({ name: folder, result, repeat }, {});
  const readMs = performance.now() - began;
  const server = await serveView(session, 0);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.goto(server.url);
    await page.waitForSelector('#chart-queue canvas');
    const ready = Number(await page.evaluate('document.documentElement.dataset.ready'));
    const frames = await framesOf(page);
    const heap = await heapOf(page);
    const travel = await travelTime(page, result.durationUs * 0.8);
    const run = await runTime(repeat);
    const size = Buffer.byteLength(JSON.stringify(session.page()));
    return [
      `packet-hops ${result.counters.packetHops}, flows ${result.flows.length}`,
      `read and made into a page: ${readMs.toFixed(0)} ms; ${(size / 1e6).toFixed(2)} MB of data`,
      `first picture: ${ready} ms after the page was asked for`,
      `scrubbing: ${frames.perSecond.toFixed(1)} frames/s, ${frames.busyMs.toFixed(2)} ms of work per frame, longest frame ${frames.longestMs.toFixed(1)} ms`,
      `memory of the page: ${(heap / 1e6).toFixed(1)} MB`,
      `a moment at 80 % of the run: ${travel.toFixed(1)} s of processor time; the whole run ${run.toFixed(1)} s`,
    ];
  } finally {
    await page.close();
    await server.close();
  }
}

interface Frames {
  readonly perSecond: number;
  /** Of script and style, per frame. */
  readonly busyMs: number;
  readonly longestMs: number;
}

const framesOf = (page: Page): Promise<Frames> => page.evaluate<Frames>(SCRUB);

/** Runs in the page: the slider moves at each of 180 frames. */
const SCRUB = `new Promise((resolve) => {
  const input = document.querySelector('.player input');
  const times = [];
  let busy = 0;
  const step = (time) => {
    times.push(time);
    const began = performance.now();
    input.value = String((times.length * 7) % 1000);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    queueMicrotask(() => (busy += performance.now() - began));
    if (times.length < 181) return requestAnimationFrame(step);
    const gaps = times.slice(1).map((at, i) => at - times[i]);
    resolve({
      perSecond: 180000 / (times.at(-1) - times[0]),
      busyMs: busy / times.length,
      longestMs: Math.max(...gaps),
    });
  };
  requestAnimationFrame(step);
})`;

/** Everything that the page holds, in bytes. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const {
    usedSize,
    embedderHeapUsedSize = 0,
    backingStorageSize = 0,
  } = (await session.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    embedderHeapUsedSize?: number;
    backingStorageSize?: number;
  };
  return usedSize + embedderHeapUsedSize + backingStorageSize;
}

/** Processor time, which other work on the machine does not change much. */
function timed(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
}

async function travelTime(page: Page, us: number): Promise<number> {
  const seconds = timed();
  await page.getByLabel('from (us)').fill(us.toFixed(3));
  await page.getByRole('button', { name: 'Go to this moment' }).click();
  await page.getByText(/packets left in 5 us from/).waitFor({ timeout: 600_000 });
  return seconds();
}

async function runTime(repeat: Parameters<typeof runScenario>[0]): Promise<number> {
  const seconds = timed();
  await runScenario({ ...repeat, checkInvariants: false });
  return seconds();
}
