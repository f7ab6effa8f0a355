import { RpcError } from '../../common/p4runtime/codes';
import { electionIdFrom } from '../../common/p4runtime/election-id';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { deviceOf } from './device';
import type { Device, Devices } from './device';
import { asBmv2ReadsIt } from './entities/lenient-entity';
import { readEntity } from './entities/read-entity';
import { applyUpdate } from './entities/write-entity';
import { Outcomes } from './errors/outcomes';
import { asRpcError } from './errors/status';
import { decoded } from './requests';
import type { ReadBatch, WriteBatch } from './requests';
import { idOfEntity, inScope } from './roles/role-scope';
import type { Role } from './roles/roles';
import { chained, PAUSE } from './turns/lazily';
import type { Pause } from './turns/lazily';
import type { Work } from './turns/turns';

/**
 * What a response message holds at most, so that none nears the 4 MB that receivers allow: entities,
 * and bytes of what controllers have noted with them.
 */
const CHUNK = 32;
const CHUNK_METADATA_BYTES = 1024 * 1024;

/** An answer whose parts are made when they are asked for. */
export interface Answer {
  /** @throws BatchError at the end, when some request was refused. */
  parts(): Iterable<p4.ReadResponse | Pause>;
}

/**
 * Read (P4Runtime 1.5.0, chapter "Read RPC"): finds out what is asked for, so that all requests see
 * the tables at one point in time. Equal requests are answered once.
 * @throws RpcError when nothing was attempted.
 */
export function* planRead(devices: Devices, batch: ReadBatch): Work<Answer> {
  const device = deviceOf(devices, batch.request.deviceId);
  const { scope } = device.roles.find(batch.request.role);
  const running = device.requirePipeline();
  const outcomes = new Outcomes();
  const found: Iterable<p4.Entity | Pause>[] = [];
  const seen = new Set<string>();
  for (const filter of batch.filters()) {
    const isNew = seen.size < seen.add(Buffer.from(filter).toString('latin1')).size;
    requireRoom(device, seen.size);
    outcomes.add(
      refusalOf(() => {
        if (isNew) found.push(readEntity(running, understood(device, decoded(p4.Entity, filter))));
      }),
    );
    yield;
  }
  return {
    *parts() {
      yield* chunks(found, (entity) => inScope(scope, idOfEntity(entity)));
      outcomes.requireAll('read');
    },
  };
}

function requireRoom({ limits, id }: Device, filters: number): void {
  const most = limits.of('read-filters');
  if (filters <= most) return;
  limits.met('read-filters');
  const reason = `device ${id}: a Read asks for at most ${most} entities (limit read-filters)`;
  throw new RpcError('RESOURCE_EXHAUSTED', reason);
}

function* chunks(
  found: readonly Iterable<p4.Entity | Pause>[],
  isVisible: (entity: p4.Entity) => boolean,
): Iterable<p4.ReadResponse | Pause> {
  let entities: p4.Entity[] = [];
  let metadata = 0;
  for (const entity of chained(found)) {
    if (entity !== PAUSE && isVisible(entity)) {
      entities.push(entity);
      if (entity.hasTableEntry) metadata += entity.tableEntry.metadata.length;
    }
    if (entities.length < CHUNK && metadata < CHUNK_METADATA_BYTES) {
      yield PAUSE;
      continue;
    }
    yield new p4.ReadResponse({ entities });
    entities = [];
    metadata = 0;
  }
  if (entities.length > 0) yield new p4.ReadResponse({ entities });
}

/**
 * Write (P4Runtime 1.5.0, chapter "Write RPC"): every update is attempted, in order, and those that
 * succeed stay. A controller that has gone or is primary no longer before the end gets no further.
 * @throws RpcError when nothing was attempted, BatchError when some update was refused.
 */
export function* applyWrite(
  devices: Devices,
  { request, updates }: WriteBatch,
  isCancelled = (): boolean => false,
): Work<p4.WriteResponse> {
  const device = deviceOf(devices, request.deviceId);
  const electionId = electionIdFrom(request.electionId);
  device.requirePrimary(request.role, electionId);
  device.requirePipeline();
  if (request.atomicity !== p4.WriteRequestAtomicity.CONTINUE_ON_ERROR) {
    throw new RpcError('UNIMPLEMENTED', 'only CONTINUE_ON_ERROR is supported');
  }
  const outcomes = new Outcomes();
  for (const bytes of updates()) {
    if (isCancelled()) throw new RpcError('CANCELLED', 'the client has gone');
    outcomes.add(
      refusalOf(() => {
        const update = decoded(p4.Update, bytes);
        const role = device.requirePrimary(request.role, electionId);
        const entity = update.hasEntity ? update.entity : new p4.Entity({});
        requireScope(role, entity);
        applyUpdate(device.requirePipeline(), update.type, understood(device, entity));
      }),
    );
    yield;
  }
  outcomes.requireAll('write');
  return new p4.WriteResponse({});
}

/** The entity by the rules that the device follows. */
function understood(device: Device, entity: p4.Entity): p4.Entity {
  if (device.compatible === 'specification') return entity;
  return asBmv2ReadsIt(device.requirePipeline().info, entity);
}

function requireScope({ name, scope }: Role, entity: p4.Entity): void {
  if (inScope(scope, idOfEntity(entity))) return;
  const reason = `the role '${name}' does not cover this ${entity.entity}`;
  throw new RpcError('PERMISSION_DENIED', reason);
}

function refusalOf(act: () => void): RpcError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return asRpcError(error);
  }
}
