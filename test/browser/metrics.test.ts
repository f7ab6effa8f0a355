import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, launch, watchPage } from '../support/browser';
import { PROGRAM } from '../support/live-network';
import { describeIf } from '../support/requires';
import { serveSwitchAndAgent } from '../support/served-metrics';

describeIf(CHROMIUM !== undefined, 'metrics in a browser', 'chromium is not on PATH', () => {
  let served: Awaited<ReturnType<typeof serveSwitchAndAgent>>;
  let child: ChildProcessWithoutNullStreams;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    served = await serveSwitchAndAgent();
    child = spawn(process.execPath, [PROGRAM, 'view', '--live', ...served.flags]);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const [url = ''] = /http:\S+/.exec(said.toString()) ?? [];
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    faults = watchPage(page, url);
    await page.goto(url);
  });

  afterAll(async () => {
    await browser.close();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await Promise.all([served.close('s1'), served.close('h1')]);
  });

  const fact = async (label: string): Promise<string> =>
    (await page.locator('.fact', { hasText: label }).locator('dd').textContent()) ?? '';
  /** The page's policy forbids Playwright's own way to wait. */
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await page.waitForTimeout(50);
  };

  test('of a switch and an agent alone draw ports, queues and flows, less than a second late', async () => {
    await page.getByText(/^live, 0\.\d\d s behind$/).waitFor();
    await until(async () => Math.abs(parseFloat(await fact('busiest link now')) - 50) < 10);
    expect(await fact('peak queue')).toBe('3.0 KB');
    expect(await fact('paced by all flows now')).toBe('5.00 Mb/s');
    await until(async () => Number(await fact('drops')) > 0);
    const nodes = await page.locator('svg.network text').allTextContents();
    expect(nodes.sort()).toEqual(['s1', 's1 port 1', 's1 port 2']);
    await page.locator('#chart-rates').scrollIntoViewIfNeeded();
    await page.locator('#chart-rates canvas').waitFor();
    expect(await page.locator('section', { hasText: 'Life of flow' }).count()).toBe(0);
    await page.getByRole('button', { name: '1: h1 to peer of 7' }).click();
    await page.getByText('Life of flow 1: h1 to peer of 7').waitFor();
    expect(faults).toEqual([]);
  });

  test('keep the part of the time that was chosen while more comes', async () => {
    const range = async () => (await page.locator('.range').textContent()) ?? '';
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const chosen = await range();
    const shown = async (): Promise<number> =>
      parseFloat((await page.locator('header .sub').textContent())?.split('for ')[1] ?? '');
    const before = await shown();
    await until(async () => (await shown()) > before + 1);
    expect(await range()).toBe(chosen);
    await page.getByRole('button', { name: 'Whole run' }).click();
    expect(await range()).not.toBe(chosen);
    expect(faults).toEqual([]);
  });

  test('name who has fallen silent, and show the others', async () => {
    await served.close('h1');
    await page.getByText('no answer from h1').waitFor();
    const drops = Number(await fact('drops'));
    await until(async () => Number(await fact('drops')) > drops);
    expect(faults).toEqual([]);
  });
});
