import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { writeResult } from '../../emulator/io/results/write-result';
import type { Result } from '../../emulator/result/result';
import { CHROMIUM, launch } from '../support/browser';
import { fabricResult, HOSTS_5000, webSearchOn320 } from '../support/fabric-result';
import { ROOT } from '../support/paths';
import { dataUrl, difference, expectPicture, halfSize, isAnother } from '../support/pictures';
import { describeIf, isOnPath } from '../support/requires';
import { sampled } from '../support/sampled';

const FOLDER = path.join(ROOT, 'test', 'fixtures', 'screens');
const HEIGHT = 900;
/** A sheet of A4 at 60 dots per inch. */
const SHEET = { width: 496, height: 702 };

const RESULTS: Readonly<Record<number, () => Promise<Result>>> = {
  17: async () => {
    const scenario = loadScenario('incast16');
    return (await runScenario({ scenario, seed: 1, checkInvariants: false })).result;
  },
  320: webSearchOn320,
  5000: () =>
    Promise.resolve(
      fabricResult(
        HOSTS_5000,
        (link, i) => (link.length * 37 + 31 * i) % 900,
        (link, i) => (link.startsWith('leaf-7-3:5->') ? i * 10_000 : 0),
      ),
    ),
};

/** Pages of a run as a reader sees them; HPCC_UPDATE_GOLDEN=1 makes the pictures anew. */
describeIf(CHROMIUM !== undefined, 'screens', 'chromium is missing', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-screens-'));
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  });

  describe.each(sampled('sizes', [17, 320, 5000], 2))('of %d hosts', (hosts) => {
    let page: Page;
    beforeAll(async () => {
      const result = await (RESULTS[hosts] as () => Promise<Result>)();
      const { report } = writeResult(result, folder);
      page = await browser.newPage({ viewport: { width: 1400, height: HEIGHT } });
      await page.goto(`file://${report}`);
      await page.waitForSelector('#chart-queue .drawing svg');
      await page.getByLabel('Instant of the run').fill('500');
    });
    afterAll(() => page.close());

    const shows = async (name: string, picture: Buffer): Promise<void> =>
      expectPicture(browser, picture, path.join(FOLDER, `${hosts}-${name}.webp`));

    test.each([
      [1400, 'light'],
      [1000, 'light'],
      [400, 'light'],
      [1400, 'dark'],
    ] as const)('%d px wide and %s', async (width, colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: HEIGHT });
      // Of large networks, the network.
      const seen = hosts === 17 ? 'h1' : '.player';
      await page.evaluate(`document.querySelector('${seen}').scrollIntoView()`);
      await page.waitForTimeout(300);
      await shows(`${width}-${colorScheme}`, await halfSize(page));
    });

    test('without its main part it is another', async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1400, height: HEIGHT });
      const [seen, part] = hosts === 17 ? ['h1', 'header'] : ['.player', '.picture'];
      await page.evaluate(`document.querySelector('${seen}').scrollIntoView()`);
      const hide = (value: string) =>
        page.evaluate(`document.querySelector('${part}').style.visibility = '${value}'`);
      await hide('hidden');
      const known = fs.readFileSync(path.join(FOLDER, `${hosts}-1400-light.webp`));
      const found = await difference(browser, [await halfSize(page), known], 'webp');
      await hide('');
      expect(isAnother(found)).toBe(true);
    });

    describeIf(isOnPath('pdftoppm'), 'on paper', 'pdftoppm is not on PATH', () => {
      test('printed', async () => {
        await page.emulateMedia({ colorScheme: 'light' });
        const file = path.join(folder, 'page');
        await page.pdf({ path: `${file}.pdf`, format: 'A4' });
        spawnSync('pdftoppm', ['-png', '-singlefile', '-r', '120', `${file}.pdf`, file]);
        const sheet = await browser.newPage({
          viewport: { width: 2 * SHEET.width, height: 2 * SHEET.height },
        });
        const url = dataUrl(fs.readFileSync(`${file}.png`), 'png');
        await sheet.setContent(`<body style="margin: 0"><img width="100%" src="${url}">`);
        await shows('print', await halfSize(sheet));
        await sheet.close();
      });
    });
  });

  test('are others than each other', async () => {
    const [one, other, ...more] = [17, 320, 5000].map((hosts) =>
      fs.readFileSync(path.join(FOLDER, `${hosts}-1400-light.webp`)),
    );
    const pairs = [
      [one, other],
      [other, more[0]],
    ] as [Buffer, Buffer][];
    for (const pair of pairs) {
      expect(isAnother(await difference(browser, pair, 'webp'))).toBe(true);
    }
  });

  test('take less than 700 KB', () => {
    const sizes = fs.readdirSync(FOLDER).map((name) => fs.statSync(path.join(FOLDER, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(700_000);
  });
});
