import { spawnSync } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { isOnPath } from '../../mininet/io/requirements';
import { CHROMIUM, launch } from '../support/browser';
import { describeIf } from '../support/requires';
import { liveExperiment } from '../view-figures/live-run';

const MISSING = missing();

/** What stands against a run under Mininet in sight of a browser. */
function missing(): string {
  if (process.getuid?.() !== 0) return 'not root';
  const python = spawnSync('/usr/bin/python3', ['-c', 'import mininet.net']).status === 0;
  return [
    ...['ip', 'ethtool', 'tcpdump'].filter((name) => !isOnPath(name)),
    ...(python ? [] : ["Mininet's Python module"]),
    ...(CHROMIUM === undefined ? ['chromium'] : []),
  ].join(', ');
}

describeIf(MISSING === '', 'a run under Mininet in a browser, while it goes on', MISSING, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test('is shown at most a second later, from its beginning to its end', async () => {
    const { result, lags, faults, status } = await liveExperiment(browser, { seconds: 5 });
    expect(faults).toEqual([]);
    expect(status).toContain('the run is over');
    expect(lags.length).toBeGreaterThan(10);
    const sorted = [...lags].sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(1);
    expect(result.flows[0]?.deliveredBytes).toBeGreaterThan(100_000);
    expect(result.timelines?.links.map(({ name }) => name)).toContain('s1:3->s2:3');
  });
});
