import { BinaryReader } from 'google-protobuf';
import { RpcError } from '../../../common/p4runtime/codes';
import type { Any } from '../../../common/p4runtime/generated/google/protobuf/any';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';

/** What the controllers of a role may do; everything, when a role comes without configuration. */
export interface RoleScope {
  /** Numbers of P4Info that only this role may use. */
  readonly exclusiveIds: ReadonlySet<number>;
  /** Numbers of P4Info that this role shares with others. */
  readonly sharedIds: ReadonlySet<number>;
  readonly receivesPacketIns: boolean;
  /** Only packets with this value of this metadata field go to the role. */
  readonly packetInFilter: { readonly metadataId: number; readonly value: Uint8Array } | undefined;
  readonly canPushPipeline: boolean;
}

/** The message of Stratum, which controllers such as finsy send too. */
const TYPE = 'stratum.P4RoleConfig';

/** Field numbers of Stratum's P4RoleConfig and of its PacketFilter. */
const FIELD = { exclusive: 1, shared: 2, filter: 3, packetIns: 4, pipeline: 5 } as const;
const FILTER_FIELD = { metadataId: 1, value: 2 } as const;

/**
 * Reads a role's configuration. P4Runtime leaves the scheme open; this server knows one.
 * @throws RpcError INVALID_ARGUMENT for another scheme or unreadable bytes.
 */
export function decodeRoleConfig(config: Any): RoleScope {
  if (!config.typeUrl.endsWith(`/${TYPE}`)) {
    const found = config.typeUrl || 'nothing';
    throw new RpcError('INVALID_ARGUMENT', `role config: wanted ${TYPE}, found ${found}`);
  }
  try {
    return decode(new BinaryReader(config.value));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RpcError('INVALID_ARGUMENT', `role config: not a ${TYPE}: ${reason}`);
  }
}

/** Whether the role may write to the object of P4Info; undefined is a role without limits. */
export function inScope(scope: RoleScope | undefined, id: number | undefined): boolean {
  if (scope === undefined) return true;
  if (id === undefined) return false;
  return scope.exclusiveIds.has(id) || scope.sharedIds.has(id);
}

/**
 * Two roles may not both own an object. @throws RpcError INVALID_ARGUMENT naming it.
 * @param others the configurations of the device's other roles, by name.
 */
export function refuseOverlap(
  scope: RoleScope,
  others: ReadonlyMap<string, RoleScope | undefined>,
): void {
  for (const [role, other] of others) {
    if (other === undefined) continue;
    const taken = [...scope.exclusiveIds].find((id) => inScope(other, id));
    const wanted = taken ?? [...scope.sharedIds].find((id) => other.exclusiveIds.has(id));
    if (wanted === undefined) continue;
    throw new RpcError('INVALID_ARGUMENT', `role config: role '${role}' already has ${wanted}`);
  }
}

/** The object of P4Info that an entity belongs to; undefined for one that belongs to none. */
export function idOfEntity(entity: p4.Entity): number | undefined {
  if (entity.hasTableEntry) return entity.tableEntry.tableId;
  if (entity.hasActionProfileMember) return entity.actionProfileMember.actionProfileId;
  if (entity.hasActionProfileGroup) return entity.actionProfileGroup.actionProfileId;
  if (entity.hasMeterEntry) return entity.meterEntry.meterId;
  if (entity.hasDirectMeterEntry) return tableOf(entity.directMeterEntry);
  if (entity.hasCounterEntry) return entity.counterEntry.counterId;
  if (entity.hasDirectCounterEntry) return tableOf(entity.directCounterEntry);
  if (entity.hasValueSetEntry) return entity.valueSetEntry.valueSetId;
  if (entity.hasRegisterEntry) return entity.registerEntry.registerId;
  return entity.hasDigestEntry ? entity.digestEntry.digestId : undefined;
}

function tableOf(entry: p4.DirectMeterEntry | p4.DirectCounterEntry): number {
  return entry.hasTableEntry ? entry.tableEntry.tableId : 0;
}

function decode(reader: BinaryReader): RoleScope {
  const exclusiveIds = new Set<number>();
  const sharedIds = new Set<number>();
  let [receivesPacketIns, canPushPipeline] = [false, false];
  let packetInFilter: RoleScope['packetInFilter'];
  while (reader.nextField()) {
    switch (reader.getFieldNumber()) {
      case FIELD.exclusive:
        readIds(reader, exclusiveIds);
        break;
      case FIELD.shared:
        readIds(reader, sharedIds);
        break;
      case FIELD.filter:
        packetInFilter = decodeFilter(new BinaryReader(reader.readBytes()));
        break;
      case FIELD.packetIns:
        receivesPacketIns = reader.readBool();
        break;
      case FIELD.pipeline:
        canPushPipeline = reader.readBool();
        break;
      default:
        reader.skipField();
    }
  }
  return { exclusiveIds, sharedIds, receivesPacketIns, packetInFilter, canPushPipeline };
}

/** The method of google-protobuf 4 for numbers packed or one by one, which its types lack. */
interface PackableReader {
  readPackableUint32Into(list: number[]): void;
}

function readIds(reader: BinaryReader, ids: Set<number>): void {
  const found: number[] = [];
  (reader as BinaryReader & PackableReader).readPackableUint32Into(found);
  for (const id of found) ids.add(id);
}

function decodeFilter(reader: BinaryReader): { metadataId: number; value: Uint8Array } {
  let metadataId = 0;
  let value: Uint8Array = new Uint8Array(0);
  while (reader.nextField()) {
    if (reader.getFieldNumber() === FILTER_FIELD.metadataId) metadataId = reader.readUint32();
    else if (reader.getFieldNumber() === FILTER_FIELD.value) value = reader.readBytes();
    else reader.skipField();
  }
  return { metadataId, value };
}
