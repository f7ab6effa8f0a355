import { RpcError } from '../../common/p4runtime/codes';
import { electionIdFrom } from '../../common/p4runtime/election-id';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { deviceOf } from './device';
import type { Device, Devices } from './device';
import { applyUpdate, readEntity } from './entities/entities';
import { Outcomes } from './errors/outcomes';
import { asRpcError } from './errors/status';
import { decoded } from './requests';
import type { ReadBatch, WriteBatch } from './requests';
import { idOfEntity, inScope } from './roles/roles';
import type { Role } from './roles/roles';
import { chained, PAUSE } from './turns/lazily';
import type { Pause } from './turns/lazily';
import type { Work } from './turns/turns';
import { allOnes } from '../../common/p4runtime/bytestring';
import type { P4InfoIndex, TableInfo } from '../../common/p4runtime/p4info';
import { MessageReader } from '../../common/protobuf/message-reader';

/**
 * Most entities of a response message, and most bytes of controllers' metadata in it, so that none
 * nears the 4 MB that receivers allow.
 */
const CHUNK = 32;
const CHUNK_METADATA_BYTES = 1024 * 1024;

/** An answer whose parts are made when they are read. */
export interface Answer {
  /** True if it is the same until somebody changes the state: packets change nothing of it. */
  readonly isLasting: boolean;
  /** @throws BatchError at the end, when some request was refused. */
  parts(): Iterable<p4.ReadResponse | Pause>;
}

/**
 * Plans a Read (P4Runtime 1.5.0, chapter "Read RPC"): collects the requested entities, so that all
 * requests see the tables at one point in time. Equal requests are answered once.
 * @throws RpcError when nothing was attempted.
 */
export function* planRead(devices: Devices, batch: ReadBatch): Work<Answer> {
  const device = deviceOf(devices, batch.request.deviceId);
  const { scope } = device.roles.find(batch.request.role);
  const running = device.requirePipeline();
  const outcomes = new Outcomes();
  const found: Iterable<p4.Entity | Pause>[] = [];
  const seen = new Set<string>();
  // The role without a name covers all, and is always there.
  let isLasting = batch.request.role === '';
  for (const filter of batch.filters()) {
    requireShort(device, filter);
    const isNew = seen.size < seen.add(Buffer.from(filter).toString('latin1')).size;
    requireRoom(device, seen.size);
    outcomes.add(
      refusalOf(() => {
        if (!isNew) return;
        const entity = understood(device, decoded(p4.Entity, filter));
        isLasting &&= showsEntriesOnly(entity);
        found.push(readEntity(running, entity));
      }),
    );
    yield;
  }
  return {
    isLasting,
    *parts() {
      yield* chunks(found, (entity) => inScope(scope, idOfEntity(entity)));
      outcomes.requireAll('read');
    },
  };
}

/** True for table entries without what packets count in them. */
function showsEntriesOnly({ hasTableEntry, tableEntry }: p4.Entity): boolean {
  if (!hasTableEntry) return false;
  const { hasCounterData, hasMeterConfig, hasMeterCounterData, hasTimeSinceLastHit } = tableEntry;
  return !(hasCounterData || hasMeterConfig || hasMeterCounterData || hasTimeSinceLastHit);
}

function requireRoom({ limits, id }: Device, filters: number): void {
  const most = limits.of('read-filters');
  if (filters <= most) return;
  limits.met('read-filters');
  const reason = `device ${id}: a Read may request at most ${most} entities (limit read-filters)`;
  throw new RpcError('RESOURCE_EXHAUSTED', reason);
}

function requireShort({ limits, id }: Device, { length }: Uint8Array): void {
  const most = limits.of('small-message-bytes');
  if (length <= most) return;
  const reason = `device ${id}: a filter of ${length} bytes (limit small-message-bytes)`;
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
  const elements = updates();
  const reader = new MessageReader(elements.bytes);
  let plain = device.plainUpdates(request.role, electionId);
  let untilPause = PLAIN_MAX;
  while (elements.next()) {
    if (isCancelled()) throw new RpcError('CANCELLED', 'the client has gone');
    // PERF: no closure, as there are hundreds of thousands a second.
    try {
      if (plain?.apply(reader, elements.start, elements.end) === true) {
        outcomes.add();
        untilPause -= 1;
        if (untilPause > 0) continue;
      } else {
        const update = decoded(p4.Update, elements.element);
        const role = device.requirePrimary(request.role, electionId);
        const entity = update.hasEntity ? update.entity : new p4.Entity({});
        requireScope(role, entity);
        applyUpdate(device.requirePipeline(), update.type, understood(device, entity));
        outcomes.add();
      }
    } catch (error) {
      outcomes.add(asRpcError(error));
    }
    yield;
    plain = device.plainUpdates(request.role, electionId);
    untilPause = PLAIN_MAX;
  }
  outcomes.requireAll('write');
  return new p4.WriteResponse({});
}

/** Plain updates between two pauses; each takes about a microsecond. */
const PLAIN_MAX = 16;

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

/**
 * The entity as bmv2 reads it: a value of no bytes is 0, and a range that is the whole field is as if it
 * were left out. Other entities than table entries and members stay as they are.
 */
function asBmv2ReadsIt(info: P4InfoIndex, entity: p4.Entity): p4.Entity {
  const read = p4.Entity.deserialize(entity.serialize());
  if (read.hasTableEntry) readEntry(info.tables.byNumber(read.tableEntry.tableId), read.tableEntry);
  if (read.hasActionProfileMember) readAction(read.actionProfileMember.action);
  return read;
}

function readEntry(table: TableInfo | undefined, entry: p4.TableEntry): void {
  entry.match = entry.match.filter((match) => !isWholeRange(table, match));
  entry.match.forEach(readMatch);
  if (!entry.hasAction) return;
  if (entry.action.hasAction) readAction(entry.action.action);
  if (!entry.action.hasActionProfileActionSet) return;
  for (const { action } of entry.action.actionProfileActionSet.actionProfileActions) {
    readAction(action);
  }
}

function isWholeRange(table: TableInfo | undefined, match: p4.FieldMatch): boolean {
  const field = table?.matchFields.byNumber(match.fieldId);
  if (field === undefined || !match.hasRange) return false;
  const whole = allOnes(field.width);
  return number(match.range.low) === 0n && number(match.range.high) === whole;
}

function readMatch(match: p4.FieldMatch): void {
  if (match.hasExact) match.exact.value = orZero(match.exact.value);
  if (match.hasLpm) match.lpm.value = orZero(match.lpm.value);
  if (match.hasOptional) match.optional.value = orZero(match.optional.value);
  if (match.hasTernary) match.ternary.value = orZero(match.ternary.value);
  if (match.hasRange) match.range.low = orZero(match.range.low);
}

function readAction(action: p4.Action | undefined): void {
  for (const parameter of action?.params ?? []) parameter.value = orZero(parameter.value);
}

const orZero = (value: Uint8Array): Uint8Array => (value.length === 0 ? Uint8Array.of(0) : value);

const number = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
