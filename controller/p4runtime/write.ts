import type { Metadata } from '@grpc/grpc-js';
import { codeName, RPC_CODE } from '../../common/p4runtime/codes';
import { electionIdMessage } from '../../common/p4runtime/election-id';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import { decodeStatusDetails, STATUS_DETAILS_KEY } from '../../common/p4runtime/status-details';
import type { ElementStatus } from '../../common/p4runtime/status-details';
import type { EntityUpdate, UpdateType } from '../intent/entities';
import { isServiceError } from './connection';
import type { Connection } from './connection';
import { encodeEntity } from './entity';
import type { UpdateFailure } from './errors';
import type { SessionOptions } from './session';

/**
 * Updates per request. A refused batch comes back with one status per update in HTTP/2 headers, of
 * which Node takes 64 KB; the specification's estimate is about 100 bytes each, ours may be longer.
 */
export const BATCH_SIZE = 100;

export type UpdateOutcome =
  { readonly kind: 'done'; readonly update: EntityUpdate } | UpdateFailure;

/** One outcome per update, in order. */
export interface WriteResult {
  readonly outcomes: readonly UpdateOutcome[];
  readonly failures: readonly UpdateFailure[];
}

/**
 * Writes updates in order, in batches; a refused update does not stop those after it.
 * @throws InputError before anything is sent when an update does not fit the P4Info, SwitchError
 * when a whole batch is refused or the connection breaks.
 */
export async function writeUpdates(
  connection: Connection,
  session: SessionOptions,
  index: P4InfoIndex,
  updates: readonly EntityUpdate[],
): Promise<WriteResult> {
  const messages = updates.map((update) => encodeUpdate(index, update));
  const outcomes: UpdateOutcome[] = [];
  for (let first = 0; first < updates.length; first += BATCH_SIZE) {
    const batch = messages.slice(first, first + BATCH_SIZE);
    const statuses = await writeBatch(connection, session, batch, first);
    batch.forEach((_, i) => {
      const update = updates[first + i];
      if (update !== undefined) outcomes.push(outcomeOf(update, statuses?.[i]));
    });
  }
  const failures = outcomes.filter((each) => each.kind === 'failed');
  return { outcomes, failures };
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
  session: SessionOptions,
  updates: p4.Update[],
  first: number,
): Promise<readonly ElementStatus[] | undefined> {
  const request = new p4.WriteRequest({
    deviceId: String(session.deviceId),
    electionId: electionIdMessage(session.electionId),
    updates,
  });
  try {
    await connection.unary<p4.WriteResponse>('write', (options, callback) =>
      connection.stub.Write(request, options, callback),
    );
    return undefined;
  } catch (error) {
    const statuses = isServiceError(error) ? detailsOf(error.metadata) : undefined;
    if (statuses?.length === updates.length) return statuses;
    const last = first + updates.length - 1;
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
