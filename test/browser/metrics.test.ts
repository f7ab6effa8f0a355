import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import type { Registry } from 'prom-client';
import { serveMetrics } from '../../common/io/metrics-server';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import { metricsRegistry } from '../../host-agent/io/process/metrics';
import { HostAgent } from '../../host-agent/transport/host';
import type { LiveSwitch } from '../../switch/io/live/live-switch';
import { switchMetrics } from '../../switch/io/switch-metrics';
import { noDrops } from '../../switch/v1model/switch-counters';
import { CHROMIUM, launch, openFold, watchPage } from '../support/browser';
import { PROGRAM } from '../support/own-command';
import { describeIf } from '../support/requires';

const IDLE = { received: 0, ignored: 0, sent: 0, overflowed: 0, oversized: 0, sendFailed: 0 };
const LINK_RATE = 10e6;
const PORTS = [1, 2];

/** Metrics of a switch whose ports are half and a quarter full, as they count on in real time. */
function switchRegistry(seconds: () => number): Registry {
  const ports = new Map(
    PORTS.map((port) => [port, { port, interfaceName: `eth${port}`, counters: () => IDLE }]),
  );
  const counters = () => ({
    drops: { ...noDrops(), 'queue-full': Math.floor(seconds()) },
    ports: new Map(
      PORTS.map((port) => {
        const txBytes = Math.round((seconds() * LINK_RATE) / 8 / (2 * port));
        return [port, { rxPackets: 0, rxBytes: 0, txPackets: 0, txBytes }];
      }),
    ),
  });
  return switchMetrics(
    { ports, unattached: 0 } as unknown as LiveSwitch,
    { counters, queueBytes: (port) => (port === 1 ? 3000 : 0) },
    new Map(PORTS.map((port) => [port, LINK_RATE])),
  );
}

/** And of an agent with one flow. */
function agentRegistry(seconds: () => number): Registry {
  const link = { address: 1, mac: 1, linkRate: 1e9, baseRtt: 1e9 };
  const agent = new HostAgent({ ...link, congestionControl: hpccppFactory() });
  const flow = () => ({
    flow: 7,
    acknowledgedBytes: Math.round(seconds() * 6e5),
    segmentsRetransmitted: 2,
    timeouts: 0,
    windowBytes: 5000,
    pacingRate: 5e6,
    isComplete: false,
    seconds: seconds(),
    hops: 1,
    controlAt: 'sender' as const,
    normalizedInflight: 0.5,
    windowUpdates: 1,
    uncontrolledSeconds: 0,
    withTelemetry: 1,
    withoutTelemetry: 0,
    queueBytes: 2800,
    queueBytesMax: 3000,
    telemetryRejected: 0,
  });
  return metricsRegistry({
    host: () => agent.counters(),
    port: () => IDLE,
    flows: () => [flow()],
    controlled: () => [],
    differing: () => [],
  });
}

/** Serves both as `--metrics` does, and nothing else. */
async function serveSwitchAndAgent() {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const registries = { s1: switchRegistry(seconds), h1: agentRegistry(seconds) };
  const served = await Promise.all(
    Object.entries(registries).map(
      async ([name, registry]) => [name, await serveMetrics('0', registry)] as const,
    ),
  );
  return {
    /** Flags of `hpcc view --live`. */
    flags: served.flatMap(([name, { port }]) => ['--metrics', `${name}=${port}`]),
    close: async (name: string): Promise<void> => {
      await served.find(([each]) => each === name)?.[1].close();
    },
  };
}

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
    expect(await fact('peak queue')).toBe('3.000 KB');
    expect(await fact('paced by all flows now')).toBe('5.000 Mb/s');
    await until(async () => Number(await fact('drops')) > 0);
    const nodes = await page.locator('svg.network text').allTextContents();
    expect(nodes.sort()).toEqual(['s1', 's1 port 1', 's1 port 2']);
    await openFold(page, 'Flows');
    await page.locator('#chart-rates').scrollIntoViewIfNeeded();
    await page.locator('#chart-rates .drawing svg').waitFor();
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
