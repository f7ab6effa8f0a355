import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { startStar } from '../../../../../bench/live/host-star';
import type { HostStar, StarHost } from '../../../../../bench/live/host-star';
import { formatMappedIpv6 } from '../../../../../common/wire/ip/mapped-ipv6';
import { inNamespace } from '../../../../../bench/live/test-bed';
import type { Leg } from '../../../../../bench/live/test-bed';
import { EFFORT } from '../../../../support/effort';
import { send, startAgent } from '../../../../support/live-hosts';
import type { SendReport } from '../../../../support/live-hosts';
import { canMakeNamespaces } from '../../../../support/live-network';
import { keptCommand, LIVE_PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';

const KEY = '000102030405060708090a0b0c0d0e0f';
const OTHER_KEY = 'ff'.repeat(16);
const RATE_BPS = 10e6;
const ROOT = 'needs root and the ip command to make network namespaces';
const DEADLINE_MS = 90_000;
const HOLD_MS = 5000;
/** Two senders, each at the rate of the receiver's link. */
const TUNING = [
  '--base-rtt-us',
  '10000',
  '--link-rate-bps',
  String(RATE_BPS),
  '--expected-flows',
  '4',
  '--rto-ms',
  '500',
];

/** All framings by all versions of IP, or by default each once. */
const PACKETS: readonly (readonly string[])[] = [
  [],
  ['--ip-version', 'ipv6', '--framing', 'rocev2'],
  ...(EFFORT > 1
    ? [
        ['--framing', 'rocev2'],
        ['--ip-version', 'ipv6'],
      ]
    : []),
];

/** Address before that of the first host. */
const HOST_NETWORK = 0x0a00_0000;

const documentFor = (address: string): object => ({
  network: 'star',
  program: 'hpcc-ccm',
  coordination: {
    highBytes: 12_000,
    lowBytes: 4000,
    interval: '20 ms',
    releaseAfter: '100 ms',
    key: { id: 1, bytes: KEY },
  },
  switches: [{ name: 's1', address }],
  hosts: [1, 2, 3].map((n) => ({ name: `h${n}`, ipv6: formatMappedIpv6(HOST_NETWORK + n) })),
  links: [1, 2, 3].map((n) => ({ between: [`h${n}`, `s1:${n}`], rate: '10 Mb/s' })),
});

/** Loads the program with coordination over what the star has. */
function coordinate(star: HostStar, folder: string): void {
  const file = path.join(folder, 'network.json');
  fs.writeFileSync(file, JSON.stringify(documentFor(star.device.address)));
  const argv = keptCommand('controller', 'apply', file, '--deadline', '30', '--election-id', '2');
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`hpcc controller apply ended with ${status ?? ''}: ${stderr}`);
}

/** Lines of a trace: how far the window was from its first value at the lowest. */
function leastShare(trace: string): number {
  const lines = fs.readFileSync(trace, 'utf8').trim().split('\n');
  const windows = lines.map((line) => (JSON.parse(line) as { windowBytes: number }).windowBytes);
  return Math.min(...windows) / Math.max(...windows);
}

/** Packets that the kernel has answered with "port unreachable". */
function refusals(leg: Leg): number {
  const [executable = '', ...args] = inNamespace(leg, ['cat', '/proc/net/snmp']);
  const { stdout } = spawnSync(executable, args, { encoding: 'utf8' });
  const [names = [], values = []] = stdout
    .split('\n')
    .filter((line) => line.startsWith('Icmp:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('OutDestUnreachs')]);
}

describeIf(canMakeNamespaces(), 'hosts whose switch coordinates', ROOT, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-coordination-'));

  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const keyFile = (name: string, key: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, JSON.stringify({ 1: key }), { mode: 0o600 });
    return file;
  };

  const incast = async (
    star: HostStar,
    ...packets: readonly string[]
  ): Promise<readonly SendReport[]> => {
    const [to, ...from] = star.hosts as [StarHost, ...StarHost[]];
    const tuning = [...TUNING, ...packets];
    const receiver = await startAgent(to.leg, ...tuning);
    const keys = [keyFile('right', KEY), keyFile('wrong', OTHER_KEY)];
    const both = from.map(({ leg }, i) =>
      send(
        leg,
        to.address,
        '-t',
        '2.5',
        '--trace',
        path.join(folder, `trace-${i}`),
        '--coordination',
        keys[i] ?? '',
        '--coordination-hold-ms',
        String(HOLD_MS),
        ...tuning,
      ),
    );
    const reports = (await Promise.all(both)).map(({ report }) => report);
    await receiver.stop();
    return reports;
  };

  test(
    'slow down for an incast and are released after it, unless the key is another one',
    async () => {
      const command = [...LIVE_PROGRAM, 'switch', '--link-rate-bps', `1=${RATE_BPS}`];
      const star = await startStar(command, { hosts: 3, bottleneckGbps: RATE_BPS / 1e9 });
      try {
        coordinate(star, folder);
        for (const packets of PACKETS) await check(star, ...packets);
      } finally {
        await star.stop();
      }
    },
    DEADLINE_MS,
  );

  const check = async (star: HostStar, ...packets: readonly string[]): Promise<void> => {
    const [obeys, refuses] = await incast(star, ...packets);
    expect(obeys?.coordination).toMatchObject({
      unauthenticated: 0,
      malformed: 0,
      replayed: 0,
      unknownFlow: 0,
      expired: 0,
    });
    expect(obeys?.coordination?.controlRequired).toBeGreaterThan(0);
    // Only packets with the indicator set make a switch send it.
    expect(obeys?.coordination?.controlReleased).toBeGreaterThan(0);
    expect(leastShare(path.join(folder, 'trace-0'))).toBeLessThan(0.8);
    expect(refuses?.coordination).toMatchObject({ controlRequired: 0, controlReleased: 0 });
    expect(refuses?.coordination?.unauthenticated).toBeGreaterThan(0);
    expect(star.hosts.map(({ leg }) => refusals(leg))).toEqual([0, 0, 0]);
  };
});
