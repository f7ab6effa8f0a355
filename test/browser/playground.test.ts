import * as fs from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { CHROMIUM, launch, openAll, openFold, watchPage } from '../support/browser';
import { buildPlayground, PLAYGROUND_SCENARIOS } from '../support/playground-build';
import type { BuiltPlayground } from '../support/playground-build';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** An algorithm that tells what it could fetch. */
const CURIOUS = `
let found = 'nothing';
try {
  await fetch('http://127.0.0.1:PORT/');
  found = 'an answer';
} catch (error) {}
export function create() {
  throw new Error('found out: ' + found);
}
`;

describeIf(CHROMIUM !== undefined, 'the playground in a browser', 'chromium is missing', () => {
  let built: BuiltPlayground;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    built = buildPlayground();
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    built.remove();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    // From a file, without a server.
    faults = watchPage(page, `file://${built.folder}/`);
  });
  afterEach(async () => {
    expect(faults).toEqual([]);
    await page.close();
  });

  const open = async (hash = ''): Promise<void> => {
    await page.goto(`file://${built.folder}/index.html${hash}`);
    await page.waitForSelector('html[data-ready]');
  };
  const status = () => page.locator('.playground .run-status').textContent();
  const run = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(/Done in .* s, in this browser/).waitFor();
  };
  const result = async (): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('a[download="result.json"]').click(),
    ]);
    return fs.readFileSync(await download.path(), 'utf8');
  };

  test.each(
    sampled('scenarios of the playground', PLAYGROUND_SCENARIOS, PLAYGROUND_SCENARIOS.length),
  )('%s has the result.json of Node, byte for byte', async (name) => {
    await open(`#scenario=${name}`);
    await run();
    const onNode = await runScenario({ scenario: loadScenario(name), seed: 1 });
    expect((await result()) === `${JSON.stringify(onNode.result, null, 1)}\n`).toBe(true);
  });

  test('knobs change the text, the run, and the link that opens the same again', async () => {
    await open('#scenario=incast16');
    await page.getByLabel('senders').fill('4');
    await page.getByRole('spinbutton', { name: 'eta' }).fill('0.8');
    await page.getByRole('spinbutton', { name: 'eta' }).press('Tab');
    await page.getByRole('combobox', { name: 'algorithm' }).selectOption('dcqcn');
    const text = await page.getByLabel('scenario (YAML)').inputValue();
    expect(text).toContain('hosts: 5');
    expect(text).toContain('algorithm: dcqcn');
    await run();
    expect(JSON.parse(await result())).toMatchObject({ parameters: { targetUtilization: 0.8 } });
    const href = (await page.getByRole('link', { name: 'Link' }).getAttribute('href')) ?? '';
    await page.goto('about:blank');
    await page.goto(href);
    await page.waitForSelector('html[data-ready]');
    expect(await page.getByLabel('scenario (YAML)').inputValue()).toBe(text);
  });

  test('runs an algorithm that is edited in place, and says what is wrong with one', async () => {
    await open('#scenario=incast16');
    await page.getByRole('combobox', { name: 'algorithm' }).selectOption({ label: 'edited here' });
    await run();
    const own = JSON.parse(await result()) as Record<string, unknown>;
    expect(own).toMatchObject({ parameters: { algorithm: './algorithm.mjs' } });
    expect(own).not.toHaveProperty('unfinished');
    await page.getByLabel('algorithm (JavaScript module)').fill('export const x = 1;');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByText(/create/)
      .first()
      .waitFor();
    expect(await status()).toMatch(/algorithm\.mjs.*create/);
  });

  test('ends an algorithm that never returns, and runs the next one', async () => {
    await open('#scenario=incast16');
    const algorithm = page.getByRole('combobox', { name: 'algorithm' });
    await algorithm.selectOption({ label: 'edited here' });
    const field = page.getByLabel('algorithm (JavaScript module)');
    await field.fill('export function create() { for (;;); }');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Setting up the switches').waitFor();
    await page.waitForTimeout(1000);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/did not end by itself, and was ended/).waitFor();
    await algorithm.selectOption('hpccpp');
    await run();
  });

  test("somebody else's algorithm reaches no network", async () => {
    let requests = 0;
    const server = http.createServer((_, response) => {
      requests++;
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('an answer');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await open('#scenario=incast16');
    const algorithm = page.getByRole('combobox', { name: 'algorithm' });
    await algorithm.selectOption({ label: 'edited here' });
    const field = page.getByLabel('algorithm (JavaScript module)');
    await field.fill(CURIOUS.replace('PORT', String(port)));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.run-status', { hasText: 'found out' }).waitFor();
    server.close();
    expect(await status()).toContain('found out: nothing');
    expect(requests).toBe(0);
  });

  test('goes to a moment, and shows its packets', async () => {
    await open('#scenario=incast16');
    await run();
    await openFold(page, 'Packets');
    await page.getByLabel('from (us)').fill('200');
    await page.getByRole('button', { name: 'Go to this moment' }).click();
    await page.getByText(/packets left in 5 us from 200 us on/).waitFor();
  });

  test('inside of another page it runs at once, and opens the playground', async () => {
    await open('#scenario=incast16&embed');
    await page.getByText(/Done in .* s, in this browser/).waitFor();
    expect(await page.getByLabel('scenario (YAML)').count()).toBe(0);
    expect(await page.getByText('Open in the playground').getAttribute('href')).toMatch(
      /#scenario=z/,
    );
  });

  test.each([
    ['a damaged link', '#scenario=zAAAAAAAAAAAAAAAA', /damaged/],
    ['an unknown scenario', '#scenario=nothing', /no scenario 'nothing'/],
  ])('%s says so, and the page works', async (_, hash, sentence) => {
    await open(hash);
    expect(await status()).toMatch(sentence);
    await run();
  });

  test('a scenario that is wrong is refused in words', async () => {
    await open();
    await page.getByLabel('scenario (YAML)').fill('name: [');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.playground .run-status', { hasText: /scenario/ }).waitFor();
  });

  test.each(['light', 'dark'] as const)('breaks no rule of accessibility, %s', async (scheme) => {
    await page.emulateMedia({ colorScheme: scheme });
    await open('#scenario=incast16');
    await run();
    await openAll(page);
    for (const width of [1400, 1000, 400]) {
      await page.setViewportSize({ width, height: 900 });
      await page.addScriptTag({ content: AXE });
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(width);
    }
  });
});
