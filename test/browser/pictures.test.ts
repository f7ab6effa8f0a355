import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/scenario-files';
import { finishedRun } from '../../emulator/view/server/finished-run';
import { serveView } from '../../emulator/view/server/view-server';
import { CHROMIUM, launch } from '../support/browser';
import { ROOT } from '../support/paths';
import { buildPlayground } from '../support/playground-build';
import { describeIf } from '../support/requires';

const UPDATES = process.env.HPCC_UPDATE_GOLDEN === '1';
/** Mean difference of colours in squares of a picture, of 255: fonts of another machine make some, another chart more. */
const LARGEST_MEAN = 6;
const SIZE = { width: 1100, height: 760 };

/** Compares two pictures in coarse squares, by the browser that draws them. @returns the mean difference. */
const COMPARED = `async (first, second) => {
  const squares = async (data) => {
    const image = new Image();
    image.src = data;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [55, 38];
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const [one, other] = [await squares(first), await squares(second)];
  return one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length;
}`;

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

  const difference = async (one: Buffer, other: Buffer): Promise<number> => {
    const blank = await browser.newPage();
    const data = [one, other].map((bytes) => `"data:image/png;base64,${bytes.toString('base64')}"`);
    const mean = await blank.evaluate(`(${COMPARED})(${data.join(', ')})`);
    await blank.close();
    return mean as number;
  };

  const expectPicture = async (name: string): Promise<void> => {
    const file = path.join(ROOT, 'docs', 'images', name);
    const picture = await page.screenshot();
    if (UPDATES) fs.writeFileSync(file, picture);
    expect(await difference(picture, fs.readFileSync(file))).toBeLessThan(LARGEST_MEAN);
  };

  test('the page of a run', async () => {
    const scenario = loadScenario('incast16');
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
    const run = { name: 'incast16', result, repeat: { scenario, seed: 1 } };
    const server = await serveView(finishedRun(run, {}), 0);
    try {
      await page.goto(server.url);
      await page.waitForSelector('#chart-queue .drawing svg');
      await page.getByLabel('Instant of the run').fill('60');
      await expectPicture('view.png');
    } finally {
      await server.close();
    }
  });

  test('the playground', async () => {
    const built = buildPlayground();
    try {
      await page.goto(`file://${built.folder}/index.html#scenario=incast16`);
      await page.waitForSelector('html[data-ready]');
      await expectPicture('playground.png');
    } finally {
      built.remove();
    }
  });

  test('another page is another picture', async () => {
    await page.setContent('<body style="background: #888"></body>');
    const other = await page.screenshot();
    const known = fs.readFileSync(path.join(ROOT, 'docs', 'images', 'view.png'));
    expect(await difference(other, known)).toBeGreaterThan(LARGEST_MEAN);
  });
});
