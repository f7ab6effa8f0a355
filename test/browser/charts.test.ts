import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { pageAssets } from '../../emulator/io/results/page-assets';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { writeResult } from '../../emulator/io/results/write-result';
import type { Result } from '../../emulator/result/result';
import { chartCsv } from '../../emulator/view/data/chart';
import type { Chart } from '../../emulator/view/data/chart';
import { runPage } from '../../emulator/view/data/run-page';
import { staticPage } from '../../emulator/view/data/static-page';
import { drawPicture } from '../../emulator/view/picture/draw-picture';
import { PAPER_STYLES } from '../../emulator/view/picture/picture-style';
import { CHROMIUM, launch, openAll, openFold, watchPage } from '../support/browser';
import { describeIf } from '../support/requires';

/** A chart of an axis of words, which are long, and of values that are close to each other. */
const WORDS: Chart = {
  id: 'words',
  title: 'Words',
  caption: '',
  x: {
    label: 'algorithm',
    categories: ['hpccpp-lean', 'theta-powertcp', 'dcqcn', 'a-name-that-goes-on', 'timely'],
  },
  y: { label: "Jain's index", max: 1 },
  series: [{ name: 'one', x: [0, 1, 2, 3, 4], y: [0.99991, 0.99995, 0.9999, 1, 0.99993] }],
};

describeIf(CHROMIUM !== undefined, 'charts of pages in a browser', 'chromium is missing', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-charts-'));
  const wordsFile = path.join(folder, 'words.html');
  let browser: Browser;
  let result: Result;
  let report: string;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    const scenario = loadScenario('incast16');
    ({ result } = await runScenario({ scenario, seed: 1, checkInvariants: false }));
    const counters = { ...result.counters, drops: { full: 4321 } };
    const other = { ...result, counters };
    const contrast = [
      { label: 'before', result: other },
      { label: 'after', result },
    ];
    ({ report } = writeResult(result, folder, { contrast }));
    const words = { ...runPage(result), charts: [WORDS], closing: [] };
    const { run: _none, ...alone } = words;
    fs.writeFileSync(wordsFile, staticPage(alone, pageAssets()));
    browser = await launch();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    faults = watchPage(page, 'file:///');
    await open(report);
  });
  afterEach(async () => {
    expect(faults).toEqual([]);
    await page.close();
  });
  afterAll(async () => {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  });

  const open = async (file: string): Promise<void> => {
    await page.goto(`file://${file}`);
    await page.waitForSelector('.drawing svg');
  };
  /** Draws what is out of sight too. */
  const seeAll = async (width: number): Promise<void> => {
    await openAll(page);
    await page.setViewportSize({ width, height: 900 });
    const charts = page.locator('.chart');
    for (let i = 0; i < (await charts.count()); i++) {
      await charts.nth(i).scrollIntoViewIfNeeded();
      await charts.nth(i).locator('.drawing svg').waitFor();
    }
  };

  test('three figures stand beside those of the other run, and one subject of charts leads', async () => {
    expect(await page.locator('.fact').count()).toBe(3);
    const drops = page.locator('.fact', { hasText: 'drops' });
    expect(await drops.locator('dd').allTextContents()).toEqual(['0', 'before: 4321']);
    expect(await page.locator('.verdict').textContent()).toMatch(/^after: All 16 flows finished/);
    expect(await page.locator('.drawing svg:visible').count()).toBe(2);
  });

  test('what the reader has opened stays open when the page is loaded again', async () => {
    const states = () =>
      page.evaluate('[...document.querySelectorAll(".fold")].map((d) => d.open)');
    expect(await states()).not.toContain(true);
    await openFold(page, 'Flows');
    await page.waitForSelector('#chart-rates .drawing svg');
    await page.reload();
    await page.waitForSelector('#chart-rates .drawing svg');
    expect(await states()).toEqual([
      true,
      ...((await states()) as boolean[]).slice(1).map(() => false),
    ]);
  });

  test.each([1400, 1000, 400])('network and time stay in view, %d px wide', async (width) => {
    await openAll(page);
    await page.setViewportSize({ width, height: 900 });
    await page.locator('#chart-fct').scrollIntoViewIfNeeded();
    for (const name of ['.player', '.watched .network']) {
      const box = await page.locator(name).boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThan(900);
    }
  });

  test('a chart is saved as the command draws it, in two widths, as dots, and as data', async () => {
    const chart = runPage(result).charts.find(({ id }) => id === 'queue') as Chart;
    await openFold(page, 'Queues, losses and feedback');
    const files = page.locator('#chart-queue .files');
    await files.locator('summary').click();
    const saved = async (name: string): Promise<Buffer> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        files.getByRole('button', { name: `Save Queues as ${name}` }).click(),
      ]);
      return fs.readFileSync(await download.path());
    };
    for (const [name, style] of [
      ['one column', PAPER_STYLES.column],
      ['two columns', PAPER_STYLES.page],
    ] as const) {
      const svg = (await saved(`SVG, ${name}`)).toString();
      expect(drawnParts(svg)).toEqual(drawnParts(drawPicture([chart], '', style)));
      const png = await saved(`PNG, ${name}`);
      expect(png.readUInt32BE(16)).toBe((style.width * 300) / 72);
    }
    expect((await saved('CSV')).toString()).toBe(chartCsv(chart));
  });

  test('names the line at the pointer, in all charts the instant, and the peak that is cut off', async () => {
    await openFold(page, 'Flows');
    const rates = page.locator('#chart-rates');
    await rates.locator('.drawing svg').waitFor();
    await rates.getByRole('button', { name: 'without the peaks' }).click();
    await rates.locator('.cut', { hasText: /^↑ 100: cut here$/ }).waitFor();
    await rates.locator('.over').scrollIntoViewIfNeeded();
    const box = await rates.locator('.over').boundingBox();
    if (box === null) throw new Error('the chart has no place');
    // In the middle of the run all flows have about the same rate, near the bottom.
    const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.82];
    await page.mouse.move(x - 5, y);
    await page.mouse.move(x, y);
    const readout = /^39\d(\.\d+)? us: (\d+: h\d+ to h1|fair share), rate [56](\.\d+)? Gb\/s$/;
    await rates.locator('.readout', { hasText: readout }).waitFor();
    expect(await rates.locator('.plot.has-line .line path').count()).toBe(1);
    const place = async (name: string): Promise<number> => {
      const cursor = await page.locator(`#chart-${name} .cursor`).boundingBox();
      return cursor?.x ?? Number.NaN;
    };
    expect(await place('windows')).toBeCloseTo(await place('rates'), 0);
    await page.mouse.move(box.x - 30, y);
    expect(await rates.locator('.has-line').count()).toBe(0);
    await page.getByRole('button', { name: '3: h4 to h1' }).click();
    const line = rates.locator('.plot.has-line .line path');
    await line.first().waitFor({ state: 'attached' });
    expect(await line.count()).toBe(1);
  });

  test('prints whole runs, with all that is folded, and then is as it was', async () => {
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const looks = () =>
      page.evaluate<[string, boolean][]>(
        `[...document.querySelectorAll('.fold .chart')].map((each) => [
          [...each.querySelectorAll('.drawing text')].map((text) => text.textContent).join(' '), each.closest('details').open])`,
      );
    const before = await looks();
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    const printed = await looks();
    expect(printed.length).toBeGreaterThan(5);
    for (const [text, isOpen] of printed) {
      expect(isOpen).toBe(true);
      if (text.includes('time (us)')) expect(text).toContain('0 200 400 600');
    }
    await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
    expect((await looks()).map(([, isOpen]) => isOpen)).toEqual(before.map(([, isOpen]) => isOpen));
  });

  test('prints the busiest ports of the instant, folded or not', async () => {
    const instant = page.getByLabel('Instant of the run');
    const table = page.locator('details.printed').first();
    const frames = (): Promise<void> =>
      page.evaluate(
        'new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))',
      );
    const texts = async (at: string, look: () => Promise<void>): Promise<string | null> => {
      await instant.fill(at);
      await frames();
      await look();
      await frames();
      return table.locator('tbody').textContent();
    };
    const unfold = (): Promise<void> => table.locator('summary').click();
    const busy = await texts('60', unfold);
    expect(await texts('700', async () => {})).not.toBe(busy);
    await unfold();
    const print = async (): Promise<void> => {
      await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
      expect(await table.getAttribute('open')).not.toBeNull();
    };
    expect(await texts('60', print)).toBe(busy);
  });

  test('printed from a dark screen, names have the colours of their lines', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    const swatches = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#chart-contrast-queue .swatch line')].map((each) => getComputedStyle(each).stroke)`,
    );
    const lines = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#chart-contrast-queue .drawing path[fill=none]')].map((each) => getComputedStyle(each).stroke)`,
    );
    expect(swatches).toHaveLength(2);
    expect(lines).toEqual(expect.arrayContaining(swatches));
  });

  test('printed, nothing is wider than the sheet', async () => {
    await page.setViewportSize({ width: 700, height: 900 });
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print' });
    const wide = await page.evaluate(
      `[...document.querySelectorAll('section, .drawing svg, .scrolls')].filter((each) =>
        each.getBoundingClientRect().right > 700.5 || each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.className || each.id)`,
    );
    expect(wide).toEqual([]);
  });

  test.each([1400, 400])('no words of a chart lie over others, %d px wide', async (width) => {
    await seeAll(width);
    expect(await page.evaluate(OVERLAPPING)).toEqual([]);
    await open(wordsFile);
    await seeAll(width);
    expect(await page.evaluate(OVERLAPPING)).toEqual([]);
    const words = await page.locator('.drawing svg text').allTextContents();
    expect(words.filter((word) => /hpccpp|theta|dcqcn|a-name|timely/.test(word))).toHaveLength(5);
    expect(new Set(words).size).toBe(words.length);
  });
});

/** Words and lines of a drawing, whatever the width of its letters. */
function drawnParts(svg: string): string[] {
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);
  const [, size = ''] = /<svg[^>]* (width="\d+pt" height="\d+pt")/.exec(svg) ?? [];
  const paths = [...svg.matchAll(/<path d="([^"]*)" fill="none"/g)].map(([, path = '']) => path);
  return [size, ...texts, ...paths];
}

/** Runs in the page: pairs of words that lie over each other in a drawing, or leave it. */
const OVERLAPPING = `[...document.querySelectorAll('.drawing svg')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  // A word that is turned by less than a right angle fills one half of its box.
  const words = [...svg.querySelectorAll('text')]
    .map((each) => ({ text: each.textContent, box: each.getBoundingClientRect(), turned: /matrix\\(-?0\\./.test(each.getAttribute('transform') ?? '') }));
  const out = words.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1);
  const pairs = words.flatMap((one, i) => words.slice(i + 1).filter((two) =>
    !one.turned && !two.turned &&
    one.box.left < two.box.right - 1 && two.box.left < one.box.right - 1 &&
    one.box.top < two.box.bottom - 1 && two.box.top < one.box.bottom - 1).map((two) => one.text + ' / ' + two.text));
  return [...pairs, ...out.map(({ text }) => 'outside: ' + text)];
})`;
