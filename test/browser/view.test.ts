import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { writeResult } from '../../emulator/io/results/write-result';
import type { Result } from '../../emulator/result/result';
import { finishedRun } from '../../emulator/view/server/finished-run';
import { serveView } from '../../emulator/view/server/view-server';
import type { ViewServer } from '../../emulator/view/server/view-server';
import { axeViolations, CHROMIUM, launch, openAll, openFold, watchPage } from '../support/browser';
import { describeIf } from '../support/requires';

describeIf(CHROMIUM !== undefined, 'the page in a browser', 'chromium is not on PATH', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-view-'));
  const scenario = loadScenario('incast16');
  let result: Result;
  let browser: Browser;
  let server: ViewServer;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    ({ result } = await runScenario({ scenario, seed: 1, checkInvariants: false }));
    const run = { name: 'one', result, repeat: { scenario, seed: 1 } };
    const other = { ...scenario, parameters: { ...scenario.parameters, targetUtilization: 0.9 } };
    const against = { name: 'other', result, repeat: { scenario: other, seed: 1 } };
    server = await serveView(finishedRun(run, {}, against), 0);
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    faults = watchPage(page, server.url);
    await page.goto(server.url);
    await page.waitForSelector('#chart-contrast-queue .drawing svg');
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
    fs.rmSync(folder, { recursive: true });
  });

  afterEach(() => expect(faults).toEqual([]));

  const clock = () => page.locator('.clock').textContent();
  const range = () => page.locator('.range').textContent();
  /** The page's policy forbids Playwright's own way to wait. */
  const until = async (isSo: string): Promise<void> => {
    for (let i = 0; (await page.evaluate(isSo)) !== true; i++) {
      if (i > 500) throw new Error(`it never came true: ${isSo}`);
      await page.waitForTimeout(20);
    }
  };

  test('shows its first picture within two seconds', async () => {
    const ready = await page.evaluate('document.documentElement.dataset.ready');
    expect(Number(ready)).toBeLessThan(2000);
    expect(await page.title()).toBe(result.scenario.title);
  });

  test('scrubs: loads and queues of the network follow the instant', async () => {
    const strokes = () => page.evaluate(STROKES);
    const [first, firstClock] = [await strokes(), await clock()];
    await page.getByLabel('Instant of the run').fill('500');
    expect(await clock()).not.toBe(firstClock);
    expect(await strokes()).not.toBe(first);
  });

  test('what was out of sight has followed by the time that it is seen', async () => {
    for (const subject of ['Flows', 'Queues, losses and feedback']) await openFold(page, subject);
    const mark = (chart: string) =>
      `document.querySelector('#chart-${chart} .now').style.transform`;
    await page.setViewportSize({ width: 1100, height: 400 });
    for (const place of ['700', '200']) {
      await page.locator('#chart-queue').scrollIntoViewIfNeeded();
      await until(`${mark('queue')} !== ''`);
      await page.waitForTimeout(200);
      await page.evaluate(placing(Number(place)));
      await until(`${mark('queue')} !== ${mark('fairness')}`);
      await page.locator('#chart-fairness').scrollIntoViewIfNeeded();
      await until(`${mark('queue')} === ${mark('fairness')}`);
    }
    await page.setViewportSize({ width: 1100, height: 900 });
  });

  test('scrubs in less than a frame of 60 Hz', async () => {
    const perStep = await page.evaluate(SCRUB);
    expect(perStep).toBeLessThan(16);
  });

  test('zooms all charts together, and goes back to the whole run', async () => {
    const before = await range();
    await page.locator('#chart-rates').scrollIntoViewIfNeeded();
    const box = await page.locator('#chart-rates .over').boundingBox();
    if (box === null) throw new Error('the chart has no place');
    const { x, y, width } = box;
    await page.mouse.move(x + width * 0.2, y + 40);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.4, y + 40, { steps: 4 });
    await page.mouse.up();
    expect(await range()).not.toBe(before);
    await page.getByRole('button', { name: 'Whole run' }).click();
    expect(await range()).toBe(before);
  });

  test('travels to a moment, and follows a packet to what the algorithm made of it', async () => {
    // A run that plays on does not change the field under the hands of who types in it.
    await openFold(page, 'Packets');
    const from = page.getByLabel('from (us)');
    await from.selectText();
    const before = await clock();
    for (const place of [300, 400]) {
      await page.evaluate(placing(place));
      await page.waitForTimeout(300);
    }
    expect(await clock()).not.toBe(before);
    await page.keyboard.insertText('200');
    await page.getByRole('button', { name: 'Go to this moment' }).click();
    await page.getByText(/packets left in/).waitFor();
    expect(await page.locator('.status').allTextContents()).toContainEqual(
      expect.stringMatching(/packets left in 5 us from 200 us on/),
    );
    // At the button nothing is typed, so that the form follows again; in the field it does not, sent or not.
    const follows = async (place: number): Promise<boolean> => {
      await page.evaluate(placing(place));
      await page.waitForTimeout(300);
      return (await from.inputValue()) !== '200';
    };
    expect(await follows(500)).toBe(true);
    await from.fill('200');
    await from.press('Enter');
    expect(await follows(600)).toBe(false);
    await page.getByText(/packets left in 5 us from 200 us on/).waitFor();
    await page
      .locator('button', { hasText: /^data of flow \d+, from byte / })
      .first()
      .click();
    const story = page.locator('.life', { hasText: 'What the algorithm made of it' });
    const text = (await story.textContent()) ?? '';
    for (const each of [
      'bytes sent',
      'Answered by',
      'bottleneck',
      'W^c',
      'line 9: U =',
      'line 27',
    ]) {
      expect(text).toContain(each);
    }
    const heading = await story.locator('h3').textContent();
    await story.getByRole('button', { name: /Follow the next packet/ }).click();
    expect(await page.locator('.life h3').first().textContent()).not.toBe(heading);
  });

  test('finds where two runs part', async () => {
    await openFold(page, 'Two runs');
    await page.getByRole('button', { name: 'Find where the runs part' }).click();
    await page.getByText(/\d+ events are equal; then the runs part/).waitFor();
  });

  test('is used with the keyboard alone', async () => {
    await page.locator('#chart-queue .stage').focus();
    await page.keyboard.press('Home');
    const start = await clock();
    await page.keyboard.press('Shift+ArrowRight');
    expect(await clock()).not.toBe(start);
    const whole = await range();
    await page.keyboard.press('+');
    expect(await range()).not.toBe(whole);
    await page.keyboard.press('0');
    expect(await range()).toBe(whole);
    await page.locator('section button', { hasText: /^3: / }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Life of flow 3').waitFor();
    await page.getByRole('button', { name: 'Why was it slow?' }).click();
    await page.getByText('Flow 3, h4 to h1, took').waitFor();
    await page.getByRole('region', { name: 'Time of the flow by cause' }).waitFor();
    await page.getByRole('button', { name: 'Play' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press('Space');
  });

  test.each(['light', 'dark'] as const)(
    'breaks no rule of accessibility when it is %s, wide or 400 px narrow, and is never too wide',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await openAll(page);
      for (const width of [1400, 1000, 400]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await axeViolations(page)).toEqual([]);
      }
    },
  );

  test('shows two runs beside each other before one has to scroll', async () => {
    const contrast = ['without', 'with'].map((label) => ({ label, result }));
    const { report } = writeResult(result, folder, { contrast });
    const file = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await file.goto(`file://${report}`);
    await file.waitForSelector('#chart-contrast-payload .drawing svg');
    const boxes = ['queue', 'payload'].map((name) => file.locator(`#chart-contrast-${name}`));
    const [queue, payload] = await Promise.all(boxes.map((box) => box.boundingBox()));
    for (const box of [queue, payload])
      expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThan(900);
    expect(payload?.y).toBe(queue?.y);
    await file.close();
  });

  test('as a file, is the same page without a server, and at most a megabyte', async () => {
    const hostile = { ...result, scenario: { name: 'x', title: '<img src=x onerror=alert(1)>' } };
    const { report } = writeResult(hostile, folder);
    expect(fs.statSync(report).size).toBeLessThan(1e6);
    const file = await browser.newPage();
    const found = watchPage(file, 'file:///');
    await file.goto(`file://${report}`);
    await file.waitForSelector('#chart-queue .drawing svg');
    expect(await file.locator('h1').textContent()).toBe('<img src=x onerror=alert(1)>');
    expect(await file.locator('h1 img').count()).toBe(0);
    expect(found).toEqual([]);
    await file.close();
  });
});

const STROKES =
  "[...document.querySelectorAll('.link')].map((line) => line.getAttribute('stroke')).join()";

/** Runs in the page: the instant moves without the reader's hand. */
const placing = (place: number): string => `(() => {
  const input = document.querySelector('.player input');
  input.value = '${place}';
  input.dispatchEvent(new Event('input', { bubbles: true }));
})()`;

/** Runs in the page: ms for each of 200 places of the slider. */
const SCRUB = `(async () => {
  const input = document.querySelector('.player input');
  const started = performance.now();
  for (let i = 0; i < 200; i++) {
    input.value = String(i * 5);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    if (i % 10 === 0) await Promise.resolve();
  }
  return (performance.now() - started) / 200;
})()`;
