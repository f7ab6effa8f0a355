import { createHash } from 'node:crypto';
import { startStar } from '../../../../../bench/live/host-star';
import type { HostStar } from '../../../../../bench/live/host-star';
import type { Leg } from '../../../../../bench/live/test-bed';
import { PayloadPattern } from '../../../../../host-agent/traffic/payload-pattern';
import type { AgentReport } from '../../../../../host-agent/io/live/run-agent';
import { send, startAgent, startHost } from '../../../../support/live-hosts';
import { canMakeNamespaces, makeLeg, removeLeg } from '../../../../support/live-network';
import { LIVE_PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';

const BOTTLENECK_BPS = 50e6;
const BYTES = 1_000_000;
const FRAMING = ['--framing', 'rocev2', '--checksum'];
/** T covers the turns that processes on a busy machine wait for. */
const TUNING = ['--base-rtt-us', '2000', '--link-rate-bps', '1G', '--expected-flows', '4'];
const ROOT = 'needs root and the ip command to make network namespaces';
const DEADLINE_MS = 60_000;

const reportOf = (stdout: string): AgentReport => JSON.parse(stdout) as AgentReport;

/** SHA-256 of what the sender of a flow sends. */
function patternDigest(flow: number, bytes: number): string {
  const pattern = new PayloadPattern(flow);
  const hash = createHash('sha256');
  for (let at = 0; at < bytes; at += 1000) hash.update(pattern.at(at, Math.min(1000, bytes - at)));
  return hash.digest('hex');
}

describeIf(canMakeNamespaces(), 'hosts over RoCEv2 around hpcc switch', ROOT, () => {
  let star: HostStar;
  let legs: readonly Leg[];
  const leg = (host: number): Leg => legs[host - 1] as Leg;

  beforeAll(async () => {
    const rate = ['--link-rate-bps', `1=${BOTTLENECK_BPS}`];
    star = await startStar([...LIVE_PROGRAM, 'switch', ...rate], {
      hosts: 2,
      bottleneckGbps: BOTTLENECK_BPS / 1e9,
    });
    legs = star.hosts.map((host) => host.leg);
  }, DEADLINE_MS);

  afterAll(() => star.stop(), DEADLINE_MS);

  test(
    'deliver 1 MB by WRITE exactly once and in order, within the bottleneck',
    async () => {
      const options = [...FRAMING, ...TUNING];
      const receiver = await startAgent(leg(1), ...options);
      const argv = [star.hosts[0]?.address ?? '', '-n', String(BYTES), ...options];
      const { code, report } = await send(leg(2), ...argv);
      const flow = report.sent?.flows[0];
      const { stdout } = await receiver.stop();
      expect(code).toBe(0);
      expect(reportOf(stdout).received).toEqual([
        { source: '10.0.0.2', flow: flow?.flow, bytes: BYTES, sha256: flow?.sha256 },
      ]);
      expect(reportOf(stdout).host.packetsRejected['bad-icrc']).toBe(0);
      expect(flow?.hops).toBe(1);
      expect(flow?.bitsPerSecond).toBeLessThan(BOTTLENECK_BPS);
    },
    DEADLINE_MS,
  );

  test(
    'fetch 1 MB by READ exactly once and in order, with probes of the host that it comes from',
    async () => {
      const options = [...FRAMING, ...TUNING, '--feedback', 'probe'];
      // Data that is read from host 2 crosses the slow port to host 1.
      const source = await startAgent(leg(2), ...options);
      const argv = [star.hosts[1]?.address ?? '', '-n', String(BYTES), '--first-flow', '77'];
      const { code, report } = await send(leg(1), ...argv, '--operation', 'read', ...options);
      const { stdout } = await source.stop();
      expect(code).toBe(0);
      const sha256 = patternDigest(77, BYTES);
      expect(report.received).toEqual([{ source: '10.0.0.2', flow: 77, bytes: BYTES, sha256 }]);
      expect(report.host.packetsRejected['bad-icrc']).toBe(0);
      expect(report.sent?.flows[0]?.bitsPerSecond).toBeLessThan(BOTTLENECK_BPS);
      expect(reportOf(stdout).host.dataSent).toBeGreaterThanOrEqual(Math.ceil(BYTES / 1024));
    },
    DEADLINE_MS,
  );
});

describeIf(canMakeNamespaces(), 'hpcc send over RoCEv2', ROOT, () => {
  let leg: Leg;
  beforeEach(() => {
    leg = makeLeg();
  });
  afterEach(() => removeLeg(leg));

  const address = ['--address', '10.0.0.1', '--peer-mac', '02:00:00:00:00:02'];

  test.each([
    [
      'a path MTU that InfiniBand does not have',
      [...address, '--framing', 'rocev2', '--mss', '1000'],
      'hpcc: the path MTU of RoCEv2 must be 256, 512, 1024, 2048, 4096, got 1000\n',
    ],
    [
      'an operation without RoCEv2',
      [...address, '--operation', 'read'],
      'hpcc: --operation needs --framing rocev2\n',
    ],
    [
      'a peer that does not answer',
      [...address, '--framing', 'rocev2', '-n', '1K', '--rto-ms', '2'],
      'hpcc: flow 7 with 10.0.0.2 was given up: no answer after 7 retries\n',
    ],
  ])('refuses %s', async (_what, argv, message) => {
    const host = startHost(leg, ['send', '10.0.0.2', '--first-flow', '7', ...argv]);
    const { code, stderr } = await host.ended;
    expect(stderr).toBe(message);
    expect(code).toBe(1);
  });
});
