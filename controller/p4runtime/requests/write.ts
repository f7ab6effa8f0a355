import { setImmediate } from 'node:timers/promises';
import { assert } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { codeName, RPC_CODE } from '../../../common/p4runtime/rpc-code';
import type { ElementStatus } from '../../../common/p4runtime/codes';
import { electionIdMessage } from '../../../common/p4runtime/election-id';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import { MessageWriter } from '../../../common/protobuf/message-writer';
import type { EntityUpdate, UpdateType } from '../../entities/named-entity';
import { detailsOf, isServiceError } from '../session/connection';
import type { Connection } from '../session/connection';
import { writeEntity } from '../entities/plain-entities';
import type { UpdateFailure } from '../session/errors';
import type { Sender } from '../session/session';

/**
 * Updates per request. A refused batch comes back with one status per update in HTTP/2 headers, of
 * which Node takes 64 KB; the specification's estimate is about 100 bytes each, ours may be longer.
 */
export const BATCH_SIZE = 100;

/** Bytes from which on a request takes no further update: gRPC's servers refuse 4 MB unless told otherwise. */
const REQUEST_BYTES = 1_048_576;

/** Outcome of one update. */
export type UpdateOutcome =
  | { readonly kind: 'done'; readonly update: EntityUpdate }
  | UpdateFailure;

/** One outcome per update, in order. */
export interface WriteResult {
  readonly outcomes: readonly UpdateOutcome[];
  readonly failures: readonly UpdateFailure[];
}

/** Options of writing updates. */
export interface WriteOptions {
  /**
   * Updates per request, {@link BATCH_SIZE} unless given. A call costs as much as hundreds of updates; but a switch that
   * refuses some of more updates may not have room to say which.
   */
  readonly batchSize?: number;
  /** Atomicity of a batch of which one update fails; `continue-on-error` unless given. */
  readonly atomicity?: Atomicity;
  /**
   * Most requests under way at once, 1 unless given. Switches may carry them out in any order, so more than
   * one suits only updates that do not depend on each other.
   */
  readonly requestsMax?: number;
  /** Time at which updates are checked against the P4Info; `all-first` unless given. */
  readonly check?: UpdateCheck;
}

/**
 * `all-first`: before anything is sent, so that one update that does not fit is an InputError, and
 * the switch stays as it is. `as-sent`: each batch while the switch works on those before it, in
 * about half the time; one that does not fit is then a refused update, INVALID_ARGUMENT, as if the
 * switch had refused it.
 */
export type UpdateCheck = 'all-first' | 'as-sent';

/** Effect of a refused update on the others of its batch. */
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
 * @throws InputError before anything is sent when an update does not fit the P4Info, unless updates
 * are checked as they are sent; SwitchError when a whole batch is refused or the connection breaks.
 */
export async function writeUpdates(
  connection: Connection,
  context: WriteContext,
  updates: readonly EntityUpdate[],
): Promise<WriteResult> {
  const { requestsMax = 1, check = 'all-first' } = context;
  assert(requestsMax >= 1, 'at least one request is under way');
  const statuses: (ElementStatus | undefined)[] = new Array<undefined>(updates.length);
  const encoded = encodedBatches(context, updates, statuses);
  // As bytes at once: objects that live until they are sent cost twice the time, in collection.
  const batches = check === 'as-sent' ? encoded : [...encoded].values();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    let batch = batches.next().value;
    while (batch !== undefined && !hasFailed) {
      const { places } = batch;
      const answer = writeBatch(connection, batch);
      const [found, following] = await Promise.all([answer, afterSending(() => batches.next())]);
      found?.forEach((status, i) => (statuses[places[i] as number] = status));
      batch = following.value;
    }
  };
  const watched = (): Promise<void> =>
    worker().catch((error: unknown) => {
      hasFailed = true;
      throw error;
    });
  await Promise.all(Array.from({ length: requestsMax }, watched));
  const outcomes = new Array<UpdateOutcome>(updates.length);
  const failures: UpdateFailure[] = [];
  for (let i = 0; i < updates.length; i++) {
    const outcome = outcomeOf(updates[i] as EntityUpdate, statuses[i]);
    outcomes[i] = outcome;
    if (outcome.kind === 'failed') failures.push(outcome);
  }
  return { outcomes, failures };
}

/** Does what takes the processor once sockets have got what was written until now. */
async function afterSending<Result>(work: () => Result): Promise<Result> {
  await setImmediate();
  return work();
}

interface Batch {
  /** The whole request. */
  readonly bytes: Buffer;
  /** Places of its updates among all. */
  readonly places: readonly number[];
}

/**
 * The requests one by one.
 * @param statuses gets those of updates that do not fit, where that does not end everything.
 * @throws InputError for an update that does not fit the P4Info.
 */
function* encodedBatches(
  context: WriteContext,
  updates: readonly EntityUpdate[],
  statuses: (ElementStatus | undefined)[],
): Generator<Batch, undefined> {
  const { batchSize = BATCH_SIZE, atomicity = 'continue-on-error' } = context;
  assert(batchSize >= 1, 'a batch has at least one update');
  const head = requestHead(context);
  const bytesMax = atomicity === 'continue-on-error' ? REQUEST_BYTES : Infinity;
  for (let first = 0, place = 0; first < updates.length; first = place) {
    const writer = new MessageWriter();
    writer.append(head);
    const places: number[] = [];
    const end = Math.min(first + batchSize, updates.length);
    for (; place < end && writer.length < bytesMax; place++) {
      const refused = writtenOrRefused(writer, context, updates[place] as EntityUpdate);
      if (refused === undefined) places.push(place);
      else statuses[place] = refused;
    }
    const bytes = writer.getResultBuffer();
    if (places.length === place - first || atomicity === 'continue-on-error') {
      if (places.length > 0) yield { bytes: bufferOf(bytes), places };
    } else {
      for (const place of places) statuses[place] = NOT_ALONE;
    }
  }
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

/** @throws InputError for an update that does not fit the P4Info, where that ends everything. */
function writtenOrRefused(
  writer: MessageWriter,
  { index, check }: WriteContext,
  { type, entity }: EntityUpdate,
): ElementStatus | undefined {
  const before = writer.length;
  try {
    const update = writer.begin(UPDATES);
    writer.writeEnum(UPDATE.type, TYPES[type]);
    const start = writer.begin(UPDATE.entity);
    writeEntity(writer, index, entity);
    writer.end(start);
    writer.end(update);
    return undefined;
  } catch (error) {
    if (check !== 'as-sent' || !(error instanceof InputError)) throw error;
    writer.cut(before);
    return { code: RPC_CODE.INVALID_ARGUMENT, message: error.message };
  }
}

/** Numbers of fields in p4runtime.proto. */
const UPDATES = 4;
const UPDATE = { type: 1, entity: 2 } as const;

/** Status of an update that would have been carried out, had all of its batch been. */
const NOT_ALONE: ElementStatus = {
  code: RPC_CODE.ABORTED,
  message: 'another update of its batch does not fit the P4Info',
};

/** Status of an update of which a refused request says nothing: it names as many as the trailer has room for. */
const UNTOLD: ElementStatus = {
  code: RPC_CODE.UNKNOWN,
  message: 'the switch does not say what became of it',
};

/** A request without its updates, which is the same for all batches. */
function requestHead({ sender, atomicity = 'continue-on-error' }: WriteContext): Uint8Array {
  const request = new p4.WriteRequest({
    deviceId: String(sender.deviceId),
    role: sender.role,
    electionId: electionIdMessage(sender.electionId),
    atomicity: ATOMICITY[atomicity],
  });
  return request.serialize();
}

const TYPES: Readonly<Record<UpdateType, p4.UpdateType>> = {
  insert: p4.UpdateType.INSERT,
  modify: p4.UpdateType.MODIFY,
  delete: p4.UpdateType.DELETE,
};

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
    const { places } = batch;
    if (statuses !== undefined && statuses.length <= places.length) {
      return places.map((_, i) => statuses[i] ?? UNTOLD);
    }
    throw connection.failure(`write of updates ${places[0]} to ${places.at(-1)}`, error);
  }
}

function outcomeOf(update: EntityUpdate, status: ElementStatus | undefined): UpdateOutcome {
  if (status === undefined || status.code === RPC_CODE.OK) return { kind: 'done', update };
  const isUntold = status === UNTOLD;
  return {
    kind: 'failed',
    update,
    codeName: codeName(status.code),
    reason: status.message,
    ...(isUntold && { isUntold }),
  };
}
