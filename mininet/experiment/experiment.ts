import { z } from 'zod';
import { bufferSchema } from '../../emulator/scenario/buffer-schema';
import { settingSchema } from '../../emulator/scenario/parameters';

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be letters, digits, - or _');
const seconds = z.number().nonnegative();
const positive = z.number().positive();
const words = z.array(z.union([z.string(), z.number()]).transform(String));
const value = z.union([z.number(), z.string()]);

/** A value that `--set` can replace; the text of experiment and topology has it as `$name`. */
export const parameterSchema = z.strictObject({
  /** One for both kinds of switch, or one for each. */
  default: z.union([value, z.strictObject({ embedded: value, bmv2: value })]),
  about: z.string(),
  min: z.number().optional(),
  max: z.number().optional(),
  /**
   * For a rate in Mb/s: the share of what the doctor has measured that one switch forwards, above
   * which the default is not used.
   */
  capacityShare: z.number().gt(0).max(1).optional(),
  /**
   * A rate whose default a machine may not carry. Where that one is below its default, this default
   * changes by the same factor, or by its inverse: links keep their proportions, and T its packets.
   */
  follows: z.strictObject({ parameter: name, by: z.enum(['factor', 'inverse']) }).optional(),
});

const inCases = { cases: z.array(name).optional() };

const common = {
  name,
  from: name,
  to: name,
  start: seconds.default(0),
  ...inCases,
};

const hpccFlow = z.strictObject({
  kind: z.literal('hpcc'),
  ...common,
  /** Duration of sending, or amount. */
  seconds: positive.optional(),
  bytes: z.int().positive().optional(),
  /** Limit of the rate in bits per second. */
  rateBps: positive.optional(),
  /** Number of processes, and the seconds between their starts. */
  repeat: z.strictObject({ times: z.int().min(1).max(200), every: positive }).optional(),
  options: words.default([]),
  /** For the host that it goes to, too. */
  bothOptions: words.default([]),
  /** Begins at the same instant as all others with this word, whenever its process is ready. */
  together: z.boolean().default(false),
});

const iperf3Flow = z.strictObject({
  kind: z.literal('iperf3'),
  ...common,
  seconds: positive,
  /** The kernel's congestion control. */
  congestion: name,
  options: words.default([]),
});

/** Each sender sends to each receiver, one after the other. */
const exchange = z.strictObject({
  kind: z.literal('exchange'),
  name,
  senders: z.array(name).min(1).max(64),
  receivers: z.array(name).min(1).max(64),
  start: seconds.default(0),
  /** Time from one round to the next; a flow has to end before its sender begins another one. */
  every: positive,
  /** Time for which the flows of a round send. */
  seconds: positive,
  options: words.default([]),
  ...inCases,
});

const serviceSchema = z.strictObject({
  name,
  host: name,
  /**
   * The first word `hpcc` stands for this command line, and `@name.trace.jsonl` for a file in the
   * output folder; telemetry of `hpcc agent --tcp` is looked for there.
   */
  argv: words.min(1),
  /** Text in its log once it serves. */
  ready: z.string().optional(),
  ...inCases,
});

/** Figures that bars are about; see figures.ts for what each means. */
export const FIGURES = [
  'utilisation',
  'throughputMbps',
  'queueP99Packets',
  'queueMaxPackets',
  'queueDelayP99Ms',
  'drainRtts',
  'drops',
  'retransmissions',
  'jainSecondHalf',
  'fairAfterSeconds',
  'firstShare',
  'feedbackPerData',
  'controlUpdatesPerRtt',
  'recoverySeconds',
  'lostBytes',
  'miceFctP99Ms',
  'rateMbps',
  'controlRequired',
  'controlReleased',
  'reroutingRequired',
  'pathChanges',
] as const;

export type FigureName = (typeof FIGURES)[number];

const barSchema = z
  .strictObject({
    figure: z.enum(FIGURES),
    atLeast: z.number().optional(),
    atMost: z.number().optional(),
    /** In this case only; in all when absent. */
    case: name.optional(),
    /** The figure is divided by that of this case. */
    relativeTo: name.optional(),
  })
  .refine(({ atLeast, atMost }) => (atLeast === undefined) !== (atMost === undefined), {
    message: 'give either atLeast or atMost',
  });

export const experimentSchema = z.strictObject({
  experiment: name,
  title: z.string().min(1),
  about: z.string().optional(),
  /** A document of topologies/, by its name without `.yaml`, or a path. */
  topology: z.string().min(1),
  parameters: z.record(name, parameterSchema).default({}),
  /** Sending port of the link that flows share: `s1:3`. */
  bottleneck: z.string().regex(/^[A-Za-z][\w-]*:\d+$/, 'wanted SWITCH:PORT'),
  /** Length of a full data frame there; bmv2 paces so many packets a second as fit the rate. */
  frameBytes: z.int().min(64).max(9000),
  /** Settings of all hosts; others are options. */
  algorithm: z
    .strictObject({
      baseRttUs: positive,
      targetUtilization: settingSchema('targetUtilization').default(0.95),
      maxStage: settingSchema('maxStage').default(5),
      /** Default: 100, unless W_ai is given. */
      expectedFlows: settingSchema('expectedFlows').optional(),
      waiBytes: settingSchema('waiBytes').optional(),
      mss: settingSchema('mss').default(1000),
    })
    .refine(
      ({ expectedFlows, waiBytes }) => expectedFlows === undefined || waiBytes === undefined,
      {
        message: 'waiBytes is what follows from expectedFlows: give one of them',
      },
    ),
  /** For every host that runs HPCC++. */
  options: words.default([]),
  /** True: hosts sign feedback, with a key that each run makes anew. */
  signed: z.boolean().default(false),
  /** Memory that the ports of each embedded switch share; absent: each queue has its limit alone. */
  buffer: bufferSchema.optional(),
  /** Figures leave out so many seconds, in which processes compile their code. */
  warmUp: seconds.default(0),
  /** `watch` keeps the controller running, which then leads routes around links that fail. */
  controller: z.enum(['apply', 'watch']).default('apply'),
  flows: z.array(z.discriminatedUnion('kind', [hpccFlow, iperf3Flow, exchange])).min(1),
  services: z.array(serviceSchema).default([]),
  events: z
    .array(z.strictObject({ at: seconds, link: z.string(), state: z.enum(['down', 'up']) }))
    .default([]),
  /** Runs of one experiment that are compared with each other. */
  cases: z.array(z.strictObject({ name, set: z.record(name, value).default({}) })).optional(),
  /** Cases by a parameter that grows until the machine or the switch has enough. */
  ramp: z
    .strictObject({
      parameter: name,
      factor: z.number().gt(1),
      steps: z.int().min(1).max(20),
      /**
       * Number of times that the gap between the last step that was carried and the next one is
       * halved.
       */
      halvings: z.int().min(0).max(4).default(0),
      /** Share of the processors that a run leaves over. */
      untilLeftBelow: z.number().min(0).max(1),
      untilUtilisationBelow: z.number().min(0).max(1),
    })
    .optional(),
  /** Why the emulator cannot run the same, where it cannot. */
  notEmulated: z.string().optional(),
  bars: z.array(barSchema).default([]),
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

export const SWITCH_KINDS = ['embedded', 'bmv2'] as const;

export type SwitchKind = (typeof SWITCH_KINDS)[number];
