import { microseconds, milliseconds } from '../../common/units/units';
import { ALGORITHMS, isAlgorithm } from '../algorithm/library/algorithms';
import { TARGET_UTILIZATION } from '../algorithm/window-form';
import { CARRIERS } from '../carrier/carriers';
import { IP_VERSIONS } from '../carrier/network-layer';
import { COLLECTORS, CONTROL_PLACES, FEEDBACK_PRESETS, RETURNS } from '../feedback/feedback-plan';
import { BALANCING_POLICIES, ENTROPIES, ENTROPIES_MAX } from '../path/entropy/balancing';
import { ROUND_ENDS } from '../feedback/round-clock';
import { LOSS_RECOVERIES } from '../transport/recovery/loss-recovery';
import {
  FLOWS,
  HOSTS,
  INTERFACE,
  PROCESS,
  RATE_MAX,
  RATE_MIN,
  TCP,
  TIMEOUT_MAX_MS,
  TIMEOUT_MIN_MS,
} from './interface-settings';
import {
  choice,
  flag,
  is,
  number,
  PLACES,
  same,
  section,
  share,
  special,
  state,
  text,
  whole,
} from './setting';
import type { Place, Setting, ValueOf } from './setting';

/** Framings of packets: the reliable flow of this project, or RoCEv2. */
const FRAMINGS = ['hpcc', 'rocev2'] as const;
/** Operations that carry the bytes of a flow over RoCEv2: in its direction, or fetched by its receiver. */
export const ROCE_OPERATIONS = ['write', 'read', 'send'] as const;
/** When receivers ask for data that was cut. */
const RESENDS = ['promised', 'at-once'] as const;
export type RoceOperation = (typeof ROCE_OPERATIONS)[number];

/** Largest hop count that the length of an INT header has room for. */
const HOPS_MAX = 31;
const EVERY_MAX = 0xffff;
/** Ten seconds. */
const BASE_RTT_MAX_US = 10_000_000;
const MILLION = 1_000_000;
const NS_PER_US = 1000;

const ALL = PLACES;
const SCENARIO = ['scenario'] as const;

const PACKETS = section('Packets and flows of both hosts:', {
  framing: choice(
    FRAMINGS,
    'what packets look like: the flow over UDP of this project, or RoCEv2',
    {
      on: ALL,
      side: 'both',
      default: 'hpcc',
      was: [
        { name: 'transport', isKeyOnly: true, to: (old: string) => (old === 'udp' ? 'hpcc' : old) },
      ],
    },
  ),
  operation: choice(ROCE_OPERATIONS, 'with RoCEv2, what carries flows', {
    on: ALL,
    side: 'starter',
    default: 'write',
    framing: 'rocev2',
    target: { operation: same },
  }),
  mss: whole(1, 0xffff, 'payload bytes of a full segment; with RoCEv2 the path MTU', {
    on: ALL,
    side: 'both',
    agree: 'rocev2',
    default: 1000,
    hostDefault: null,
    otherwise: '1000; 1024 with RoCEv2',
    was: [{ name: 'segmentBytes' }],
    target: { mss: same },
  }),
  ipVersion: choice(
    IP_VERSIONS,
    'version of IP under the framing; hosts have the IPv6 addresses fd48:5043:4300:: with their IPv4 address behind',
    { on: ALL, side: 'both', default: 'ipv4' },
  ),
  trailerBytes: whole(0, 9000, 'bytes behind each datagram, as longer headers would add', {
    on: SCENARIO,
    side: 'both',
    default: 0,
    framing: 'hpcc',
    target: { trailerBytes: same },
  }),
  hopLimit: whole(1, HOPS_MAX, 'switches that may add telemetry to a packet', {
    on: ALL,
    side: 'both',
    agree: 'receiver-computes',
    hostDefault: 8,
    otherwise: '8; in scenarios the switches of the longest path, at least 8',
    tcp: 'reads',
    target: { intHopLimit: same, 'tuning.maxHops': same },
  }),
  rtoMs: number(TIMEOUT_MIN_MS, TIMEOUT_MAX_MS, 'time without progress before a flow goes back', {
    on: ALL,
    side: 'sender',
    hostDefault: 50,
    otherwise: 'three base RTTs, and at least 0.5',
    target: { retransmissionTimeout: milliseconds },
  }),
  lossRecovery: choice(LOSS_RECOVERIES, 'repeat all from a gap on, or what is missing', {
    on: ALL,
    side: 'sender',
    default: 'go-back-n',
    hostDefault: null,
    otherwise: 'go-back-n; selective-repeat with --coordination',
    framing: 'hpcc',
    target: { lossRecovery: same },
  }),
  trimming: state('switches may cut data to its headers, which is sent again at once then', {
    on: HOSTS,
    side: 'sender',
    default: 'off',
    target: { trimming: is('on') },
  }),
  resends: choice(RESENDS, 'receivers ask for cut data as their link has room, or at once', {
    on: SCENARIO,
    side: 'receiver',
    default: 'promised',
    framing: 'hpcc',
    target: { resends: same },
  }),
  checksum: flag('send bytes instead of zeros, and report their SHA-256', {
    on: HOSTS,
    side: 'both',
    // Either end alone has digests to compare with others.
    agree: 'never',
  }),
});

const FEEDBACK = section('Telemetry and feedback:', {
  feedback: choice(
    Object.keys(FEEDBACK_PRESETS) as (keyof typeof FEEDBACK_PRESETS)[],
    'one name for the next three',
    {
      on: ALL,
      side: 'both',
      default: 'ack',
      // Even its default says something beside the three.
      idle: null,
      arg: 'kind',
    },
  ),
  collect: choice(COLLECTORS, 'packets that ask switches for telemetry', {
    on: ALL,
    side: 'both',
    // The name of the three says it.
    agree: 'never',
    arg: 'packets',
    otherwise: 'as --feedback says',
  }),
  return: choice(RETURNS, 'packets that bring telemetry, or its consequences, back', {
    on: ALL,
    side: 'both',
    agree: 'never',
    arg: 'packets',
    otherwise: 'as --feedback says',
  }),
  controlAt: choice(CONTROL_PLACES, 'where the algorithm runs', {
    on: ALL,
    side: 'both',
    agree: 'never',
    arg: 'host',
    otherwise: 'as --feedback says',
  }),
  carrier: choice(CARRIERS, 'how packets ask switches for telemetry', {
    on: ALL,
    side: 'both',
    idle: 'int',
    otherwise: 'int; in scenarios what the program of the switches writes',
  }),
  csigDomain: special({ kind: 'csig' }, 'what buckets of CSIG mean, in ns', {
    on: HOSTS,
    side: 'both',
    arg: 'window:step',
    otherwise: '2048:64',
    framing: 'hpcc',
  }),
  roundsEndBy: choice(ROUND_ENDS, 'what ends a round at the receiver: marks of data, or T', {
    on: ALL,
    side: 'receiver',
    default: 'epoch',
    arg: 'what',
    target: { 'feedback.roundsEndBy': same },
  }),
  collectEvery: whole(1, EVERY_MAX, 'one data packet in k collects telemetry', {
    on: ALL,
    side: 'sender',
    arg: 'k',
    default: 1,
    target: { 'feedback.collectEvery': same },
  }),
  samplesPerWindow: whole(1, EVERY_MAX, 'so many data packets of each window collect it', {
    on: ALL,
    side: 'sender',
    otherwise: 'as the algorithm wants it',
    target: { 'feedback.samplesPerWindow': same },
  }),
  ackEvery: whole(1, EVERY_MAX, 'one acknowledgement for so many packets in order', {
    on: ALL,
    side: 'receiver',
    default: 1,
    was: [{ name: 'acknowledgeEvery' }],
    target: { 'feedback.acknowledgeEvery': same },
  }),
  ackDelayUs: number(
    0.001,
    BASE_RTT_MAX_US,
    'longest wait of an acknowledgement for more packets',
    {
      on: ALL,
      side: 'receiver',
      otherwise: 'T',
      framing: 'hpcc',
      needs: 'ackEvery',
      target: { 'feedback.acknowledgeDelay': microseconds },
    },
  ),
  flowCount: choice(
    ['fixed', 'receiver'],
    'flows that share W_ai: N, or those that the receiver counts',
    {
      on: ALL,
      side: 'both',
      default: 'fixed',
      arg: 'by',
      framing: 'hpcc',
      was: [{ name: 'countFlows', means: 'receiver' }],
      target: { 'feedback.countsFlows': is('receiver') },
    },
  ),
  links: choice(['shown', 'hidden'], 'feedback shows the links of the path, or its load alone', {
    on: ALL,
    side: 'both',
    default: 'shown',
    framing: 'hpcc',
    was: [{ name: 'hideLinks', means: 'hidden' }],
    target: { 'feedback.hidesLinks': is('hidden') },
  }),
  queueMeasure: choice(
    ['length', 'sojourn'],
    'the length of the queue, or the time packets spend in it',
    {
      on: ALL,
      side: 'both',
      default: 'length',
      arg: 'what',
      framing: 'hpcc',
      target: {
        'feedback.asksSojourn': is('sojourn'),
        // With strict priorities no share is guaranteed: what other classes send counts as load.
        'tuning.queueShare': (what: string) => (what === 'sojourn' ? 1 : undefined),
      },
    },
  ),
  switchResponses: special(
    { kind: 'choice', choices: ['off', 'on', 'only'], bare: 'on' },
    'switches answer at once when a queue is long; only: data carries no telemetry beside',
    {
      on: ALL,
      side: 'sender',
      default: 'off',
      framing: 'hpcc',
      target: { 'feedback.asksSwitches': (state: string) => state !== 'off' },
    },
  ),
  answerKeys: text('keys of switches that sign such answers; others are refused', {
    needs: 'switchResponses',
    on: HOSTS,
    side: 'sender',
    arg: 'file',
    framing: 'hpcc',
  }),
  switchesChoose: state('switches write into few packets, until their queues are long', {
    on: HOSTS,
    side: 'both',
    default: 'off',
    framing: 'hpcc',
    target: { 'feedback.switchesChoose': is('on') },
  }),
  keys: text('sign feedback with keys of this file; read again at SIGHUP', {
    on: HOSTS,
    side: 'both',
    arg: 'file',
  }),
  authentication: choice(
    ['off', 'on'],
    'feedback is signed, so that others cannot forge or repeat it',
    {
      on: SCENARIO,
      side: 'both',
      default: 'off',
      arg: 'state',
    },
  ),
  plausibility: choice(['off', 'on'], 'refuse telemetry that the network cannot have sent', {
    on: ALL,
    side: 'control',
    arg: 'state',
    default: 'off',
    hostDefault: null,
    otherwise: 'off; on with --keys',
  }),
  queueCapacityBytes: whole(
    1,
    Number.MAX_SAFE_INTEGER,
    'the deepest queue of the network; in scenarios of each port',
    {
      on: ALL,
      side: 'network',
      otherwise: 'without end',
    },
  ),
  fastestLinkBps: number(RATE_MIN, RATE_MAX, 'the fastest link of the network', {
    on: HOSTS,
    side: 'network',
    otherwise: 'without end',
  }),
});

const CONTROL = section('Congestion control:', {
  baseRttUs: special(
    { kind: 'number', min: 0.001, max: BASE_RTT_MAX_US, word: 'auto' },
    'T, the RTT of the idle network; auto: each flow measures it',
    {
      on: ALL,
      side: 'each',
      agree: 'receiver-computes',
      hostDefault: 1000,
      otherwise: "largest base RTT of the flows' paths",
      tcp: 'reads',
      was: [{ name: 'baseRttNs', to: (ns: number) => ns / NS_PER_US }],
    },
  ),
  baseRtt: choice(['known', 'measured'], 'T is as given, or flows begin with that and measure it', {
    on: ALL,
    side: 'sender',
    default: 'known',
    arg: 'how',
  }),
  algorithm: special(
    {
      kind: 'text',
      accepts: isAlgorithm,
      must: `must be ${ALGORITHMS.join(', ')}, or a file such as ./mine.mjs`,
    },
    'congestion-control algorithm (docs/algorithms.md), or ./FILE.mjs',
    { on: ALL, side: 'control', arg: 'name', default: 'hpccpp' },
  ),
  constants: special(
    { kind: 'constants' },
    "constants of the algorithm that differ from its table's",
    {
      on: ALL,
      side: 'control',
      arg: 'name=value,...',
    },
  ),
  listing: choice(
    ['plain', 'averaged'],
    'HPCC++ as its drafts list it, or with U averaged for each link and rounds of T at least',
    {
      on: ALL,
      side: 'control',
      arg: 'kind',
      hostDefault: 'averaged',
      otherwise: 'plain',
      target: { 'tuning.averagesLinks': is('averaged'), 'tuning.roundsLastT': is('averaged') },
    },
  ),
  targetUtilization: share(1, 'eta, the target utilisation of the bottleneck', {
    on: ALL,
    side: 'control',
    arg: 'eta',
    default: TARGET_UTILIZATION,
    isTuning: true,
    tcp: 'reads',
    was: [{ name: 'eta' }],
    target: { 'tuning.targetUtilization': same },
  }),
  maxStage: whole(0, MILLION, 'additive steps before a multiplicative one', {
    on: ALL,
    side: 'control',
    default: 5,
    isTuning: true,
    tcp: 'reads',
    target: { 'tuning.maxStage': same },
  }),
  waiBytes: share(1e15, 'W_ai, the additive increase in payload bytes', {
    on: ALL,
    side: 'control',
    isTuning: true,
    tcp: 'reads',
    otherwise: 'W_init * (1 - eta) / N',
    target: { 'tuning.additiveIncreaseBytes': same },
  }),
  expectedFlows: whole(1, MILLION, 'N, from which W_ai follows', {
    on: ALL,
    side: 'control',
    isTuning: true,
    tcp: 'reads',
    otherwise: '100; 8 with --tcp',
    target: { 'tuning.expectedFlows': same },
  }),
});

const PATHS = section('Paths:', {
  paths: whole(1, 64, 'distinct paths for each flow to choose among', {
    on: ALL,
    side: 'sender',
    default: 1,
    framing: 'hpcc',
    target: { pathSelection: (paths: number) => (paths > 1 ? { paths } : undefined) },
  }),
  balancing: choice(
    ['ecmp', ...BALANCING_POLICIES] as const,
    'what chooses among equal paths: a hash per flow, or an entropy (source port) for each packet',
    {
      on: ALL,
      side: 'sender',
      arg: 'policy',
      default: 'ecmp',
      framing: 'hpcc',
      target: {
        'balancing.policy': (policy: string) => (policy === 'ecmp' ? undefined : policy),
      },
    },
  ),
  entropies: whole(2, ENTROPIES_MAX, 'source ports of a flow among which balancing chooses', {
    on: ALL,
    side: 'sender',
    otherwise: String(ENTROPIES),
    framing: 'hpcc',
    needs: 'balancing',
    target: { 'balancing.entropies': same },
  }),
  flowletGapUs: number(0.001, BASE_RTT_MAX_US, 'pause after which packets are of another flowlet', {
    on: ALL,
    side: 'sender',
    otherwise: 'T/2',
    framing: 'hpcc',
    needs: 'balancing',
    target: { 'balancing.flowletGap': microseconds },
  }),
  sourceRouting: text(
    'write the path of each packet as uSIDs (SRv6), by its source port, over this network document',
    { on: HOSTS, side: 'both', arg: 'file', framing: 'hpcc' },
  ),
  coordination: text('obey notifications of switches, signed with keys of this file', {
    on: HOSTS,
    side: 'sender',
    arg: 'file',
  }),
  coordinationHoldMs: number(
    TIMEOUT_MIN_MS,
    TIMEOUT_MAX_MS,
    'release a flow so long after the last request',
    {
      needs: 'coordination',
      on: HOSTS,
      side: 'sender',
      otherwise: '10 T',
      target: { 'coordination.holdTime': milliseconds },
    },
  ),
  sourceRerouting: choice(['off', 'on'], 'take another path when switches ask for it', {
    on: ALL,
    side: 'sender',
    arg: 'state',
    default: 'on',
    was: [{ name: 'noSourceRerouting', means: 'off' }],
    target: { 'coordination.reroutes': is('on') },
  }),
});

const SWITCHES = section('Switches of a scenario:', {
  queueUnitBytes: whole(1, 0xffff, 'unit of the queue length in telemetry', {
    on: SCENARIO,
    side: 'network',
    default: 32,
  }),
  queueRounding: choice(
    ['queue', 'packet'],
    'whole units of all that waits, or of each packet, as in Tofino',
    {
      on: SCENARIO,
      side: 'network',
      arg: 'what',
      default: 'queue',
    },
  ),
  txUnitBytes: special(
    { kind: 'number', min: 1, max: 32768, isWhole: true, isPowerOfTwo: true },
    'unit of txBytes in telemetry, a power of two',
    { on: SCENARIO, side: 'network', default: 1 },
  ),
});

/**
 * Everything that can be set of a host, each in one row: options of all commands, keys of scenario
 * documents, help, refusals and docs/settings.md follow from it.
 */
const TABLE = {
  ...INTERFACE,
  ...PACKETS,
  ...FEEDBACK,
  ...CONTROL,
  ...PATHS,
  ...SWITCHES,
  ...FLOWS,
  ...TCP,
  ...PROCESS,
} satisfies Readonly<Record<string, Setting>>;

type Table = typeof TABLE;
export type SettingName = keyof Table;

export const SETTINGS: Readonly<Record<SettingName, Setting>> = TABLE;
export const SETTING_NAMES = Object.keys(TABLE) as SettingName[];

type Values = { readonly [Name in SettingName]: ValueOf<Table[Name]['value']> };
type NamesOn<Where extends Place> = {
  [Name in SettingName]: Where extends Table[Name]['on'][number] ? Name : never;
}[SettingName];
type NamesWith<Field extends string> = {
  [Name in SettingName]: Table[Name] extends Readonly<Record<Field, unknown>> ? Name : never;
}[SettingName];

/** Settings that were given of a host, by hand or in a document. */
export type Settings = Partial<Values>;

/** The `parameters` of a scenario without gaps. */
export type ScenarioSettings = Pick<Settings, NamesOn<'scenario'>> &
  Pick<Values, NamesOn<'scenario'> & NamesWith<'default'>>;
export type ScenarioSettingsInput = Pick<Settings, NamesOn<'scenario'>>;

/** The settings of a host on an interface without gaps. */
export type HostSettings = Settings &
  Pick<Values, 'interface' | 'logLevel'> &
  Pick<
    Values,
    Exclude<
      NamesOn<'send'> & (NamesWith<'default'> | NamesWith<'hostDefault'>),
      NamesWith<'isTuning'> | 'mss'
    >
  >;

/** Names of the settings that something takes, in the order of the table. */
export const settingsOn = (place: Place): SettingName[] =>
  SETTING_NAMES.filter((name) => SETTINGS[name].on.includes(place));

/** Fills in what a host on an interface has unless it is told; constants of the algorithm stay open. */
export function withHostDefaults<Given extends Settings>(given: Given): Given & HostSettings {
  const filled: Record<string, unknown> = {};
  for (const name of settingsOn('agent')) {
    const { default: usual, hostDefault = usual, isTuning } = SETTINGS[name];
    if (hostDefault !== null && hostDefault !== undefined && isTuning !== true) {
      filled[name] = hostDefault;
    }
  }
  return { ...filled, ...given } as Given & HostSettings;
}

/** True if a setting was given and asks for something. */
export function isActive(name: SettingName, settings: Settings): boolean {
  const { default: usual, idle = usual } = SETTINGS[name];
  return settings[name] !== undefined && settings[name] !== idle;
}
