import { assert, unreachable } from '../assert';
import { decodeSigned, decodeValue, encodeSigned, encodeValue } from './bytestring';
import { RpcError } from './codes';
import type { DataType, LeafType } from './data-type';
import * as p4 from './generated/p4/v1/p4data';

/**
 * The message of a value (P4Runtime 1.5.0, section "P4Data in p4runtime.proto").
 * @param leaves the unsigned bit fields that the value is made of, in order: as many as the type has.
 * @throws RpcError UNIMPLEMENTED for a type that v1model cannot hold.
 */
export function encodeP4Data(type: DataType, leaves: readonly bigint[]): p4.P4Data {
  let next = 0;
  const encode = (part: DataType): p4.P4Data => {
    switch (part.kind) {
      case 'struct':
        return new p4.P4Data({
          struct: new p4.P4StructLike({ members: part.members.map(encode) }),
        });
      case 'tuple':
        return new p4.P4Data({ tuple: new p4.P4StructLike({ members: part.members.map(encode) }) });
      case 'unsupported':
        throw new RpcError('UNIMPLEMENTED', `cannot represent ${part.what}`);
      case 'bit':
      case 'bool':
      case 'int':
      case 'serializable-enum': {
        const leaf = leaves[next++];
        assert(leaf !== undefined, 'a value has as many bit fields as its type');
        return encodeLeaf(part, leaf);
      }
    }
  };
  return encode(type);
}

/**
 * Reads a value as its unsigned bit fields, in order.
 * @param what names the value in messages.
 * @throws RpcError INVALID_ARGUMENT or OUT_OF_RANGE, UNIMPLEMENTED for a type that v1model cannot hold.
 */
export function decodeP4Data(type: DataType, data: p4.P4Data, what: string): bigint[] {
  switch (type.kind) {
    case 'struct':
    case 'tuple': {
      const sent =
        type.kind === 'struct'
          ? data.hasStruct && data.struct.members
          : data.hasTuple && data.tuple.members;
      if (sent === false) throw wanted(`a ${type.kind}`, data, what);
      if (sent.length !== type.members.length) {
        const found = `wanted ${type.members.length} members, found ${sent.length}`;
        throw new RpcError('INVALID_ARGUMENT', `${what}: ${found}`);
      }
      return type.members.flatMap((each, i) =>
        decodeP4Data(
          each,
          sent[i] ?? new p4.P4Data({}),
          `${what}, member '${type.names?.[i] ?? i}'`,
        ),
      );
    }
    case 'unsupported':
      throw new RpcError('UNIMPLEMENTED', `${what}: cannot represent ${type.what}`);
    case 'bit':
    case 'bool':
    case 'int':
    case 'serializable-enum':
      return [decodeLeaf(type, data, what)];
  }
}

/** @param bits of `int`, the two's complement. */
function encodeLeaf(type: LeafType, bits: bigint): p4.P4Data {
  switch (type.kind) {
    case 'bit':
      return new p4.P4Data({ bitstring: encodeValue(bits) });
    case 'int':
      return new p4.P4Data({ bitstring: encodeSigned(BigInt.asIntN(type.width, bits)) });
    case 'bool':
      return new p4.P4Data({ bool: bits !== 0n });
    case 'serializable-enum':
      return new p4.P4Data({ enumValue: encodeValue(bits) });
    default:
      return unreachable(type);
  }
}

function decodeLeaf(type: LeafType, data: p4.P4Data, what: string): bigint {
  switch (type.kind) {
    case 'bit':
      if (data.hasBitstring) return decodeValue(data.bitstring, type.width, what);
      throw wanted('a bitstring', data, what);
    case 'int':
      if (!data.hasBitstring) throw wanted('a bitstring', data, what);
      return BigInt.asUintN(type.width, decodeSigned(data.bitstring, type.width, what));
    case 'bool':
      if (data.hasBool) return data.bool ? 1n : 0n;
      throw wanted('a bool', data, what);
    case 'serializable-enum':
      if (data.hasEnumValue) return decodeValue(data.enumValue, type.width, what);
      throw wanted('an enum_value', data, what);
    default:
      return unreachable(type);
  }
}

function wanted(what: string, data: p4.P4Data, where: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `${where}: wanted ${what}, found ${data.data}`);
}
