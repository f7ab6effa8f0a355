import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { startStar } from '../../../../../bench/live/host-star';
import type { HostStar, StarHost } from '../../../../../bench/live/host-star';
import { GroupHosts } from '../../../../support/live/group-hosts';
import { canMakeNamespaces } from '../../../../support/live-network';
import { LIVE_PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';
import { loadProgram } from '../../../../support/star-network';

const RATE_BPS = 10e6;
const DEADLINE_MS = 60_000;
const ROOT = 'needs root and the ip command to make network namespaces';
const TUNING = [
  '--base-rtt-us',
  '10000',
  '--link-rate-bps',
  String(RATE_BPS),
  '--rto-ms',
  '500',
  '--checksum',
];

describeIf(canMakeNamespaces(), 'hosts over IPv6 on an interface', ROOT, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-ipv6-'));
  let star: HostStar;
  let hosts: GroupHosts;

  beforeAll(async () => {
    const flags = ['--link-rate-bps', `1=${RATE_BPS}`];
    const options = { hosts: 2, bottleneckGbps: RATE_BPS / 1e9 };
    star = await startStar([...LIVE_PROGRAM, 'switch', ...flags], options);
    hosts = new GroupHosts();
    loadProgram(star, { folder, rateBps: RATE_BPS, program: 'hpcc' });
  }, DEADLINE_MS);

  afterAll(async () => {
    await hosts.stop();
    await star.stop();
    fs.rmSync(folder, { recursive: true });
  }, DEADLINE_MS);

  const run = async (onBoth: readonly string[], onSender: readonly string[] = []) => {
    const [to, from] = star.hosts as [StarHost, StarHost];
    const receiver = await hosts.startAgent(to.leg, ...TUNING, ...onBoth);
    const all = ['-n', '300k', ...TUNING, ...onBoth, ...onSender];
    const { report } = await hosts.send(from.leg, to.address, ...all);
    await receiver.stop();
    return report;
  };

  test.each([
    ['by the own transport', []],
    ['with the algorithm at the receiver', ['--feedback', 'receiver']],
    ['by RDMA WRITE', ['--framing', 'rocev2']],
  ])(
    'a flow is controlled and whole %s',
    async (_, options) => {
      const report = await run(['--ip-version', 'ipv6', ...options], ['--warm-up', '0.2']);
      expect(report.sent?.total).toMatchObject({ unfinishedFlows: 0, uncontrolledFlows: 0 });
      expect(report.sent?.flows[0]?.windowUpdates).toBeGreaterThan(10);
    },
    DEADLINE_MS,
  );

  test(
    'a host that is told of another version is named',
    async () => {
      const [to, from] = star.hosts as [StarHost, StarHost];
      const receiver = await hosts.startAgent(to.leg, ...TUNING);
      const options = ['-n', '300k', '--timeout', '2', '--ip-version', 'ipv6', ...TUNING];
      const { code, stderr } = await hosts.send(from.leg, to.address, ...options);
      await receiver.stop();
      expect(code).not.toBe(0);
      expect(stderr).toContain(`ipVersion is ipv6 here and ipv4 at ${to.address}`);
    },
    DEADLINE_MS,
  );
});
