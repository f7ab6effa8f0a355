import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { startStar } from '../../../../../bench/live/host-star';
import type { HostStar } from '../../../../../bench/live/host-star';
import { inNamespace } from '../../../../../bench/live/test-bed';
import type { Leg } from '../../../../../bench/live/test-bed';
import { wordsAt } from '../../../../../host-agent/settings/idle';
import type { AgentReport } from '../../../../../host-agent/io/live/run-agent';
import { EFFORT } from '../../../../support/effort';
import { GroupHosts } from '../../../../support/live/group-hosts';
import type { SendReport } from '../../../../support/live-hosts';
import { canMakeNamespaces } from '../../../../support/live-network';
import { LIVE_PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';

const BOTTLENECK_BPS = 50e6;
const TUNING = ['--base-rtt-us', '2000', '--link-rate-bps', '1G', '--expected-flows', '4'];
/** Window of a flow at line rate with that T. */
const FIRST_WINDOW = (1e9 * 2e-3) / 8;
const ROOT = 'needs root and the ip command to make network namespaces';
const DEADLINE_MS = 60_000;
/** PERF: each look at metrics is a process. */
const LOOK_MS = 200;

interface TraceLine {
  readonly windowBytes: number;
  readonly queueBytes: number | null;
  readonly hops: readonly unknown[];
  readonly normalizedInflight: number | null;
  readonly endsRound: boolean | null;
  readonly source?: string;
}

const linesOf = (file: string): TraceLine[] =>
  fs
    .readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceLine);

/** Metrics of a process in a namespace. */
function metricsOf(leg: Leg, port: number): string {
  const script = `fetch('http://127.0.0.1:${port}/metrics').then(async (r) => process.stdout.write(await r.text()))`;
  const [executable = '', ...args] = inNamespace(leg, [process.execPath, '-e', script]);
  return spawnSync(executable, args, { encoding: 'utf8' }).stdout;
}

const gauge = (metrics: string, name: string): number | undefined => {
  const line = metrics.split('\n').find((each) => each.startsWith(`hpcc_flow_${name}{`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};

/** Metrics once the flow is controlled. */
async function metricsUnderControl(leg: Leg, port: number): Promise<string> {
  for (;;) {
    const metrics = metricsOf(leg, port);
    if ((gauge(metrics, 'window_updates') ?? 0) > 10) return metrics;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

describeIf(canMakeNamespaces(), 'hosts whose receiver runs the algorithm', ROOT, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-receiver-loops-'));
  let star: HostStar;
  let hosts: GroupHosts;

  beforeAll(async () => {
    const rate = ['--link-rate-bps', `1=${BOTTLENECK_BPS}`];
    star = await startStar([...LIVE_PROGRAM, 'switch', ...rate], {
      hosts: 2,
      bottleneckGbps: BOTTLENECK_BPS / 1e9,
    });
    hosts = new GroupHosts();
    // Metrics are served on loopback.
    for (const { leg } of star.hosts) {
      spawnSync('ip', ['-n', leg.namespace, 'link', 'set', 'lo', 'up']);
    }
  }, DEADLINE_MS);

  afterAll(async () => {
    await hosts.stop();
    await star.stop();
    fs.rmSync(folder, { recursive: true });
  }, DEADLINE_MS);

  /** Starts `hpcc send` with the options of both hosts that it takes. */
  const startSender = (leg: Leg, argv: readonly string[]) =>
    hosts.start(leg, [...wordsAt(argv, { starts: true, answers: false }), '-i', leg.inner]);

  const run = async (loop: readonly string[]) => {
    const [to, from] = star.hosts;
    if (to === undefined || from === undefined) throw new Error('the star has two hosts');
    const [atReceiver, atSender] = ['receiver', 'sender'].map((name) => path.join(folder, name));
    for (const file of [atReceiver, atSender]) fs.rmSync(file as string, { force: true });
    const options = (trace = '', port = 0) => [
      ...loop,
      ...TUNING,
      '--trace',
      trace,
      '--metrics',
      String(port),
    ];
    const receiver = await hosts.startAgent(to.leg, ...options(atReceiver, 9101));
    const sending = startSender(from.leg, [
      'send',
      to.address,
      '-t',
      '4',
      '--json',
      '--log-level',
      'info',
      ...options(atSender, 9102),
    ]);
    await sending.logged(/"msg":"ready"/);
    const metrics = {
      sender: await metricsUnderControl(from.leg, 9102),
      receiver: await metricsUnderControl(to.leg, 9101),
    };
    const { stdout } = await sending.ended();
    const received = await receiver.stop();
    return {
      metrics,
      sent: JSON.parse(stdout) as SendReport,
      received: JSON.parse(received.stdout) as AgentReport,
      traces: { sender: linesOf(atSender as string), receiver: linesOf(atReceiver as string) },
    };
  };

  test.each([
    ['hpcc', 'receiver'],
    ['rocev2', 'receiver-probe'],
    ...(EFFORT > 1
      ? [
          ['hpcc', 'receiver-probe'],
          ['rocev2', 'receiver'],
        ]
      : []),
  ] as [string, string][])(
    'say at both ends who controls a flow, and how: %s, %s',
    async (framing, feedback) => {
      const { metrics, sent, received, traces } = await run([
        '--framing',
        framing,
        '--feedback',
        feedback,
      ]);
      const flow = sent.sent?.flows[0];
      // Moments without control are those of a busy machine, and may make the exit code 1.
      expect(flow?.isComplete).toBe(true);
      expect(flow?.uncontrolledSeconds).toBeLessThan((flow?.seconds ?? 0) / 2);
      const controlled = received.controlled?.[0];
      // The sender: windows that were granted, and nothing of what only the receiver knows.
      expect(flow).toMatchObject({ controlAt: 'receiver', normalizedInflight: null, hops: null });
      expect(flow?.windowUpdates).toBeGreaterThan(10);
      expect(flow?.windowBytes).toBeLessThan(FIRST_WINDOW / 2);
      expect(flow?.queueBytesMax).toBeNull();
      // And a line each time that the receiver was silent for long, which halves the window.
      expect(traces.sender.length).toBeGreaterThanOrEqual(flow?.windowUpdates ?? Infinity);
      expect(traces.sender.at(-1)).toMatchObject({ hops: [], normalizedInflight: null });
      expect(traces.sender.at(-1)?.windowBytes).toBe(Math.round(flow?.windowBytes ?? 0));
      expect(gauge(metrics.sender, 'window_bytes')).toBeLessThanOrEqual(FIRST_WINDOW);
      expect(gauge(metrics.sender, 'normalized_inflight')).toBeUndefined();
      // The receiver: the same fields, with the path.
      expect(controlled).toMatchObject({
        source: '10.0.0.2',
        flow: flow?.flow,
        controlAt: 'receiver',
        hops: 1,
      });
      expect(controlled?.windowBytes).toBeLessThan(FIRST_WINDOW / 2);
      expect(controlled?.normalizedInflight).toBeGreaterThan(0);
      expect(controlled?.withTelemetry).toBeGreaterThan(10);
      expect(traces.receiver.length).toBeGreaterThan(10);
      expect(traces.receiver.at(-1)).toMatchObject({
        source: '10.0.0.2',
        hops: [[1, expect.any(Number), expect.any(Number)]],
      });
      expect(gauge(metrics.receiver, 'window_bytes')).toBeLessThanOrEqual(FIRST_WINDOW);
      expect(gauge(metrics.receiver, 'normalized_inflight')).toBeGreaterThan(0);
      expect(gauge(metrics.receiver, 'hops')).toBe(1);
    },
    DEADLINE_MS,
  );

  test(
    'say so in words, as they say that no window came',
    async () => {
      const [to, from] = star.hosts;
      const loop = ['--feedback', 'receiver', ...TUNING];
      const argv = ['send', to?.address ?? '', ...loop];
      const words = async (payload: string, agent: readonly string[]): Promise<string> => {
        const receiver = await hosts.startAgent(to?.leg as Leg, ...agent);
        const { stdout } = await startSender(from?.leg as Leg, [...argv, '-n', payload]).ended();
        await receiver.stop();
        return stdout;
      };
      // Long enough that the first round trip of a cold switch is no twentieth of it.
      expect(await words('4M', loop)).toMatch(/^controlled by the receiver: /m);
      expect(await words('500K', TUNING)).toMatch(/^no window came from the receiver, /m);
    },
    DEADLINE_MS,
  );
});
