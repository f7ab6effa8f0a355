import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { runScenario } from '../../emulator/io/run-scenario';
import { writeResult } from '../../emulator/io/results/write-result';
import { scenarioSchema } from '../../emulator/scenario/schema';
import { CHROMIUM, launch, openFold, watchPage } from '../support/browser';
import { CAUSE_CASES } from '../support/cause-cases';
import { describeIf } from '../support/requires';

describeIf(CHROMIUM !== undefined, 'the page names the cause of', 'chromium is missing', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-causes-'));
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage();
    faults = watchPage(page, 'file:///');
  });
  afterAll(async () => {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  });

  test.each(CAUSE_CASES)('$name', async ({ document, flow, says }) => {
    const scenario = scenarioSchema.parse({ name: 'case', title: 'A case', ...document });
    const asked = { scenario, seed: 1, causesOf: [flow], checkInvariants: false };
    const { report } = writeResult((await runScenario(asked)).result, folder);
    await page.goto(`file://${report}`);
    await page.waitForSelector('html[data-ready]');
    await openFold(page, 'Flows');
    await page.locator('section button', { hasText: new RegExp(`^${flow}: `) }).click();
    expect(await page.locator('.causes p').first().innerText()).toContain(says);
    expect(faults).toEqual([]);
  });
});
