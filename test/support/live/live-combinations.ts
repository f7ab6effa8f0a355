import { unreachable } from '../../../common/assert';
import type { NetworkText } from '../../../controller/document/schema';
import { CARRIERS } from '../../../host-agent/carrier/carriers';
import { IOAM_NAMESPACE } from '../../../host-agent/carrier/ioam-carrier';
import { COMBINATIONS, COORDINATIONS, nameOfWay, WAYS } from '../combinations';
import type { Combination, Way } from '../combinations';

/** Bottleneck of each receiver, and T: eleven full packets fit between. */
export const RATE_BPS = 10e6;
export const BASE_RTT_US = 10_000;
/** Window of CSIG's switches and its shortest delay in ns: for T what the defaults are at 100 Gb/s. */
const CSIG = { windowNs: 2 ** 24, delayStepNs: 100_000 };
export const COORDINATION_KEY = { id: 1, bytes: '000102030405060708090a0b0c0d0e0f' };
const HOLD_MS = 2000;

/** With 1000 bytes of payload. */
const FRAME_BYTES = { int: 1106, ioam: 1254, ifa: 1098, padding: 1068, csig: 1062 } as const;

/** Files that hosts read. */
export interface KeyFiles {
  readonly feedback: string;
  readonly notifications: string;
}

/** Program of the switch for a combination, in words of the controller's document. */
export type LiveProgram = Pick<NetworkText, 'program' | 'telemetry' | 'coordination'>;

/** By what the switch runs. */
export interface LiveGroup {
  readonly name: string;
  readonly program: LiveProgram;
  /** Length of full frames behind the switch; bmv2 paces so many a second as fit the rate. */
  readonly frameBytes: number;
  readonly combinations: readonly Combination[];
}

const groupOf = ({ carrier, coordination }: Combination): string =>
  carrier === 'int' ? `int, ${coordination}` : carrier;

/** Why hosts on slow interfaces cannot do what those of the emulator can; undefined where they can. */
export function liveRefusal({
  framing,
  collectEvery,
  carrier,
  collectBy,
}: Way): string | undefined {
  if (framing === 'rocev2' && collectEvery > 1)
    return 'hosts on interfaces let all data of RoCEv2 ask';
  if (carrier === 'padding' && (collectBy === 'probe' || collectEvery > 1)) {
    return 'timestamps of the padding begin anew after 17 ms, too soon for slow links';
  }
  return undefined;
}

const BY_PLACE = gathered(
  COMBINATIONS.filter((each) => liveRefusal(each) === undefined),
  (each) => `${nameOfWay(each).join()} ${groupOf(each)}`,
);

/** Every way with every carrier and every coordination that it works with, each with one integrity in turn. */
export const LIVE_COMBINATIONS: readonly Combination[] = [...BY_PLACE.values()].flatMap(
  (alike, i) => alike.slice(i % alike.length, (i % alike.length) + 1),
);

export const LIVE_GROUPS: readonly LiveGroup[] = [
  ...gathered(LIVE_COMBINATIONS, groupOf).entries(),
].map(([name, combinations]) => ({
  name,
  combinations,
  program: programFor(combinations[0] as Combination),
  frameBytes: FRAME_BYTES[(combinations[0] as Combination).carrier],
}));

function gathered(
  combinations: readonly Combination[],
  keyOf: (own: Combination) => string,
): Map<string, Combination[]> {
  const groups = new Map<string, Combination[]>();
  for (const each of combinations) {
    const key = keyOf(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return groups;
}

function programFor({ carrier, coordination }: Combination): LiveProgram {
  if (coordination !== 'off') {
    return { program: 'hpcc-ccm', coordination: coordinationOf(coordination) };
  }
  switch (carrier) {
    case 'int':
      return { program: 'hpcc' };
    case 'ioam':
      return {
        program: carrier,
        telemetry: { ioam: { namespaces: [{ id: IOAM_NAMESPACE, hpcc: true }] } },
      };
    case 'csig':
      return { program: carrier, telemetry: { csig: CSIG } };
    case 'ifa':
    case 'padding':
      return { program: carrier };
    default:
      return unreachable(carrier);
  }
}

function coordinationOf(mode: 'adaptive' | 'coordinated'): NetworkText['coordination'] {
  return {
    mode,
    highBytes: 6000,
    lowBytes: 2000,
    interval: '20 ms',
    releaseAfter: '100 ms',
    key: COORDINATION_KEY,
  };
}

/** Options of `hpcc agent` and `hpcc send` for the combination. */
export function hostOptions(combination: Combination, keys: KeyFiles): readonly string[] {
  const { framing, collectBy, collectEvery, returnBy, algorithmAt, carrier } = combination;
  const { coordination, integrity } = combination;
  return [
    '--base-rtt-us',
    String(BASE_RTT_US),
    '--link-rate-bps',
    String(RATE_BPS),
    '--target-utilization',
    '0.98',
    '--expected-flows',
    '8',
    '--rto-ms',
    '500',
    '--checksum',
    '--collect',
    collectBy,
    '--return',
    returnBy,
    '--control-at',
    algorithmAt,
    ...(collectEvery > 1 ? ['--collect-every', String(collectEvery)] : []),
    ...(framing === 'rocev2' ? ['--framing', framing] : []),
    ...(carrier === 'int' ? [] : ['--carrier', carrier]),
    ...(carrier === 'csig' ? ['--csig-domain', `${CSIG.windowNs}:${CSIG.delayStepNs}`] : []),
    ...(integrity === 'signed' ? ['--keys', keys.feedback, '--plausibility', 'off'] : []),
    ...(integrity === 'plausible' ? ['--plausibility', 'on'] : []),
    ...(integrity === 'both' ? ['--keys', keys.feedback] : []),
    ...(coordination === 'coordinated'
      ? ['--coordination', keys.notifications, '--coordination-hold-ms', String(HOLD_MS)]
      : []),
  ];
}

/** The table of docs/testing.md that says with which integrity of feedback each runs live. */
export function liveTable(): string {
  const columns = [...COORDINATIONS.map((mode) => `int, ${mode}`), ...CARRIERS.slice(1)];
  const header = ['framing', 'collected by', 'returned by', 'algorithm at', ...columns];
  const rows = WAYS.filter((way) => integrityOf(way, columns[0] ?? '') !== '').map((way) => [
    ...nameOfWay(way),
    ...columns.map((column) => integrityOf(way, column)),
  ]);
  return [header, header.map(() => '---'), ...rows]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

function integrityOf(way: Way, group: string): string {
  const name = nameOfWay(way).join();
  const found = LIVE_COMBINATIONS.find(
    (each) => nameOfWay(each).join() === name && groupOf(each) === group,
  );
  return found?.integrity ?? '';
}
