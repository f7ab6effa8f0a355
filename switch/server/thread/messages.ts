import type { LimitName } from '../limits/limits';
import type { TlsMaterial } from '../listener';

/** A method of a service, as far as the thread that carries its calls has to know it. */
export interface CarriedMethod {
  readonly name: string;
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  /** As {@link ServedMethod} has them. */
  readonly later: number | undefined;
  readonly isSmall: boolean;
  readonly isKept: boolean;
}

/** A service that is to be let in at an address. */
export interface DoorOrder {
  /** Number of the door, by which both threads name it. */
  readonly door: number;
  readonly methods: readonly CarriedMethod[];
  readonly address: string;
  /** Name of the door in errors. */
  readonly name: string | undefined;
  readonly limits: readonly (readonly [LimitName, number])[];
  readonly tls: TlsMaterial | undefined;
  /** Count of the changes of what the service shows; undefined where no answer may be kept. */
  readonly version: SharedArrayBuffer | undefined;
  /** Descriptor of the network namespace to listen in; undefined in a process that has one only. */
  readonly namespace: number | undefined;
  /** Sockets that listen there already; undefined where there are none yet. */
  readonly sockets: readonly number[] | undefined;
  /** Time without a connection after which no thread is needed for it, in ms. */
  readonly restMs: number;
}

/** Status of a call that is refused. */
export interface CarriedStatus {
  readonly code: number;
  readonly details: string;
  readonly trailers: readonly (readonly [string, string | Uint8Array])[];
}

/** From the thread of the switches to that of the doors. Calls have numbers that are never used twice. */
export type ToDoors =
  | { readonly kind: 'open'; readonly order: DoorOrder }
  | { readonly kind: 'close'; readonly door: number }
  /** There are no doors, and no more will come. */
  | { readonly kind: 'no-more' }
  | { readonly kind: 'answer'; readonly call: number; readonly bytes: Uint8Array }
  /** The last answer, if there is one, and the status, which is OK unless given. */
  | {
      readonly kind: 'end';
      readonly call: number;
      readonly bytes: Uint8Array | undefined;
      readonly status: CarriedStatus | undefined;
      /** Version of the state that the whole answer shows, as long as it holds; undefined where it does not last. */
      readonly version: number | undefined;
    };

/** From the thread of the doors to that of the switches. */
export type FromDoors =
  | { readonly kind: 'opened'; readonly door: number; readonly port: number }
  | { readonly kind: 'refused'; readonly door: number; readonly reason: string }
  | { readonly kind: 'closed'; readonly door: number }
  | {
      readonly kind: 'met';
      readonly door: number;
      readonly limit: LimitName;
      readonly count: number;
    }
  /** The request is undefined where the client streams requests; some have a head, see {@link PartedRequest}. */
  | {
      readonly kind: 'call';
      readonly door: number;
      readonly call: number;
      readonly method: string;
      readonly request: Uint8Array | undefined;
      readonly head: Uint8Array | undefined;
    }
  | { readonly kind: 'request'; readonly call: number; readonly bytes: Uint8Array }
  /** The client streams no further requests. */
  | { readonly kind: 'half-closed'; readonly call: number }
  | { readonly kind: 'cancelled'; readonly call: number }
  /** The client's connection has taken so many answers. */
  | { readonly kind: 'taken'; readonly call: number; readonly count: number }
  /** Nobody has been connected for some time. The thread has left all doors, by their sockets, and waits for its end. */
  | { readonly kind: 'left'; readonly sockets: ReadonlyMap<number, readonly number[]> };

/** Memory that the thread of the doors shares with others, which count in it, too. */
export interface DoorThreadData {
  /** Requests that the switches' thread has handled, and their bytes; see {@link Window}. */
  readonly handled: SharedArrayBuffer;
  /** Connections of all servers of the process. */
  readonly connections: SharedArrayBuffer;
}

/** Bytes in memory of their own, as other threads get them: a view would take along all that it is a view of. */
export const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
