import { LOG_LEVELS } from '../../common/io/log';
import * as bounds from './host-bounds';
import { FRAMINGS, QUEUE_MEASURES, TRANSPORTS } from '../../host-agent/io/options/agent-options';
import {
  COLLECTORS,
  CONTROL_PLACES,
  FEEDBACK_PRESETS,
  RETURNS,
} from '../../host-agent/feedback/feedback-plan';
import { CARRIERS } from '../../host-agent/carrier/carriers';
import { INT_DSCP } from '../../common/wire/int/int-md';
import { PAUSE_CLASSES } from '../../common/wire/ip/mac-control';
import { LOSS_RECOVERIES } from '../../host-agent/transport/recovery/loss-recovery';
import { ROCE_OPERATIONS } from '../../host-agent/roce/queue-pair/roce-config';
import {
  at,
  collectsByProbes,
  hasOtherCarrier,
  hasPaths,
  hidesLinks,
  inSection,
  isBelowUdpSocket,
  isCoordinated,
  isPlausible,
  isRemote,
  isUdp,
  isUncoordinated,
  namesRoute,
} from './host-option';
import type { HostOption } from './host-option';
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

const LIMITS_NEED = 'is a limit of --plausibility, which is off';

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
      value: within(bounds.RATE_MIN, bounds.RATE_MAX, scaledOption),
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
      value: within(1, bounds.MSS_MAX, countOption),
    }),
    at('--hop-limit <n>', 'switches that may add telemetry', {
      value: within(1, bounds.HOPS_MAX, countOption),
      default: 8,
      withTcp: 'reads',
    }),
    at('--rto-ms <n>', 'time without progress before a flow goes back', {
      value: within(bounds.TIMEOUT_MIN_MS, bounds.TIMEOUT_MAX_MS, positiveOption),
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
          isBelowUdpSocket,
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
      value: within(1, bounds.EVERY_MAX, countOption),
      framing: 'hpcc',
      rules: [
        [
          collectsByProbes,
          '--collect-every is about data, and with --feedback probe data collects nothing',
        ],
      ],
    }),
    at('--ack-every <n>', 'one acknowledgement for so many packets', {
      value: within(1, bounds.EVERY_MAX, countOption),
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
    at(
      '--queue-measure <what>',
      "what tells of waiting packets: the queue's length, or the time in it",
      {
        choices: QUEUE_MEASURES,
        framing: 'hpcc',
        idle: 'length',
        rules: [
          [hasOtherCarrier, '--queue-measure sojourn is an instruction of INT, not of --carrier'],
        ],
      },
    ),
    at('--switch-responses', 'ask switches to answer at once when a queue is long', {
      default: false,
      framing: 'hpcc',
      rules: [
        [
          hidesLinks,
          '--switch-responses tells of a link, and --hide-links keeps links from the sender',
        ],
        [hasOtherCarrier, '--switch-responses are asked for by a flag of INT, not of --carrier'],
        [
          ({ flags }) => flags.keys !== undefined,
          '--switch-responses are not signed, and with --keys hosts refuse what is not',
        ],
      ],
    }),
    at('--keys <file>', 'sign feedback with keys of this file; on both hosts'),
    at('--plausibility <state>', 'refuse impossible telemetry (default: on with --keys)', {
      choices: ['off', 'on'],
    }),
    at(
      '--queue-capacity-bytes <n>',
      'the deepest queue of the network, beyond which none is believed',
      {
        value: within(1, Number.MAX_SAFE_INTEGER, bytesOption),
        rules: [[(asked) => !isPlausible(asked), `--queue-capacity-bytes ${LIMITS_NEED}`]],
      },
    ),
    at('--fastest-link-bps <n>', 'the fastest link of the network, beyond which none is believed', {
      value: within(bounds.RATE_MIN, bounds.RATE_MAX, scaledOption),
      rules: [[(asked) => !isPlausible(asked), `--fastest-link-bps ${LIMITS_NEED}`]],
    }),
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
      value: within(0, bounds.STAGES_MAX, wholeOption),
      withTcp: 'reads',
    }),
    at('--expected-flows <n>', 'N, from which W_ai follows (default: 100)', {
      value: within(1, bounds.EXPECTED_FLOWS_MAX, countOption),
      withTcp: 'reads',
    }),
  ]),
  ...inSection('Paths:', [
    at('--paths <n>', 'distinct paths for each flow to choose among', {
      value: within(1, bounds.PATHS_MAX, countOption),
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
        value: within(bounds.TIMEOUT_MIN_MS, bounds.TIMEOUT_MAX_MS, positiveOption),
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
      value: within(0.001, bounds.RUN_MAX_SECONDS, positiveOption),
      rules: [
        [
          ({ flags }) => flags.bytes !== undefined,
          '--bytes and --time both say how much is sent: give one of them',
        ],
      ],
    }),
    at('-P, --parallel <n>', 'flows at the same time', {
      value: within(1, bounds.FLOWS_MAX, countOption),
      default: 1,
    }),
    at('-b, --rate <bps>', 'limit of each flow on the wire, such as 100M', {
      value: within(bounds.RATE_MIN, bounds.RATE_MAX, scaledOption),
      rules: [[isRemote, '--rate limits the algorithm of the sender, not --feedback receiver']],
    }),
    at('--dscp <n>', 'class of the flows: their DSCP', {
      value: within(0, bounds.DSCP_MAX, wholeOption),
      idle: 0,
      rules: [
        [({ flags }) => flags.dscp === INT_DSCP, `--dscp ${INT_DSCP} is that of INT`],
        [({ sends }) => !sends, '--dscp is about flows that are sent: it needs --send'],
        [
          ({ flags }) => flags.operation === 'read',
          '--dscp is about data of this host, and with --operation read the other one sends it',
        ],
      ],
    }),
    at('--peer-mac <mac>', 'MAC address of the next hop, instead of looking it up'),
    at('--first-flow <id>', 'id of the first flow, instead of a random one', {
      value: within(0, 0xffff, wholeOption),
    }),
    at('--timeout <seconds>', 'give up when nothing is acknowledged so long', {
      value: within(0.001, bounds.DAY_SECONDS, positiveOption),
      default: 5,
    }),
    at('--interval <seconds>', 'between reports', {
      value: within(0.001, bounds.DAY_SECONDS, positiveOption),
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
      value: within(bounds.TIMEOUT_MIN_MS, bounds.TIMEOUT_MAX_MS, positiveOption),
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
