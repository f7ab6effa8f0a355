import { z } from 'zod';

/** Record of a run with adaptive routing and congestion control. */
const notifications = z.strictObject({
  controlRequired: z.number(),
  controlReleased: z.number(),
  reroutingRequired: z.number(),
});

const flowCoordination = z.strictObject({
  id: z.number(),
  packets: z.number(),
  /** Packets that arrived at the receiver's link after one that had left the sender later. */
  reordered: z.number(),
  /** Changes of the egress port at any switch. */
  reroutes: z.number(),
  /** Those of packets with the CC indicator. */
  taggedReroutes: z.number(),
  /** Changes of the source port at the sender. */
  sourceReroutes: z.number(),
  tagged: z.number(),
  /** Reductions of the rate while the CC indicator was clear and a light path existed. */
  reductionsBelowFair: z.number(),
});

const logEntry = z.strictObject({
  atUs: z.number(),
  what: z.enum([
    'indicator',
    'path',
    'notification-sent',
    'notification-received',
    'tagged',
    'released',
    'expired',
    'rerouted',
    'rate',
  ]),
  /** Switch or host. */
  node: z.string(),
  /** Number of the flow in the scenario. */
  flow: z.number(),
  detail: z.string(),
});

/** A time for which a host had a flow under control. */
const controlSpan = z.strictObject({
  flow: z.number(),
  fromUs: z.number(),
  /** Null: the flow or the run ended first. */
  toUs: z.number().nullable(),
  /** Cause of its beginning: a type 1, or the echo of a CE mark. */
  cause: z.enum(['type 1', 'CE']),
  end: z.enum(['released', 'expired', 'open']),
  /** The last type 1 of a switch that had not released the flow by the end; null: there is none. */
  lastRequestUs: z.number().nullable(),
  /** The last echo of a CE mark until the end. */
  lastMarkUs: z.number().nullable(),
});

/** Counts of faults of notifications on the last links before their receivers. */
const notificationFaults = z.strictObject({
  genuine: z.number(),
  lost: z.number(),
  duplicated: z.number(),
  delayed: z.number(),
  forged: z.number(),
  replayed: z.number(),
});

export const coordinationSchema = z.strictObject({
  mode: z.string(),
  packets: z.number(),
  reordered: z.number(),
  reroutes: z.number(),
  taggedReroutes: z.number(),
  sourceReroutes: z.number(),
  reductionsBelowFair: z.number(),
  /** Notifications that switches sent. */
  sent: notifications,
  /** Notifications that arrived at their switches and hosts, accepted or not. */
  received: notifications,
  tagged: z.number(),
  released: z.number(),
  expired: z.number(),
  /** Tagged because of a CE mark, not of a type 1. */
  marked: z.number(),
  /** Notifications about running flows that hosts accepted. */
  taken: notifications,
  /** Those that they refused, by reason. */
  refused: z.record(z.string(), z.number()),
  /** Type 1 that came to a host after a later type 2 of the same switch. */
  outdatedRequests: z.number(),
  controlled: z.array(controlSpan),
  /** Faults by receiver; only where the scenario has faults. */
  faults: z.strictObject({ hosts: notificationFaults, switches: notificationFaults }).optional(),
  flows: z.array(flowCoordination),
  log: z.array(logEntry),
  logOmitted: z.number(),
});

export const collectiveSchema = z.strictObject({
  name: z.string(),
  kind: z.string(),
  connections: z.number(),
  /** Payload of all connections. */
  bytes: z.number(),
  startUs: z.number(),
  /** Arrival of the last message; null: it never arrived. */
  completionUs: z.number().nullable(),
});

export type CoordinationRecord = z.infer<typeof coordinationSchema>;
export type ControlSpan = z.infer<typeof controlSpan>;
export type CollectiveRecord = z.infer<typeof collectiveSchema>;
export type FlowCoordinationRecord = CoordinationRecord['flows'][number];
export type CoordinationLogEntry = CoordinationRecord['log'][number];
