import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { NamedEntity } from '../../entities/named-entity';
import type { Connection } from '../session/connection';
import { decodeEntity } from '../entities/entity';
import { unreachable } from '../../../common/assert';
import type { NameIndex, NamedObject } from '../../../common/p4runtime/name-index';
import type { Match } from '../../entities/match';
import { setIndex } from '../entities/array-cells';
import { encodeMatch } from '../entities/match-field';

/** Who reads: a role sees what it may see, where the switch knows roles. */
export interface ReaderOptions {
  readonly deviceId: bigint;
  readonly role?: string;
}

/**
 * Reads entities one by one, in the order in which the switch sends them.
 * @throws SwitchError when the switch refuses or the connection breaks, InputError for a name that
 * P4Info lacks.
 */
export async function* readEntities(
  connection: Connection,
  { deviceId, role = '' }: ReaderOptions,
  index: P4InfoIndex,
  filters: readonly ReadFilter[],
): AsyncGenerator<NamedEntity> {
  const entities = filters.map((filter) => encodeFilter(index, filter));
  const request = new p4.ReadRequest({ deviceId: String(deviceId), entities, role });
  const deadline = Date.now() + connection.options.deadline;
  let stream: ReturnType<typeof connection.stub.Read> | undefined;
  try {
    stream = connection.stub.Read(request, { deadline });
    for await (const response of stream as AsyncIterable<p4.ReadResponse>) {
      for (const entity of response.entities) yield decodeEntity(index, entity);
    }
  } catch (error) {
    throw connection.failure('read', error);
  } finally {
    // The reader may stop early; then the switch need not send the rest.
    stream?.cancel();
  }
}

/** Entries of one table or of all; with `match`, the one entry with this key. */
interface EntryFilter {
  readonly table?: string;
  readonly match?: Match;
  /** Of the entry that `match` means. */
  readonly priority?: number;
}

/** What entries shall bring besides key and action. */
export interface EntryWishes {
  readonly counters?: boolean;
  readonly meters?: boolean;
  readonly idleTimes?: boolean;
}

/**
 * What to read; without a name, from all objects of the kind, and without an index, all cells
 * (P4Runtime 1.5.0, section "Wildcard Reads").
 */
export type ReadFilter =
  | ({ readonly kind: 'table-entries' } & EntryFilter & EntryWishes)
  | ({ readonly kind: 'default-entries'; readonly table?: string } & EntryWishes)
  | ({ readonly kind: 'direct-counters' | 'direct-meters' } & EntryFilter)
  | { readonly kind: 'members'; readonly actionProfile?: string; readonly memberId?: number }
  | { readonly kind: 'groups'; readonly actionProfile?: string; readonly groupId?: number }
  | { readonly kind: 'counters'; readonly counter?: string; readonly index?: number }
  | { readonly kind: 'meters'; readonly meter?: string; readonly index?: number }
  | { readonly kind: 'registers'; readonly register?: string; readonly index?: number }
  | { readonly kind: 'multicast-groups'; readonly groupId?: number }
  | { readonly kind: 'clone-sessions'; readonly sessionId?: number }
  | { readonly kind: 'digests'; readonly digest?: string }
  | { readonly kind: 'value-sets'; readonly valueSet?: string }
  | { readonly kind: 'externs'; readonly externType?: string };

/** The message of a filter. @throws InputError for a name or value that P4Info lacks. */
function encodeFilter(index: P4InfoIndex, filter: ReadFilter): p4.Entity {
  switch (filter.kind) {
    case 'table-entries':
      return new p4.Entity({ tableEntry: withWishes(entryFilter(index, filter), filter) });
    case 'default-entries':
      return new p4.Entity({ tableEntry: defaultFilter(index, filter) });
    case 'direct-counters': {
      const tableEntry = entryFilter(index, filter);
      return new p4.Entity({ directCounterEntry: new p4.DirectCounterEntry({ tableEntry }) });
    }
    case 'direct-meters': {
      const tableEntry = entryFilter(index, filter);
      return new p4.Entity({ directMeterEntry: new p4.DirectMeterEntry({ tableEntry }) });
    }
    case 'members': {
      const actionProfileId = idOf(index.actionProfiles, filter.actionProfile);
      const fields = { actionProfileId, memberId: filter.memberId ?? 0 };
      return new p4.Entity({ actionProfileMember: new p4.ActionProfileMember(fields) });
    }
    case 'groups': {
      const actionProfileId = idOf(index.actionProfiles, filter.actionProfile);
      const fields = { actionProfileId, groupId: filter.groupId ?? 0 };
      return new p4.Entity({ actionProfileGroup: new p4.ActionProfileGroup(fields) });
    }
    case 'counters':
    case 'meters':
    case 'registers':
    case 'multicast-groups':
    case 'clone-sessions':
    case 'digests':
    case 'value-sets':
    case 'externs':
      return otherFilter(index, filter);
    default:
      return unreachable(filter);
  }
}

type OtherFilter = Exclude<
  ReadFilter,
  {
    readonly kind:
      | 'table-entries'
      | 'default-entries'
      | 'direct-counters'
      | 'direct-meters'
      | 'members'
      | 'groups';
  }
>;

/** Filters of what does not belong to tables. */
function otherFilter(index: P4InfoIndex, filter: OtherFilter): p4.Entity {
  switch (filter.kind) {
    case 'counters': {
      const fields = { counterId: idOf(index.counters, filter.counter) };
      const counterEntry = new p4.CounterEntry(fields);
      setCell(counterEntry, index.counters, filter.counter, filter.index);
      return new p4.Entity({ counterEntry });
    }
    case 'meters': {
      const meterEntry = new p4.MeterEntry({ meterId: idOf(index.meters, filter.meter) });
      setCell(meterEntry, index.meters, filter.meter, filter.index);
      return new p4.Entity({ meterEntry });
    }
    case 'registers': {
      const fields = { registerId: idOf(index.registers, filter.register) };
      const registerEntry = new p4.RegisterEntry(fields);
      setCell(registerEntry, index.registers, filter.register, filter.index);
      return new p4.Entity({ registerEntry });
    }
    case 'multicast-groups':
      return replicationFilter({
        multicastGroupEntry: new p4.MulticastGroupEntry({ multicastGroupId: filter.groupId ?? 0 }),
      });
    case 'clone-sessions':
      return replicationFilter({
        cloneSessionEntry: new p4.CloneSessionEntry({ sessionId: filter.sessionId ?? 0 }),
      });
    case 'digests': {
      const digestId = idOf(index.digests, filter.digest);
      return new p4.Entity({ digestEntry: new p4.DigestEntry({ digestId }) });
    }
    case 'value-sets': {
      const valueSetId = idOf(index.valueSets, filter.valueSet);
      return new p4.Entity({ valueSetEntry: new p4.ValueSetEntry({ valueSetId }) });
    }
    case 'externs': {
      const externTypeId = idOf(index.externTypes, filter.externType);
      return new p4.Entity({ externEntry: new p4.ExternEntry({ externTypeId }) });
    }
    default:
      return unreachable(filter);
  }
}

function entryFilter(index: P4InfoIndex, filter: EntryFilter): p4.TableEntry {
  const message = new p4.TableEntry({ tableId: idOf(index.tables, filter.table) });
  if (filter.table !== undefined && filter.match !== undefined) {
    message.match = encodeMatch(index.tables.get(filter.table), filter.match);
    message.priority = filter.priority ?? 0;
  }
  return message;
}

function defaultFilter(
  index: P4InfoIndex,
  filter: { readonly table?: string } & EntryWishes,
): p4.TableEntry {
  const tableId = idOf(index.tables, filter.table);
  return withWishes(new p4.TableEntry({ tableId, isDefaultAction: true }), filter);
}

/** A field that is set in a filter, though empty, asks for its contents. */
function withWishes(
  message: p4.TableEntry,
  { counters = false, meters = false, idleTimes = false }: EntryWishes,
): p4.TableEntry {
  if (counters) message.counterData = new p4.CounterData({});
  if (meters) message.meterConfig = new p4.MeterConfig({});
  if (idleTimes) message.timeSinceLastHit = new p4.TableEntryIdleTimeout({});
  return message;
}

function setCell(
  message: { index: p4.Index },
  arrays: NameIndex<NamedObject & { readonly size: number }>,
  name: string | undefined,
  index: number | undefined,
): void {
  if (name !== undefined) setIndex(message, arrays.kind, arrays.get(name), index);
}

function replicationFilter(
  type: NonNullable<ConstructorParameters<typeof p4.PacketReplicationEngineEntry>[0]>,
): p4.Entity {
  return new p4.Entity({ packetReplicationEngineEntry: new p4.PacketReplicationEngineEntry(type) });
}

/** Number 0 stands for all objects of the kind. */
function idOf(objects: NameIndex<NamedObject>, name: string | undefined): number {
  return name === undefined ? 0 : objects.get(name).id;
}
