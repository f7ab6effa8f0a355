import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { runScenario } from '../../emulator/io/run-scenario';
import { writeResult } from '../../emulator/io/results/write-result';
import type { Result } from '../../emulator/result/result';
import { parseScenario } from '../../emulator/scenario/schema';
import { axeViolations, CHROMIUM, launch, openFold } from '../support/browser';
import { ROOT } from '../support/paths';
import { expectPicture, halfSize } from '../support/pictures';
import { describeIf } from '../support/requires';

const FOLDER = path.join(ROOT, 'test', 'fixtures', 'screens');
const SCENARIO = [
  'name: lanes',
  'title: Sixteen ranks that compute and reduce',
  'topology: { kind: leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 8, rateGbps: 100, delayNs: 500 }',
  'workloads:',
  '  - { kind: collective, name: step, ranks: 16, operation: all-reduce, bytes: 400000, iterations: 4, computeUs: 30 }',
].join('\n');

/** Ranks, phases and links of a trace; HPCC_UPDATE_GOLDEN=1 makes the pictures anew. */
describeIf(CHROMIUM !== undefined, 'ranks on a page', 'chromium is missing', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-ranks-'));
  let result: Result;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const scenario = parseScenario(SCENARIO, 'lanes.yaml');
    ({ result } = await runScenario({ scenario, seed: 1, checkInvariants: false }));
    const { report } = writeResult(result, folder);
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: 'light' });
    await page.goto(`file://${report}`);
    await page.waitForSelector('html[data-ready]');
    await openFold(page, 'Ranks and collectives');
  });
  afterAll(async () => {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  });

  const words = () => page.locator('.ranks .instant-text').textContent();
  const goTo = async (us: number): Promise<void> => {
    const steps = Math.round((us / result.durationUs) * 1000);
    await page.getByLabel('Instant of the run').fill(String(steps));
  };

  test('the instant in words follows time, and is what the run did', async () => {
    await goTo(10);
    expect(await words()).toMatch(/16 of 16 ranks compute, 0 communicate, 0 do neither\.$/);
    const { startUs = 0, timeUs = 0 } = result.traces?.[0]?.collectives[1] ?? {};
    await goTo((startUs ?? 0) + (timeUs ?? 0) / 2);
    expect(await words()).toMatch(
      /0 of 16 ranks compute, 16 communicate, 0 do neither; under way: all-reduce 2; of these links \S+ is the fullest, \d+ %\.$/,
    );
  });

  test('a click goes to its instant, and zooming keeps the lanes in step', async () => {
    const picture = page.locator('.ranks svg');
    await picture.scrollIntoViewIfNeeded();
    const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    const click = () => page.mouse.click(box.x + box.width / 2, box.y + 4);
    const lineAt = async () => Number(await page.locator('.ranks line').getAttribute('x1'));
    await click();
    // To some pixels.
    const near = result.durationUs / 100;
    expect(Math.abs((await lineAt()) - result.durationUs / 2)).toBeLessThan(near);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const [from, , length] = ((await picture.getAttribute('viewBox')) ?? '').split(' ').map(Number);
    expect(length).toBeCloseTo(result.durationUs / 2, 0);
    await click();
    expect(Math.abs((await lineAt()) - (from ?? 0) - (length ?? 0) / 2)).toBeLessThan(near);
    await page.getByRole('button', { name: 'Whole run' }).click();
  });

  test('every rank has a lane, with what it did', async () => {
    const lanes = page.locator('.ranks svg path.communicating');
    expect(await lanes.count()).toBe(16);
    const boxes = await lanes.first().getAttribute('d');
    // Four all-reduces, between which the rank computes.
    expect(boxes?.match(/M/g)).toHaveLength(4);
  });

  test('has nothing that axe-core finds', async () => {
    expect(await axeViolations(page)).toEqual([]);
  });

  test.each([
    [1400, 'light'],
    [400, 'dark'],
  ] as const)('%d px wide and %s', async (width, colorScheme) => {
    await goTo(result.durationUs * 0.4);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(`document.querySelector('.ranks').scrollIntoView()`);
    await page.waitForTimeout(300);
    const seen = await halfSize(page);
    await expectPicture(browser, seen, path.join(FOLDER, `ranks-${width}-${colorScheme}.webp`));
  });
});
