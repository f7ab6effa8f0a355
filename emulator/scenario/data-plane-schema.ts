import { z } from 'zod';
import { coordinationSchema } from '../../controller/document/coordination';
import type { CoordinationDocument } from '../../controller/document/coordination';
import type { NetworkText } from '../../controller/document/schema';
import { SPRAY_POLICIES } from '../../controller/document/spray';
import { trimSchema } from '../../controller/document/trim';
import { telemetrySchema } from '../../controller/document/schema';
import { timeUs } from '../workload/quantities';

/** P4 programs that hosts of the emulator understand (docs/p4.md). */
export const PROFILES = [
  'hpcc',
  'hpcc-feedback',
  'hpcc-feedback-signed',
  'hpcc-queues',
  'hpcc-sparse',
  'hpcc-relative',
  'hpcc-spray',
  'hpcc-trim',
  'hpcc-spray-trim',
  'hpcc-usid',
  'hpcc-edge',
  'hpcc-ccm',
  'hpcc-counter32',
  'hpcc-pint',
  'ioam',
  'ifa',
  'padding',
  'csig',
] as const;

export type Profile = (typeof PROFILES)[number];

/** Scenarios of version 0.2 have another name for the profile that counts in 32 bits. */
const profile = z.preprocess(
  (name) => (name === 'hpcc-twin' ? 'hpcc-counter32' : name),
  z.enum(PROFILES),
);

const nodeName = z.string();

/** Telemetry settings, as in documents of the controller. */
export type TelemetryText = NonNullable<NetworkText['telemetry']>;

/** Checked here and kept as written, because the controller reads it from a document again. */
const telemetry = z.custom<TelemetryText>().superRefine((value, context) => {
  for (const { path, message } of telemetrySchema.safeParse(value).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path, message });
  }
});

type CoordinationText = NonNullable<NetworkText['coordination']>;

const coordination = z.custom<CoordinationText>().superRefine((value, context) => {
  for (const { path, message } of coordinationSchema.safeParse(value).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path, message });
  }
});

/** Schemas of parts that are checked by them and kept as written, for references of the document. */
export const CHECKED_BY: ReadonlyMap<z.core.$ZodType, z.ZodType> = new Map<
  z.core.$ZodType,
  z.ZodType
>([
  [telemetry, telemetrySchema],
  [coordination, coordinationSchema],
]);

/** The programs of the switches, and what the controller makes of them. */
export const dataPlaneShape = {
  profile: profile.default('hpcc').describe('P4 program of all switches.'),
  switchProfiles: z.record(nodeName, profile).default({}).describe('Switches with another one.'),
  telemetry: telemetry
    .default({})
    .describe("As in the controller's document: feedback, classes, ecn, ..."),
  coordination: coordination
    .optional()
    .describe("As in the controller's document, for switches of the profile hpcc-ccm."),
  spray: z
    .enum(SPRAY_POLICIES)
    .optional()
    .describe(
      'What switches choose by among equal paths for each packet, by the profiles hpcc-spray and hpcc-spray-trim. Default: a hash of the flow.',
    ),
  trim: trimSchema
    .optional()
    .describe(
      'Packets whose queue is full go on as headers, by the profiles hpcc-trim, hpcc-spray-trim and hpcc-usid.',
    ),
  sourceRouting: z
    .enum(['usid'])
    .optional()
    .describe(
      'Hosts write the path of each packet, by its source port, as uSIDs into its IPv6 destination (SRv6), for the profile hpcc-usid. Default: switches choose.',
    ),
  untrustedHosts: z
    .array(nodeName)
    .default([])
    .describe('Hosts whose telemetry is not trusted by switches of the profile hpcc-edge.'),
};

/**
 * Named changes of the scenario that `hpcc compare` runs side by side; those of `parameters` are
 * made one by one.
 */
export const variantShape = {
  variants: z
    .record(nodeName, z.record(z.string(), z.unknown()))
    .default({})
    .describe(
      'Changes of the scenario by name, which hpcc compare runs side by side; those of parameters are made one by one.',
    ),
  sideBySide: z
    .array(nodeName)
    .min(2)
    .optional()
    .describe(
      'Variants that `hpcc run` runs one after the other unless one is named, with one table of them all.',
    ),
};

/** Forgeries of the newest record of a packet, or of the packet. */
const FORGERIES = [
  /** The link has carried more than it can. */
  'overfull',
  /** The link is ten thousand times as fast, or so. */
  'capacity',
  /** The packet left before its predecessors. */
  'backwards',
  /** Another switch than there is. */
  'unknown-link',
  /** The longest queue that the field can hold. */
  'congested',
  /** Nothing waits, and nothing was ever sent. */
  'idle',
  /** An earlier packet once more. */
  'replay',
] as const;

export type Forgery = (typeof FORGERIES)[number];

/** An attacker who forges telemetry on its way over one direction of a link. */
export const forgedTelemetrySchema = z.strictObject({
  from: z.string().describe('Node whose packets on the link are forged.'),
  to: z.string().describe('Node at the other end.'),
  forgeries: z
    .array(z.enum(FORGERIES))
    .min(1)
    .describe('Forgeries that are made, one of them by chance for each packet.'),
  oneIn: z.number().int().min(1).default(1).describe('One of so many packets, by chance.'),
  fromUs: timeUs.default(0).describe('Instant of the first one.'),
  toUs: timeUs.positive().default(1_000_000_000).describe('Instant after which there are none.'),
});

export type ForgedTelemetryDocument = z.output<typeof forgedTelemetrySchema>;

const probability = z.number().min(0).max(1).default(0);

/**
 * Faults of notifications of coordinated congestion management on the last link before their
 * receiver, each with its probability per genuine notification.
 */
export const notificationFaultSchema = z.strictObject({
  loss: probability.describe('It is lost.'),
  duplicate: probability.describe('It arrives a second time, up to `delayUs` later.'),
  reorder: probability.describe(
    'It comes up to `delayUs` late, behind others that were sent after it.',
  ),
  delayUs: timeUs.positive().default(50).describe('Longest delay of a late one.'),
  forge: probability.describe('A forged one follows.'),
  replay: probability.describe('One that has arrived before follows.'),
  seed: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('Seed of the faults; that of the run unless given.'),
});

export type NotificationFaultDocument = z.output<typeof notificationFaultSchema>;

/** Forged telemetry and faulty notifications. */
export const forgeryShape = {
  forgedTelemetry: z
    .array(forgedTelemetrySchema)
    .default([])
    .describe('Attackers who change telemetry on its way.'),
  notificationFaults: notificationFaultSchema
    .optional()
    .describe('Faults of notifications of switches of the profile hpcc-ccm.'),
};

/** Events of the network while it runs, and the reactions to them. */
const eventSchema = z
  .strictObject({
    atUs: timeUs.describe('Instant of the change.'),
    between: z
      .tuple([nodeName, nodeName])
      .describe('The nodes at both ends; `h1:2` where several links join them.'),
    state: z.enum(['down', 'up']).optional().describe('State from then on.'),
    lossRate: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        'Share of packets that the link loses from then on, by chance, as by dirty optics.',
      ),
    flaps: z
      .strictObject({
        times: z.number().int().min(1).max(10_000).describe('How often it fails and comes back.'),
        downUs: timeUs.positive().describe('Time for which it is down.'),
        everyUs: timeUs.positive().describe('Time from one failure to the next.'),
      })
      .refine(({ downUs, everyUs }) => downUs < everyUs, 'downUs must be less than everyUs')
      .optional()
      .describe('The link fails and comes back, again and again.'),
  })
  .refine(
    ({ state, lossRate, flaps }) =>
      [state, lossRate, flaps].filter((each) => each !== undefined).length === 1,
    'must have one of state, lossRate and flaps',
  );

export type EventDocument = z.output<typeof eventSchema>;

export const eventShape = {
  events: z
    .array(eventSchema)
    .default([])
    .describe(
      'Links that fail, come back or begin to lose packets; what is on a failed one is lost.',
    ),
  reaction: z
    .strictObject({
      controllerUs: timeUs
        .nullable()
        .default(100)
        .describe(
          'Time from a change of a link until the controller writes new routes; null: it never does.',
        ),
      watchPorts: z
        .boolean()
        .default(false)
        .describe('True: ECMP groups of a switch leave out ports whose link is down, at once.'),
    })
    .prefault({})
    .describe('How the network reacts to links that fail.'),
};

/** The coordination section of a scenario; undefined if its switches do not coordinate. */
export function coordinationOf(scenario: {
  readonly coordination?: CoordinationText | undefined;
}): CoordinationDocument | undefined {
  const { coordination: text } = scenario;
  return text === undefined ? undefined : coordinationSchema.parse(text);
}
