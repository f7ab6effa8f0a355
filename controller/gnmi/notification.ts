import type { GnmiPath } from './path';
import type { GnmiValue } from './value';

/** A value at its place. */
export interface GnmiUpdate {
  readonly path: GnmiPath;
  readonly value: GnmiValue;
}

/** Notification of a device about its tree at one instant; every path is whole, without a prefix. */
export interface GnmiNotification {
  /** Nanoseconds of Unix time, by the clock of the device. */
  readonly timestamp: bigint;
  readonly updates: readonly GnmiUpdate[];
  readonly deletes: readonly GnmiPath[];
}

/** Event of a subscription: values, or the sign that each was sent once. */
export type GnmiEvent =
  | ({ readonly kind: 'update' } & GnmiNotification)
  | { readonly kind: 'sync' };

/** Encodings of values, by the numbers of the protocol. */
export const ENCODINGS = ['json', 'bytes', 'proto', 'ascii', 'json_ietf'] as const;
export type GnmiEncoding = (typeof ENCODINGS)[number];

/** Parts of the tree that a Get can read. */
export const DATA_TYPES = ['all', 'config', 'state', 'operational'] as const;
export type GnmiDataType = (typeof DATA_TYPES)[number];

/** Mode of a subscription: for good, once, or as often as it is asked. */
export type GnmiMode = 'stream' | 'once' | 'poll';

/** Operation of one change in the response to a Set, by its number. */
export const SET_OPERATIONS = ['invalid', 'delete', 'replace', 'update', 'union-replace'] as const;
export type GnmiOperation = (typeof SET_OPERATIONS)[number];
