import { assert, unreachable } from '../../../common/assert';
import type { TreeField, TreeValue } from '../../../common/p4runtime/message-encoder';
import type { FieldSchema, Schema } from '../../../common/p4runtime/schema';

/**
 * Writes a message tree in protobuf's JSON form: lower camel case names, 64-bit integers as
 * strings, bytes in base64, enums by name, maps as objects.
 */
export function printJsonFormat(
  fields: readonly TreeField[],
  messageType: string,
  schema: Schema,
): string {
  return `${JSON.stringify(messageJson(fields, messageType, schema), null, 1)}\n`;
}

type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

function messageJson(fields: readonly TreeField[], messageType: string, schema: Schema): Json {
  const known = schema.messages[messageType] ?? [];
  return Object.fromEntries(
    known.flatMap((field) => {
      const values = fields.filter(({ name }) => name === field.name).map(({ value }) => value);
      if (values.length === 0) return [];
      return [[field.jsonName, fieldJson(values, field, schema)]];
    }),
  );
}

function fieldJson(values: readonly TreeValue[], field: FieldSchema, schema: Schema): Json {
  const all = values.map((value) => valueJson(value, field, schema));
  if (field.kind === 'message' && field.map) {
    return Object.fromEntries(all.map((entry) => mapEntry(entry as Record<string, Json>)));
  }
  const [first] = all;
  assert(first !== undefined, 'a field that is there has a value');
  return field.repeated ? all : first;
}

/** An entry of a map leaves out an empty key or value, as any message does. */
function mapEntry({ key = '', value = {} }: Record<string, Json>): [string, Json] {
  return [typeof key === 'string' ? key : JSON.stringify(key), value];
}

function valueJson(value: TreeValue, field: FieldSchema, schema: Schema): Json {
  switch (value.kind) {
    case 'message':
      return messageJson(value.fields, field.type, schema);
    case 'bytes':
      return Buffer.from(value.bytes).toString(field.type === 'bytes' ? 'base64' : 'utf8');
    case 'word':
      return wordJson(value.text, field);
    default:
      return unreachable(value);
  }
}

function wordJson(text: string, field: FieldSchema): Json {
  if (field.type === 'bool') return text === 'true';
  const exact = field.type === 'int32' || field.type === 'uint32';
  const unnamed = field.kind === 'enum' && /^-?\d+$/.test(text);
  return exact || unnamed ? Number(text) : text;
}
