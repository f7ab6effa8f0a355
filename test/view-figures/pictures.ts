import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { PROGRAM } from '../support/live-network';
import { serveSwitchAndAgent } from '../support/served-metrics';

/** What a picture shows: a page, and what its reader does first. */
interface Picture {
  readonly name: string;
  /** Makes what is shown below a folder. Returns the page's address, and what ends it. */
  readonly open: (folder: string) => Promise<Opened>;
  readonly act?: (page: Page) => Promise<void>;
}

interface Opened {
  readonly url: string;
  readonly close?: () => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  {
    name: 'run',
    open: async (folder) => viewed([await ran(folder, 'incast16')]),
    act: async (page) => page.getByLabel('Instant of the run').fill('120'),
  },
  {
    name: 'packet-story',
    open: async (folder) => viewed([await ran(folder, 'incast16')]),
    act: travelled,
  },
  {
    name: 'two-runs',
    open: async (folder) =>
      viewed([await ran(folder, 'incast16'), ...['--with', await ran(folder, 'incast16-stage0')]]),
    act: async (page) => {
      await page.getByRole('button', { name: 'Find where the runs part' }).click();
      await page.getByText(/events are equal; then the runs part/).waitFor();
    },
  },
  {
    name: 'compare',
    open: async (folder) => {
      const out = path.join(folder, 'compare');
      const algorithms = ['--algorithms', 'hpccpp,dctcp,timely', '--seeds', '3'];
      await hpcc(['compare', 'incast16', ...algorithms, '--out', out]);
      return fileOf(path.join(out, 'report.html'));
    },
  },
  {
    name: 'coordination',
    open: async (folder) => {
      const out = path.join(folder, 'coordination');
      await hpcc(['coordination', 'ccm-draft-example', '--mode', 'coordinated', '--out', out]);
      return fileOf(reportBelow(out));
    },
  },
  { name: 'live-metrics', open: watched, act: (page) => page.waitForTimeout(4000) },
];

const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: 'narrow', colorScheme: 'light', width: 400 },
] as const;

/** Draws pages as they are in a light, a dark and a narrow window. @param wanted all, unless named. */
export async function drawPictures(
  browser: Browser,
  { folder, wanted }: { readonly folder: string; readonly wanted: readonly string[] },
  tell: (file: string) => void,
): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const chosen = PICTURES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const { name, open, act } of chosen) {
    const { url, close } = await open(folder);
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForSelector('canvas');
    await act?.(page);
    for (const { name: look, colorScheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(SETTLED_MS);
      // The browser draws what is near the window: all of it, in one that is as high as the page.
      for (let i = 0; i < 2; i++) {
        const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(SETTLED_MS);
      }
      const file = path.join(folder, `${name}-${look}.png`);
      await page.screenshot({ path: file, fullPage: true });
      tell(file);
    }
    await page.close();
    await close?.();
  }
}

/** Charts have followed the width and the colours. */
const SETTLED_MS = 500;

async function travelled(page: Page): Promise<void> {
  await page.getByLabel('from (us)').fill('200');
  await page.getByRole('button', { name: 'Go to this moment' }).click();
  await page.getByText(/packets left in 5 us/).waitFor();
  const packets = page.locator('button', { hasText: /^data \d+$/ });
  await packets.first().click();
}

async function hpcc(argv: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`hpcc ${argv.join(' ')} ended with ${code}`);
}

async function ran(folder: string, scenario: string): Promise<string> {
  const out = path.join(folder, scenario);
  if (!fs.existsSync(out)) await hpcc(['run', scenario, '--out', out]);
  return out;
}

/** `hpcc view` with these arguments. */
async function viewed(argv: readonly string[]): Promise<Opened> {
  const child = spawn(process.execPath, [PROGRAM, 'view', ...argv]);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const [url = ''] = /http:\S+/.exec(said.toString()) ?? [];
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'close');
  };
  return { url, close };
}

async function watched(): Promise<Opened> {
  const served = await serveSwitchAndAgent();
  const { url, close } = await viewed(['--live', ...served.flags]);
  return {
    url,
    close: async () => {
      await close?.();
      await Promise.all(['s1', 'h1'].map((name) => served.close(name)));
    },
  };
}

const fileOf = (file: string): Opened => ({ url: pathToFileURL(file).href });

function reportBelow(folder: string): string {
  const [report] = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('report.html'))
    .sort();
  if (report === undefined) throw new Error(`no report below ${folder}`);
  return path.join(folder, report);
}
