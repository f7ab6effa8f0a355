import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { RunningHost, HostStar } from '../../../../../bench/live/host-star';
import { startStar } from '../../../../../bench/live/host-star';
import { inNamespace } from '../../../../../bench/live/test-bed';
import type { Leg } from '../../../../../bench/live/test-bed';
import { emitPause, PAUSE_CLASSES, QUANTA_MAX } from '../../../../../common/wire/ip/mac-control';
import type { AgentReport } from '../../../../../host-agent/io/live/run-agent';
import { GroupHosts } from '../../../../support/live/group-hosts';
import { send, startAgent, startHost } from '../../../../support/live-hosts';
import { canMakeNamespaces, makeLeg, removeLeg } from '../../../../support/live-network';
import { LIVE_PROGRAM, PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';

const BOTTLENECK_BPS = 50e6;
/** T covers the turns that processes on a busy machine wait for. */
const TUNING = ['--base-rtt-us', '2000', '--link-rate-bps', '1G', '--expected-flows', '4'];
const PACKET_LOAD = path.join(__dirname, '../../../../../bench/live/packet-load.js');
const ROOT = 'needs root and the ip command to make network namespaces';
const DEADLINE_MS = 60_000;

const receivedOf = (stdout: string): AgentReport => JSON.parse(stdout) as AgentReport;

const textIn = (leg: Leg, ...command: readonly string[]): string => {
  const [executable = '', ...args] = inNamespace(leg, command);
  return spawnSync(executable, args, { encoding: 'utf8' }).stdout;
};

/** Number of packets that the kernel has refused with "port unreachable" and the like. */
function refusals(leg: Leg): number {
  const lines = textIn(leg, 'cat', '/proc/net/snmp').split('\n');
  const [names = [], values = []] = lines
    .filter((line) => line.startsWith('Icmp:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('OutDestUnreachs')]);
}

describeIf(canMakeNamespaces(), 'hosts around hpcc switch', ROOT, () => {
  let star: HostStar;
  let shared: RunningHost | undefined;
  /** PERF: senders that are tried for what they do, not for being processes. */
  let hosts: GroupHosts;
  let legs: readonly Leg[];
  let to: string;

  const leg = (host: number): Leg => legs[host - 1] as Leg;

  beforeAll(async () => {
    const rate = ['--link-rate-bps', `1=${BOTTLENECK_BPS}`];
    star = await startStar([...LIVE_PROGRAM, 'switch', ...rate], {
      hosts: 3,
      bottleneckGbps: BOTTLENECK_BPS / 1e9,
    });
    hosts = new GroupHosts();
    legs = star.hosts.map((host) => host.leg);
    to = star.hosts[0]?.address ?? '';
  }, DEADLINE_MS);

  afterAll(async () => {
    await endReceiver();
    await hosts.stop();
    await star.stop();
  }, DEADLINE_MS);

  const endReceiver = async (): Promise<void> => {
    await shared?.stop('SIGKILL');
    shared = undefined;
  };

  /** PERF: a receiver for all tests that do not look at what it has received, which takes a second to start. */
  const receive = async (): Promise<RunningHost> =>
    (shared ??= await startAgent(leg(1), '--checksum', ...TUNING));

  /** Its report, and those of no flow before. */
  const receiveAlone = async (): Promise<RunningHost> => {
    await endReceiver();
    return receive();
  };

  /** Ends the receiver in good order. */
  const reportOf = async (receiver: RunningHost) => {
    shared = undefined;
    return receiver.stop();
  };

  test(
    'deliver 5 MB exactly once and in order, near the rate of the bottleneck, with its telemetry',
    async () => {
      const receiver = await receiveAlone();
      const refused = refusals(leg(1)) + refusals(leg(2));
      const { code, report } = await send(leg(2), to, '-n', '5M', '--checksum', ...TUNING);
      const flow = report.sent?.flows[0];
      const { stdout } = await reportOf(receiver);
      expect(code).toBe(0);
      expect(flow?.isComplete).toBe(true);
      expect(receivedOf(stdout).received).toEqual([
        { source: '10.0.0.2', flow: flow?.flow, bytes: 5e6, sha256: flow?.sha256 },
      ]);
      expect(flow?.hops).toBe(1);
      expect(flow?.withTelemetry).toBeGreaterThanOrEqual(5000);
      // Loose: other processes share the processors. Figures are in hpcc bench.
      expect(flow?.bitsPerSecond).toBeGreaterThan(0.3 * BOTTLENECK_BPS);
      expect(flow?.bitsPerSecond).toBeLessThan(BOTTLENECK_BPS);
      expect(refusals(leg(1)) + refusals(leg(2))).toBe(refused);
    },
    DEADLINE_MS,
  );

  test(
    'send many flows, each as another ends, and name the latest ones',
    async () => {
      await receive();
      const many = ['-n', '2K', '-P', '8', '--flows', '300', ...TUNING];
      const { code, report } = await hosts.send(leg(2), to, ...many);
      const { flows = [], total } = report.sent ?? {};
      expect(code).toBe(0);
      expect(total).toMatchObject({ flows: 300, bytes: 600_000, unfinishedFlows: 0 });
      expect(flows).toHaveLength(100);
      expect(new Set(flows.map(({ flow }) => flow)).size).toBe(100);
      expect(flows.every(({ isComplete }) => isComplete)).toBe(true);
      const { median = 0, p99 = 0, max = 0 } = total?.fctSeconds ?? {};
      expect([median, p99, max]).toEqual([median, p99, max].sort((a, b) => a - b));
    },
    DEADLINE_MS,
  );

  test(
    'attack 3: send in spite of pauses that do not end, and say so',
    async () => {
      await receive();
      const quanta = new Array<number>(PAUSE_CLASSES).fill(QUANTA_MAX);
      const frame = Buffer.from(emitPause({ classes: 0xff, quanta }, 1)).toString('hex');
      // 64 frames each 10 ms from the other end of the cable, each for 33 ms at 1 Gb/s.
      const storm = spawn(process.execPath, [PACKET_LOAD, leg(2).outer, '60', '6400', frame]);
      const patience = ['--pfc-watchdog-ms', '200', '--log-level', 'warn'];
      const sent = hasReceived(leg(2)).then(() =>
        hosts.send(leg(2), to, '-n', '500K', ...patience, ...TUNING),
      );
      const ended = once(storm, 'exit');
      const { code, report, stderr } = await sent.finally(() => storm.kill('SIGTERM'));
      await ended;
      expect(code).toBe(0);
      expect(report.paused?.storms).toBe(1);
      expect(stderr).toContain('pauses let nothing go: storm, sending in spite of them');
    },
    DEADLINE_MS,
  );

  test(
    'measure T before they send, which ten packets of the bottleneck bound below',
    async () => {
      await receive();
      const tuning = ['--base-rtt-us', 'auto', '--link-rate-bps', '50M', '--expected-flows', '4'];
      const { code, report } = await hosts.send(leg(2), to, '-n', '500K', ...tuning);
      const flow = report.sent?.flows[0];
      expect(code).toBe(0);
      expect(flow?.isComplete).toBe(true);
      // 1106 bytes on the wire; above that it is what the machine takes.
      expect(flow?.baseRttUs).toBeGreaterThanOrEqual((10 * 1106 * 8) / 50);
      expect(flow?.baseRttUs).toBeLessThan(1e6);
    },
    DEADLINE_MS,
  );

  test(
    'share a bottleneck',
    async () => {
      await receive();
      const both = [2, 3].map((host) => hosts.send(leg(host), to, '-t', '2', ...TUNING));
      const rates = (await Promise.all(both)).map(({ report }) => report.sent?.total.bitsPerSecond);
      const [a = 0, b = 0] = rates;
      expect((a + b) ** 2 / (2 * (a * a + b * b))).toBeGreaterThan(0.7);
      expect(a + b).toBeLessThan(BOTTLENECK_BPS);
    },
    DEADLINE_MS,
  );

  test(
    'sign their feedback, count flows and leave a trace, and refuse what has another key',
    async () => {
      await endReceiver();
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-agent-'));
      const keys = (name: string, byte: string): string => {
        const file = path.join(folder, name);
        fs.writeFileSync(file, JSON.stringify({ signing: 1, keys: { 1: byte.repeat(32) } }), {
          mode: 0o600,
        });
        return file;
      };
      const both = ['--flow-count', 'receiver', ...TUNING];
      shared = await startAgent(leg(1), '--keys', keys('good', '0a'), ...both);
      const trace = path.join(folder, 'trace');
      const good = ['--keys', keys('good', '0a'), '--trace', trace, ...both];
      const { code, report } = await hosts.send(leg(2), to, '-n', '500K', ...good);
      const lines = fs.readFileSync(trace, 'utf8').trim().split('\n');
      expect(code).toBe(0);
      expect(report.sent?.flows[0]?.withTelemetry).toBeGreaterThanOrEqual(500);
      expect(lines.length).toBeGreaterThan(400);
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
        flow: report.sent?.flows[0]?.flow,
        hops: [[1, expect.any(Number), expect.any(Number)]],
      });
      const bad = ['--keys', keys('bad', '0b'), '--timeout', '1', ...both];
      const refused = startHost(leg(2), ['send', to, '-n', '5K', '--json', ...bad]);
      const { code: badCode, stderr, stdout } = await refused.ended;
      const none = startHost(leg(2), ['send', to, '-n', '5K', '--json', '--timeout', '1', ...both]);
      const without = await none.ended;
      await endReceiver();
      fs.rmSync(folder, { recursive: true });
      expect(badCode).toBe(1);
      expect(stderr).toContain('not signed with the --keys of this host; run both hosts with');
      expect((JSON.parse(stdout) as { error: string }).error).toContain('does not answer');
      expect(without.code).toBe(1);
      expect((JSON.parse(without.stdout) as { error: string }).error).toContain(
        'they are signed, and this host has no --keys',
      );
    },
    DEADLINE_MS,
  );

  test(
    'end with 1 and say so when they sent without control',
    async () => {
      await receive();
      const other = ['--feedback', 'receiver', '--log-level', 'error', ...TUNING];
      const { code, report, stderr } = await hosts.send(leg(2), to, '-t', '0.3', ...other);
      const [flow] = report.sent?.flows ?? [];
      expect(flow).toMatchObject({ isComplete: true });
      expect(flow?.uncontrolledSeconds).toBeGreaterThan(0.1);
      expect(code).toBe(1);
      const said =
        /hpcc: sent without control, since no feedback came that could be used: \[(\d+)\] for ([\d.]+) s/;
      const [, id, seconds] = said.exec(stderr) ?? [];
      expect(Number(id)).toBe(flow?.flow);
      expect(Number(seconds)).toBeCloseTo(flow?.uncontrolledSeconds ?? NaN, 1);
      expect(stderr).toContain('feedback is receiver here and ack at 10.0.0.1');
    },
    DEADLINE_MS,
  );

  test(
    'advise on T when much is sent again and nobody has chosen it',
    async () => {
      await receive();
      const rate = ['--link-rate-bps', '1G', '--rto-ms', '0.5'];
      const { report, stderr } = await hosts.send(leg(2), to, '-t', '1', ...rate);
      const { bytes = 0, segmentsRetransmitted = 0 } = report.sent?.total ?? {};
      expect(segmentsRetransmitted).toBeGreaterThan(0.01 * (bytes / 1000));
      expect(stderr).toContain(
        `hpcc: ${segmentsRetransmitted} segments were sent again: T is the default of 1000 us; ` +
          'where round trips are longer, give both hosts --base-rtt-us',
      );
      const chosen = await hosts.send(leg(2), to, '-t', '1', ...rate, '--base-rtt-us', '900');
      expect(chosen.stderr).not.toContain('sent again');
    },
    DEADLINE_MS,
  );

  test(
    'end on SIGTERM with a report and leave the interface as it was',
    async () => {
      const receiver = await receiveAlone();
      const sender = startHost(leg(2), ['send', to, '-t', '30', '--json', ...TUNING]);
      await receiverHasData(star);
      const sent = await sender.stop();
      const { code, stdout } = await reportOf(receiver);
      expect([code, sent.code]).toEqual([0, 1]);
      expect(JSON.parse(sent.stdout)).toMatchObject({ sent: { total: { unfinishedFlows: 1 } } });
      expect(receivedOf(stdout).host.dataReceived).toBeGreaterThan(0);
      for (const host of [leg(1), leg(2)]) {
        expect(textIn(host, 'ip', '-d', 'link', 'show', host.inner)).toContain('promiscuity 0');
        expect(textIn(host, 'cat', '/proc/net/udp').trim().split('\n')).toHaveLength(1);
        expect(textIn(host, 'cat', '/proc/net/packet').trim().split('\n')).toHaveLength(1);
      }
    },
    DEADLINE_MS,
  );

  test(
    'warm up with a flow that is in no total and no trace',
    async () => {
      const receiver = await receiveAlone();
      const trace = path.join(os.tmpdir(), `hpcc-warm-up-${process.pid}.jsonl`);
      const options = ['-n', '200K', '--warm-up', '0.3', '--trace', trace, ...TUNING];
      const { code, report } = await send(leg(2), to, ...options);
      const flow = report.sent?.flows[0]?.flow;
      const { stdout } = await reportOf(receiver);
      const lines = fs.readFileSync(trace, 'utf8').trim().split('\n');
      fs.rmSync(trace);
      expect(code).toBe(0);
      expect(report.sent?.total).toMatchObject({ bytes: 200e3, unfinishedFlows: 0 });
      expect(report.traceLinesLost).toBe(0);
      const [warmUp, measured] = receivedOf(stdout).received;
      expect(warmUp?.bytes).toBeGreaterThan(0);
      expect(warmUp?.flow).not.toBe(flow);
      expect(measured).toMatchObject({ flow, bytes: 200e3 });
      const traced = lines.map((line) => (JSON.parse(line) as { flow: number }).flow);
      expect([...new Set(traced)]).toEqual([flow]);
    },
    DEADLINE_MS,
  );

  test(
    'have sent nothing when they end while they warm up',
    async () => {
      await receive();
      const sender = startHost(leg(2), [
        'send',
        '--json',
        to,
        '--warm-up',
        '60',
        '--log-level',
        'info',
        ...TUNING,
      ]);
      await sender.logged(/"msg":"ready"/);
      const { stdout } = await sender.stop();
      expect(receivedOf(stdout).sent).toMatchObject({ flows: [], total: { bytes: 0 } });
    },
    DEADLINE_MS,
  );
});

/** Packets pass: the receiver's side of the switch sees more than a few. */
async function receiverHasData(star: HostStar): Promise<void> {
  await hasReceived((star.hosts[0] as (typeof star.hosts)[number]).leg);
}

async function hasReceived(leg: Leg): Promise<void> {
  const packets = (): number =>
    Number(textIn(leg, 'cat', `/sys/class/net/${leg.inner}/statistics/rx_packets`));
  for (const before = packets(); packets() < before + 50;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describeIf(
  canMakeNamespaces() && spawnSync('ethtool', ['--version']).status === 0,
  'hosts over UDP sockets',
  `${ROOT}, and ethtool on PATH`,
  () => {
    test(
      'deliver 1 MB exactly once and in order without rights, telemetry included',
      async () => {
        const star = await startStar([...LIVE_PROGRAM, 'switch'], {
          hosts: 2,
          bottleneckGbps: 1,
        });
        try {
          const [to, from] = star.hosts as [(typeof star.hosts)[0], (typeof star.hosts)[0]];
          // Virtual cables carry what the kernel has not yet put a checksum on.
          for (const { leg } of star.hosts) textIn(leg, 'ethtool', '-K', leg.inner, 'tx', 'off');
          const udp = ['--transport', 'udp', '--user', 'nobody', '--checksum', ...TUNING];
          const receiver = await startAgent(to.leg, ...udp);
          const argv = ['-n', '1M', '--rate', '20M', ...udp];
          const { report } = await send(from.leg, to.address, ...argv);
          const { stdout } = await receiver.stop();
          const flow = report.sent?.flows[0];
          expect(receivedOf(stdout).received).toMatchObject([{ bytes: 1e6, sha256: flow?.sha256 }]);
          expect(flow?.hops).toBe(1);
        } finally {
          await star.stop();
        }
      },
      DEADLINE_MS,
    );
  },
);

describeIf(canMakeNamespaces(), 'hpcc agent and hpcc send', ROOT, () => {
  let leg: Leg;

  beforeEach(() => {
    leg = makeLeg();
    const ip = ['ip', 'addr', 'add', '10.0.0.1/24', 'dev', leg.inner];
    textIn(leg, ...ip);
  });

  afterEach(() => removeLeg(leg));

  const run = (...argv: readonly string[]) => startHost(leg, argv).ended;

  test.each([
    [
      'an unknown address',
      ['10.0.0.9'],
      'hpcc: 10.0.0.9 does not answer ARP on host; give its MAC address with --peer-mac\n',
    ],
    [
      'an address without a route',
      ['10.1.0.9'],
      'hpcc: no route of host leads to 10.1.0.9; give the next hop with --peer-mac\n',
    ],
    [
      'a host without an agent',
      ['10.0.0.9', '--peer-mac', '02:00:00:00:00:09', '--timeout', '0.3', '-n', '1M'],
      'hpcc: 10.0.0.9 does not answer: nothing acknowledged for 0.3 s; ' +
        'does hpcc agent run there, and does a way lead there and back?\n',
    ],
    [
      'no address at all',
      ['somewhere'],
      "hpcc: destination must be an IPv4 address such as 10.0.0.1, got 'somewhere'\n",
    ],
    [
      'segments that do not fit',
      ['10.0.0.9', '--mss', '1400'],
      'hpcc: 1400 bytes of payload, 68 of headers and 8 hops of telemetry need an MTU of 1724, ' +
        'and host has 1500: lower --mss or --hop-limit\n',
    ],
    [
      'an unknown user',
      ['10.0.0.9', '--user', 'nosuch'],
      "hpcc: no user 'nosuch' in /etc/passwd\n",
    ],
    [
      'no port for metrics',
      ['10.0.0.9', '--metrics', 'x'],
      "hpcc: --metrics must be HOST:PORT or PORT, got 'x'\n",
    ],
  ])(
    'refuse %s',
    async (_what, argv, message) => {
      const { code, stderr } = await run('send', ...argv);
      expect([code, stderr]).toEqual([1, message]);
    },
    DEADLINE_MS,
  );

  test(
    'say what is missing: the interface, the right, the port',
    async () => {
      const missing = spawnSync(process.execPath, [PROGRAM, 'agent', '-i', 'nosuch0'], {
        encoding: 'utf8',
      });
      expect(missing.stderr).toBe(
        "hpcc: no network interface 'nosuch0' (ip link lists those that exist)\n",
      );
      const without = ['setpriv', '--bounding-set', '-net_raw', '--inh-caps', '-net_raw'];
      const [executable = '', ...args] = inNamespace(leg, [
        ...without,
        process.execPath,
        PROGRAM,
        'agent',
        '-i',
        leg.inner,
      ]);
      expect(spawnSync(executable, args, { encoding: 'utf8' }).stderr).toBe(
        'hpcc: opening interface host needs root or the capability CAP_NET_RAW\n',
      );
      const first = await startAgent(leg);
      const second = await run('agent');
      await first.stop();
      expect([second.code, second.stderr]).toEqual([
        1,
        'hpcc: UDP port 50002 of 10.0.0.1 is in use; ' +
          'does another hpcc agent run here (ss -lnup)?\n',
      ]);
    },
    DEADLINE_MS,
  );

  test(
    'serve metrics as another user',
    async () => {
      textIn(leg, 'ip', 'link', 'set', 'lo', 'up');
      const host = await startAgent(leg, '--metrics', '0', '--user', 'nobody');
      const [, port] = await host.logged(/"port":(\d+),"msg":"metrics are served"/);
      const url = `http://127.0.0.1:${port ?? ''}/metrics`;
      const script = `fetch('${url}').then((r) => r.text()).then(console.log)`;
      const text = textIn(leg, process.execPath, '-e', script);
      const status = textIn(leg, 'cat', `/proc/${host.child.pid ?? 0}/status`);
      await host.stop();
      expect(text).toContain('hpcc_agent_packets_total{kind="dataReceived"} 0');
      expect(text).toContain('hpcc_agent_packets_rejected_total{reason="malformed"} 0');
      expect(status).not.toMatch(/^Uid:\s+0/m);
    },
    DEADLINE_MS,
  );
});
