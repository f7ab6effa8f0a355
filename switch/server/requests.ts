import { RpcError } from '../../common/p4runtime/codes';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { splitRepeatedField } from './turns/repeated-field';

/** Numbers of the repeated fields in p4runtime.proto. */
const UPDATES = 4;
const ENTITIES = 2;

/** A Write whose updates are decoded one by one, when their turn comes. */
export interface WriteBatch {
  /** The request without its updates. */
  readonly request: p4.WriteRequest;
  /** Serialized updates. */
  readonly updates: () => Iterable<Uint8Array>;
}

/** A Read whose entities are decoded one by one. */
export interface ReadBatch {
  /** The request without its entities. */
  readonly request: p4.ReadRequest;
  /** Serialized entities. */
  readonly filters: () => Iterable<Uint8Array>;
}

/** @throws Error when the bytes are no message. */
export function writeBatch(bytes: Uint8Array): WriteBatch {
  const { rest, elements } = splitRepeatedField(bytes, UPDATES);
  return { request: p4.WriteRequest.deserialize(rest), updates: elements };
}

/** @throws Error when the bytes are no message. */
export function readBatch(bytes: Uint8Array): ReadBatch {
  const { rest, elements } = splitRepeatedField(bytes, ENTITIES);
  return { request: p4.ReadRequest.deserialize(rest), filters: elements };
}

/** @throws RpcError INVALID_ARGUMENT when the bytes are no such message. */
export function decoded<T>(type: { deserialize(bytes: Uint8Array): T }, bytes: Uint8Array): T {
  try {
    return type.deserialize(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RpcError('INVALID_ARGUMENT', `the bytes are no message of protobuf: ${reason}`);
  }
}
