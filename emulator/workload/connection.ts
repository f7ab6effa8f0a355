import type { Bytes } from '../../common/units/units';

/** A message by the place of its connection in the scenario, and its own place there, from 0. */
export interface MessageId {
  readonly connection: number;
  readonly message: number;
}

/** Bytes that a connection is given at once. */
export interface Message {
  readonly bytes: Bytes;
  /** Not before this instant of the run. */
  readonly startUs: number;
  /** Messages whose last byte must have arrived. */
  readonly after: readonly MessageId[];
  /** Time between that and the start. */
  readonly delayUs: number;
}

/**
 * Messages of one host to another over one flow of the transport, as over a queue pair: later
 * messages find the window, the path and the port that earlier ones have left.
 */
export interface Connection {
  readonly from: string;
  readonly to: string;
  /** Class of the data; 0 unless given. */
  readonly dscp?: number | undefined;
  /** Its first message waits until the path has room; absent: it does not. */
  readonly admission?:
    | { readonly loadBelow?: number | undefined; readonly withinUs?: number | undefined }
    | undefined;
  /** Messages in the order in which they are sent; none of a connection whose tasks decide about them. */
  readonly messages: readonly Message[];
  /** Payload, where tasks decide about messages. */
  readonly taskBytes?: Bytes;
}

/** The connections of one workload, and under which name they count together. */
export interface Collective {
  readonly name: string;
  readonly kind: string;
  readonly connections: readonly number[];
}
