import { z } from 'zod';
import { coordinationSchema } from '../../controller/document/coordination';
import type { CoordinationDocument } from '../../controller/document/coordination';
import type { NetworkText } from '../../controller/document/schema';
import { telemetrySchema } from '../../controller/document/schema';
import { timeUs } from '../workload/quantities';

/** P4 programs that hosts of the emulator understand (docs/p4.md). */
const PROFILES = [
  'hpcc',
  'hpcc-feedback',
  'hpcc-feedback-signed',
  'hpcc-queues',
  'hpcc-sparse',
  'hpcc-edge',
  'hpcc-ccm',
  'hpcc-twin',
  'hpcc-pint',
  'ioam',
  'ifa',
  'padding',
  'csig',
] as const;

export type Profile = (typeof PROFILES)[number];

const nodeName = z.string();

/** What the controller is told of telemetry, in the words of its own documents. */
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

/** The programs of the switches, and what the controller makes of them. */
export const dataPlaneShape = {
  /** P4 program of all switches. */
  profile: z.enum(PROFILES).default('hpcc'),
  /** Switches with another one. */
  switchProfiles: z.record(nodeName, z.enum(PROFILES)).default({}),
  /** As in the controller's document: feedback, classes, ecn, ... */
  telemetry: telemetry.default({}),
  /** As in the controller's document, for switches of the profile hpcc-ccm. */
  coordination: coordination.optional(),
  /** Hosts whose telemetry switches of the profile hpcc-edge do not believe. */
  untrustedHosts: z.array(nodeName).default([]),
};

/**
 * Named changes of the scenario that `hpcc compare` runs side by side; those of `parameters` are
 * made one by one.
 */
export const variantShape = {
  variants: z.record(nodeName, z.record(z.string(), z.unknown())).default({}),
};

/** What a liar says in the newest record of a packet, or does with the packet. */
const LIES = [
  /** The link has carried more than it can. */
  'overfull',
  /** The link is ten thousand times as fast, or so. */
  'capacity',
  /** The packet left before its predecessors. */
  'backwards',
  /** Another switch than there is. */
  'unknown-link',
  /** As long a queue as can be told. */
  'congested',
  /** Nothing waits, and nothing was ever sent. */
  'idle',
  /** An earlier packet once more. */
  'replay',
] as const;

export type Lie = (typeof LIES)[number];

/** Somebody who tampers with telemetry on its way over one direction of a link. */
export const liarSchema = z.strictObject({
  from: z.string(),
  to: z.string(),
  lies: z.array(z.enum(LIES)).min(1),
  /** One of so many packets, by chance. */
  oneIn: z.number().int().min(1).default(1),
  fromUs: timeUs.default(0),
  toUs: timeUs.positive().default(1_000_000_000),
});

export type LiarDocument = z.output<typeof liarSchema>;

const probability = z.number().min(0).max(1).default(0);

/**
 * What happens to notifications of coordinated congestion management on the last link before their
 * receiver, each with its probability per genuine notification.
 */
export const notificationFaultSchema = z.strictObject({
  /** It is lost. */
  loss: probability,
  /** It arrives a second time, up to `delayUs` later. */
  duplicate: probability,
  /** It comes up to `delayUs` late, behind others that were sent after it. */
  reorder: probability,
  delayUs: timeUs.positive().default(50),
  /** A forged one follows. */
  forge: probability,
  /** One that has arrived before follows. */
  replay: probability,
  /** Of the faults alone; that of the run unless given. */
  seed: z.number().int().nonnegative().optional(),
});

export type NotificationFaultDocument = z.output<typeof notificationFaultSchema>;

/** Who must not be believed. */
export const liarShape = {
  liars: z.array(liarSchema).default([]),
  /** What happens to notifications of switches of the profile hpcc-ccm. */
  notificationFaults: notificationFaultSchema.optional(),
};

/** What happens to the network while it runs, and how the controller takes it. */
export const eventShape = {
  /** Links that fail or come back; what is on its way there is lost. */
  events: z
    .array(
      z.strictObject({
        atUs: timeUs,
        between: z.tuple([nodeName, nodeName]),
        state: z.enum(['down', 'up']),
      }),
    )
    .default([]),
  reaction: z
    .strictObject({
      /** From a change of a link until the controller writes new routes; null: it never does. */
      controllerUs: timeUs.nullable().default(100),
      /** Whether ECMP groups of a switch leave out ports whose link is down, at once. */
      watchPorts: z.boolean().default(false),
    })
    .prefault({}),
};

/** The coordination section of a scenario; undefined if its switches do not coordinate. */
export function coordinationOf(scenario: {
  readonly coordination?: CoordinationText | undefined;
}): CoordinationDocument | undefined {
  const { coordination: text } = scenario;
  return text === undefined ? undefined : coordinationSchema.parse(text);
}
