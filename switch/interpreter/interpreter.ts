import { verifyChecksums } from './compute-hash';
import { deparse } from './deparse';
import { InterpretedPacket } from './interpreted-packet';
import { runParser } from './run-parser';
import { runPipeline } from './run-pipeline';
import { plainWriter } from '../executor/metadata-writer';
import type { Executor, ExecutorOptions, Reception } from '../executor/executor';
import type { FilledField, MetadataWriter } from '../executor/executor';

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
}

export function createInterpreter(options: ExecutorOptions): Executor<InterpretedPacket> {
  return new Interpreter(options);
}
