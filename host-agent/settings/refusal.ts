import { INT_DSCP } from '../../common/wire/int/int-md';
import { SIGNALS_OF_HOPS } from '../algorithm/signals';
import { newCarrier } from '../carrier/carriers';
import { isLive, isPlausible, isRemote, isRoce } from './asked';
import type { Asked } from './asked';
import { idleRefusal } from './idle';
import { isActive, SETTING_NAMES, SETTINGS } from './settings';
import type { SettingName, Settings } from './settings';
import { hasResponsesAlone, measuresBaseRtt } from './configuration';
import { optionOf } from './setting';
import { textOf } from './words';

/**
 * A setting that asks for something, when it is refused, and what is said then. `{paths}` in a sentence is
 * the setting as whoever reads it writes it, `{feedback: probe}` the setting with that value, `{carrier=}`
 * the setting with the value that it has.
 */
type Rule = readonly [setting: SettingName, isRefused: (asked: Asked) => boolean, sentence: string];

const isSocket = ({ settings }: Asked): boolean => settings.transport === 'udp';
const byProbes = ({ route }: Asked): boolean => route.collectBy === 'probe';
/** Policies of `balancing` that hear which packets came through. */
const LEARNING: readonly string[] = ['reps', 'mrc'];
const hasPaths = ({ settings }: Asked): boolean => isActive('paths', settings);
const hasSeveralLinks = ({ settings }: Asked): boolean =>
  settings.interface?.includes(',') === true;
const hidesLinks = ({ settings }: Asked): boolean => isActive('links', settings);
const coordinates = ({ settings }: Asked): boolean => settings.coordination !== undefined;
const admits = ({ settings }: Asked): boolean => settings.admitBelow !== undefined;
const measures = ({ settings }: Asked): boolean => measuresBaseRtt(settings);
const hasOtherCarrier = ({ settings }: Asked): boolean => isActive('carrier', settings);
const carrierOf = ({ settings: { carrier = 'int', hopLimit = 8 } }: Asked) =>
  newCarrier({ name: carrier }, { linkRate: 1, hopLimit, asksSojourn: false });
const isSummary = (asked: Asked): boolean => carrierOf(asked).shows === 'summary';
const hasHops = ({ signals: { telemetry } = SIGNALS_OF_HOPS }: Asked): boolean =>
  telemetry === 'hops' || telemetry === 'responses';
const isBasic = (asked: Asked): boolean =>
  !byProbes(asked) && asked.route.returnBy === 'ack' && !hidesLinks(asked);
const isAlone = ({ settings }: Asked): boolean => hasResponsesAlone(settings);
const isNotSent = ({ does }: Asked): boolean => does?.starts === false;
const namesRoute = ({ settings: { collect, return: back, controlAt } }: Asked): boolean =>
  [collect, back, controlAt].some((value) => value !== undefined);
const needsShim = ({ signals }: Asked): boolean =>
  signals !== undefined &&
  (signals.timestamps || signals.credits === true || signals.telemetry === 'digest');
/** Those whose headers all stand behind the UDP header, where a UDP socket and RoCEv2 have them. */
const CARRIERS_BEHIND_UDP: ReadonlySet<string> = new Set(['int', 'padding']);

const NO_HOPS = (name: SettingName): string =>
  `{${name}} is about records of hops, and the algorithm takes none`;

/** Settings without effect under algorithms that take no records of hops. */
export const ABOUT_HOPS = [
  'collectEvery',
  'samplesPerWindow',
  'queueMeasure',
  'switchResponses',
  'switchesChoose',
  'plausibility',
] as const;

/** Settings without effect where data carries no telemetry. */
const ABOUT_TELEMETRY_IN_DATA = [
  'collectEvery',
  'samplesPerWindow',
  'queueMeasure',
  'switchesChoose',
  'plausibility',
  'flowCount',
  'listing',
] as const;

/** Everything that does not go together, besides what rows say of --tcp and framing. */
export const RULES: readonly Rule[] = [
  ['pfcPriority', isSocket, '{pfcPriority} needs {transport: packet}: a UDP socket sees no pauses'],
  ['pfcWatchdogMs', isSocket, '{pfcWatchdogMs} needs {transport: packet}: it sees no pauses'],
  [
    'transport',
    (asked) => isSocket(asked) && hasSeveralLinks(asked),
    '{interface} with several needs {transport: packet}: the kernel chooses for a UDP socket',
  ],
  ['peerMac', hasSeveralLinks, '{peerMac} is that of one link: it needs one {interface}'],
  ['tcp', hasSeveralLinks, '{tcp} needs one {interface}'],
  ['coordination', hasSeveralLinks, '{coordination} is for hosts with one link: one {interface}'],
  // The ICRC covers IPv4 fields that a UDP socket neither sets nor shows.
  ['framing', isSocket, '{framing: rocev2} needs {transport: packet}'],
  ['ipVersion', isSocket, '{ipVersion=} needs {transport: packet}: the UDP socket is one of IPv4'],
  [
    'ipVersion',
    hasOtherCarrier,
    '{ipVersion=} is about INT, and {carrier=} lives in the version of IP that it is defined for',
  ],
  [
    'algorithm',
    (asked) => isSocket(asked) && needsShim(asked),
    '{algorithm=} needs {transport: packet}: its data goes to another UDP port',
  ],
  [
    'carrier',
    ({ settings, ...rest }) =>
      isSocket({ settings, ...rest }) && !CARRIERS_BEHIND_UDP.has(settings.carrier ?? ''),
    '{carrier=} needs {transport: packet}: its headers begin before UDP',
  ],
  [
    'carrier',
    (asked) => isRoce(asked) && !CARRIERS_BEHIND_UDP.has(asked.settings.carrier ?? ''),
    '{framing: rocev2} has telemetry behind UDP only: it needs {carrier: int} or padding',
  ],
  [
    'carrier',
    coordinates,
    '{coordination} has its tag in the headers of INT: it needs {carrier: int}',
  ],
  [
    'carrier',
    (asked) => !hasHops(asked),
    'the algorithm takes no records of hops, so nothing would ask by {carrier=}',
  ],
  [
    'carrier',
    (asked) => isSummary(asked) && asked.signals?.needsLinks === true,
    '{carrier=} tells one signal of a path, and the algorithm needs records of links',
  ],
  [
    'csigDomain',
    ({ settings }) => settings.carrier !== 'csig',
    '{csigDomain} needs {carrier: csig}',
  ],
  [
    'hopLimit',
    (asked) => (asked.settings.hopLimit ?? 0) > carrierOf(asked).hopsMax,
    '{hopLimit=} is more than the headers of {carrier=} have room for',
  ],
  [
    'feedback',
    namesRoute,
    '{feedback} is a name for {collect}, {return} and {controlAt}: give either',
  ],
  [
    'framing',
    (asked) => !hasHops(asked),
    '{framing: rocev2} needs an algorithm with records of hops',
  ],
  [
    'roundsEndBy',
    (asked) => !isRemote(asked),
    '{roundsEndBy=} is about rounds at the receiver: it needs {controlAt: receiver}',
  ],
  [
    'collectEvery',
    byProbes,
    '{collectEvery} is about data, and with {feedback: probe} data collects nothing',
  ],
  [
    'collectEvery',
    (asked) => isLive(asked) && isRoce(asked),
    '{collectEvery} is about {framing: hpcc}, not about rocev2',
  ],
  [
    'samplesPerWindow',
    (asked) => byProbes(asked) || asked.settings.samplesPerWindow === 0,
    '{samplesPerWindow} is about data, and with {feedback: probe} data collects nothing',
  ],
  [
    'ackEvery',
    // What data collects, a host that only receives is not told.
    ({ route, does, settings: { collectEvery = 1, samplesPerWindow } }) =>
      does === undefined &&
      route.returnBy === 'notification' &&
      collectEvery === 1 &&
      samplesPerWindow === undefined,
    '{ackEvery} is about acknowledgements, and with {return: notification} each notification is one',
  ],
  [
    'links',
    isRemote,
    '{links: hidden} keeps links from the sender, who sees none with {controlAt: receiver}',
  ],
  ['links', isSummary, '{links: hidden} makes a load of links, and {carrier=} has none'],
  [
    'links',
    ({ signals }) => signals?.needsLinks === true,
    '{links: hidden} leaves a load alone, and the algorithm needs records of links',
  ],
  ['queueMeasure', hasOtherCarrier, '{queueMeasure=} is an instruction of INT, not of {carrier=}'],
  [
    'queueMeasure',
    ({ switches }) => switches?.measureSojourn === false,
    '{queueMeasure=} needs switches that measure it: profile hpcc-queues',
  ],
  [
    'switchResponses',
    hidesLinks,
    '{switchResponses} tells of a link, and {links: hidden} keeps links from the sender',
  ],
  [
    'switchResponses',
    hasOtherCarrier,
    '{switchResponses} are asked for by a flag of INT, not of {carrier=}',
  ],
  [
    'switchResponses',
    ({ settings }) => settings.keys !== undefined && settings.answerKeys === undefined,
    '{switchResponses} are refused unless signed with {keys}: they need {answerKeys}',
  ],
  [
    'switchResponses',
    ({ switches }) => switches?.answer === false,
    '{switchResponses} need switches that answer: profile hpcc-feedback, with telemetry.feedback',
  ],
  [
    'switchResponses',
    (asked) => isAlone(asked) && !isBasic(asked),
    '{switchResponses: only} leaves no telemetry to bring back: it needs {feedback: ack}',
  ],
  [
    'switchResponses',
    (asked) =>
      isAlone(asked) && (hasPaths(asked) || measures(asked) || coordinates(asked) || admits(asked)),
    '{switchResponses: only} leaves no telemetry: {paths}, a measured T, {coordination} and {admitBelow} need some',
  ],
  [
    'switchResponses',
    (asked) => isAlone(asked) && (asked.settings.algorithm ?? 'hpccpp') !== 'hpccpp',
    '{switchResponses: only} needs {algorithm: hpccpp}, which takes the load of one link',
  ],
  [
    'switchResponses',
    (asked) => isAlone(asked) && asked.switches?.answerReceivers === true,
    '{switchResponses: only} needs answers that come to senders: telemetry.feedback without toReceiver',
  ],
  ...ABOUT_TELEMETRY_IN_DATA.map((name): Rule => [
    name,
    isAlone,
    `{${name}} is about telemetry in data, and {switchResponses: only} leaves none`,
  ]),
  [
    'dscp',
    isAlone,
    '{dscp} is the place of the subscription to responses with {switchResponses: only}',
  ],
  ['switchesChoose', hasOtherCarrier, '{switchesChoose} is about INT, not about {carrier=}'],
  [
    'switchesChoose',
    (asked) => byProbes(asked) || hasPaths(asked) || coordinates(asked) || measures(asked),
    '{switchesChoose} is about data that asks: probes, {paths}, {coordination} and a measured T need each answer',
  ],
  ...ABOUT_HOPS.map((name): Rule => [name, (asked) => !hasHops(asked), NO_HOPS(name)]),
  ['plausibility', isSummary, '{plausibility=} judges records of links, and {carrier=} has none'],
  [
    'plausibility',
    hidesLinks,
    '{plausibility=} judges records of links, which {links: hidden} keeps from the algorithm',
  ],
  [
    'queueCapacityBytes',
    (asked) => isLive(asked) && !isPlausible(asked),
    '{queueCapacityBytes} is a limit of {plausibility}, which is off',
  ],
  [
    'fastestLinkBps',
    (asked) => !isPlausible(asked),
    '{fastestLinkBps} is a limit of {plausibility}, which is off',
  ],
  [
    'listing',
    ({ settings: { algorithm = 'hpccpp' } }) => algorithm !== 'hpccpp',
    '{listing=} is about {algorithm: hpccpp}, whose listing it is',
  ],
  [
    'expectedFlows',
    ({ settings }) => settings.waiBytes !== undefined,
    '{waiBytes} is what follows from {expectedFlows}: give one of them',
  ],
  [
    'paths',
    isRemote,
    '{paths} needs the links of each path at the sender, not {controlAt: receiver}',
  ],
  [
    'paths',
    isSummary,
    '{paths} needs the links of each path, and {carrier=} tells one signal of all',
  ],
  [
    'paths',
    hidesLinks,
    '{paths} needs the links of each path, which {links: hidden} keeps from the sender',
  ],
  ['paths', isSocket, '{paths} needs a source port per path, and {transport: udp} has one in all'],
  [
    'balancing',
    ({ settings: { lossRecovery = 'go-back-n' } }) => lossRecovery !== 'selective-repeat',
    '{balancing=} lets packets overtake each other: it needs {lossRecovery: selective-repeat}',
  ],
  ['balancing', hasPaths, '{paths} keeps a flow on one path, and {balancing=} uses many: give one'],
  [
    'balancing',
    isSocket,
    '{balancing=} needs a source port per packet, and {transport: udp} has one in all',
  ],
  [
    'balancing',
    coordinates,
    '{coordination} knows a flow by its source port, and {balancing=} has many',
  ],
  [
    'balancing',
    (asked) => LEARNING.includes(asked.settings.balancing ?? '') && byProbes(asked),
    '{balancing=} learns from acknowledgements, and with {feedback: probe} they show no path',
  ],
  [
    'resends',
    (asked) => isRemote(asked) || asked.route.returnBy !== 'ack' || coordinates(asked),
    '{resends=} is about trimmed data, which needs acknowledgements and the algorithm at the sender',
  ],
  [
    'resends',
    ({ signals }) => signals?.turns === true || signals?.credits === true,
    '{resends=} is not for {algorithm=}, whose receivers give turns or credit',
  ],
  [
    'trimming',
    (asked) => !isRoce(asked) && asked.settings.lossRecovery !== 'selective-repeat',
    '{trimming} has single segments sent again: it needs {lossRecovery: selective-repeat}',
  ],
  [
    'trimming',
    ({ settings }) => settings.operation === 'read',
    '{trimming} is of data that its sender starts, and with {operation: read} others ask for it',
  ],
  [
    'trimming',
    hasOtherCarrier,
    '{trimming} needs {carrier: int}, which switches that trim understand',
  ],
  [
    'trimming',
    (asked) => isRemote(asked) || asked.route.returnBy !== 'ack' || coordinates(asked),
    '{trimming} needs acknowledgements and the algorithm at the sender, without {coordination}',
  ],
  [
    'trimming',
    ({ settings }) => settings.dscp !== undefined,
    '{trimming} gives data a DSCP of its own, and {dscp} another one: give one of them',
  ],
  [
    'flowletGapUs',
    ({ settings }) => settings.balancing !== 'flowlet',
    '{flowletGapUs} is about {balancing: flowlet}',
  ],
  [
    'sourceRouting',
    ({ settings }) => settings.ipVersion !== 'ipv6',
    '{sourceRouting} is in IPv6 destinations: it needs {ipVersion: ipv6}',
  ],
  ['sourceRouting', hasSeveralLinks, '{sourceRouting} has paths from one link: one {interface}'],
  [
    'sourceRouting',
    coordinates,
    '{sourceRouting} lets hosts choose paths, and {coordination} switches: give one',
  ],
  ['coordination', hasPaths, '{coordination} needs one path per flow: switches choose among paths'],
  [
    'coordination',
    isSocket,
    '{coordination} needs {transport: packet}: notifications come to another port',
  ],
  [
    'sourceRerouting',
    (asked) => (isLive(asked) || asked.switches !== undefined) && !coordinates(asked),
    '{sourceRerouting} is about notifications: it needs {coordination}',
  ],
  [
    'time',
    ({ settings }) => settings.bytes !== undefined,
    '{bytes} and {time} both say how much is sent: give one of them',
  ],
  ['dscp', ({ settings }) => settings.dscp === INT_DSCP, '{dscp=} is that of INT'],
  [
    'dscp',
    ({ settings }) => settings.operation === 'read',
    '{dscp} is about data of this host, and with {operation: read} the other one sends it',
  ],
  ['admitBelow', isRemote, '{admitBelow} needs telemetry at the sender, not {controlAt: receiver}'],
  [
    'admitBelow',
    measures,
    '{admitBelow} counts in T, and there is none before a flow that measures it',
  ],
  [
    'admitWithinMs',
    ({ settings: { admitWithinMs = 0, timeout = 5 } }) => admitWithinMs >= 1000 * timeout,
    '{admitWithinMs} must be below {timeout}, after which a silent peer is given up',
  ],
  [
    'trace',
    (asked) => isNotSent(asked) && !isRemote(asked) && asked.settings.tcp !== true,
    '{trace} is about flows that are controlled here: it needs {send}, or {controlAt: receiver}',
  ],
  [
    'rewriteWindow',
    ({ settings }) => settings.tcpObserve === true,
    '{rewriteWindow} is control, and {tcpObserve} controls nothing',
  ],
];

/** The same of what is no value of one setting. */
const WAYS: readonly (readonly [isRefused: (asked: Asked) => boolean, sentence: string])[] = [
  [
    (asked) => measures(asked) && (isRemote(asked) || coordinates(asked) || isRoce(asked)),
    'T is measured by senders with {framing: hpcc}: {controlAt: receiver}, {coordination} and rocev2 need {baseRttUs} in microseconds',
  ],
  [
    (asked) => measures(asked) && isSummary(asked),
    'T is measured with records of links, and {carrier=} has none',
  ],
  [
    (asked) => !hasHops(asked) && !isBasic(asked),
    'an algorithm without records of hops needs {feedback: ack} and {links: shown}',
  ],
  [
    (asked) => !hasHops(asked) && (hasPaths(asked) || measures(asked)),
    '{paths} and a measured T need an algorithm with records of hops',
  ],
  [
    (asked) => coordinates(asked) && asked.signals?.telemetry === 'digest',
    '{coordination} needs switches of the profile hpcc-ccm, which write no digest',
  ],
  [
    (asked) => coordinates(asked) && asked.signals?.credits === true,
    '{coordination} puts INT in the place of the demand that an algorithm with credits needs',
  ],
];

/** Spelling of a setting where it was given: option or document key. */
export type Spelling = (name: SettingName, value?: string) => string;
export const asOption: Spelling = (name, value) =>
  SETTINGS[name].value.kind === 'flag' || value === undefined
    ? optionOf(name)
    : `${optionOf(name)} ${value}`;
export const asKey: Spelling = (name, value) => (value === undefined ? name : `${name}: ${value}`);

/** Why a host cannot be as asked, in one sentence; undefined if it can. */
export function refusalOf(asked: Asked, spell: Spelling): string | undefined {
  const { settings } = asked;
  const sentence =
    rowRefusal(settings) ??
    RULES.find(([name, isRefused]) => isActive(name, settings) && isRefused(asked))?.[2] ??
    WAYS.find(([isRefused]) => isRefused(asked))?.[1] ??
    idleRefusal(asked);
  return sentence?.replace(
    /\{(\w+)(?:: ([\w-]+)|(=))?\}/g,
    (_, name: SettingName, value: string | undefined, own: string | undefined) =>
      spell(name, own === undefined ? value : textOf(settings[name])),
  );
}

/** Returns the refusal of a setting by its row under --tcp and framing. */
function rowRefusal(settings: Settings): string | undefined {
  const { tcp: isTcp = false, framing: used = 'hpcc' } = settings;
  for (const name of SETTING_NAMES) {
    if (!isActive(name, settings)) continue;
    const { tcp, framing = used, needs } = SETTINGS[name];
    if (isTcp && tcp === undefined) return `{${name}} is about the own transport, not {tcp}`;
    if (!isTcp && tcp === 'needed') return `{${name}} needs {tcp}`;
    if (needs !== undefined && !isActive(needs as SettingName, settings)) {
      return `{${name}} would have no effect: it needs {${needs}}`;
    }
    if (framing !== used) {
      return framing === 'hpcc'
        ? `{${name}} is about {framing: hpcc}, not about rocev2`
        : `{${name}} needs {framing: rocev2}`;
    }
  }
  return undefined;
}
