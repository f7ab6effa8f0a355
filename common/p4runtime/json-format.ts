import { InputError } from '../errors';
import type { TreeField, TreeValue } from './message-encoder';
import type { FieldSchema, Schema } from './schema';

/**
 * Reads a message in protobuf's JSON form: lower camel case or original field names, 64-bit
 * integers as strings, bytes in base64, enums by name or number, maps as objects.
 * @throws InputError naming the path.
 */
export function parseJsonFormat(
  text: string,
  messageType: string,
  schema: Schema,
): readonly TreeField[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new InputError(`this is not JSON: ${error instanceof Error ? error.message : 'unknown'}`);
  }
  return messageFields(json, messageType, { schema, path: '$' });
}

interface Place {
  readonly schema: Schema;
  readonly path: string;
}

function messageFields(json: unknown, messageType: string, place: Place): TreeField[] {
  const known = place.schema.messages[messageType] ?? [];
  return Object.entries(object(json, place.path)).flatMap(([key, value]) => {
    const path = `${place.path}.${key}`;
    const field = known.find((each) => each.jsonName === key || each.name === key);
    if (field === undefined) throw new InputError(`${path}: ${messageType} has no such field`);
    return value === null ? [] : fieldValues(value, field, { schema: place.schema, path });
  });
}

function fieldValues(json: unknown, field: FieldSchema, place: Place): TreeField[] {
  const { name } = field;
  if (field.kind === 'message' && field.map) return mapEntries(json, field, place);
  if (!field.repeated) return [{ name, value: treeValue(json, field, place), where: place.path }];
  if (!Array.isArray(json)) throw new InputError(`${place.path}: wanted a list`);
  return json.map((each: unknown, i) => {
    const where = `${place.path}[${i}]`;
    return { name, value: treeValue(each, field, { ...place, path: where }), where };
  });
}

function mapEntries(
  json: unknown,
  field: FieldSchema & { kind: 'message' },
  place: Place,
): TreeField[] {
  return Object.entries(object(json, place.path)).map(([key, value]) => {
    const where = `${place.path}.${key}`;
    const entry = { ...field, map: false, repeated: false };
    const tree = treeValue({ key, value }, entry, { ...place, path: where });
    return { name: field.name, value: tree, where };
  });
}

function treeValue(json: unknown, field: FieldSchema, place: Place): TreeValue {
  if (field.kind === 'message') {
    return { kind: 'message', fields: messageFields(json, field.type, place) };
  }
  if (typeof json === 'string' && field.kind === 'scalar') {
    if (field.type === 'bytes') return { kind: 'bytes', bytes: base64(json) };
    if (field.type === 'string') return { kind: 'bytes', bytes: utf8(json) };
  }
  if (typeof json === 'string' || typeof json === 'boolean') return word(String(json));
  if (typeof json === 'number' && Number.isSafeInteger(json)) return word(String(json));
  throw new InputError(`${place.path}: wanted ${field.type}, found ${JSON.stringify(json)}`);
}

const word = (text: string): TreeValue => ({ kind: 'word', text });
const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf8'));
const base64 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'));

function object(json: unknown, path: string): Record<string, unknown> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    return json as Record<string, unknown>;
  }
  throw new InputError(`${path}: wanted an object, found ${JSON.stringify(json)}`);
}
