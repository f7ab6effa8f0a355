import { BinaryReader, BinaryWriter } from 'google-protobuf';
import type { Random } from '../../../common/random/random';
import { P4RUNTIME_SCHEMA } from '../../../common/p4runtime/generated/schema';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../../../common/io/repository';
import type { FieldSchema } from '../../../common/p4runtime/schema';

/** A message as google-protobuf has written or read it: its fields in their order. */
export type FieldTree = readonly { readonly field: FieldSchema; readonly value: TreeValue }[];
type TreeValue = number | string | boolean | Uint8Array | FieldTree;

const fieldsOf = (type: string): readonly FieldSchema[] => P4RUNTIME_SCHEMA.messages[type] ?? [];
/** Messages inside messages, at most. */
const DEPTH_MAX = 6;

/** Any message of a type: some fields, repeated ones several times. */
export function randomTree(type: string, random: Random, depth = 0): FieldTree {
  return fieldsOf(type).flatMap((field) => {
    if (random.below(3) === 0) return [];
    if (field.kind === 'message' && depth === DEPTH_MAX) return [];
    return Array.from({ length: field.repeated ? 1 + random.below(3) : 1 }, () => ({
      field,
      value: randomValue(field, random, depth),
    }));
  });
}

function randomValue(field: FieldSchema, random: Random, depth: number): TreeValue {
  if (field.kind === 'message') return randomTree(field.type, random, depth + 1);
  const bits = random.below(33);
  const low = Math.floor(random.uniform() * 2 ** bits);
  if (field.kind === 'enum') return random.below(4);
  switch (field.type) {
    case 'bool':
      return random.below(2) === 1;
    case 'string':
      return ['', 'a', 'ä€😀', 'x'.repeat(1 + random.below(300))][random.below(4)] ?? '';
    case 'bytes':
      return Uint8Array.from({ length: random.below(150) }, () => random.below(256));
    case 'int32':
      return low | 0;
    case 'uint32':
      return low;
    case 'int64':
      return String(BigInt.asIntN(64, (BigInt(low) << 32n) | BigInt(low)));
    case 'uint64':
      return String((BigInt(low) << 32n) | BigInt(low));
  }
}

/** The bytes by google-protobuf. */
export function writtenByGoogle(tree: FieldTree): Uint8Array {
  const writer = new BinaryWriter();
  for (const { field, value } of tree) writeValue(writer, field, value);
  return writer.getResultBuffer();
}

function writeValue(writer: BinaryWriter, field: FieldSchema, value: TreeValue): void {
  const { number } = field;
  if (field.kind === 'message') writer.writeBytes(number, writtenByGoogle(value as FieldTree));
  else if (field.kind === 'enum') writer.writeEnum(number, value as number);
  else if (typeof value === 'boolean') writer.writeBool(number, value);
  else if (value instanceof Uint8Array) writer.writeBytes(number, value);
  else if (field.type === 'string') writer.writeString(number, value as string);
  else if (field.type === 'int32') writer.writeInt32(number, value as number);
  else if (field.type === 'uint32') writer.writeUint32(number, value as number);
  else if (field.type === 'int64') writer.writeInt64String(number, value as string);
  else writer.writeUint64String(number, value as string);
}

/** A message that google-protobuf reads. @throws Error for bytes that are no message, or have a group. */
export function readByGoogle(type: string, bytes: Uint8Array): FieldTree {
  const reader = new BinaryReader(bytes);
  const tree: { field: FieldSchema; value: TreeValue }[] = [];
  while (reader.nextField()) {
    if (reader.isEndGroup()) throw new Error('a group ends that has not begun');
    const field = fieldsOf(type).find(({ number }) => number === reader.getFieldNumber());
    if (field === undefined) reader.skipField();
    else tree.push({ field, value: readValue(reader, field) });
  }
  return tree;
}

function readValue(reader: BinaryReader, field: FieldSchema): TreeValue {
  if (field.kind === 'message') return readByGoogle(field.type, reader.readBytes());
  if (field.kind === 'enum') return reader.readEnum();
  switch (field.type) {
    case 'bool':
      return reader.readBool();
    case 'string':
      return reader.readString();
    case 'bytes':
      return reader.readBytes();
    case 'int32':
      return reader.readInt32();
    case 'uint32':
      return reader.readUint32();
    case 'int64':
      return reader.readInt64String();
    case 'uint64':
      return reader.readUint64String();
  }
}

/** Names of fields of which a message has one at most, by its type, as the protocol file says. */
const ONE_OF = new Map([...oneOfs('p4runtime.proto'), ...oneOfs('p4data.proto')]);

function oneOfs(file: string): ReadonlyMap<string, readonly string[]> {
  const folder = path.join(repositoryRoot(), 'common/p4runtime/proto/p4/v1');
  const text = fs.readFileSync(path.join(folder, file), 'utf8');
  const found = new Map<string, string[]>();
  const open: string[] = [];
  for (const line of text.replace(/\/\/.*/g, '').split('\n')) {
    const begun = /(message|enum|oneof|service|rpc) (\w+)[^{]*\{/.exec(line);
    if (begun !== null) open.push(begun[1] === 'oneof' ? 'oneof' : (begun[2] ?? ''));
    else if (open.at(-1) === 'oneof') {
      const type = ['p4.v1', ...open.slice(0, -1)].join('.');
      const [, name] = /(\w+) = \d+/.exec(line) ?? [];
      if (name !== undefined) found.set(type, [...(found.get(type) ?? []), name]);
    }
    if (line.includes('}')) open.pop();
  }
  return found;
}

const isDefault = (value: TreeValue): boolean =>
  value === 0 ||
  value === '0' ||
  value === '' ||
  value === false ||
  (value instanceof Uint8Array && value.length === 0);

/** The part of a message that a class keeps: the last alternative, and no value that is as good as none. */
export function keptOf(type: string, tree: FieldTree): FieldTree {
  const alternatives = ONE_OF.get(type) ?? [];
  const isOne = ({ field }: FieldTree[number]): boolean => alternatives.includes(field.name);
  const last = tree.findLast(isOne);
  return tree.flatMap((each) => {
    const { field, value } = each;
    if (isOne(each) ? each !== last : !field.repeated && isDefault(value)) return [];
    if (field.kind !== 'message') return [each];
    return [{ field, value: keptOf(field.type, value as FieldTree) }];
  });
}

/** A message in few words, for people. */
export const shown = (tree: FieldTree): string =>
  tree
    .map(({ field, value }) => {
      if (value instanceof Uint8Array) return `${field.name}=${Buffer.from(value).toString('hex')}`;
      if (typeof value === 'object') return `${field.name}{${shown(value)}}`;
      return `${field.name}=${String(value)}`;
    })
    .join(' ');
