import type { Metadata } from '@grpc/grpc-js';
import { assert } from '../../../common/assert';
import { codeName, RPC_CODE, decodeStatusDetails } from '../../../common/p4runtime/codes';
import { STATUS_DETAILS_KEY } from '../../../common/p4runtime/codes';
import type { ElementStatus } from '../../../common/p4runtime/codes';
import { electionIdMessage } from '../../../common/p4runtime/election-id';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { EntityUpdate, UpdateType } from '../../entities/named-entity';
import { isServiceError } from '../session/connection';
import type { Connection } from '../session/connection';
import { encodeEntity } from '../entities/entity';
import type { UpdateFailure } from '../session/errors';
import type { Sender } from '../session/session';

/**
 * Updates per request. A refused batch comes back with one status per update in HTTP/2 headers, of
 * which Node takes 64 KB; the specification's estimate is about 100 bytes each, ours may be longer.
 */
export const BATCH_SIZE = 100;

/** What became of one update. */
export type UpdateOutcome =
  { readonly kind: 'done'; readonly update: EntityUpdate } | UpdateFailure;

/** One outcome per update, in order. */
export interface WriteResult {
  readonly outcomes: readonly UpdateOutcome[];
  readonly failures: readonly UpdateFailure[];
}

/** How updates travel. */
export interface WriteOptions {
  /** Updates per request, {@link BATCH_SIZE} unless given. */
  readonly batchSize?: number;
  /** What becomes of a batch of which one update fails; `continue-on-error` unless given. */
  readonly atomicity?: Atomicity;
  /**
   * How many requests may be under way at once, 1 unless given. Switches may carry them out in any
   * order, so more than one suits only updates that do not depend on each other.
   */
  readonly requestsMax?: number;
}

/** What a refused update means for the others of its batch. */
export type Atomicity = keyof typeof ATOMICITY;

const { CONTINUE_ON_ERROR, ROLLBACK_ON_ERROR, DATAPLANE_ATOMIC } = p4.WriteRequestAtomicity;

const ATOMICITY = {
  'continue-on-error': CONTINUE_ON_ERROR,
  'rollback-on-error': ROLLBACK_ON_ERROR,
  'dataplane-atomic': DATAPLANE_ATOMIC,
} as const;

export interface WriteContext extends WriteOptions {
  readonly sender: Sender;
  readonly index: P4InfoIndex;
}

/**
 * Writes updates in order, in batches; a refused update does not stop those after it.
 * @throws InputError before anything is sent when an update does not fit the P4Info, SwitchError
 * when a whole batch is refused or the connection breaks.
 */
export async function writeUpdates(
  connection: Connection,
  context: WriteContext,
  updates: readonly EntityUpdate[],
): Promise<WriteResult> {
  const { batchSize = BATCH_SIZE, requestsMax = 1 } = context;
  assert(batchSize >= 1 && requestsMax >= 1, 'a batch and its requests are at least one');
  // As bytes at once: objects that live until they are sent cost twice the time, in collection.
  const batches = batched(updates, batchSize).map((each) => requestBytes(context, each));
  const statuses: (ElementStatus | undefined)[] = new Array<undefined>(updates.length);
  let next = 0;
  const stop = (error: unknown): never => {
    next = batches.length;
    throw error;
  };
  const worker = async (): Promise<void> => {
    while (next < batches.length) {
      const first = next * batchSize;
      const bytes = batches[next++] as Buffer;
      const size = Math.min(batchSize, updates.length - first);
      const found = await writeBatch(connection, { bytes, first, size }).catch(stop);
      found?.forEach((status, i) => (statuses[first + i] = status));
    }
  };
  await Promise.all(Array.from({ length: requestsMax }, worker));
  const outcomes = updates.map((update, i) => outcomeOf(update, statuses[i]));
  const failures = outcomes.filter((each) => each.kind === 'failed');
  return { outcomes, failures };
}

interface Batch {
  /** The whole request. */
  readonly bytes: Buffer;
  /** Place of the first update among all. */
  readonly first: number;
  /** Updates in the request. */
  readonly size: number;
}

const batched = <Item>(items: readonly Item[], size: number): (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );

function requestBytes(context: WriteContext, updates: readonly EntityUpdate[]): Buffer {
  const { sender, index, atomicity = 'continue-on-error' } = context;
  const request = new p4.WriteRequest({
    deviceId: String(sender.deviceId),
    role: sender.role,
    electionId: electionIdMessage(sender.electionId),
    atomicity: ATOMICITY[atomicity],
    updates: updates.map((update) => encodeUpdate(index, update)),
  });
  return Buffer.from(request.serialize());
}

const TYPES: Readonly<Record<UpdateType, p4.UpdateType>> = {
  insert: p4.UpdateType.INSERT,
  modify: p4.UpdateType.MODIFY,
  delete: p4.UpdateType.DELETE,
};

function encodeUpdate(index: P4InfoIndex, { type, entity }: EntityUpdate): p4.Update {
  return new p4.Update({ type: TYPES[type], entity: encodeEntity(index, entity) });
}

/** @returns undefined when all succeeded, otherwise the status of each update. */
async function writeBatch(
  connection: Connection,
  batch: Batch,
): Promise<readonly ElementStatus[] | undefined> {
  const { path, responseDeserialize } = p4.UnimplementedP4RuntimeService.definition.Write;
  try {
    await connection.unary<p4.WriteResponse>('write', (options, callback) =>
      connection.stub.makeUnaryRequest(
        path,
        ({ bytes }: Batch) => bytes,
        responseDeserialize,
        batch,
        options,
        callback,
      ),
    );
    return undefined;
  } catch (error) {
    const statuses = isServiceError(error) ? detailsOf(error.metadata) : undefined;
    const { first, size } = batch;
    if (statuses !== undefined && statuses.length <= size) {
      // A switch names as many as the trailer has room for; of the others it says nothing.
      const silent = {
        code: RPC_CODE.UNKNOWN,
        message: 'the switch does not say what became of it',
      };
      return Array.from({ length: size }, (_, i) => statuses[i] ?? silent);
    }
    const last = first + size - 1;
    throw connection.failure(`write of updates ${first} to ${last}`, error);
  }
}

function detailsOf(metadata: Metadata): readonly ElementStatus[] | undefined {
  const [trailer] = metadata.get(STATUS_DETAILS_KEY);
  return decodeStatusDetails(trailer instanceof Uint8Array ? trailer : undefined);
}

function outcomeOf(update: EntityUpdate, status: ElementStatus | undefined): UpdateOutcome {
  if (status === undefined || status.code === RPC_CODE.OK) return { kind: 'done', update };
  return { kind: 'failed', update, codeName: codeName(status.code), reason: status.message };
}
