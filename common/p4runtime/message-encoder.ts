import { InputError } from '../errors';
import { unreachable } from '../assert';
import type { FieldSchema, ScalarType, Schema } from './schema';
import { MessageWriter } from '../protobuf/message-writer';

/**
 * A message before its schema is known: what the text form says, and what the JSON form is brought
 * into, so that one encoder serves both.
 */
export type TreeValue =
  /** A number, enum member or boolean, as it was written. */
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'message'; readonly fields: readonly TreeField[] };

export interface TreeField {
  readonly name: string;
  readonly value: TreeValue;
  /** Place of the field, for error messages: "line 12" or a JSON path. */
  readonly where: string;
}

/**
 * Encodes a message tree in the binary form, which the generated classes read.
 * @throws InputError naming the place of an unknown field, a wrong value, or a field set twice.
 */
export function encodeMessage(
  fields: readonly TreeField[],
  messageType: string,
  schema: Schema,
): Uint8Array {
  const writer = new MessageWriter();
  const seen = new Set<string>();
  for (const field of fields) {
    const known = schema.messages[messageType]?.find((each) => each.name === field.name);
    if (known === undefined) {
      throw new InputError(`${field.where}: ${messageType} has no field '${field.name}'`);
    }
    if (!known.repeated && seen.has(field.name)) {
      throw new InputError(`${field.where}: '${field.name}' of ${messageType} is set twice`);
    }
    seen.add(field.name);
    writeField(writer, known, field, schema);
  }
  return writer.getResultBuffer();
}

function writeField(
  writer: MessageWriter,
  known: FieldSchema,
  { value, where }: TreeField,
  schema: Schema,
): void {
  switch (known.kind) {
    case 'message':
      if (value.kind !== 'message') throw wrong(known, value, where);
      writer.writeBytes(known.number, encodeMessage(value.fields, known.type, schema));
      return;
    case 'enum':
      writer.writeEnum(known.number, enumNumber(known, value, where, schema));
      return;
    case 'scalar':
      writeScalar(writer, known, value, where);
      return;
    default:
      unreachable(known);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    UTF8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function writeScalar(
  writer: MessageWriter,
  known: FieldSchema & { kind: 'scalar' },
  value: TreeValue,
  where: string,
): void {
  const { type, number } = known;
  switch (type) {
    case 'string':
      if (value.kind !== 'bytes') throw wrong(known, value, where);
      if (!isUtf8(value.bytes)) {
        throw new InputError(
          `${where}: '${known.name}' wants a string in UTF-8, found other bytes`,
        );
      }
      writer.writeBytes(number, value.bytes);
      return;
    case 'bytes':
      if (value.kind !== 'bytes') throw wrong(known, value, where);
      writer.writeBytes(number, value.bytes);
      return;
    case 'bool':
      writer.writeBool(number, truth(known, value, where));
      return;
    case 'int32':
      writer.writeInt32(number, Number(integer(known, value, where)));
      return;
    case 'uint32':
      writer.writeUint32(number, Number(integer(known, value, where)));
      return;
    case 'int64':
      writer.writeInt64String(number, String(integer(known, value, where)));
      return;
    case 'uint64':
      writer.writeUint64String(number, String(integer(known, value, where)));
      return;
    default:
      unreachable(type);
  }
}

const INTEGER_RANGE: Readonly<Partial<Record<ScalarType, readonly [bigint, bigint]>>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

function integer(known: FieldSchema & { kind: 'scalar' }, value: TreeValue, where: string): bigint {
  const match =
    value.kind === 'word' ? /^(-?)(0[0-7]*|[1-9]\d*|0[xX][\da-fA-F]+)$/.exec(value.text) : null;
  const range = INTEGER_RANGE[known.type];
  if (match === null || range === undefined) throw wrong(known, value, where);
  const digits = match[2] ?? '';
  // A leading zero means octal in the text form, as in C.
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const number = match[1] === '-' ? -magnitude : magnitude;
  if (number < range[0] || number > range[1]) throw wrong(known, value, where);
  return number;
}

function truth(known: FieldSchema, value: TreeValue, where: string): boolean {
  if (value.kind === 'word') {
    if (['true', 'True', 't', '1'].includes(value.text)) return true;
    if (['false', 'False', 'f', '0'].includes(value.text)) return false;
  }
  throw wrong(known, value, where);
}

function enumNumber(
  known: FieldSchema & { kind: 'enum' },
  value: TreeValue,
  where: string,
  schema: Schema,
): number {
  if (value.kind !== 'word') throw wrong(known, value, where);
  const number = schema.enums[known.type]?.[value.text];
  if (number !== undefined) return number;
  // Members that the schema does not know are numbers; the wire has 32 bits for them.
  const written = /^-?\d+$/.test(value.text) ? Number(value.text) : NaN;
  if (written === (written | 0)) return written;
  throw wrong(known, value, where);
}

function wrong(known: FieldSchema, value: TreeValue, where: string): InputError {
  const other = value.kind === 'bytes' ? 'a string' : 'a message';
  const found = value.kind === 'word' ? `'${value.text}'` : other;
  return new InputError(`${where}: '${known.name}' wants ${known.type}, found ${found}`);
}
