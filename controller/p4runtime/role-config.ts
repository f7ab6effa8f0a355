import { BinaryWriter } from 'google-protobuf';
import { encodeValue } from '../../common/p4runtime/bytestring';
import { Any } from '../../common/p4runtime/generated/google/protobuf/any';
import type { NameIndex, NamedObject } from '../../common/p4runtime/name-index';
import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import { parseValue } from '../../common/p4runtime/values';
import { InputError } from '../../common/errors';
import type { Value } from '../entities/value';

/**
 * What the controllers of a role may do. P4Runtime leaves the scheme open; this is Stratum's
 * message `P4RoleConfig`, which our own server understands too.
 */
export interface RoleConfig {
  /** Names of tables, profiles, counters, … that only this role may write. */
  readonly exclusive?: readonly string[];
  /** Names of those that it shares with other roles. */
  readonly shared?: readonly string[];
  readonly receivesPacketIns?: boolean;
  /** Only packets whose metadata field has this value go to the role. */
  readonly packetInFilter?: { readonly field: string; readonly value: Value };
  readonly canPushPipeline?: boolean;
}

const TYPE_URL = 'type.googleapis.com/stratum.P4RoleConfig';

/** Field numbers of Stratum's P4RoleConfig and of its PacketFilter. */
const FIELD = { exclusive: 1, shared: 2, filter: 3, packetIns: 4, pipeline: 5 } as const;
const FILTER_FIELD = { metadataId: 1, value: 2 } as const;

/**
 * The message of a role's configuration.
 * @param index resolves names; a configuration without names does without.
 * @throws InputError naming what the P4Info lacks.
 */
export function encodeRoleConfig(config: RoleConfig, index: P4InfoIndex | undefined): Any {
  const writer = new BinaryWriter();
  const ids = (names: readonly string[] = []): number[] =>
    names.map((name) => idOf(requireIndex(index), name));
  writer.writePackedUint32(FIELD.exclusive, ids(config.exclusive));
  writer.writePackedUint32(FIELD.shared, ids(config.shared));
  const filter = config.packetInFilter;
  if (filter !== undefined) {
    writer.writeBytes(FIELD.filter, encodeFilter(requireIndex(index), filter));
  }
  writer.writeBool(FIELD.packetIns, config.receivesPacketIns ?? true);
  writer.writeBool(FIELD.pipeline, config.canPushPipeline ?? true);
  return new Any({ typeUrl: TYPE_URL, value: writer.getResultBuffer() });
}

function requireIndex(index: P4InfoIndex | undefined): P4InfoIndex {
  if (index !== undefined) return index;
  throw new InputError('role config: names need a P4Info; name one before the bid');
}

/** The number of an object of any kind. @throws InputError when no kind or several know the name. */
function idOf(index: P4InfoIndex, name: string): number {
  const kinds: readonly NameIndex<NamedObject>[] = [
    ...[index.tables, index.actionProfiles, index.counters, index.directCounters, index.meters],
    ...[index.directMeters, index.registers, index.digests, index.valueSets],
  ];
  const found = kinds.flatMap((kind) => kind.candidates(name));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  if (only === undefined) throw new InputError(`role config: P4Info has nothing called '${name}'`);
  const names = found.map((each) => each.name).join(', ');
  throw new InputError(`role config: '${name}' may be any of ${names}`);
}

function encodeFilter(
  index: P4InfoIndex,
  filter: { readonly field: string; readonly value: Value },
): Uint8Array {
  const { id, name, width } = index.packetHeaders.get('packet_in').fields.get(filter.field);
  const value = parseValue(filter.value, width, `role config, metadata field '${name}'`);
  const writer = new BinaryWriter();
  writer.writeUint32(FILTER_FIELD.metadataId, id);
  writer.writeBytes(FILTER_FIELD.value, encodeValue(value));
  return writer.getResultBuffer();
}
