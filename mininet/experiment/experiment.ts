import { z } from 'zod';
import { bufferSchema } from '../../emulator/scenario/buffer-schema';
import { settingSchema } from '../../emulator/scenario/parameters';
import type { SwitchKind } from './switch-kinds';

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be letters, digits, - or _');
const seconds = z.number().nonnegative();
const positive = z.number().positive();
const words = z.array(z.union([z.string(), z.number()]).transform(String));
const value = z.union([z.number(), z.string()]);

/** A value that `--set` can replace; the text of experiment and topology has it as `$name`. */
export const parameterSchema = z.strictObject({
  default: z
    .union([
      value,
      z.strictObject({
        embedded: value.describe('Default on the embedded switch.'),
        bmv2: value.describe('Default on bmv2.'),
      }),
    ])
    .describe('One for both kinds of switch, or one for each.'),
  about: z.string().describe('Meaning of the parameter, for people.'),
  min: z.number().optional().describe('Smallest value that --set takes.'),
  max: z.number().optional().describe('Largest value that --set takes.'),
  capacityShare: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe(
      'For a rate in Mb/s: the share of what the doctor has measured that one switch forwards, above which the default is not used.',
    ),
  follows: z
    .strictObject({
      parameter: name.describe('The parameter that it follows.'),
      by: z.enum(['factor', 'inverse']).describe('Same factor, or its inverse.'),
    })
    .optional()
    .describe(
      'A rate: where it differs from its default, this default changes by the same factor, or by its inverse if that is more: links keep their proportions, T its packets.',
    ),
});

const inCases = {
  cases: z.array(name).optional().describe('Cases that it belongs to; all unless given.'),
};

const common = {
  name: name.describe('Name in results.'),
  from: name.describe('Host that sends.'),
  to: name.describe('Host that receives.'),
  start: seconds.default(0).describe('Seconds after the network is ready.'),
  ...inCases,
};

const hpccFlow = z
  .strictObject({
    kind: z.literal('hpcc'),
    ...common,
    seconds: positive.optional().describe('Duration of sending, or amount.'),
    bytes: z.int().positive().optional().describe('Payload to send, in place of a duration.'),
    rateBps: positive.optional().describe('Limit of the rate in bits per second.'),
    repeat: z
      .strictObject({
        times: z.int().min(1).max(200).describe('Number of processes.'),
        every: positive.describe('Seconds between their starts.'),
      })
      .optional()
      .describe('Number of processes, and the seconds between their starts.'),
    options: words.default([]).describe('Words of the command line of hpcc send.'),
    bothOptions: words.default([]).describe('For the host that it goes to, too.'),
    together: z
      .boolean()
      .default(false)
      .describe(
        'Begins at the same instant as all others with this word, whenever its process is ready.',
      ),
  })
  .describe('Flow of hpcc send.');

const iperf3Flow = z
  .strictObject({
    kind: z.literal('iperf3'),
    ...common,
    seconds: positive.describe('Duration of sending.'),
    congestion: name.describe("The kernel's congestion control."),
    options: words.default([]).describe('Words of the command line of iperf3.'),
  })
  .describe("Flow of iperf3 over the kernel's TCP.");

const exchange = z
  .strictObject({
    kind: z.literal('exchange'),
    name: name.describe('Name in results.'),
    senders: z.array(name).min(1).max(64).describe('Hosts that send.'),
    receivers: z.array(name).min(1).max(64).describe('Hosts that receive.'),
    start: seconds.default(0).describe('Seconds after the network is ready.'),
    every: positive.describe(
      'Time from one round to the next; a flow has to end before its sender begins another one.',
    ),
    seconds: positive.describe('Time for which the flows of a round send.'),
    options: words.default([]).describe('Words of the command line of hpcc send.'),
    ...inCases,
  })
  .describe('Each sender sends to each receiver, one after the other.');

const serviceSchema = z.strictObject({
  name: name.describe('Name in results and of its log.'),
  host: name.describe('Host that it runs on.'),
  argv: words
    .min(1)
    .describe(
      'The first word `hpcc` stands for this command line, and `@name.trace.jsonl` for a file in the output folder; telemetry of `hpcc agent --tcp` is looked for there.',
    ),
  ready: z.string().optional().describe('Text in its log once it serves.'),
  ...inCases,
});

/** Figures that bars are about, in the order of tables; see figures.ts for what each means. */
export const FIGURES = [
  'rateMbps',
  'utilisation',
  'throughputMbps',
  'queueP99Packets',
  'queueMaxPackets',
  'queueDelayP99Ms',
  'drainRtts',
  'drops',
  'retransmissions',
  'timeouts',
  'trimmedPackets',
  'reorderedPackets',
  'jainSecondHalf',
  'fairAfterSeconds',
  'firstShare',
  'feedbackPerData',
  'controlUpdatesPerRtt',
  'recoverySeconds',
  'lostBytes',
  'miceFctP99Ms',
  'controlRequired',
  'controlReleased',
  'reroutingRequired',
  'pathChanges',
  'telemetryReports',
  'reportGaps',
  'undecodedReports',
  'wrongPaths',
  'implausibleHops',
] as const;

export type FigureName = (typeof FIGURES)[number];

const barSchema = z
  .strictObject({
    figure: z.enum(FIGURES).describe('Figure that the bar is about.'),
    atLeast: z.number().optional().describe('Smallest value that meets the bar.'),
    atMost: z.number().optional().describe('Largest value that meets the bar.'),
    case: name.optional().describe('In this case only; in all when absent.'),
    relativeTo: name.optional().describe('The figure is divided by that of this case.'),
  })
  .refine(({ atLeast, atMost }) => (atLeast === undefined) !== (atMost === undefined), {
    message: 'give either atLeast or atMost',
  });

export const experimentSchema = z.strictObject({
  experiment: name.describe('Name of the experiment, in results and folders.'),
  title: z.string().min(1).describe('One line for people.'),
  about: z.string().optional().describe('What it shows, for people.'),
  topology: z
    .string()
    .min(1)
    .describe('A document of topologies/, by its name without `.yaml`, or a path.'),
  parameters: z
    .record(name, parameterSchema)
    .default({})
    .describe(
      'Values that --set can replace; the texts of experiment and topology have them as $name.',
    ),
  bottleneck: z
    .string()
    .regex(/^[A-Za-z][\w-]*:\d+$/, 'wanted SWITCH:PORT')
    .describe('Sending port of the link that flows share: `s1:3`.'),
  frameBytes: z
    .int()
    .min(64)
    .max(9000)
    .describe(
      'Length of a full data frame there; bmv2 paces so many packets a second as fit the rate.',
    ),
  algorithm: z
    .strictObject({
      baseRttUs: positive.describe('T, the base round-trip time of the network.'),
      targetUtilization: settingSchema('targetUtilization')
        .default(0.95)
        .describe('eta, the share of links that flows aim at.'),
      maxStage: settingSchema('maxStage')
        .default(5)
        .describe('Additive rounds before a multiplicative one.'),
      expectedFlows: settingSchema('expectedFlows')
        .optional()
        .describe('Default: 100, unless W_ai is given.'),
      waiBytes: settingSchema('waiBytes').optional().describe('W_ai, the additive step.'),
      mss: settingSchema('mss').default(1000).describe('Payload bytes of a full segment.'),
    })
    .refine(
      ({ expectedFlows, waiBytes }) => expectedFlows === undefined || waiBytes === undefined,
      {
        message: 'waiBytes is what follows from expectedFlows: give one of them',
      },
    )
    .describe('Settings of all hosts; others are options.'),
  options: words.default([]).describe('For every host that runs HPCC++.'),
  signed: z
    .boolean()
    .default(false)
    .describe('True: hosts sign feedback, with a key that each run makes anew.'),
  buffer: bufferSchema
    .optional()
    .describe(
      'Memory that the ports of each embedded switch share; absent: each queue has its limit alone.',
    ),
  warmUp: seconds
    .default(0)
    .describe('Figures leave out so many seconds, in which processes compile their code.'),
  controller: z
    .enum(['apply', 'watch'])
    .default('apply')
    .describe(
      '`watch` keeps the controller running, which then leads routes around links that fail.',
    ),
  flows: z
    .array(z.discriminatedUnion('kind', [hpccFlow, iperf3Flow, exchange]))
    .min(1)
    .describe('What hosts send.'),
  services: z.array(serviceSchema).default([]).describe('Other processes on hosts.'),
  events: z
    .array(
      z.strictObject({
        at: seconds.describe('Seconds after the network is ready.'),
        link: z.string().describe('Name of the link: s1:2-s2:1 or h1-s1:1.'),
        state: z.enum(['down', 'up']).describe('State from then on.'),
      }),
    )
    .default([])
    .describe('Links that fail or come back.'),
  cases: z
    .array(
      z.strictObject({
        name: name.describe('Name of the case.'),
        set: z.record(name, value).default({}).describe('Parameters that the case changes.'),
      }),
    )
    .optional()
    .describe('Runs of one experiment that are compared with each other.'),
  ramp: z
    .strictObject({
      parameter: name.describe('The parameter that grows.'),
      factor: z.number().gt(1).describe('Factor from one step to the next.'),
      steps: z.int().min(1).max(20).describe('Largest number of steps.'),
      halvings: z
        .int()
        .min(0)
        .max(4)
        .default(0)
        .describe(
          'Number of times that the gap between the last step that was carried and the next one is halved.',
        ),
      untilLeftBelow: z
        .number()
        .min(0)
        .max(1)
        .describe('Share of the processors that a run leaves over.'),
      untilUtilisationBelow: z
        .number()
        .min(0)
        .max(1)
        .describe('Utilisation of the link below which the ramp ends.'),
    })
    .optional()
    .describe('Cases by a parameter that grows until the machine or the switch has enough.'),
  notEmulated: z
    .string()
    .optional()
    .describe('Why the emulator cannot run the same, where it cannot.'),
  bars: z.array(barSchema).default([]).describe('What the result must reach.'),
});

export type HpccFlowDocument = z.output<typeof hpccFlow>;
export type Iperf3FlowDocument = z.output<typeof iperf3Flow>;
export type ExchangeDocument = z.output<typeof exchange>;
export type FlowDocument = HpccFlowDocument | Iperf3FlowDocument;
/** With single flows only: exchanges are taken apart when an experiment is read. */
export type ExperimentDocument = Omit<z.output<typeof experimentSchema>, 'flows'> & {
  readonly flows: readonly FlowDocument[];
};
export type ParameterDocument = z.output<typeof parameterSchema>;
export type BarDocument = ExperimentDocument['bars'][number];
export type ParameterValue = z.infer<typeof value>;

/** The default of a parameter for one kind of switch. */
export function defaultOf({ default: given }: ParameterDocument, kind: SwitchKind): ParameterValue {
  return typeof given === 'object' ? given[kind] : given;
}

/** True if something belongs to a case; without a list of cases it belongs to all. */
export const isInCase = (
  { cases }: { readonly cases?: readonly string[] | undefined },
  name: string,
): boolean => cases === undefined || cases.includes(name);
