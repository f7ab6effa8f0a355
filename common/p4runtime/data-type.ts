import { unreachable } from '../assert';
import type {
  P4BitstringLikeTypeSpec,
  P4DataTypeSpec,
  P4TypeInfo,
} from './generated/p4/config/v1/p4types';

/**
 * The type of a register's cell or of a digest, with names resolved (P4Runtime 1.5.0, section "P4
 * Type Specifications in p4info.proto"). `unsupported` carries the word for what the data plane of
 * v1model cannot hold.
 */
export type DataType =
  | LeafType
  | StructType
  | { readonly kind: 'unsupported'; readonly what: string };

/** A type that one bit field holds. */
export type LeafType =
  | { readonly kind: 'bit' | 'int'; readonly width: number }
  | { readonly kind: 'bool' }
  | { readonly kind: 'serializable-enum'; readonly width: number };

export interface StructType {
  readonly kind: 'struct' | 'tuple';
  readonly members: readonly DataType[];
  /** Names of a struct's members, in the same order. */
  readonly names?: readonly string[];
}

/** Resolves a type; names that lead nowhere make it `unsupported`. */
export function resolveDataType(
  spec: P4DataTypeSpec | undefined,
  types: P4TypeInfo | undefined,
): DataType {
  if (spec === undefined) return unsupported('a missing type');
  if (spec.hasBitstring) return bitstring(spec.bitstring);
  if (spec.hasBool) return { kind: 'bool' };
  if (spec.hasTuple) {
    return { kind: 'tuple', members: spec.tuple.members.map((each) => resolve(each, types)) };
  }
  if (spec.hasStruct) return struct(spec.struct.name, types);
  if (spec.hasSerializableEnum) return serializableEnum(spec.serializableEnum.name, types);
  if (spec.hasNewType) return newType(spec.newType.name, types);
  return unsupported(`the type of kind '${spec.type_spec ?? 'none'}'`);
}

/** The widths of the bit fields that a value of the type is made of, in order. */
export function leafWidths(type: DataType): number[] {
  switch (type.kind) {
    case 'bit':
    case 'int':
    case 'serializable-enum':
      return [type.width];
    case 'bool':
      return [1];
    case 'struct':
    case 'tuple':
      return type.members.flatMap(leafWidths);
    case 'unsupported':
      return [];
    default:
      return unreachable(type);
  }
}

const resolve = resolveDataType;

function bitstring(spec: P4BitstringLikeTypeSpec): DataType {
  if (spec.hasBit) return { kind: 'bit', width: spec.bit.bitwidth };
  if (spec.hasInt) return { kind: 'int', width: spec.int.bitwidth };
  return unsupported('a varbit');
}

function struct(name: string, types: P4TypeInfo | undefined): DataType {
  const found = types?.structs.get(name);
  if (found === undefined) return unsupported(`the unknown struct '${name}'`);
  const members = found.members.map((each) => {
    return resolve(each.hasTypeSpec ? each.typeSpec : undefined, types);
  });
  return { kind: 'struct', members, names: found.members.map(({ name: each }) => each) };
}

function serializableEnum(name: string, types: P4TypeInfo | undefined): DataType {
  const found = types?.serializableEnums.get(name);
  if (found?.hasUnderlyingType !== true) return unsupported(`the unknown enum '${name}'`);
  return { kind: 'serializable-enum', width: found.underlyingType.bitwidth };
}

/** A translated type travels as its SDN form, which this server takes for the value itself. */
function newType(name: string, types: P4TypeInfo | undefined): DataType {
  const found = types?.newTypes.get(name);
  if (found?.hasOriginalType === true) return resolve(found.originalType, types);
  if (found?.hasTranslatedType === true && found.translatedType.hasSdnBitwidth) {
    return { kind: 'bit', width: found.translatedType.sdnBitwidth };
  }
  return unsupported(`the type '${name}'`);
}

function unsupported(what: string): DataType {
  return { kind: 'unsupported', what };
}
