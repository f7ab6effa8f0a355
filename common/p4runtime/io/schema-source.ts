import {
  FieldDescriptorProto,
  FileDescriptorSet,
} from 'google-protobuf/google/protobuf/descriptor_pb';
import type {
  DescriptorProto,
  EnumDescriptorProto,
} from 'google-protobuf/google/protobuf/descriptor_pb';
import { assert } from '../../assert';
import type { FieldSchema, ScalarType, Schema } from '../schema';

/** Writes generated/schema.ts from protoc's descriptor set. */
export function schemaSource(descriptorSet: Uint8Array): string {
  const { messages, enums } = schemaOf(FileDescriptorSet.deserializeBinary(descriptorSet));
  return [
    '// Generated from the protocol files. Do not edit.',
    "import type { Schema } from '../schema';",
    'export const P4RUNTIME_SCHEMA: Schema = {',
    '  messages: {',
    ...Object.entries(messages).flatMap(([name, fields]) => [
      `    ${JSON.stringify(name)}: [`,
      ...fields.map((field) => `      ${JSON.stringify(field)},`),
      '    ],',
    ]),
    '  },',
    '  enums: {',
    ...Object.entries(enums).map(([name, members]) => {
      return `    ${JSON.stringify(name)}: ${JSON.stringify(members)},`;
    }),
    '  },',
    '};',
    '',
  ].join('\n');
}

interface Collected {
  readonly messages: Record<string, readonly FieldSchema[]>;
  readonly enums: Record<string, Record<string, number>>;
  /** Names of the entry messages that protoc makes of map fields. */
  readonly mapEntries: Set<string>;
}

function schemaOf(set: FileDescriptorSet): Schema {
  const collected: Collected = { messages: {}, enums: {}, mapEntries: new Set() };
  for (const file of set.getFileList()) {
    const scope = file.getPackage() ?? '';
    for (const each of file.getEnumTypeList()) collectEnum(each, scope, collected);
    for (const each of file.getMessageTypeList()) collectMessage(each, scope, collected);
  }
  return {
    messages: markMaps(collected),
    enums: collected.enums,
  };
}

function collectEnum(type: EnumDescriptorProto, scope: string, collected: Collected): void {
  const members = type.getValueList().map((each) => [each.getName() ?? '', each.getNumber() ?? 0]);
  collected.enums[`${scope}.${type.getName() ?? ''}`] = Object.fromEntries(members) as Record<
    string,
    number
  >;
}

function collectMessage(type: DescriptorProto, scope: string, collected: Collected): void {
  const name = `${scope}.${type.getName() ?? ''}`;
  if (type.getOptions()?.getMapEntry() === true) collected.mapEntries.add(name);
  for (const each of type.getEnumTypeList()) collectEnum(each, name, collected);
  for (const each of type.getNestedTypeList()) collectMessage(each, name, collected);
  collected.messages[name] = type.getFieldList().map(fieldSchema);
}

function fieldSchema(field: FieldDescriptorProto): FieldSchema {
  const { Type, Label } = FieldDescriptorProto;
  const base = {
    name: field.getName() ?? '',
    jsonName: field.getJsonName() ?? '',
    number: field.getNumber() ?? 0,
    repeated: field.getLabel() === Label.LABEL_REPEATED,
  };
  const typeName = (field.getTypeName() ?? '').replace(/^\./, '');
  if (field.getType() === Type.TYPE_MESSAGE) {
    return { ...base, kind: 'message', type: typeName, map: false };
  }
  if (field.getType() === Type.TYPE_ENUM) return { ...base, kind: 'enum', type: typeName };
  return { ...base, kind: 'scalar', type: scalarType(field) };
}

function scalarType(field: FieldDescriptorProto): ScalarType {
  const { Type } = FieldDescriptorProto;
  const types = new Map<number | undefined, ScalarType>([
    [Type.TYPE_BOOL, 'bool'],
    [Type.TYPE_STRING, 'string'],
    [Type.TYPE_BYTES, 'bytes'],
    [Type.TYPE_INT32, 'int32'],
    [Type.TYPE_UINT32, 'uint32'],
    [Type.TYPE_INT64, 'int64'],
    [Type.TYPE_UINT64, 'uint64'],
  ]);
  const type = types.get(field.getType());
  assert(type !== undefined, `the type of the field ${field.getName() ?? ''} is known`);
  return type;
}

function markMaps(collected: Collected): Record<string, readonly FieldSchema[]> {
  const marked = Object.entries(collected.messages).map(([name, fields]) => [
    name,
    fields.map((field) =>
      field.kind === 'message' ? { ...field, map: collected.mapEntries.has(field.type) } : field,
    ),
  ]);
  return Object.fromEntries(marked) as Record<string, readonly FieldSchema[]>;
}
