import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { writeResult } from '../../emulator/io/results/write-result';
import type { Result } from '../../emulator/result/result';
import { axeViolations, CHROMIUM, launch, openFold, watchPage } from '../support/browser';
import { fabricResult, HOSTS_320, HOSTS_5000 } from '../support/fabric-result';
import { describeIf } from '../support/requires';

/** A result with a queue before h1245, and with flows that lead there. */
function busyAt1245(topology: Parameters<typeof fabricResult>[0], last: string): Result {
  const result = fabricResult(
    topology,
    (link, i) => (link.endsWith(`->${last}:1`) ? 950 : (link.length * 37 + i) % 300),
    (link, i) => (link.endsWith(`->${last}:1`) && i > 20 ? i * 10_000 : 0),
  );
  const flows = result.flows.map((flow) => ({ ...flow, source: 'h2', destination: last }));
  return { ...result, flows };
}

describeIf(CHROMIUM !== undefined, 'a large network on the page', 'chromium is missing', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-large-'));
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    faults = watchPage(page, 'file:///');
  });
  afterAll(async () => {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  });
  afterEach(() => expect(faults).toEqual([]));

  const open = async (result: Result): Promise<number> => {
    const { report } = writeResult(result, folder);
    await page.goto(`file://${report}`);
    await page.waitForSelector('html[data-ready]');
    return fs.statSync(report).size;
  };
  const network = () => page.locator('section[aria-labelledby=network-title]');
  const way = () => network().locator('nav').innerText();

  describe('of 5,000 hosts', () => {
    let length = 0;
    beforeAll(async () => {
      length = await open(busyAt1245(HOSTS_5000, 'h1245'));
    });

    test('is at most 4 MB, and shown in 26 groups', async () => {
      expect(length).toBeLessThan(4e6);
      expect(await network().locator('button.group').count()).toBe(26);
      expect(await way()).toBe('whole network (5,000 hosts, 366 switches)');
      expect(await network().locator('.caption').innerText()).toMatch(
        /Dashed lines: [\d]+ of [\d]+ have their average and longest queue of the whole run only/,
      );
    });

    test('opens group by group with the keyboard, and closes again', async () => {
      await network().getByRole('button', { name: 'leaf-7-1 to leaf-7-10 200 hosts' }).focus();
      await page.keyboard.press('Enter');
      expect(await way()).toContain('leaf-7-1 to leaf-7-10 (200 hosts, 14 switches)');
      expect(await page.evaluate('document.activeElement.ariaCurrent')).toBe('location');
      await network().getByRole('button', { name: 'leaf-7-3 20 hosts, 1 switch' }).focus();
      await page.keyboard.press('Space');
      expect(await network().locator('svg.network .host').count()).toBe(20);
      expect(await network().locator('svg.network .switch.outside').count()).toBe(4);
      await network().getByRole('button', { name: 'whole network' }).press('Enter');
      expect(await way()).toBe('whole network (5,000 hosts, 366 switches)');
    });

    test('finds a host or link by name', async () => {
      const field = network().getByLabel('Find a node or link');
      await field.fill('h4711');
      await field.press('Enter');
      expect(await network().locator('svg .marked').textContent()).toContain('h4711');
      await field.fill('leaf-1-1 h7');
      await network().getByRole('button', { name: 'leaf-1-1:7->h7:1' }).click();
      expect((await network().locator('svg .marked').allTextContents()).join()).toContain('h7');
      await field.fill('h9999');
      await network().getByText('no node and no single link has this name').waitFor();
    });

    test('leads to the longest queue, and to the ends of a flow', async () => {
      await network()
        .getByRole('button', { name: 'Longest queue: leaf-7-3 to h1245, 310.0 KB' })
        .click();
      expect(await network().locator('svg .marked').count()).toBe(2);
      expect(await page.locator('.clock').innerText()).toBe('126.0 us');
      await openFold(page, 'Flows');
      await page.locator('section button', { hasText: /^1: / }).click();
      await network().getByRole('button', { name: 'Source of flow 1: h2' }).click();
      expect(await way()).toContain('leaf-1-1 (20 hosts, 1 switch)');
      await network().getByRole('button', { name: 'whole network' }).click();
      const marked = await network().locator('button.group.marked').allInnerTexts();
      expect(marked.map((text) => text.split(' to')[0])).toEqual(['leaf-1-1', 'leaf-7-1']);
      await network().getByText('The busiest ports at this instant, in words').click();
      const row = network().getByRole('button', { name: 'leaf-7-3:5->h1245:1' });
      await row.click();
      expect(await way()).toContain('leaf-7-3 (20 hosts, 1 switch)');
    });
  });

  test.each([320, 5000])('of %d hosts breaks no rule of accessibility', async (hosts) => {
    await open(hosts === 320 ? busyAt1245(HOSTS_320, 'h100') : busyAt1245(HOSTS_5000, 'h1245'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1100, 400]) {
        await page.setViewportSize({ width, height: 900 });
        for (const place of ['whole network', /^leaf-2-1 to/]) {
          const button = network().getByRole('button', { name: place });
          if ((await button.count()) > 0) await button.first().click();
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          expect(await axeViolations(page)).toEqual([]);
        }
      }
    }
  });
});
