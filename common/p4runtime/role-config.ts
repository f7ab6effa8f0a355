import { RpcError } from './codes';
import { Any } from './generated/google/protobuf/any';
import { MessageReader } from '../protobuf/message-reader';
import { MessageWriter } from '../protobuf/message-writer';

/** Permissions of a role's controllers; a role without configuration may do everything. */
export interface RoleScope {
  /** Numbers of P4Info that only this role may use. */
  readonly exclusiveIds: ReadonlySet<number>;
  /** Numbers of P4Info that this role shares with others. */
  readonly sharedIds: ReadonlySet<number>;
  readonly receivesPacketIns: boolean;
  /** Filter of packet-ins: only those with this value of this metadata field go to the role. */
  readonly packetInFilter: { readonly metadataId: number; readonly value: Uint8Array } | undefined;
  readonly canPushPipeline: boolean;
}

/** The message of Stratum, which controllers such as finsy send too. */
const TYPE = 'stratum.P4RoleConfig';
const TYPE_URL = `type.googleapis.com/${TYPE}`;

/** Field numbers of Stratum's P4RoleConfig and of its PacketFilter. */
const FIELD = { exclusive: 1, shared: 2, filter: 3, packetIns: 4, pipeline: 5 } as const;
const FILTER_FIELD = { metadataId: 1, value: 2 } as const;

/**
 * Reads a role's configuration. P4Runtime leaves the scheme open; server and client know one.
 * @throws RpcError INVALID_ARGUMENT for another scheme or unreadable bytes.
 */
export function decodeRoleConfig(config: Any): RoleScope {
  if (!config.typeUrl.endsWith(`/${TYPE}`)) {
    const found = config.typeUrl || 'nothing';
    throw new RpcError('INVALID_ARGUMENT', `role config: wanted ${TYPE}, found ${found}`);
  }
  try {
    return decode(new MessageReader(config.value));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RpcError('INVALID_ARGUMENT', `role config: not a ${TYPE}: ${reason}`);
  }
}

/** The message of a role's configuration. */
export function encodeRoleConfig(scope: RoleScope): Any {
  const writer = new MessageWriter();
  writer.writePackedUint32(FIELD.exclusive, [...scope.exclusiveIds]);
  writer.writePackedUint32(FIELD.shared, [...scope.sharedIds]);
  if (scope.packetInFilter !== undefined) {
    const filter = new MessageWriter();
    filter.writeUint32(FILTER_FIELD.metadataId, scope.packetInFilter.metadataId);
    filter.writeBytes(FILTER_FIELD.value, scope.packetInFilter.value);
    writer.writeBytes(FIELD.filter, filter.getResultBuffer());
  }
  writer.writeBool(FIELD.packetIns, scope.receivesPacketIns);
  writer.writeBool(FIELD.pipeline, scope.canPushPipeline);
  return new Any({ typeUrl: TYPE_URL, value: writer.getResultBuffer() });
}

function decode(reader: MessageReader): RoleScope {
  const exclusiveIds = new Set<number>();
  const sharedIds = new Set<number>();
  let [receivesPacketIns, canPushPipeline] = [false, false];
  let packetInFilter: RoleScope['packetInFilter'];
  while (reader.nextField()) {
    switch (reader.field) {
      case FIELD.exclusive:
        readIds(reader, exclusiveIds);
        break;
      case FIELD.shared:
        readIds(reader, sharedIds);
        break;
      case FIELD.filter:
        packetInFilter = decodeFilter(new MessageReader(reader.readBytes()));
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

function readIds(reader: MessageReader, ids: Set<number>): void {
  const found: number[] = [];
  reader.readPackableUint32Into(found);
  for (const id of found) ids.add(id);
}

function decodeFilter(reader: MessageReader): { metadataId: number; value: Uint8Array } {
  let metadataId = 0;
  let value: Uint8Array = new Uint8Array(0);
  while (reader.nextField()) {
    if (reader.field === FILTER_FIELD.metadataId) metadataId = reader.readUint32();
    else if (reader.field === FILTER_FIELD.value) value = reader.readBytes();
    else reader.skipField();
  }
  return { metadataId, value };
}
