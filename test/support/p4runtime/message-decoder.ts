import { BinaryReader } from 'google-protobuf';
import { unreachable } from '../../../common/assert';
import type { TreeField, TreeValue } from '../../../common/p4runtime/message-encoder';
import type { FieldSchema, ScalarType, Schema } from '../../../common/p4runtime/schema';

/**
 * Decodes the binary form of a message into a tree, fields in the order of their numbers. Fields
 * that the schema lacks are left out. The bytes come from a generated class, so they are sound.
 */
export function decodeMessage(
  bytes: Uint8Array,
  messageType: string,
  schema: Schema,
): readonly TreeField[] {
  const known = schema.messages[messageType] ?? [];
  const found = new Map<FieldSchema, TreeValue[]>();
  const reader = new BinaryReader(bytes) as BinaryReader & PackableReader;
  while (reader.nextField()) {
    const field = known.find((each) => each.number === reader.getFieldNumber());
    if (field === undefined) reader.skipField();
    else found.set(field, [...(found.get(field) ?? []), ...fieldValues(reader, field, schema)]);
  }
  return known.flatMap((field) =>
    (found.get(field) ?? []).map((value) => ({ name: field.name, value, where: messageType })),
  );
}

/** Methods of google-protobuf 4 for numbers packed or one by one, which its types lack. */
interface PackableReader {
  readPackableBoolInto(list: boolean[]): void;
  readPackableInt32Into(list: number[]): void;
  readPackableUint32Into(list: number[]): void;
  readPackableEnumInto(list: number[]): void;
  readPackableInt64StringInto(list: string[]): void;
  readPackableUint64StringInto(list: string[]): void;
}

function fieldValues(
  reader: BinaryReader & PackableReader,
  field: FieldSchema,
  schema: Schema,
): readonly TreeValue[] {
  switch (field.kind) {
    case 'message':
      return [{ kind: 'message', fields: decodeMessage(reader.readBytes(), field.type, schema) }];
    case 'enum': {
      const numbers: number[] = [];
      reader.readPackableEnumInto(numbers);
      return numbers.map((each) => word(enumName(schema, field.type, each)));
    }
    case 'scalar':
      return scalars(reader, field.type);
    default:
      return unreachable(field);
  }
}

function scalars(reader: BinaryReader & PackableReader, type: ScalarType): readonly TreeValue[] {
  const words: (string | number | boolean)[] = [];
  switch (type) {
    case 'string':
    case 'bytes':
      return [{ kind: 'bytes', bytes: reader.readBytes() }];
    case 'bool':
      reader.readPackableBoolInto(words as boolean[]);
      break;
    case 'int32':
      reader.readPackableInt32Into(words as number[]);
      break;
    case 'uint32':
      reader.readPackableUint32Into(words as number[]);
      break;
    case 'int64':
      reader.readPackableInt64StringInto(words as string[]);
      break;
    case 'uint64':
      reader.readPackableUint64StringInto(words as string[]);
      break;
    default:
      unreachable(type);
  }
  return words.map((each) => word(String(each)));
}

/** A number that the enum does not define stands for itself. */
function enumName(schema: Schema, type: string, number: number): string {
  const members = Object.entries(schema.enums[type] ?? {});
  return members.find(([, each]) => each === number)?.[0] ?? String(number);
}

const word = (text: string): TreeValue => ({ kind: 'word', text });
