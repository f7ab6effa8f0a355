import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { canMeasureTcp, runIperf, withoutOffloads } from '../../../../../bench/live/iperf';
import { startStar } from '../../../../../bench/live/host-star';
import type { HostStar, StarHost } from '../../../../../bench/live/host-star';
import { inNamespace } from '../../../../../bench/live/test-bed';
import { startAgent } from '../../../../support/live-hosts';
import { canMakeNamespaces } from '../../../../support/live-network';
import { LIVE_PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';
import { loadProgram } from '../../../../support/star-network';

const RATE_BPS = 10e6;
const UPPER_DSCP = 46;
const PORT = 7001;
const DEADLINE_MS = 90_000;

/** One connection at 1 Mb/s: a second and a half in class 0, as long in the upper one. */
const TWO_CLASSES = `
import socket, sys, time
mode, address = sys.argv[1:3]
if mode == 'receive':
    server = socket.create_server((address, ${PORT}))
    print('listening', flush=True)
    peer, _ = server.accept()
    while peer.recv(65536): pass
else:
    peer = socket.create_connection((address, ${PORT}))
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for dscp in (0, ${UPPER_DSCP}):
        peer.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, dscp << 2)
        print(time.time(), flush=True)
        end = time.time() + 1.5
        while time.time() < end:
            peer.send(bytes(1250))
            time.sleep(0.01)
    peer.close()
`;

interface Sample {
  readonly t: number;
  readonly flow: string;
  readonly queueBytes: number;
}

const median = (samples: readonly Sample[]): number =>
  samples.map(({ queueBytes }) => queueBytes).sort((a, b) => a - b)[samples.length >> 1] ?? NaN;

function python({ leg }: StarHost, ...args: readonly string[]) {
  const [executable = '', ...rest] = inNamespace(leg, ['python3', '-c', TWO_CLASSES, ...args]);
  const child = spawn(executable, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  const listening = new Promise<void>((resolve) => {
    child.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
      resolve();
    });
  });
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(text)));
  return { listening, ended };
}

describeIf(
  canMakeNamespaces() && canMeasureTcp(),
  'probes of TCP connections of two classes',
  'needs root, tc, ethtool and iperf3',
  () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-classes-'));
    let star: HostStar;
    let to: StarHost;
    let from: StarHost;

    beforeAll(async () => {
      const flags = ['--link-rate-bps', `1=${RATE_BPS}`, '--priority-queues', '8'];
      const options = { hosts: 2, bottleneckGbps: RATE_BPS / 1e9 };
      star = await startStar([...LIVE_PROGRAM, 'switch', ...flags], options);
      [to, from] = star.hosts as [StarHost, StarHost];
      star.hosts.forEach(({ leg }) => withoutOffloads(leg));
      const telemetry = { classes: [{ dscp: UPPER_DSCP, queue: 7 }] };
      loadProgram(star, { folder, rateBps: RATE_BPS, program: 'hpcc-queues', telemetry });
    }, DEADLINE_MS);

    afterAll(async () => {
      await star.stop();
      fs.rmSync(folder, { recursive: true });
    }, DEADLINE_MS);

    /** Samples of the probes of the slow connection, before and after it changes its class. */
    async function look(): Promise<readonly [readonly Sample[], readonly Sample[]]> {
      const trace = path.join(folder, 'trace.jsonl');
      fs.rmSync(trace, { force: true });
      const receiver = await startAgent(to.leg, '--tcp', '--tcp-observe');
      const agent = await startAgent(from.leg, '--tcp', '--tcp-observe', '--trace', trace);
      const load = runIperf(from, to, { seconds: 4, congestionControl: 'cubic' });
      await new Promise((resolve) => setTimeout(resolve, 500));
      const server = python(to, 'receive', to.address);
      await server.listening;
      const times = await python(from, 'send', to.address).ended;
      await Promise.all([load, server.ended]);
      await agent.stop();
      await receiver.stop();
      const changeAt = Number(times.trim().split('\n')[1]);
      const samples = fs
        .readFileSync(trace, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Sample)
        .filter(({ flow }) => flow.endsWith(`:${PORT}`));
      // Packets on their way at the change belong to neither.
      const MARGIN = 0.5;
      return [
        samples.filter(({ t }) => t < changeAt),
        samples.filter(({ t }) => t > changeAt + MARGIN),
      ];
    }

    test(
      'wait in the queue of their connection, also when it changes its class',
      async () => {
        const [lower, upper] = await look();
        expect(lower.length).toBeGreaterThan(10);
        expect(upper.length).toBeGreaterThan(10);
        // The load keeps a queue of many packets in class 0; the upper class has its own to itself.
        expect(median(lower)).toBeGreaterThan(8 * 1514);
        expect(median(upper)).toBeLessThan(2 * 1514);
      },
      DEADLINE_MS,
    );
  },
);
