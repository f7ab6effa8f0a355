import { assert } from '../../../common/assert';
import { isUnresolved } from './resolve-name';
import { StfError } from '../text/tokens';
import type { KeyField } from '../../../common/p4runtime/key-field';
import type { Command, MeterRate } from '../text/statements';
import type { Unresolved } from './resolve-name';

/** A packet at a port, in either direction. */
export interface PortPacket {
  readonly port: number;
  readonly bytes: Uint8Array;
}

/** A call of an action by its full name, with arguments in the order of its parameters. */
export interface NamedCall {
  readonly action: string;
  readonly actionId: number;
  readonly arguments: readonly bigint[];
}

export type EntryTarget =
  | ({ readonly kind: 'call' } & NamedCall)
  | { readonly kind: 'member' | 'group'; readonly handle: number };

/**
 * Identity of an entry: its table, its key, and its priority (the larger wins; 0 where there is
 * none).
 */
export interface EntryIdentity {
  readonly table: string;
  readonly key: readonly KeyField[];
  readonly priority: number;
}

/** Statements that are requests as soon as their names are the full ones. */
type NamedStatement = Extract<
  Command,
  {
    readonly kind:
      | 'group-create'
      | 'wait'
      | `mc-${string}`
      | `counter-${string}`
      | `register-${string}`
      | 'meter-set-rates'
      | 'value-set-add'
      | `set-queue-${string}`;
  }
>;

/**
 * Requests of a test to a target, with every name in full and every value checked. Handles of
 * members, groups and multicast nodes count from 0 in order of creation. `counter-read` returns a
 * count, `register-read` a value, and a `wait` of 0 lets all packets come out.
 */
export type StfRequest =
  | NamedStatement
  | { readonly kind: 'add-entry'; readonly entry: EntryIdentity; readonly target: EntryTarget }
  | { readonly kind: 'delete-entry'; readonly entry: EntryIdentity }
  | { readonly kind: 'set-default'; readonly table: string; readonly call: NamedCall }
  | { readonly kind: 'create-member'; readonly profile: string; readonly call: NamedCall }
  | { readonly kind: 'send'; readonly packet: PortPacket }
  /** Answers with all packets so far, in order of departure at each port. */
  | { readonly kind: 'collect' }
  | {
      readonly kind: 'mirror';
      readonly session: number;
      readonly to: { readonly port: number } | { readonly group: number } | undefined;
    }
  /** Answers with a count. */
  | {
      readonly kind: 'read-direct-counter';
      readonly counter: string;
      readonly entry: EntryIdentity;
    }
  | {
      readonly kind: 'set-direct-meter';
      readonly meter: string;
      readonly entry: EntryIdentity;
      readonly rates: readonly MeterRate[];
    }
  /** Answers with all digests so far. */
  | { readonly kind: 'read-digests' }
  /** Answers with all texts of `log_msg` so far. */
  | { readonly kind: 'read-log' };

export interface DigestMessage {
  readonly name: string;
  readonly values: readonly bigint[];
}

export type StfReply =
  | { readonly kind: 'done' }
  /** The target refused; the text says why. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'packets'; readonly packets: readonly PortPacket[] }
  | { readonly kind: 'count'; readonly packets: bigint; readonly bytes: bigint }
  | { readonly kind: 'value'; readonly value: bigint }
  | { readonly kind: 'digests'; readonly digests: readonly DigestMessage[] }
  | { readonly kind: 'log'; readonly messages: readonly string[] };

/** A switch under test that answers at once. */
export interface StfTarget {
  perform(request: StfRequest): StfReply;
}

/** Work that yields requests, wants their replies, and ends with a result. */
export type Steps<T> = Generator<StfRequest, T, StfReply>;

/** Performs a request that needs no answer but must not be refused. */
export function* perform(line: number, request: StfRequest): Steps<StfReply> {
  const reply = yield request;
  if (reply.kind === 'refused') throw new StfError(line, reply.reason);
  return reply;
}

/** Performs a request whose answer is of a certain kind. */
export function* ask<Kind extends StfReply['kind']>(
  line: number,
  request: StfRequest,
  kind: Kind,
): Steps<StfReply & { readonly kind: Kind }> {
  const reply = yield* perform(line, request);
  assert(reply.kind === kind, `the target answers '${request.kind}' with ${kind}`);
  return reply as StfReply & { readonly kind: Kind };
}

/** The object that a name stands for. @throws StfError when there is none. */
export function resolved<T extends object>(line: number, found: T | Unresolved): T {
  if (isUnresolved(found)) throw new StfError(line, found.problem);
  return found;
}
