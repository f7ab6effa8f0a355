import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readResult } from '../../emulator/io/read-result';
import { loadScenario } from '../../emulator/io/scenario-files';
import { runScenario } from '../../emulator/io/run-scenario';
import { resultSchema } from '../../emulator/result/result';
import { finishedRun } from '../../emulator/view/server/finished-run';
import { heapOf } from './page-memory';
import { withShown } from './shown-page';

/** Tells figures of the page of one result, as soon as each is known. */
export async function measureResult(
  browser: Browser,
  folder: string,
  tell: (line: string) => void,
): Promise<void> {
  const seconds = timed();
  const { result } = readResult(folder, () => resultSchema);
  const scenario = loadScenario(path.join(folder, 'scenario.json'));
  const repeat = { scenario, seed: result.seed };
  const session = finishedRun({ name: folder, result, repeat }, {});
  tell(`packet-hops ${result.counters.packetHops}, flows ${result.flows.length}`);
  const size = Buffer.byteLength(JSON.stringify(session.page()));
  tell(
    `read and made into a page: ${seconds().toFixed(2)} s; ${(size / 1e6).toFixed(2)} MB of data`,
  );
  await withShown(browser, session, async ({ page, readyMs }) => {
    tell(`first picture: ${readyMs} ms after the page was asked for`);
    const { perSecond, threadMs, browserMs, longestMs } = await framesOf(browser, page);
    tell(
      `scrubbing: ${perSecond.toFixed(1)} frames/s, longest frame ${longestMs.toFixed(1)} ms; ` +
        `per frame ${threadMs.toFixed(2)} ms of processor time of the page's thread, ` +
        `${browserMs.toFixed(2)} ms of all of the browser`,
    );
    tell(`memory of the page: ${((await heapOf(page)) / 1e6).toFixed(1)} MB`);
    const reached = await travelTime(page, result.durationUs * 0.8);
    tell(`a moment at 80 % of the run: ${reached.toFixed(1)} s of processor time`);
    tell(`the whole run: ${(await runTime(repeat)).toFixed(1)} s of processor time`);
  });
}

interface Frames {
  readonly perSecond: number;
  readonly longestMs: number;
  /** Of scripts, style, layout and drawing: what other work on the machine hardly changes. */
  readonly threadMs: number;
  /** And of all that puts the picture together, in all processes of the browser. */
  readonly browserMs: number;
}

async function framesOf(browser: Browser, page: Page): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const whole = await browser.newBrowserCDPSession();
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
    return {
      thread: metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN,
      browser: processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
    };
  };
  const before = await spent();
  const frames = await page.evaluate<Pick<Frames, 'perSecond' | 'longestMs'>>(SCRUB);
  const after = await spent();
  const perFrame = 1000 / FRAMES;
  return {
    ...frames,
    threadMs: (after.thread - before.thread) * perFrame,
    browserMs: (after.browser - before.browser) * perFrame,
  };
}

const FRAMES = 180;

/** Runs in the page: the slider moves at each frame. */
const SCRUB = `new Promise((resolve) => {
  const input = document.querySelector('.player input');
  const times = [];
  const step = (time) => {
    times.push(time);
    input.value = String((times.length * 7) % 1000);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    if (times.length <= ${FRAMES}) return requestAnimationFrame(step);
    const gaps = times.slice(1).map((at, i) => at - times[i]);
    resolve({
      perSecond: (${FRAMES} * 1000) / (times.at(-1) - times[0]),
      longestMs: Math.max(...gaps),
    });
  };
  requestAnimationFrame(step);
})`;

/** Processor time, which other work on the machine does not change much. */
function timed(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
}

const TRAVEL_MS = 1_800_000;

async function travelTime(page: Page, us: number): Promise<number> {
  const seconds = timed();
  await page.getByLabel('from (us)').fill(us.toFixed(3));
  await page.getByRole('button', { name: 'Go to this moment' }).click();
  await page.getByText(/packets left in 5 us from/).waitFor({ timeout: TRAVEL_MS });
  return seconds();
}

async function runTime(repeat: Parameters<typeof runScenario>[0]): Promise<number> {
  const seconds = timed();
  await runScenario({ ...repeat, checkInvariants: false });
  return seconds();
}
