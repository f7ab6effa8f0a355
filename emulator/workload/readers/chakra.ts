import { InputError } from '../../../common/errors';
import { chakraTrace } from './chakra-nodes';
import type { AttributeValue, ChakraNode, RankNodes } from './chakra-nodes';
import { groupsIn, isGroupFile } from './chakra-groups';
import { filesByRank, namesOf, refuseBytes } from './reader';
import type { TraceFile, TraceReader } from './reader';
import { MessageReader } from '../../../common/protobuf/message-reader';

/** Field numbers of Chakra's schema (et_def.proto). */
const METADATA = { version: 1, attribute: 2 } as const;
const FIELD = {
  id: 1,
  name: 2,
  type: 3,
  controlDependencies: 4,
  dataDependencies: 5,
  durationMicros: 7,
  inputs: 8,
  attribute: 10,
} as const;
const INPUTS = { values: 1 } as const;
const ATTRIBUTE = { name: 1, boolList: 28, boolValue: 27, stringValue: 29 } as const;
const BOOL_LIST = { values: 1 } as const;

/** Readers of attributes with a number, by their field. */
const NUMBERS: Readonly<Record<number, (reader: MessageReader) => number>> = {
  3: (reader) => reader.readDouble(),
  5: (reader) => reader.readFloat(),
  7: (reader) => reader.readInt32(),
  9: (reader) => reader.readInt64(),
  11: (reader) => reader.readUint32(),
  13: (reader) => reader.readUint64(),
  15: (reader) => reader.readSint32(),
  17: (reader) => reader.readSint64(),
  19: (reader) => reader.readFixed32(),
  21: (reader) => reader.readFixed64(),
  23: (reader) => reader.readSfixed32(),
  25: (reader) => reader.readSfixed64(),
};

/** Chakra execution traces in protobuf: a file for each rank, of messages behind their lengths. */
export const CHAKRA: TraceReader = {
  format: 'Chakra',
  recognises: (files) => {
    const [first] = files.filter((file) => !isGroupFile(file));
    return first !== undefined && startsWithMetadata(first.bytes);
  },
  read: (files, options) => {
    const traces = files.filter((file) => !isGroupFile(file));
    refuseBytes(options, traces[0] as TraceFile);
    return chakraTrace(rankFiles(traces, nodesOf), groupsIn(files));
  },
};

/**
 * Nodes of each rank's file; a rank may do nothing.
 * @throws InputError where ranks are missing, or none has a node.
 */
export function rankFiles(
  files: readonly TraceFile[],
  nodesIn: (file: TraceFile) => readonly ChakraNode[],
): RankNodes[] {
  const ranks = filesByRank(files).map((file, rank) => ({
    file: file.name,
    rank,
    nodes: nodesIn(file),
  }));
  if (ranks.some(({ nodes }) => nodes.length > 0)) return ranks;
  throw new InputError(`${namesOf(files)}: there are no nodes`);
}

/** True for a message that has a version, or attributes, and nothing unlike metadata. */
function startsWithMetadata(bytes: Uint8Array): boolean {
  try {
    const { message } = delimited(bytes, 0);
    const reader = new MessageReader(message);
    const attributes = new Map<string, AttributeValue>();
    let version = '';
    while (reader.nextField()) {
      const field = reader.field;
      if (field === METADATA.version) version = reader.readString();
      else if (field === METADATA.attribute) addAttribute(attributes, reader.readBytes());
      else return false;
    }
    return /^\d+\.\d+/.test(version) || attributes.size > 0;
  } catch {
    return false;
  }
}

/** Nodes behind the metadata. @throws InputError with the byte at which a message does not fit. */
function nodesOf({ name, bytes }: TraceFile): ChakraNode[] {
  const nodes: ChakraNode[] = [];
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    try {
      const { message, next } = delimited(bytes, at);
      if (index > 0) nodes.push(nodeOf(message));
      at = next;
    } catch (error) {
      throw new InputError(
        `${name}: byte ${at}: no message of Chakra: ${(error as Error).message}`,
      );
    }
  }
  return nodes;
}

const VARINT_BYTES_MAX = 5;

function delimited(bytes: Uint8Array, at: number): { message: Uint8Array; next: number } {
  let [length, shift, place] = [0, 1, at];
  for (;;) {
    const byte = bytes[place++];
    if (byte === undefined || place - at > VARINT_BYTES_MAX) throw new Error('wanted a length');
    length += (byte & 0x7f) * shift;
    shift *= 128;
    if (byte < 128) break;
  }
  const next = place + length;
  if (next > bytes.length) throw new Error(`it ends ${next - bytes.length} bytes behind the file`);
  return { message: bytes.subarray(place, next), next };
}

function nodeOf(message: Uint8Array): ChakraNode {
  const reader = new MessageReader(message);
  const dataDependencies: number[] = [];
  const controlDependencies: number[] = [];
  const attributes = new Map<string, AttributeValue>();
  let [id, name, type, durationUs, inputs] = [0, '', 0, 0, ''];
  while (reader.nextField()) {
    const field = reader.field;
    if (field === FIELD.id) id = reader.readUint64();
    else if (field === FIELD.name) name = reader.readString();
    else if (field === FIELD.type) type = reader.readEnum();
    else if (field === FIELD.controlDependencies)
      reader.readPackableUint64Into(controlDependencies);
    else if (field === FIELD.dataDependencies) reader.readPackableUint64Into(dataDependencies);
    else if (field === FIELD.durationMicros) durationUs = reader.readUint64();
    else if (field === FIELD.inputs) inputs = inputsOf(reader.readBytes());
    else if (field === FIELD.attribute) addAttribute(attributes, reader.readBytes());
    else reader.skipField();
  }
  return { id, name, type, dataDependencies, controlDependencies, durationUs, inputs, attributes };
}

function inputsOf(message: Uint8Array): string {
  const reader = new MessageReader(message);
  let values = '';
  while (reader.nextField()) {
    if (reader.field === INPUTS.values) values = reader.readString();
    else reader.skipField();
  }
  return values;
}

function addAttribute(attributes: Map<string, AttributeValue>, message: Uint8Array): void {
  const reader = new MessageReader(message);
  let name = '';
  let value: AttributeValue | undefined;
  while (reader.nextField()) {
    const field = reader.field;
    const number = NUMBERS[field];
    if (field === ATTRIBUTE.name) name = reader.readString();
    else if (field === ATTRIBUTE.boolValue) value = reader.readBool();
    else if (field === ATTRIBUTE.stringValue) value = reader.readString();
    else if (field === ATTRIBUTE.boolList) value = boolList(reader.readBytes());
    else if (number !== undefined) value = number(reader);
    else reader.skipField();
  }
  if (value !== undefined && name !== '') attributes.set(name, value);
}

function boolList(message: Uint8Array): boolean[] {
  const reader = new MessageReader(message);
  const values: boolean[] = [];
  while (reader.nextField()) {
    if (reader.field !== BOOL_LIST.values) reader.skipField();
    else reader.readPackableBoolInto(values);
  }
  return values;
}
