import { unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { fitsSigned } from '../../../common/p4runtime/bytestring';
import type { DataType, LeafType, StructType } from '../../../common/p4runtime/data-type';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4data';
import { decodeP4Data, encodeP4Data } from '../../../common/p4runtime/p4-data';
import { formatValue, parseInteger, parseValue } from '../../../common/p4runtime/values';
import type { Data, DataRecord, Value } from '../../entities/value';
import { fromSwitch } from './wire-values';

/** The message of a value of a P4 type. @throws InputError naming the member that does not fit. */
export const encodeData = (type: DataType, data: Data, what: string): p4.P4Data =>
  encodeP4Data(type, leavesOf(type, data, what));

/** A value that a switch has sent, with the names of members. @throws InputError */
export function decodeData(type: DataType, message: p4.P4Data, what: string): Data {
  const leaves = fromSwitch(() => decodeP4Data(type, message, what)).values();
  return dataOf(type, () => leaves.next().value ?? 0n);
}

/** The bit fields that a value is made of, in order. */
function leavesOf(type: DataType, data: Data, what: string): bigint[] {
  switch (type.kind) {
    case 'bit':
    case 'serializable-enum':
      if (isValue(data)) return [parseValue(data, type.width, what)];
      throw wanted(`a value of ${type.width} bits`, data, what);
    case 'int':
      return [BigInt.asUintN(type.width, signed(data, type.width, what))];
    case 'bool':
      if (typeof data === 'boolean') return [data ? 1n : 0n];
      throw wanted('true or false', data, what);
    case 'struct':
    case 'tuple':
      return memberLeaves(type, data, what);
    case 'unsupported':
      throw new InputError(`${what}: this library cannot represent ${type.what}`);
    default:
      return unreachable(type);
  }
}

function memberLeaves(type: StructType, data: Data, what: string): bigint[] {
  const values = Array.isArray(data) ? (data as readonly Data[]) : valuesByName(type, data, what);
  if (values.length !== type.members.length) {
    throw wanted(`${type.members.length} members`, data, what);
  }
  return type.members.flatMap((each, i) =>
    leavesOf(each, values[i] ?? 0, `${what}, member '${type.names?.[i] ?? i}'`),
  );
}

/** The values of a struct in the order of its members. */
function valuesByName(type: StructType, data: Data, what: string): readonly Data[] {
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

/** @param next takes the next bit field. */
function dataOf(type: DataType, next: () => bigint): Data {
  switch (type.kind) {
    case 'struct':
    case 'tuple': {
      const values = type.members.map((each) => dataOf(each, next));
      const { names } = type;
      return names ? Object.fromEntries(names.map((name, i) => [name, values[i] ?? '0'])) : values;
    }
    case 'unsupported':
      throw new InputError(`this library cannot represent ${type.what}`);
    case 'bit':
    case 'bool':
    case 'int':
    case 'serializable-enum':
      return leafData(type, next());
  }
}

function leafData(type: LeafType, bits: bigint): Data {
  if (type.kind === 'bool') return bits !== 0n;
  if (type.kind === 'int') return BigInt.asIntN(type.width, bits).toString();
  return formatValue(bits, type.width);
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
