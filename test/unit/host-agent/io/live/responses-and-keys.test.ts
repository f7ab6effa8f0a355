import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { withoutOffloads } from '../../../../../bench/live/iperf';
import { startStar } from '../../../../../bench/live/host-star';
import type { HostStar, StarHost } from '../../../../../bench/live/host-star';
import { GroupHosts } from '../../../../support/live/group-hosts';
import type { SendReport } from '../../../../support/live-hosts';
import { canMakeNamespaces, LEAST_LIVE_UTILIZATION } from '../../../../support/live-network';
import { LIVE_PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';
import { loadProgram } from '../../../../support/star-network';

const RATE_BPS = 10e6;
const SECONDS = 1.2;
const DEADLINE_MS = 120_000;
/** Other work on the machine may take the processor from all of it: the best of a few runs counts. */
const ATTEMPTS = 6;
const ROOT = 'needs root and the ip command to make network namespaces';
const TUNING = [
  '--base-rtt-us',
  '10000',
  '--link-rate-bps',
  String(RATE_BPS),
  '--expected-flows',
  '2',
  '--rto-ms',
  '500',
  '--max-stage',
  '0',
];
/** Answers of the switch: packets with feedback beyond one for each data packet. */
const beyondAcks = (reports: readonly SendReport[]): number =>
  reports.reduce((sum, { host }) => sum + host.acksReceived - host.dataSent, 0);

/** Share of 1000 bytes of payload in their frame behind one switch, with the token of their flow. */
const PAYLOAD_SHARE = 1000 / 1114;

describeIf(
  canMakeNamespaces(),
  'hosts on a switch of ours, with what scenarios have too',
  ROOT,
  () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-live-'));
    let star: HostStar;
    let hosts: GroupHosts;

    beforeAll(async () => {
      const flags = ['--link-rate-bps', `1=${RATE_BPS}`];
      const options = { hosts: 3, bottleneckGbps: RATE_BPS / 1e9 };
      star = await startStar([...LIVE_PROGRAM, 'switch', ...flags], options);
      // Virtual cables carry what the kernel has not yet put a checksum on.
      for (const { leg } of star.hosts) withoutOffloads(leg);
      hosts = new GroupHosts();
    }, DEADLINE_MS);

    afterAll(async () => {
      await hosts.stop();
      await star.stop();
      fs.rmSync(folder, { recursive: true });
    }, DEADLINE_MS);

    const load = (program: string, telemetry: object): void =>
      loadProgram(star, { folder, rateBps: RATE_BPS, program, telemetry });

    /** Two flows of two hosts to one. */
    const both = async (argv: readonly string[]): Promise<readonly SendReport[]> => {
      const [to, ...from] = star.hosts as [StarHost, ...StarHost[]];
      const receiver = await hosts.startAgent(to.leg, ...TUNING, ...argv);
      const flows = from.map(({ leg }) =>
        hosts.send(leg, to.address, '-t', String(SECONDS), ...TUNING, ...argv),
      );
      const reports = (await Promise.all(flows)).map(({ report }) => report);
      await receiver.stop();
      return reports;
    };

    const utilisation = (reports: readonly SendReport[]): number =>
      reports.reduce((sum, { sent }) => sum + (sent?.total.bitsPerSecond ?? 0), 0) /
      (RATE_BPS * PAYLOAD_SHARE);

    /** The first run that keeps the link busy, or else the busiest. */
    const busiest = async (run: () => Promise<readonly SendReport[]>) => {
      let best = await run();
      for (let i = 1; i < ATTEMPTS && utilisation(best) < LEAST_LIVE_UTILIZATION; i++) {
        const next = await run();
        if (utilisation(next) > utilisation(best)) best = next;
      }
      expect(utilisation(best)).toBeGreaterThan(LEAST_LIVE_UTILIZATION);
      for (const { sent } of best) {
        expect(sent?.total).toMatchObject({ unfinishedFlows: 0, segmentsRetransmitted: 0 });
      }
      return best;
    };

    test(
      'keep a link busy with answers of its switch, of which none is refused',
      async () => {
        load('hpcc-feedback', { feedback: { queueBytes: 3000, interval: '2 ms' } });
        const reports = await busiest(() => both(['--switch-responses']));
        expect(beyondAcks(reports)).toBeGreaterThan(0);
      },
      DEADLINE_MS,
    );

    test.each([
      ['packet', ['--transport', 'packet']],
      ['UDP', ['--transport', 'udp']],
    ])(
      'keep a link busy by answers of its switch alone over %s sockets',
      async (_, transport) => {
        load('hpcc-feedback', { feedback: { queueBytes: 3000, interval: '2 ms' } });
        const reports = await busiest(() => both([...transport, '--switch-responses', 'only']));
        for (const { sent } of reports) {
          for (const { switchResponses = 0, withTelemetry, windowUpdates } of sent?.flows ?? []) {
            expect(switchResponses).toBeGreaterThan(5);
            // Answers are all the telemetry that there is.
            expect(withTelemetry).toBe(switchResponses);
            expect(windowUpdates).toBeGreaterThan(switchResponses);
          }
        }
      },
      DEADLINE_MS,
    );

    test(
      'keep a link busy with keys and answers that its switch signs, and refuse all with another key',
      async () => {
        const secret = (name: string, content: object): string => {
          const file = path.join(folder, name);
          fs.writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
          return file;
        };
        const keys = secret('both.json', { signing: 1, keys: { 1: '07'.repeat(32) } });
        const bytes = '5a'.repeat(16);
        const answers = secret('answers.json', { 3: bytes });
        const others = secret('others.json', { 3: 'a5'.repeat(16) });
        const signing = { key: { id: 3, bytes } };
        load('hpcc-feedback-signed', { feedback: { queueBytes: 3000, interval: '2 ms', signing } });
        const asking = ['--switch-responses', '--keys', keys, '--plausibility', 'off'];
        const refused = (reports: readonly SendReport[]): number =>
          reports.reduce((sum, { host }) => sum + host.packetsRejected.unauthenticated, 0);
        const reports = await busiest(() => both([...asking, '--answer-keys', answers]));
        expect(refused(reports)).toBe(0);
        expect(beyondAcks(reports)).toBeGreaterThan(0);
        expect(refused(await both([...asking, '--answer-keys', others]))).toBeGreaterThan(10);
      },
      DEADLINE_MS,
    );

    test(
      'keep a link busy with keys, whose telemetry is plausible, and refuse what a limit forbids',
      async () => {
        const keys = path.join(folder, 'keys.json');
        fs.writeFileSync(keys, JSON.stringify({ signing: 1, keys: { 1: '07'.repeat(32) } }), {
          mode: 0o600,
        });
        load('hpcc', {});
        const rejected = (reports: readonly SendReport[]): number =>
          reports
            .flatMap(({ sent }) => sent?.flows ?? [])
            .reduce((n, f) => n + f.telemetryRejected, 0);
        const limits = ['--queue-capacity-bytes', '1M', '--fastest-link-bps', '1G'];
        const reports = await busiest(() => both(['--keys', keys, ...limits]));
        expect(rejected(reports)).toBe(0);
        const refusing = await both(['--keys', keys, '--fastest-link-bps', '1M']);
        expect(rejected(refusing)).toBeGreaterThan(100);
      },
      DEADLINE_MS,
    );
  },
);
