import { makeCable, makeLeg, removeCable, removeLeg } from '../../../../../bench/live/test-bed';
import { applyDocument } from '../../../../../controller/io/apply-network';
import { GroupHosts } from '../../../../support/live/group-hosts';
import { canMakeNamespaces, startLive } from '../../../../support/live-network';
import { describeIf } from '../../../../support/requires';
import type { SwitchSummary } from '../../../../../switch/io/start-switch';
import type { SendReport } from '../../../../support/live-hosts';

const ROOT = 'needs root and the ip command to make network namespaces';
const DEADLINE_MS = 60_000;
const FAST = 10e6;
const SLOW = 4e6;
const BYTES = 300_000;
/** A tenth of a second of a link: machines that run tests beside others give processes late turns. */
const MEMORY = ['--buffer-bytes', '450000'];
const PAUSES = ['--pfc-priorities', '0', '--pfc-headroom-bytes', '125000'];

const address = (n: number): string => `10.0.0.${n}`;
const mac = (n: number): string => `02:01:00:00:00:0${n}`;
/** Nothing but pauses and losses slows these hosts down. */
const hostFlags = (n: number, timeoutMs: number): string[] => [
  '--address',
  address(n),
  '--mac',
  mac(n),
  '--link-rate-bps',
  String(FAST),
  '--algorithm',
  'none',
  '--base-rtt-us',
  '10000',
  '--rto-ms',
  String(timeoutMs),
];

/** Hosts 1 and 2 are at s1, host 3 behind the slow port 1 of s2. */
const networkOf = (addresses: readonly string[]) => ({
  network: 'row',
  switches: addresses.map((each, i) => ({ name: `s${i + 1}`, address: each, deviceId: i + 1 })),
  hosts: [1, 2, 3].map((n) => ({ name: `h${n}`, ipv4: address(n), mac: mac(n) })),
  links: [
    { between: ['s1:1', 's2:2'], rate: '10 Mb/s' },
    { between: ['h1', 's1:2'], rate: '10 Mb/s' },
    { between: ['h2', 's1:3'], rate: '10 Mb/s' },
    { between: ['h3', 's2:1'], rate: '4 Mb/s' },
  ] as { between: [string, string]; rate: string }[],
});

const portFlags = (ports: readonly (readonly [string, number])[]): string[] =>
  ports.flatMap(([name, rate], i) => {
    return ['-i', `${i + 1}@${name}`, '--link-rate-bps', `${i + 1}=${rate}`];
  });

interface Outcome {
  readonly switches: readonly SwitchSummary[];
  readonly senders: readonly SendReport[];
}

/**
 * Sends from hosts 1 and 2 to host 3, through two switches with such memory.
 * @param timeoutMs after which hosts take what waits for lost.
 */
async function incast(timeoutMs: number, ...memory: readonly string[]): Promise<Outcome> {
  const undo: (() => unknown)[] = [];
  const kept = <Made>(made: Made, remove: (made: Made) => unknown): Made => {
    undo.push(() => remove(made));
    return made;
  };
  try {
    const [first, second, third] = [1, 2, 3].map(() => kept(makeLeg(), removeLeg));
    if (first === undefined || second === undefined || third === undefined) throw new Error('legs');
    const [near, far] = kept(makeCable(), removeCable);
    const ports = [
      portFlags([
        [near, FAST],
        [first.outer, FAST],
        [second.outer, FAST],
      ]),
      portFlags([
        [third.outer, SLOW],
        [far, FAST],
      ]),
    ];
    const devices = await Promise.all(
      ports.map((flags, i) =>
        startLive(['--no-p4', '--device-id', String(i + 1), ...flags, ...memory]),
      ),
    );
    undo.push(() => Promise.all(devices.map((each) => each.stop())));
    await applyDocument(networkOf(devices.map(({ grpcAddress }) => grpcAddress)), 20_000);
    const hosts = kept(new GroupHosts(), (group) => group.stop());
    const receiver = await hosts.startAgent(third, ...hostFlags(3, timeoutMs));
    const peer = ['--peer-mac', mac(3), '-n', String(BYTES), '--timeout', '20'];
    const sent = await Promise.all(
      [first, second].map((leg, i) =>
        hosts.send(leg, address(3), ...peer, ...hostFlags(i + 1, timeoutMs)),
      ),
    );
    await receiver.stop();
    await hosts.stop();
    const ends = await Promise.all(devices.map((each) => each.stop()));
    undo.splice(4);
    return {
      switches: ends.map(({ lastLine }) => JSON.parse(lastLine) as SwitchSummary),
      senders: sent.map(({ report }) => report),
    };
  } finally {
    for (const act of undo.reverse()) await act();
  }
}

const retransmitted = ({ senders }: Outcome): number =>
  senders.reduce((sum, { sent }) => sum + (sent?.total.segmentsRetransmitted ?? 0), 0);

const areComplete = ({ senders }: Outcome): boolean =>
  senders.every(({ sent }) => sent?.flows.every(({ isComplete }) => isComplete) === true);

describeIf(canMakeNamespaces(), 'two switches in a row before a slow port', ROOT, () => {
  test(
    'lose nothing with PFC: the second stops the first, and that the hosts',
    async () => {
      const outcome = await incast(5000, ...MEMORY, ...PAUSES);
      const [near, far] = outcome.switches.map(({ lossless }) => lossless);
      expect(areComplete(outcome)).toBe(true);
      expect(outcome.switches.map(({ dropped }) => dropped)).toEqual([{}, {}]);
      expect([near?.losslessDrops, far?.losslessDrops]).toEqual([0, 0]);
      expect(retransmitted(outcome)).toBe(0);
      expect(far?.pauses).toBeGreaterThan(0);
      expect(far?.resumes).toBe(far?.pauses);
      const [stopped] = near?.stopped ?? [];
      expect(stopped).toMatchObject({ port: 1, priority: 0, pauses: far?.pauses });
      expect(stopped?.seconds).toBeGreaterThan(0.01);
      expect(near?.pauses).toBeGreaterThanOrEqual(2);
      for (const { paused } of outcome.senders) {
        expect(paused?.pauses).toBeGreaterThan(0);
        expect(paused?.seconds).toBeGreaterThan(0.01);
      }
    },
    DEADLINE_MS,
  );

  test(
    'lose packets without, in the same memory, and send them again',
    async () => {
      const outcome = await incast(1000, ...MEMORY);
      const lost = outcome.switches.map(({ dropped }) => dropped['queue-full'] ?? 0);
      expect(areComplete(outcome)).toBe(true);
      expect(Math.max(...lost)).toBeGreaterThan(10);
      expect(outcome.switches.map(({ lossless }) => lossless?.lossyDrops)).toEqual(lost);
      expect(retransmitted(outcome)).toBeGreaterThan(10);
      expect(outcome.senders.map(({ paused }) => paused)).toEqual([undefined, undefined]);
    },
    DEADLINE_MS,
  );
});
