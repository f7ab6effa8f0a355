import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { NamedEntity } from '../../entities/named-entity';
import type { Connection } from '../session/connection';
import { decodeEntity } from '../entities/entity';
import type { NameIndex, NamedObject } from '../../../common/p4runtime/name-index';
import type { Match } from '../../entities/match';
import { cellIndex } from '../entities/array-cells';
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
  /** Priority of the entry with `match`. */
  readonly priority?: number;
}

/** Values of entries to read besides key and action. */
export interface EntryWishes {
  readonly counters?: boolean;
  readonly meters?: boolean;
  readonly idleTimes?: boolean;
}

/**
 * Filter of a Read; without a name, all objects of the kind, and without an index, all cells (P4Runtime
 * 1.5.0, section "Wildcard Reads").
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

type EntityFields = NonNullable<ConstructorParameters<typeof p4.Entity>[0]>;
type FilterOf<Kind> = Extract<ReadFilter, { readonly kind: Kind }>;

/** The message of a filter. @throws InputError for a name or value that P4Info lacks. */
function encodeFilter(index: P4InfoIndex, filter: ReadFilter): p4.Entity {
  const encode = ENCODERS[filter.kind] as (index: P4InfoIndex, filter: ReadFilter) => EntityFields;
  return new p4.Entity(encode(index, filter));
}

const ENCODERS: {
  readonly [Kind in ReadFilter['kind']]: (
    index: P4InfoIndex,
    filter: FilterOf<Kind>,
  ) => EntityFields;
} = {
  'table-entries': (index, filter) => ({
    tableEntry: withWishes(entryFilter(index, filter), filter),
  }),
  'default-entries': (index, filter) => {
    const tableId = idOf(index.tables, filter.table);
    return {
      tableEntry: withWishes(new p4.TableEntry({ tableId, isDefaultAction: true }), filter),
    };
  },
  'direct-counters': (index, filter) => ({
    directCounterEntry: new p4.DirectCounterEntry({ tableEntry: entryFilter(index, filter) }),
  }),
  'direct-meters': (index, filter) => ({
    directMeterEntry: new p4.DirectMeterEntry({ tableEntry: entryFilter(index, filter) }),
  }),
  members: ({ actionProfiles }, { actionProfile, memberId = 0 }) => {
    const fields = { actionProfileId: idOf(actionProfiles, actionProfile), memberId };
    return { actionProfileMember: new p4.ActionProfileMember(fields) };
  },
  groups: ({ actionProfiles }, { actionProfile, groupId = 0 }) => {
    const fields = { actionProfileId: idOf(actionProfiles, actionProfile), groupId };
    return { actionProfileGroup: new p4.ActionProfileGroup(fields) };
  },
  counters: ({ counters }, { counter, index }) => ({
    counterEntry: new p4.CounterEntry({
      counterId: idOf(counters, counter),
      ...cellOf(counters, counter, index),
    }),
  }),
  meters: ({ meters }, { meter, index }) => ({
    meterEntry: new p4.MeterEntry({
      meterId: idOf(meters, meter),
      ...cellOf(meters, meter, index),
    }),
  }),
  registers: ({ registers }, { register, index }) => ({
    registerEntry: new p4.RegisterEntry({
      registerId: idOf(registers, register),
      ...cellOf(registers, register, index),
    }),
  }),
  'multicast-groups': (_, { groupId = 0 }) =>
    replicationFilter({
      multicastGroupEntry: new p4.MulticastGroupEntry({ multicastGroupId: groupId }),
    }),
  'clone-sessions': (_, { sessionId = 0 }) =>
    replicationFilter({ cloneSessionEntry: new p4.CloneSessionEntry({ sessionId }) }),
  digests: ({ digests }, { digest }) => ({
    digestEntry: new p4.DigestEntry({ digestId: idOf(digests, digest) }),
  }),
  'value-sets': ({ valueSets }, { valueSet }) => ({
    valueSetEntry: new p4.ValueSetEntry({ valueSetId: idOf(valueSets, valueSet) }),
  }),
  externs: ({ externTypes }, { externType }) => ({
    externEntry: new p4.ExternEntry({ externTypeId: idOf(externTypes, externType) }),
  }),
};

function entryFilter(index: P4InfoIndex, filter: EntryFilter): p4.TableEntry {
  const message = new p4.TableEntry({ tableId: idOf(index.tables, filter.table) });
  if (filter.table !== undefined && filter.match !== undefined) {
    message.match = encodeMatch(index.tables.get(filter.table), filter.match);
    message.priority = filter.priority ?? 0;
  }
  return message;
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

const cellOf = (
  arrays: NameIndex<NamedObject & { readonly size: number }>,
  name: string | undefined,
  index: number | undefined,
): { readonly index?: p4.Index } =>
  name === undefined ? {} : cellIndex(arrays.kind, arrays.get(name), index);

const replicationFilter = (
  type: NonNullable<ConstructorParameters<typeof p4.PacketReplicationEngineEntry>[0]>,
): EntityFields => ({
  packetReplicationEngineEntry: new p4.PacketReplicationEngineEntry(type),
});

/** Number 0 stands for all objects of the kind. */
function idOf(objects: NameIndex<NamedObject>, name: string | undefined): number {
  return name === undefined ? 0 : objects.get(name).id;
}
