import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser } from 'playwright-core';
import { serveView } from '../../emulator/view/server/view-server';
import { followRun } from '../../mininet/io/follow-run';
import { mininetResultSchema } from '../../mininet/figures/mininet-result';
import type { MininetResult } from '../../mininet/figures/mininet-result';
import { watchPage } from '../support/browser';
import { writeSteadyQueue } from './steady-queue';

const MAIN = path.join(__dirname, '..', '..', 'cli', 'main.js');
/** Asking the page costs the machine too. */
const POLL_MS = 200;

export interface LiveExperiment {
  /** How long its flow sends. */
  readonly seconds: number;
  /** Whether it is scheduled before everything else on the machine. */
  readonly isRealtime?: boolean | undefined;
  /** Whether its queue is held, so that small changes show; else by HPCC++, as short as it gets. */
  readonly isSteady?: boolean | undefined;
}

/** An experiment of one flow that this machine carries with ease. */
const argvOf = (
  folder: string,
  { seconds, isRealtime = false, isSteady = false }: LiveExperiment,
): string[] => [
  ...['mininet', isSteady ? writeSteadyQueue(folder) : 'single-flow'],
  ...['--no-compare', '--json', '--out', path.join(folder, 'run')],
  ...['--set', `seconds=${seconds}`, '--set', 'rate=5', '--set', 'hostRate=10'],
  ...(isRealtime ? ['--realtime'] : []),
];

export interface LiveFigures {
  readonly result: MininetResult;
  /** Seconds that the page was behind at each look; none without a viewer. */
  readonly lags: readonly number[];
  /** Processor time per second of who reads and tells, and of the browser, in ms. */
  readonly serverMs: number;
  readonly browserMs: number;
  /** Errors of the page, and what its status said at the end. */
  readonly faults: readonly string[];
  readonly status: string;
}

/** Runs the experiment, with somebody who looks at it in a browser or without. */
export async function liveExperiment(
  browser: Browser | undefined,
  experiment: LiveExperiment,
): Promise<LiveFigures> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-live-'));
  const child = spawn(process.execPath, [MAIN, ...argvOf(folder, experiment)], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const out = path.join(folder, 'run');
    const seen = browser === undefined ? NOBODY : await watched(browser, out, ended);
    await ended;
    const text = fs.readFileSync(path.join(out, 'result.json'), 'utf8');
    return { result: mininetResultSchema.parse(JSON.parse(text)), ...seen };
  } finally {
    if (child.exitCode === null) child.kill('SIGINT');
    await ended;
    fs.rmSync(folder, { recursive: true });
  }
}

type Seen = Omit<LiveFigures, 'result'>;
const NOBODY: Seen = { lags: [], serverMs: 0, browserMs: 0, faults: [], status: '' };

async function watched(browser: Browser, folder: string, ended: Promise<void>): Promise<Seen> {
  const at = (name: string): string => path.join(folder, name);
  let isOver = false;
  void ended.then(() => (isOver = true));
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo() && !isOver) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  };
  await until(() => fs.existsSync(at('plan.json')) && fs.existsSync(at('network.json')));
  const stop = new AbortController();
  const { session, over } = followRun(folder, stop.signal);
  const server = await serveView(session, 0);
  const page = await browser.newPage();
  const faults = watchPage(page, server.url);
  await page.goto(server.url);
  await page.waitForSelector('.range');
  await until(() => fs.existsSync(at('ready.json')));
  const { readySince } = JSON.parse(fs.readFileSync(at('ready.json'), 'utf8')) as {
    readySince: number;
  };
  const lags: number[] = [];
  const costs = await costsOf(browser);
  while (!fs.existsSync(at('run.json')) && !isOver) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    // Asked in the page: what its reader sees, against the clock at that moment.
    const [now, range] = await page.evaluate<[number, string]>(
      '[Date.now(), document.querySelector(".range").textContent]',
    );
    const shown = secondsOf(range);
    if (shown > 1 && !fs.existsSync(at('run.json'))) lags.push(now / 1000 - readySince - shown);
  }
  const spent = await costs();
  await over;
  await page.getByText(/the run is over/).waitFor();
  const status = (await page.locator('.status').first().textContent()) ?? '';
  stop.abort();
  await page.close();
  await server.close();
  return { lags, ...spent, faults, status };
}

/** The end of a text such as `0.000 s to 5.250 s`, whatever its unit. */
function secondsOf(range: string): number {
  const [, number = '', unit = ''] = /to ([\d.]+) (us|ms|s)$/.exec(range) ?? [];
  return Number(number) * { us: 1e-6, ms: 1e-3, s: 1 }[unit as 'us' | 'ms' | 's'];
}

/** What this process, which reads and tells, and the browser take from now on until the result is called. */
async function costsOf(browser: Browser) {
  const session = await browser.newBrowserCDPSession();
  const inBrowser = async (): Promise<number> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  };
  const [began, own, before] = [performance.now(), process.cpuUsage(), await inBrowser()];
  return async () => {
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(own);
    return {
      serverMs: (user + system) / 1000 / seconds,
      browserMs: ((await inBrowser()) - before) / seconds,
    };
  };
}
