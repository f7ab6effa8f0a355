import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { writeResult } from '../../emulator/io/results/write-result';
import { finishedRun } from '../../emulator/view/server/finished-run';
import { serveView } from '../../emulator/view/server/view-server';
import { CHROMIUM, launch } from '../support/browser';
import { webSearchOn320 } from '../support/fabric-result';
import { ROOT } from '../support/paths';
import { difference, expectPicture, isAnother } from '../support/pictures';
import { buildPlayground } from '../support/playground-build';
import { describeIf } from '../support/requires';

const SIZE = { width: 1100, height: 760 };

/** Pictures of the pages in docs/images; HPCC_UPDATE_GOLDEN=1 makes them anew. */
describeIf(CHROMIUM !== undefined, 'pictures of the documentation', 'chromium is missing', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
  });
  afterEach(() => page.close());
  afterAll(() => browser.close());

  const imageFile = (name: string): string => path.join(ROOT, 'docs', 'images', name);
  const expectSeen = async (name: string): Promise<void> =>
    expectPicture(browser, await page.screenshot(), imageFile(name));

  test('the page of a run', async () => {
    const scenario = loadScenario('incast16');
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
    const run = { name: 'incast16', result, repeat: { scenario, seed: 1 } };
    const server = await serveView(finishedRun(run, {}), 0);
    try {
      await page.goto(server.url);
      await page.waitForSelector('#chart-queue .drawing svg');
      await page.getByLabel('Instant of the run').fill('60');
      await expectSeen('view.png');
    } finally {
      await server.close();
    }
  });

  test('the network of 320 hosts', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-picture-'));
    const { report } = writeResult(await webSearchOn320(), folder);
    await page.setViewportSize({ width: 940, height: 900 });
    await page.goto(`file://${report}`);
    await page.waitForSelector('html[data-ready]');
    await page.getByRole('button', { name: /^Longest queue/ }).click();
    await page.getByRole('button', { name: 'whole network' }).click();
    const picture = await page.locator('.picture svg').screenshot();
    await expectPicture(browser, picture, imageFile('network-320.png'));
    fs.rmSync(folder, { recursive: true });
  });

  test('the playground', async () => {
    const built = buildPlayground();
    try {
      await page.goto(`file://${built.folder}/index.html#scenario=incast16`);
      await page.waitForSelector('html[data-ready]');
      await expectSeen('playground.png');
    } finally {
      built.remove();
    }
  });

  test('another page is another picture', async () => {
    await page.setContent('<body style="background: #888"></body>');
    const other = await page.screenshot();
    const known = fs.readFileSync(imageFile('view.png'));
    expect(isAnother(await difference(browser, [other, known]))).toBe(true);
  });
});
