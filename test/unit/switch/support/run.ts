import { readProgram } from '../../../../switch/ir/lowering/read-program';
import { ProgramState } from '../../../../switch/state/program-state';
import { alwaysRun, programText } from './program';
import type { Executor, ExecutorFactory, PacketState } from '../../../../switch/executor/executor';
import type { Program } from '../../../../switch/ir/nodes';
import type { Primitive } from './json-values';
import type { ProgramSpec } from './program';

/** A program with its state and an executor, before any packet. */
export interface Bench {
  readonly program: Program;
  readonly state: ProgramState;
  readonly executor: Executor;
  readonly logged: string[];
}

/** Loads a program and sets up an executor for it. */
export function bench(create: ExecutorFactory, spec: ProgramSpec): Bench {
  return benchOf(create, programText(spec));
}

export function benchOf(create: ExecutorFactory, json: string): Bench {
  const program = readProgram(json);
  const state = new ProgramState(program);
  const logged: string[] = [];
  const log = (message: string): void => {
    logged.push(message);
  };
  return { program, state, executor: create({ program, state, dropPort: 511, log }), logged };
}

/** Runs one packet through parser, ingress, egress and deparser. */
export function runPacket(
  { executor }: Bench,
  bytes: Uint8Array,
  length = bytes.length,
): { readonly packet: PacketState; readonly bytes: Uint8Array } {
  const packet = executor.createState();
  executor.reset(packet, { bytes, length });
  executor.parse(packet);
  executor.ingress(packet);
  executor.egress(packet);
  return { packet, bytes: executor.deparse(packet) };
}

/** A field's value of at most 48 bits, by `header.field`. */
export function readField({ program }: Bench, packet: PacketState, name: string): number {
  const field = program.fields.get(name);
  if (field === undefined) throw new Error(`the program has no field ${name}`);
  return Number(packet.readField(field.slot));
}

/** Runs an action on a packet, in ingress; the rest of the program is up to `spec`. */
export function runAction(
  create: ExecutorFactory,
  body: readonly Primitive[],
  spec: ProgramSpec = {},
  bytes = new Uint8Array(0),
): { readonly bench: Bench; readonly packet: PacketState; readonly bytes: Uint8Array } {
  const made = bench(create, { ...spec, ingress: alwaysRun({ id: 900, name: 'tested', body }) });
  return { bench: made, ...runPacket(made, bytes) };
}
