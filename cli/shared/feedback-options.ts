import { CARRIERS } from '../../host-agent/carrier/carriers';
import {
  COLLECTORS,
  CONTROL_PLACES,
  FEEDBACK_PRESETS,
  RETURNS,
} from '../../host-agent/feedback/feedback-plan';
import { ROUND_ENDS } from '../../host-agent/feedback/round-clock';
import { QUEUE_MEASURES } from '../../host-agent/io/options/agent-options';
import * as bounds from './host-bounds';
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
  namesRoute,
} from './host-option';
import type { HostOption } from './host-option';
import { bytesOption, countOption, csigDomainOption, scaledOption, within } from './option-values';

const LIMITS_NEED = 'is a limit of --plausibility, which is off';

/** What collects telemetry, carries it, brings its consequences back, and protects it. */
export const FEEDBACK_OPTIONS: readonly HostOption[] = inSection('Telemetry and feedback:', [
  at(
    '--feedback <kind>',
    'one name for the next three, on both hosts (default: ack, or what they say)',
    {
      choices: Object.keys(FEEDBACK_PRESETS),
      rules: [
        [namesRoute, '--feedback is a name for --collect, --return and --control-at: give either'],
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
  at('--rounds-end-by <what>', 'what ends a round at the receiver: marks of data, or T', {
    choices: ROUND_ENDS,
    idle: 'epoch',
    rules: [
      [
        (asked) => !isRemote(asked),
        '--rounds-end-by is about rounds at the receiver: it needs --control-at receiver',
      ],
    ],
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
        ({ flags }) => flags.keys !== undefined && flags.answerKeys === undefined,
        '--switch-responses are refused unless signed with --keys: they need --answer-keys',
      ],
    ],
  }),
  at('--answer-keys <file>', 'believe answers of switches only if signed with keys of this file', {
    framing: 'hpcc',
    rules: [
      [
        ({ flags }) => flags.switchResponses !== true,
        '--answer-keys is about answers of switches: it needs --switch-responses',
      ],
    ],
  }),
  at(
    '--switches-choose',
    'switches write into few packets, until their queues are long; both hosts',
    {
      default: false,
      framing: 'hpcc',
      rules: [
        [hasOtherCarrier, '--switches-choose is about INT, not about other carriers'],
        [
          (asked) => collectsByProbes(asked) || hasPaths(asked) || isCoordinated(asked),
          '--switches-choose is about data that asks: probes, --paths and --coordination need each answer',
        ],
        [
          ({ flags }) => flags.baseRttUs === 'auto',
          '--switches-choose is about data that asks, and --base-rtt-us auto needs an answer to each probe',
        ],
      ],
    },
  ),
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
]);
