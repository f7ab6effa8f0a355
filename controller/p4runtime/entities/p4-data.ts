import { unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { fitsSigned } from '../../../common/p4runtime/bytestring';
import type { DataType } from '../../../common/p4runtime/data-type';
import { decodeLeaf, encodeLeaf } from '../../../common/p4runtime/p4-data';
import type { LeafType } from '../../../common/p4runtime/p4-data';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4data';
import { formatValue, parseInteger, parseValue } from '../../../common/p4runtime/values';
import type { Data, DataRecord, Value } from '../../entities/value';
import { fromSwitch } from './wire-values';

type Structure = Extract<DataType, { readonly kind: 'struct' | 'tuple' }>;

/**
 * The message of a value of a P4 type (P4Runtime 1.5.0, section "P4Data in p4runtime.proto").
 * @throws InputError naming the member that does not fit its type.
 */
export function encodeData(type: DataType, data: Data, what: string): p4.P4Data {
  switch (type.kind) {
    case 'struct':
      return new p4.P4Data({ struct: structLike(type, data, what) });
    case 'tuple':
      return new p4.P4Data({ tuple: structLike(type, data, what) });
    case 'unsupported':
      throw new InputError(`${what}: this library cannot represent ${type.what}`);
    case 'bit':
    case 'bool':
    case 'int':
    case 'serializable-enum':
      return encodeLeaf(type, bitsOf(type, data, what));
  }
}

/** A value that a switch has sent, with the names of members. @throws InputError */
export function decodeData(type: DataType, message: p4.P4Data, what: string): Data {
  switch (type.kind) {
    case 'struct':
      return record(type, message.hasStruct ? message.struct.members : [], what);
    case 'tuple':
      return members(type, message.hasTuple ? message.tuple.members : [], what);
    case 'unsupported':
      throw new InputError(`${what}: this library cannot represent ${type.what}`);
    case 'bit':
    case 'bool':
    case 'int':
    case 'serializable-enum':
      return dataOf(
        type,
        fromSwitch(() => decodeLeaf(type, message, what)),
      );
  }
}

function bitsOf(type: LeafType, data: Data, what: string): bigint {
  switch (type.kind) {
    case 'bit':
    case 'serializable-enum':
      return number(data, type.width, what);
    case 'int':
      return signed(data, type.width, what);
    case 'bool':
      if (typeof data === 'boolean') return data ? 1n : 0n;
      throw wanted('true or false', data, what);
    default:
      return unreachable(type);
  }
}

function dataOf(type: LeafType, bits: bigint): Data {
  if (type.kind === 'bool') return bits !== 0n;
  if (type.kind === 'int') return BigInt.asIntN(type.width, bits).toString();
  return formatValue(bits, type.width);
}

function structLike(type: Structure, data: Data, what: string): p4.P4StructLike {
  const values = Array.isArray(data) ? (data as readonly Data[]) : valuesByName(type, data, what);
  if (values.length !== type.members.length) {
    throw wanted(`${type.members.length} members`, data, what);
  }
  return new p4.P4StructLike({
    members: type.members.map((each, i) => encodeData(each, values[i] ?? 0, place(type, i, what))),
  });
}

/** The values of a struct in the order of its members. */
function valuesByName(type: Structure, data: Data, what: string): readonly Data[] {
  const { names } = type;
  if (names === undefined || typeof data !== 'object') throw wanted('a list', data, what);
  const fields = data as DataRecord;
  const stray = Object.keys(fields).find((name) => !names.includes(name));
  if (stray !== undefined) {
    throw new InputError(`${what}: no member '${stray}'; it has: ${names.join(', ')}`);
  }
  return names.map((name) => {
    const value = fields[name];
    if (value === undefined) throw new InputError(`${what}: member '${name}' is missing`);
    return value;
  });
}

function record(type: Structure, sent: readonly p4.P4Data[], what: string): Data {
  const values = members(type, sent, what);
  if (type.names === undefined) return values;
  return Object.fromEntries(type.names.map((name, i) => [name, values[i] ?? '0']));
}

function members(type: Structure, sent: readonly p4.P4Data[], what: string): readonly Data[] {
  if (sent.length !== type.members.length) {
    const found = `${sent.length} members, wanted ${type.members.length}`;
    throw new InputError(`from the switch: ${what}: ${found}`);
  }
  return type.members.map((each, i) => {
    return decodeData(each, sent[i] ?? new p4.P4Data({}), place(type, i, what));
  });
}

const place = (type: Structure, i: number, what: string): string =>
  `${what}, member '${type.names?.[i] ?? i}'`;

function number(data: Data, width: number, what: string): bigint {
  if (isValue(data)) return parseValue(data, width, what);
  throw wanted(`a value of ${width} bits`, data, what);
}

function signed(data: Data, width: number, what: string): bigint {
  const value = isValue(data) ? parseInteger(data) : undefined;
  if (value !== undefined && fitsSigned(value, width)) return value;
  throw wanted(`a number of ${width} signed bits`, data, what);
}

const isValue = (data: Data): data is Value =>
  typeof data === 'string' || typeof data === 'number' || typeof data === 'bigint';

function wanted(what: string, data: Data, where: string): InputError {
  const found = isValue(data) ? String(data) : JSON.stringify(data);
  return new InputError(`${where}: wanted ${what}, found ${found}`);
}
