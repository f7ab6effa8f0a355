import { assert, unreachable } from '../assert';
import { decodeSigned, decodeValue, encodeSigned, encodeValue } from './bytestring';
import { RpcError } from './codes';
import type { DataType } from './data-type';
import * as p4 from './generated/p4/v1/p4data';

/**
 * Values of registers and digests on the wire (P4Runtime 1.5.0, section "P4Data in
 * p4runtime.proto"). The data plane holds them as unsigned bit fields, one per leaf of the type.
 * @param values takes one value per leaf, in order.
 */
export function encodeP4Data(type: DataType, values: readonly bigint[]): p4.P4Data {
  let next = 0;
  const take = (): bigint => {
    const value = values[next++];
    assert(value !== undefined, 'a value has as many bit fields as its type');
    return value;
  };
  return encode(type, take);
}

/** Reads one register cell of one bit field. @throws RpcError INVALID_ARGUMENT or OUT_OF_RANGE */
export function decodeP4Data(type: DataType, data: p4.P4Data, what: string): bigint {
  switch (type.kind) {
    case 'struct':
    case 'tuple':
      throw new RpcError('UNIMPLEMENTED', `${what}: a cell that is a ${type.kind}`);
    case 'unsupported':
      throw new RpcError('UNIMPLEMENTED', `${what}: a cell that is ${type.what}`);
    case 'bit':
    case 'bool':
    case 'int':
    case 'serializable-enum':
      return decodeLeaf(type, data, what);
  }
}

/** The types that one bit field holds. */
export type LeafType = Exclude<DataType, { readonly kind: 'struct' | 'tuple' | 'unsupported' }>;

/** The message of one bit field. @param bits of `int`, the two's complement, unsigned or signed. */
export function encodeLeaf(type: LeafType, bits: bigint): p4.P4Data {
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

/** The bit field of a message, unsigned. @throws RpcError INVALID_ARGUMENT or OUT_OF_RANGE */
export function decodeLeaf(type: LeafType, data: p4.P4Data, what: string): bigint {
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

function encode(type: DataType, take: () => bigint): p4.P4Data {
  switch (type.kind) {
    case 'struct':
      return new p4.P4Data({ struct: members(type.members, take) });
    case 'tuple':
      return new p4.P4Data({ tuple: members(type.members, take) });
    case 'unsupported':
      throw new RpcError('UNIMPLEMENTED', `this server cannot represent ${type.what}`);
    case 'bit':
    case 'bool':
    case 'int':
    case 'serializable-enum':
      return encodeLeaf(type, take());
  }
}

function members(types: readonly DataType[], take: () => bigint): p4.P4StructLike {
  return new p4.P4StructLike({ members: types.map((each) => encode(each, take)) });
}

function wanted(what: string, data: p4.P4Data, where: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `${where}: wanted ${what}, found ${data.data}`);
}
