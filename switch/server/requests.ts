import { RpcError } from '../../common/p4runtime/codes';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { Elements, elementsOf } from './turns/repeated-field';
import type { PartedRequest } from './turns/repeated-field';

/** Numbers in p4runtime.proto of the fields that are looked at piece by piece, or once their sender is known. */
export const UPDATES = 4;
export const ENTITIES = 2;
export const CONFIG = 5;

/** A Write whose updates are decoded one by one, when their turn comes. */
export interface WriteBatch {
  /** The request without its updates. */
  readonly request: p4.WriteRequest;
  /** Serialized updates. */
  readonly updates: () => Elements;
}

/** A Read whose entities are decoded one by one. */
export interface ReadBatch {
  /** The request without its entities. */
  readonly request: p4.ReadRequest;
  /** Serialized entities. */
  readonly filters: () => Iterable<Uint8Array>;
}

/** @throws RpcError when the head is too long or no message. */
export function writeBatch({ head, whole }: PartedRequest): WriteBatch {
  const request = decoded(p4.WriteRequest, shortHead(head));
  return { request, updates: () => new Elements(whole, UPDATES) };
}

/** @throws RpcError when the head is too long or no message. */
export function readBatch({ head, whole }: PartedRequest): ReadBatch {
  const request = decoded(p4.ReadRequest, shortHead(head));
  return { request, filters: () => elementsOf(whole, ENTITIES) };
}

/** A configuration that is decoded when its sender is known. @throws RpcError when the head is too long or no message. */
export function pushedConfig({ head, whole }: PartedRequest): {
  /** The request without the configuration. */
  readonly request: p4.SetForwardingPipelineConfigRequest;
  /** The request with it. @throws RpcError when it is no message. */
  readonly complete: () => p4.SetForwardingPipelineConfigRequest;
} {
  const type = p4.SetForwardingPipelineConfigRequest;
  return { request: decoded(type, shortHead(head)), complete: () => decoded(type, whole) };
}

function shortHead(head: Uint8Array | undefined): Uint8Array {
  if (head !== undefined) return head;
  const reason = 'the request is too long beside what it lists (limit small-message-bytes)';
  throw new RpcError('RESOURCE_EXHAUSTED', reason);
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
