import { LOG_LEVELS } from '../../common/io/log';
import * as bounds from './host-bounds';
import { FRAMINGS, TRANSPORTS } from '../../host-agent/io/options/agent-options';
import { FEEDBACK_OPTIONS } from './feedback-options';
import { INT_DSCP } from '../../common/wire/int/int-md';
import { PAUSE_CLASSES } from '../../common/wire/ip/mac-control';
import { LOSS_RECOVERIES } from '../../host-agent/transport/recovery/loss-recovery';
import { ROCE_OPERATIONS } from '../../host-agent/roce/queue-pair/roce-config';
import {
  at,
  hasPaths,
  hidesLinks,
  inSection,
  isCoordinated,
  isRemote,
  isUdp,
  isUncoordinated,
} from './host-option';
import type { HostOption } from './host-option';
import {
  baseRttOption,
  bytesOption,
  countOption,
  portsOption,
  positiveOption,
  scaledOption,
  soonOption,
  wholeOption,
  within,
} from './option-values';

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
      'whether flows repeat all from a gap on, or what is missing (default: go-back-n; selective-repeat with --coordination)',
      { choices: LOSS_RECOVERIES, framing: 'hpcc', idle: 'go-back-n' },
    ),
    at('--checksum', 'send bytes instead of zeros, and tell their SHA-256', { default: false }),
  ]),
  ...FEEDBACK_OPTIONS,
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
    at('--admit-below <U>', 'begin a flow once its path has a load below that', {
      value: within(0.01, 1, positiveOption),
      framing: 'hpcc',
      rules: [
        [({ sends }) => !sends, '--admit-below is about flows that are sent: it needs --send'],
        [isRemote, '--admit-below needs telemetry at the sender, not --feedback receiver'],
        [
          ({ flags }) => flags.baseRttUs === 'auto',
          '--admit-below counts in T, and --base-rtt-us auto has none before the flow begins',
        ],
      ],
    }),
    at('--admit-within-ms <n>', 'begin it then in any case (default: 1000 T)', {
      value: within(0.001, bounds.TIMEOUT_MAX_MS, positiveOption),
      rules: [
        [
          ({ flags }) => flags.admitBelow === undefined,
          '--admit-within-ms is about flows that wait: it needs --admit-below',
        ],
        [
          ({ flags: { admitWithinMs = 0, timeout } }) => admitWithinMs >= 1000 * timeout,
          '--admit-within-ms must be below --timeout, after which a silent peer is given up',
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
    at('--rehearse <seconds>', 'send a flow that does not count before, so that code is compiled', {
      value: within(0.001, bounds.DAY_SECONDS, positiveOption),
      rules: [
        [({ sends }) => !sends, '--rehearse goes before flows that are sent: it needs --send'],
      ],
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
