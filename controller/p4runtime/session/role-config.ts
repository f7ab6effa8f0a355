import { encodeValue } from '../../../common/p4runtime/bytestring';
import type { Any } from '../../../common/p4runtime/generated/google/protobuf/any';
import type { NameIndex, NamedObject } from '../../../common/p4runtime/name-index';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import { encodeRoleConfig } from '../../../common/p4runtime/role-config';
import type { RoleScope } from '../../../common/p4runtime/role-config';
import { parseValue } from '../../../common/p4runtime/values';
import { InputError } from '../../../common/errors';
import type { Value } from '../../entities/value';

/**
 * Rights of the controllers of a role. P4Runtime leaves the scheme open; this is Stratum's message
 * `P4RoleConfig`, which this project's server understands too.
 */
export interface RoleConfig {
  /** Names of tables, profiles, counters, … that only this role may write. */
  readonly exclusive?: readonly string[];
  /** Names of those that it shares with other roles. */
  readonly shared?: readonly string[];
  readonly receivesPacketIns?: boolean;
  /** Filter of packet-ins: only those whose metadata field has this value go to the role. */
  readonly packetInFilter?: { readonly field: string; readonly value: Value };
  readonly canPushPipeline?: boolean;
}

/**
 * The message of a role's configuration.
 * @param index resolves names; a configuration without names does without.
 * @throws InputError naming what the P4Info lacks.
 */
export function encodeRole(config: RoleConfig, index: P4InfoIndex | undefined): Any {
  const ids = (names: readonly string[] = []): ReadonlySet<number> =>
    new Set(names.map((name) => idOf(requireIndex(index), name)));
  const filter = config.packetInFilter;
  return encodeRoleConfig({
    exclusiveIds: ids(config.exclusive),
    sharedIds: ids(config.shared),
    receivesPacketIns: config.receivesPacketIns ?? true,
    packetInFilter: filter && resolveFilter(requireIndex(index), filter),
    canPushPipeline: config.canPushPipeline ?? true,
  });
}

function requireIndex(index: P4InfoIndex | undefined): P4InfoIndex {
  if (index !== undefined) return index;
  throw new InputError('role config: names need a P4Info; name one before the bid');
}

/** The number of an object of any kind. @throws InputError when no kind or several know the name. */
function idOf(index: P4InfoIndex, name: string): number {
  const kinds: readonly NameIndex<NamedObject>[] = [
    index.tables,
    index.actionProfiles,
    index.counters,
    index.directCounters,
    index.meters,
    index.directMeters,
    index.registers,
    index.digests,
    index.valueSets,
  ];
  const found = kinds.flatMap((kind) => kind.candidates(name));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  if (only === undefined) throw new InputError(`role config: P4Info has nothing called '${name}'`);
  const names = found.map((each) => each.name).join(', ');
  throw new InputError(`role config: '${name}' may be any of ${names}`);
}

function resolveFilter(
  index: P4InfoIndex,
  filter: { readonly field: string; readonly value: Value },
): RoleScope['packetInFilter'] {
  const { id, name, width } = index.packetHeaders.get('packet_in').fields.get(filter.field);
  const value = parseValue(filter.value, width, `role config, metadata field '${name}'`);
  return { metadataId: id, value: encodeValue(value) };
}
