import { verifyChecksums, updateChecksums } from './compute-hash';
import { InterpretedPacket } from './interpreted-packet';
import { runParser } from './run-parser';
import { runPipeline } from './run-pipeline';
import type {
  Executor,
  ExecutorOptions,
  PacketMemory,
  Reception,
  FilledField,
  MetadataReader,
  MetadataWriter,
  PacketState,
} from '../executor/executor';
import { headerLength, isValid } from '../executor/header-operations';
import { writeHeader, writeVarbitHeader } from '../runtime/header-codec';
import { runStatements } from './execute-action';
import type { Bytes } from '../../common/units/units';

/** The reference executor: it walks the program's tree and says what the program means. */
class Interpreter implements Executor<InterpretedPacket> {
  readonly #options: ExecutorOptions;
  /** States know what their switch has. */
  readonly stateKind = this;

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  createState(): InterpretedPacket {
    return new InterpretedPacket(this.#options);
  }

  metadataWriter(fields: readonly (FilledField | undefined)[]): MetadataWriter {
    return plainWriter(fields);
  }

  metadataReader(field: Pick<FilledField, 'slot'> | undefined): MetadataReader {
    return { read: (state) => (field === undefined ? 0 : state.readMetadata(field.slot)) };
  }

  reset(packet: InterpretedPacket, reception: Reception): void {
    packet.reset(reception);
  }

  parse(packet: InterpretedPacket): void {
    runParser(packet);
    verifyChecksums(packet);
  }

  ingress(packet: InterpretedPacket): void {
    runPipeline(this.#options.program.ingress, packet);
  }

  egress(packet: InterpretedPacket): void {
    runPipeline(this.#options.program.egress, packet);
  }

  deparse(packet: InterpretedPacket): Uint8Array {
    return deparse(packet);
  }

  deparseTo(memory: PacketMemory, packet: InterpretedPacket): Bytes {
    const bytes = deparse(packet);
    memory.reserve(bytes.length);
    memory.bytes.set(bytes, memory.start);
    return bytes.length;
  }
}

export function createInterpreter(options: ExecutorOptions): Executor<InterpretedPacket> {
  return new Interpreter(options);
}

/** A writer for any executor. Fields that the program does not declare are undefined. */
function plainWriter(fields: readonly (FilledField | undefined)[]): MetadataWriter {
  const write = (state: PacketState, ...values: readonly number[]): void => {
    fields.forEach((field, i) => {
      if (field === undefined) return;
      const { slot, modulus, saturates } = field;
      const value = values[i] as number;
      const rest = saturates === true ? modulus - 1 : value % modulus;
      state.writeMetadata(slot, value < modulus ? value : rest);
    });
  };
  return { write };
}

/**
 * The packet's new bytes: checksums are updated, then all valid headers follow in the deparser's
 * order, then the stored bytes that were not parsed.
 */
function deparse(packet: InterpretedPacket): Uint8Array {
  updateChecksums(packet);
  runStatements(packet.program.deparserStatements, packet);
  const { deparserOrder } = packet.program;
  const payload = packet.bytes.length - packet.offset;
  const bytes = new Uint8Array(headerBytes(packet) + payload);
  let position = 0;
  for (const index of deparserOrder) {
    const header = packet.header(index);
    if (header === undefined || !isValid(packet, index)) continue;
    if (header.varbit === undefined) {
      writeHeader(header.fields, bytes, position, packet.values);
    } else {
      const extra = packet.widths[index] ?? 0;
      writeVarbitHeader(header.fields, { bytes, offset: position, extra }, packet.values);
    }
    position += headerLength(packet, header);
  }
  copyTail(packet, bytes, position);
  return bytes;
}

function headerBytes(packet: InterpretedPacket): number {
  let total = 0;
  for (const index of packet.program.deparserOrder) {
    const header = packet.header(index);
    if (header !== undefined && isValid(packet, index)) total += headerLength(packet, header);
  }
  return total;
}

function copyTail(packet: InterpretedPacket, bytes: Uint8Array, position: number): void {
  if (packet.offset < packet.bytes.length)
    bytes.set(packet.bytes.subarray(packet.offset), position);
}
