import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { startStar } from '../../../../../bench/live/host-star';
import type { HostStar, StarHost } from '../../../../../bench/live/host-star';
import { GroupHosts } from '../../../../support/live/group-hosts';
import { canMakeNamespaces } from '../../../../support/live-network';
import { LIVE_PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';

const RATE_BPS = 10e6;
const T_SECONDS = 0.02;
const DEADLINE_MS = 60_000;
const ROOT = 'needs root and the ip command to make network namespaces';
const TUNING = [
  '--base-rtt-us',
  String(T_SECONDS * 1e6),
  '--link-rate-bps',
  String(RATE_BPS),
  '--rto-ms',
  '500',
];

describeIf(canMakeNamespaces(), 'the listing of HPCC++ on an interface', ROOT, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-listing-'));
  let star: HostStar;
  let hosts: GroupHosts;

  beforeAll(async () => {
    const flags = ['--link-rate-bps', `1=${RATE_BPS}`];
    const options = { hosts: 2, bottleneckGbps: RATE_BPS / 1e9 };
    star = await startStar([...LIVE_PROGRAM, 'switch', ...flags], options);
    hosts = new GroupHosts();
  }, DEADLINE_MS);

  afterAll(async () => {
    await hosts.stop();
    await star.stop();
    fs.rmSync(folder, { recursive: true });
  }, DEADLINE_MS);

  /** Times between changes of the reference window, in seconds. */
  const roundsOf = async (name: string, ...argv: readonly string[]): Promise<number[]> => {
    const [to, from] = star.hosts as [StarHost, StarHost];
    const receiver = await hosts.startAgent(to.leg, ...TUNING);
    const trace = path.join(folder, name);
    const all = ['-t', '1.5', '--trace', trace, ...TUNING, ...argv];
    const { report } = await hosts.send(from.leg, to.address, ...all);
    await receiver.stop();
    expect(report.sent?.total.unfinishedFlows).toBe(0);
    const ends = fs
      .readFileSync(trace, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly t: number; readonly endsRound: boolean })
      .filter(({ endsRound }) => endsRound);
    return ends.slice(1).map(({ t }, i) => t - (ends[i]?.t ?? 0));
  };

  test(
    'ends rounds by sequences where it is plain, and not before T where links are averaged',
    async () => {
      const shortest = (rounds: readonly number[]): number => Math.min(...rounds);
      expect(shortest(await roundsOf('plain', '--listing', 'plain'))).toBeLessThan(T_SECONDS / 2);
      // Times of traces are whole microseconds.
      const least = T_SECONDS - 2e-6;
      const averaged = await roundsOf('averaged', '--listing', 'averaged');
      expect(shortest(averaged)).toBeGreaterThanOrEqual(least);
      const usual = await roundsOf('usual');
      expect(usual.length).toBeGreaterThan(20);
      expect(shortest(usual)).toBeGreaterThanOrEqual(least);
    },
    DEADLINE_MS,
  );
});
