import { InputError } from '../../../common/errors';
import { encodeValue } from '../../../common/p4runtime/bytestring';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import { formatValue, parseValue } from '../../../common/p4runtime/values';
import type { Value } from '../../entities/value';
import { wireValue } from '../entities/wire-values';

/** A packet for the data plane, with the fields of the program's `packet_out` header. */
export interface PacketOut {
  readonly payload: Uint8Array;
  readonly metadata: Readonly<Record<string, Value>>;
}

/** A packet from the data plane, with the fields of the program's `packet_in` header. */
export interface PacketIn {
  readonly payload: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * The message of a packet. Every field but padding must be given, as the specification wants it.
 * @throws InputError naming the field.
 */
export function encodePacketOut(index: P4InfoIndex, packet: PacketOut): p4.PacketOut {
  const fields = index.packetHeaders.find('packet_out')?.fields;
  const known = fields?.all ?? [];
  const names = known.map((each) => each.name).join(', ') || 'none';
  const given = new Map(
    Object.entries(packet.metadata).map(([name, value]) => {
      const field = fields?.find(name);
      if (field !== undefined) return [field.id, value];
      throw new InputError(`packet-out: no metadata field '${name}'; the program has: ${names}`);
    }),
  );
  const metadata = known.flatMap(({ id, name, width, padding }) => {
    const value = given.get(id);
    const what = `packet-out, metadata field '${name}'`;
    if (value !== undefined) {
      const bytes = encodeValue(parseValue(value, width, what));
      return [new p4.PacketMetadata({ metadataId: id, value: bytes })];
    }
    if (!padding) throw new InputError(`${what} is missing`);
    return [];
  });
  return new p4.PacketOut({ payload: packet.payload, metadata });
}

/** A packet that a switch has sent; padding is left out. @throws InputError for unknown fields. */
export function decodePacketIn(index: P4InfoIndex, message: p4.PacketIn): PacketIn {
  return packetByName(index, 'packet_in', message);
}

/** A packet-out that a switch sends back because it refuses it. @throws InputError likewise. */
export function decodePacketOut(index: P4InfoIndex, message: p4.PacketOut): PacketOut {
  return packetByName(index, 'packet_out', message);
}

function packetByName(
  index: P4InfoIndex,
  header: string,
  message: p4.PacketIn | p4.PacketOut,
): PacketIn {
  const fields = index.packetHeaders.find(header)?.fields;
  const metadata: Record<string, string> = {};
  for (const { metadataId, value } of message.metadata) {
    const field = fields?.byNumber(metadataId);
    if (field === undefined) {
      throw new InputError(`from the switch: ${header} has no metadata field ${metadataId}`);
    }
    const { name, width, padding } = field;
    const what = `${header}, metadata field '${name}'`;
    if (!padding) metadata[name] = formatValue(wireValue(value, width, what), width);
  }
  return { payload: message.payload, metadata };
}
