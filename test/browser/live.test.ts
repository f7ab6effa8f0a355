import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser } from 'playwright-core';
import { serveView } from '../../emulator/view/server/view-server';
import { mininetResultSchema } from '../../mininet/figures/mininet-result';
import type { MininetResult } from '../../mininet/figures/mininet-result';
import { followRun } from '../../mininet/io/follow-run';
import { isOnPath } from '../../mininet/io/requirements';
import { CHROMIUM, launch, watchPage } from '../support/browser';
import { describeIf } from '../support/requires';

const MAIN = path.join(__dirname, '..', '..', 'cli', 'main.js');
/** Asking the page costs the machine too. */
const POLL_MS = 200;

const MISSING = missing();

/** Names what a run under Mininet with a browser lacks here. */
function missing(): string {
  if (process.getuid?.() !== 0) return 'not root';
  const python = spawnSync('/usr/bin/python3', ['-c', 'import mininet.net']).status === 0;
  return [
    ...['ip', 'ethtool', 'tcpdump'].filter((name) => !isOnPath(name)),
    ...(python ? [] : ["Mininet's Python module"]),
    ...(CHROMIUM === undefined ? ['chromium'] : []),
  ].join(', ');
}

describeIf(MISSING === '', 'a run under Mininet in a browser, while it goes on', MISSING, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test('is shown at most a second later, from its beginning to its end', async () => {
    const { result, lags, faults, status } = await liveExperiment(browser);
    expect(faults).toEqual([]);
    expect(status).toContain('the run is over');
    expect(lags.length).toBeGreaterThan(10);
    const sorted = [...lags].sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(1);
    expect(result.flows[0]?.deliveredBytes).toBeGreaterThan(100_000);
    expect(result.timelines?.links.map(({ name }) => name)).toContain('s1:3->s2:3');
  });
});

/** An experiment of one flow that this machine carries with ease. */
const argvOf = (folder: string): string[] => [
  'mininet',
  'single-flow',
  '--no-compare',
  '--json',
  '--out',
  path.join(folder, 'run'),
  ...['seconds=5', 'rate=5', 'hostRate=10'].flatMap((given) => ['--set', given]),
];

interface Seen {
  /** Seconds that the page was behind at each look. */
  readonly lags: readonly number[];
  /** Errors of the page, and what its status said at the end. */
  readonly faults: readonly string[];
  readonly status: string;
}

/** Runs the experiment while somebody looks at it in a browser. */
async function liveExperiment(
  browser: Browser,
): Promise<Seen & { readonly result: MininetResult }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-live-'));
  const child = spawn(process.execPath, [MAIN, ...argvOf(folder)], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const out = path.join(folder, 'run');
    const seen = await watched(browser, out, ended);
    await ended;
    const text = fs.readFileSync(path.join(out, 'result.json'), 'utf8');
    return { result: mininetResultSchema.parse(JSON.parse(text)), ...seen };
  } finally {
    if (child.exitCode === null) child.kill('SIGINT');
    await ended;
    fs.rmSync(folder, { recursive: true });
  }
}

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
  while (!fs.existsSync(at('run.json')) && !isOver) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    // Asked in the page: what its reader sees, against the clock at that moment.
    const [now, range] = await page.evaluate<[number, string]>(
      '[Date.now(), document.querySelector(".range").textContent]',
    );
    const shown = secondsOf(range);
    if (shown > 1 && !fs.existsSync(at('run.json'))) lags.push(now / 1000 - readySince - shown);
  }
  await over;
  await page.getByText(/the run is over/).waitFor();
  const status = (await page.locator('.status').first().textContent()) ?? '';
  stop.abort();
  await page.close();
  await server.close();
  return { lags, faults, status };
}

/** The end of a text such as `0.000 s to 5.250 s`, whatever its unit. */
function secondsOf(range: string): number {
  const [, number = '', unit = ''] = /to ([\d.]+) (us|ms|s)$/.exec(range) ?? [];
  return Number(number) * { us: 1e-6, ms: 1e-3, s: 1 }[unit as 'us' | 'ms' | 's'];
}
