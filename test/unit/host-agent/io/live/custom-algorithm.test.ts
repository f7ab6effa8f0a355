import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { startStar } from '../../../../../bench/live/host-star';
import type { HostStar } from '../../../../../bench/live/host-star';
import type { Leg } from '../../../../../bench/live/test-bed';
import { startHost } from '../../../../support/live-hosts';
import { GroupHosts } from '../../../../support/live/group-hosts';
import { canMakeNamespaces } from '../../../../support/live-network';
import { keptCommand, LIVE_PROGRAM } from '../../../../support/own-command';
import {
  CUSTOM_ALGORITHM,
  algorithmFolder,
  WRONG_ALGORITHMS,
} from '../../../../support/custom-algorithm';
import { describeIf } from '../../../../support/requires';
import { sampled } from '../../../../support/sampled';

const RATE_BPS = 10e6;
const ROOT = 'needs root and the ip command to make network namespaces';
const DEADLINE_MS = 60_000;
const TUNING = [
  '--base-rtt-us',
  '10000',
  '--link-rate-bps',
  String(2 * RATE_BPS),
  '--rto-ms',
  '500',
];

const documentFor = (address: string): object => ({
  network: 'star',
  program: 'hpcc-queues',
  telemetry: { ecn: { minBytes: 8000, maxBytes: 8000 } },
  switches: [{ name: 's1', address }],
  hosts: [1, 2].map((n) => ({ name: `h${n}` })),
  links: [1, 2].map((n) => ({ between: [`h${n}`, `s1:${n}`], rate: '10 Mb/s' })),
});

describeIf(canMakeNamespaces(), 'hosts with an algorithm of their own', ROOT, () => {
  const folder = algorithmFolder();
  const file = (name: string, text: string): string => {
    const own = path.join(folder, name);
    fs.writeFileSync(own, text);
    return own;
  };
  let star: HostStar;
  const leg = (n: number): Leg => {
    const found = star.hosts[n - 1]?.leg;
    if (found === undefined) throw new Error(`no host ${n}`);
    return found;
  };

  beforeAll(async () => {
    const rate = ['--link-rate-bps', `1=${RATE_BPS}`];
    const command = [...LIVE_PROGRAM, 'switch', ...rate, '--queue-unit-bytes', '64'];
    star = await startStar(command, { hosts: 2, bottleneckGbps: RATE_BPS / 1e9 });
    const network = file('network.json', JSON.stringify(documentFor(star.device.address)));
    const argv = keptCommand('controller', 'apply', network, '--deadline', '30');
    const done = spawnSync(process.execPath, [...argv, '--election-id', '2'], { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
  }, DEADLINE_MS);

  afterAll(async () => {
    await star.stop();
    fs.rmSync(folder, { recursive: true });
  });

  test(
    'obey the file of the page: marks take its window down',
    async () => {
      const own = ['--algorithm', file('aimd.mjs', CUSTOM_ALGORITHM), ...TUNING];
      const hosts = new GroupHosts();
      const receiver = await hosts.startAgent(leg(1), ...own);
      const trace = path.join(folder, 'trace');
      const to = star.hosts[0]?.address ?? '';
      const { code, report } = await hosts.send(leg(2), to, '-n', '1M', '--trace', trace, ...own);
      await receiver.stop();
      await hosts.stop();
      expect(code).toBe(0);
      expect(report.sent?.flows).toMatchObject([{ isComplete: true }]);
      const windows = fs
        .readFileSync(trace, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { windowBytes: number }).windowBytes);
      // It begins with rate times T, which is twice what the link of the receiver has.
      expect(Math.max(...windows)).toBe(25_000);
      expect(Math.min(...windows)).toBeLessThan(0.8 * 25_000);
    },
    DEADLINE_MS,
  );

  test.each(sampled('wrong algorithms', WRONG_ALGORITHMS, 3))(
    'end when the file %s, which is named with the call',
    async (_what, text, said) => {
      const own = file('wrong.mjs', text);
      const argv = ['10.0.0.1', '-n', '200K', '--algorithm', own, ...TUNING];
      const sender = await startHost(leg(2), ['send', ...argv]).ended;
      expect([sender.code, sender.stderr]).toEqual([
        1,
        expect.stringContaining(`hpcc: ${own}: ${said}\n`),
      ]);
    },
    DEADLINE_MS,
  );

  test(
    'so does hpcc agent',
    async () => {
      const [, text = '', said = ''] = WRONG_ALGORITHMS[4] ?? [];
      const own = file('lacking.mjs', text);
      const agent = await startHost(leg(1), ['agent', '--algorithm', own]).ended;
      expect([agent.code, agent.stderr]).toEqual([
        1,
        expect.stringContaining(`hpcc: ${own}: ${said}\n`),
      ]);
    },
    DEADLINE_MS,
  );
});
