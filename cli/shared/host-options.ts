import { LOG_LEVELS } from '../../common/io/log';
import { FRAMINGS, TRANSPORTS } from '../../host-agent/io/options/agent-options';
import {
  COLLECTORS,
  CONTROL_PLACES,
  FEEDBACK_PRESETS,
  RETURNS,
} from '../../host-agent/feedback/feedback-plan';
import type { FeedbackRoute } from '../../host-agent/feedback/feedback-plan';
import { CARRIERS } from '../../host-agent/carrier/carriers';
import { PAUSE_CLASSES } from '../../common/wire/ip/mac-control';
import { LOSS_RECOVERIES } from '../../host-agent/transport/recovery/loss-recovery';
import { ROCE_OPERATIONS } from '../../host-agent/roce/queue-pair/roce-config';
import type { HostFlags } from './host-flags';
import {
  baseRttOption,
  bytesOption,
  countOption,
  csigDomainOption,
  portsOption,
  positiveOption,
  scaledOption,
  soonOption,
  wholeOption,
  within,
} from './option-values';

/** From 1 kb/s to 100 Tb/s. */
const RATE_MIN = 1000;
const RATE_MAX = 1e14;
const MSS_MAX = 0xffff;
/** What the length of an INT header can say. */
const HOPS_MAX = 31;
const TIMEOUT_MIN_MS = 0.01;
const TIMEOUT_MAX_MS = 3_600_000;
const EVERY_MAX = 0xffff;
const STAGES_MAX = 1_000_000;
const EXPECTED_FLOWS_MAX = 1_000_000;
const PATHS_MAX = 64;
/** Flows of one process; each has timers, a window and a place in every report. */
const FLOWS_MAX = 10_000;
const DAY_SECONDS = 86_400;
const RUN_MAX_SECONDS = 10_000_000;

/** What a rule may look at. */
export interface Asked {
  readonly flags: HostFlags;
  readonly route: FeedbackRoute;
  /** Flows leave this host. */
  readonly sends: boolean;
}

/** When an option that was given is refused, and what is said then. */
export type Rule = readonly [isRefused: (asked: Asked) => boolean, sentence: string];

/** One option of `hpcc agent` and `hpcc send`: type, unit and range, and what it goes with. */
export interface HostOption {
  readonly section: string;
  readonly flags: string;
  readonly text: string;
  /** Reads the value, or fails with what it must be; absent: a switch, or a word. */
  readonly value?: (text: string) => unknown;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  readonly isRequired?: true;
  /** Whether `hpcc send` has it too; only `hpcc agent` controls the kernel's TCP. */
  readonly agentOnly?: true;
  /** What `--tcp` does with it; absent: nothing, it is about the own transport. */
  readonly withTcp?: 'reads' | 'needed';
  readonly framing?: 'hpcc' | 'rocev2';
  /** A value that asks for nothing. */
  readonly idle?: unknown;
  readonly rules?: readonly Rule[];
}

const CARRIERS_BEHIND_UDP: ReadonlySet<string> = new Set(['int', 'padding']);

const hasPaths = ({ flags: { paths = 1 } }: Asked): boolean => paths > 1;
const hidesLinks = ({ flags }: Asked): boolean => flags.hideLinks === true;
const isUdp = ({ flags }: Asked): boolean => flags.transport === 'udp';
const isRemote = ({ route }: Asked): boolean => route.algorithmAt === 'receiver';
const collectsByProbes = ({ route }: Asked): boolean => route.collectBy === 'probe';
const isCoordinated = ({ flags }: Asked): boolean => flags.coordination !== undefined;
const isUncoordinated = (asked: Asked): boolean => !isCoordinated(asked);
const namesRoute = ({ flags: { collect, return: back, controlAt } }: Asked): boolean =>
  [collect, back, controlAt].some((value) => value !== undefined);

type Row = Omit<HostOption, 'section'>;
type More = Omit<Row, 'flags' | 'text'>;
const at = (flags: string, text: string, more: More = {}): Row => ({ flags, text, ...more });
const inSection = (section: string, options: readonly Row[]): HostOption[] =>
  options.map((option) => ({ section, ...option }));

/** Every option of a host, in the order of the help text. What stands in the rules is checked at once. */
export const HOST_OPTIONS: readonly HostOption[] = [
  ...inSection('Interface:', [
    at('-i, --interface <name>', 'network interface', { isRequired: true, withTcp: 'reads' }),
    at('--transport <name>', 'raw frames, or datagrams of a UDP socket without rights', {
      choices: TRANSPORTS,
      default: 'packet',
    }),
    at('--address <ipv4>', 'own address, instead of the one of the interface', {
      withTcp: 'reads',
    }),
    at('--mac <mac>', 'own MAC address, instead of the one of the interface'),
    at('--link-rate-bps <n>', 'rate of the own link, instead of what the interface says', {
      value: within(RATE_MIN, RATE_MAX, scaledOption),
      withTcp: 'reads',
    }),
    at('--pfc-priority <n>', 'obey pauses of this queue of the switch (default: 0)', {
      value: within(0, PAUSE_CLASSES - 1, wholeOption),
      rules: [[isUdp, '--pfc-priority needs --transport packet: a UDP socket sees no pauses']],
    }),
  ]),
  ...inSection('Packets and flows of both hosts:', [
    at('--framing <name>', 'what packets look like, on both hosts (default: hpcc)', {
      choices: FRAMINGS,
      rules: [
        // The ICRC covers IPv4 fields that a UDP socket neither sets nor shows.
        [
          (asked) => isUdp(asked) && asked.flags.framing === 'rocev2',
          '--framing rocev2 needs --transport packet',
        ],
      ],
    }),
    at('--operation <name>', 'with RoCEv2, what carries flows (default: write)', {
      choices: ROCE_OPERATIONS,
      framing: 'rocev2',
    }),
    at('--mss <bytes>', 'payload of a full segment (default: 1000)', {
      value: within(1, MSS_MAX, countOption),
    }),
    at('--hop-limit <n>', 'switches that may add telemetry', {
      value: within(1, HOPS_MAX, countOption),
      default: 8,
      withTcp: 'reads',
    }),
    at('--rto-ms <n>', 'time without progress before a flow goes back', {
      value: within(TIMEOUT_MIN_MS, TIMEOUT_MAX_MS, positiveOption),
      default: 50,
    }),
    at(
      '--loss-recovery <name>',
      'whether flows repeat all from a gap on, or what is missing (default: go-back-n)',
      { choices: LOSS_RECOVERIES, framing: 'hpcc', idle: 'go-back-n' },
    ),
    at('--checksum', 'send bytes instead of zeros, and tell their SHA-256', { default: false }),
  ]),
  ...inSection('Telemetry and feedback:', [
    at(
      '--feedback <kind>',
      'one name for the next three, on both hosts (default: ack, or what they say)',
      {
        choices: Object.keys(FEEDBACK_PRESETS),
        rules: [
          [
            namesRoute,
            '--feedback is a name for --collect, --return and --control-at: give either',
          ],
        ],
      },
    ),
    at('--carrier <name>', 'how packets ask switches for telemetry; on both hosts (default: int)', {
      choices: CARRIERS,
      framing: 'hpcc',
      idle: 'int',
      rules: [
        [
          (asked) => isUdp(asked) && !CARRIERS_BEHIND_UDP.has(asked.flags.carrier ?? 'int'),
          '--carrier ioam, ifa and csig need --transport packet: they begin before UDP',
        ],
        [isCoordinated, '--coordination has its tag in the headers of INT, not of --carrier'],
      ],
    }),
    at('--csig-domain <window:step>', 'what buckets of CSIG mean, in ns (default: 2048:64)', {
      value: csigDomainOption,
      framing: 'hpcc',
      rules: [[({ flags }) => flags.carrier !== 'csig', '--csig-domain needs --carrier csig']],
    }),
    at('--collect <packets>', 'what asks switches for telemetry; on both hosts', {
      choices: COLLECTORS,
    }),
    at('--return <packets>', 'what brings telemetry, or its consequences, back; on both hosts', {
      choices: RETURNS,
    }),
    at('--control-at <host>', 'where the algorithm runs; on both hosts', {
      choices: CONTROL_PLACES,
    }),
    at('--collect-every <k>', 'one data packet in k collects telemetry', {
      value: within(1, EVERY_MAX, countOption),
      framing: 'hpcc',
      rules: [
        [
          collectsByProbes,
          '--collect-every is about data, and with --feedback probe data collects nothing',
        ],
      ],
    }),
    at('--ack-every <n>', 'one acknowledgement for so many packets', {
      value: within(1, EVERY_MAX, countOption),
      default: 1,
    }),
    at('--count-flows', 'the receiver counts flows, for a fair W_ai; on both hosts', {
      default: false,
      framing: 'hpcc',
    }),
    at('--hide-links', 'the receiver tells loads and no links; on both hosts', {
      default: false,
      framing: 'hpcc',
      rules: [
        [
          isRemote,
          '--hide-links keeps links from the sender, who sees none with --feedback receiver',
        ],
      ],
    }),
    at('--keys <file>', 'sign feedback with keys of this file; on both hosts'),
  ]),
  ...inSection('Congestion control:', [
    at('--base-rtt-us <n>', 'T of the idle network; auto: measured', {
      value: baseRttOption,
      default: 1000,
      withTcp: 'reads',
      rules: [
        [
          (asked) =>
            asked.flags.baseRttUs === 'auto' &&
            (isRemote(asked) || isCoordinated(asked) || asked.flags.framing === 'rocev2'),
          '--base-rtt-us auto is measured by senders under --framing hpcc, not with --feedback ' +
            'receiver or --coordination, which need T in microseconds',
        ],
      ],
    }),
    at('--algorithm <name>', 'what steers flows, or ./FILE.mjs (default: hpccpp)'),
    at('--target-utilization <eta>', 'of the fullest link (default: 0.95)', {
      value: within(0.01, 1, positiveOption),
      withTcp: 'reads',
    }),
    at('--max-stage <n>', 'additive steps before a multiplicative one (default: 5)', {
      value: within(0, STAGES_MAX, wholeOption),
      withTcp: 'reads',
    }),
    at('--expected-flows <n>', 'N, from which W_ai follows (default: 100)', {
      value: within(1, EXPECTED_FLOWS_MAX, countOption),
      withTcp: 'reads',
    }),
  ]),
  ...inSection('Paths:', [
    at('--paths <n>', 'distinct paths for each flow to choose among', {
      value: within(1, PATHS_MAX, countOption),
      framing: 'hpcc',
      idle: 1,
      rules: [
        [isRemote, '--paths needs the links of each path at the sender, not --feedback receiver'],
        [
          ({ flags }) => flags.carrier === 'csig',
          '--paths needs the links of each path, and CSIG tells one signal of all',
        ],
        [
          hidesLinks,
          '--paths needs the links of each path, which --hide-links keeps from the sender',
        ],
        [isUdp, '--paths needs a source port per path, and --transport udp has one in all'],
      ],
    }),
    at('--coordination <file>', 'obey notifications of switches, signed with keys of this file', {
      rules: [
        [
          (asked) => isRemote(asked) || hasPaths(asked),
          '--coordination needs the algorithm at the sender and one path per flow',
        ],
        [isUdp, '--coordination needs --transport packet: notifications come to another port'],
      ],
    }),
    at(
      '--coordination-hold-ms <n>',
      'release a flow so long after the last request (default: 10 T)',
      {
        value: within(TIMEOUT_MIN_MS, TIMEOUT_MAX_MS, positiveOption),
        rules: [
          [
            isUncoordinated,
            '--coordination-hold-ms is about notifications: it needs --coordination',
          ],
        ],
      },
    ),
    at('--no-source-rerouting', 'stay on the path when switches ask for another one', {
      rules: [
        [isUncoordinated, '--no-source-rerouting is about notifications: it needs --coordination'],
      ],
    }),
  ]),
  ...inSection('Flows that are sent:', [
    at('--send <ipv4>', 'send flows to that host too', { agentOnly: true }),
    at('-n, --bytes <n>', 'payload per flow, such as 5M', { value: bytesOption }),
    at('-t, --time <seconds>', 'send for so long (default: 10)', {
      value: within(0.001, RUN_MAX_SECONDS, positiveOption),
      rules: [
        [
          ({ flags }) => flags.bytes !== undefined,
          '--bytes and --time both say how much is sent: give one of them',
        ],
      ],
    }),
    at('-P, --parallel <n>', 'flows at the same time', {
      value: within(1, FLOWS_MAX, countOption),
      default: 1,
    }),
    at('-b, --rate <bps>', 'limit of each flow on the wire, such as 100M', {
      value: within(RATE_MIN, RATE_MAX, scaledOption),
      rules: [[isRemote, '--rate limits the algorithm of the sender, not --feedback receiver']],
    }),
    at('--peer-mac <mac>', 'MAC address of the next hop, instead of looking it up'),
    at('--first-flow <id>', 'id of the first flow, instead of a random one', {
      value: within(0, 0xffff, wholeOption),
    }),
    at('--timeout <seconds>', 'give up when nothing is acknowledged so long', {
      value: within(0.001, DAY_SECONDS, positiveOption),
      default: 5,
    }),
    at('--interval <seconds>', 'between reports', {
      value: within(0.001, DAY_SECONDS, positiveOption),
      default: 1,
    }),
    at('--trace <file>', 'write a line of JSON for each update of a window', {
      withTcp: 'reads',
      rules: [
        [
          ({ flags, sends }) => !sends && flags.tcp !== true,
          '--trace is about flows that are sent: it needs --send',
        ],
      ],
    }),
    at('--start-at <unix>', 'begin at that Unix time in seconds, not at once', {
      value: soonOption,
    }),
  ]),
  ...inSection("The kernel's TCP connections (docs/tcp.md):", [
    at('--tcp', 'control them instead of the own transport', {
      default: false,
      agentOnly: true,
      withTcp: 'reads',
    }),
    at('--tcp-ports <list>', 'with --tcp: only connections with one of these ports', {
      value: portsOption,
      default: [],
      agentOnly: true,
      withTcp: 'needed',
    }),
    at('--tcp-observe', 'with --tcp: measure queues and control nothing', {
      default: false,
      agentOnly: true,
      withTcp: 'needed',
    }),
    at('--probe-interval-ms <n>', 'with --tcp-observe: between probes', {
      value: within(TIMEOUT_MIN_MS, TIMEOUT_MAX_MS, positiveOption),
      default: 5,
      agentOnly: true,
      withTcp: 'needed',
      rules: [
        [
          ({ flags }) => flags.tcpObserve !== true,
          '--probe-interval-ms needs --tcp-observe: control probes once per round',
        ],
      ],
    }),
    at('--rewrite-window', 'with --tcp: lower the window in acknowledgements too', {
      default: false,
      agentOnly: true,
      withTcp: 'needed',
      rules: [
        [
          ({ flags }) => flags.tcpObserve === true,
          '--rewrite-window is control, and --tcp-observe controls nothing',
        ],
      ],
    }),
  ]),
  ...inSection('Process:', [
    at('--user <name>', 'become this user once the sockets are open', { withTcp: 'reads' }),
    at('--metrics <address>', 'serve metrics at HOST:PORT, or PORT of loopback', {
      withTcp: 'reads',
    }),
    at('--log-level <level>', 'of the log', {
      choices: LOG_LEVELS,
      withTcp: 'reads',
    }),
    at('--log-file <file>', 'append the log to a file instead of standard error', {
      withTcp: 'reads',
    }),
  ]),
];
