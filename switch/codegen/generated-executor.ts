import { inlineConstants, compileText } from './compile';
import { generate } from './generate';
import { GeneratedPacket } from './runtime/generated-packet';
import { RUNTIME } from './runtime/runtime';
import { SlabMemory } from '../executor/slab-memory';
import type { Program } from '../ir/nodes';
import type {
  Executor,
  ExecutorOptions,
  PacketMemory,
  Reception,
  FilledField,
  MetadataReader,
  MetadataWriter,
} from '../executor/executor';
import type { CompiledTexts, GeneratedFunctions, TextKeeper } from './compile';
import type { GeneratedProgram } from './generate';
import type { StateShape } from './runtime/generated-packet';
import type { Bytes } from '../../common/units/units';

/**
 * Runs one program as JavaScript that was generated for it.
 * PERF: about fifty times as fast on hpcc.p4 as the interpreter, whose meaning it has.
 */
class GeneratedExecutor implements Executor<GeneratedPacket> {
  readonly #functions: GeneratedFunctions;
  readonly #objects: object;
  readonly #shape: StateShape;
  readonly #memory = new SlabMemory();

  /** @throws GeneratedCodeError when the text does not compile. */
  constructor(options: ExecutorOptions, keep?: TextKeeper, compiled?: CompiledTexts) {
    const { program, state, dropPort, log, random } = options;
    const { text, shape } = generatedProgram(program, dropPort);
    this.#shape = shape;
    const compile = (): GeneratedFunctions => compileText(program.name, text, keep)(RUNTIME);
    this.#functions = compiled?.functions(text, compile) ?? compile();
    this.#objects = new this.#functions.SwitchObjects(state, log, random);
  }

  get stateKind(): StateShape {
    return this.#shape;
  }

  createState(): GeneratedPacket {
    return new GeneratedPacket(this.#shape, this.#objects);
  }

  metadataWriter(fields: readonly (FilledField | undefined)[]): MetadataWriter<GeneratedPacket> {
    return generatedWriter(fields, this.#shape);
  }

  metadataReader(field: Pick<FilledField, 'slot'> | undefined): MetadataReader<GeneratedPacket> {
    return generatedReader(field, this.#shape);
  }

  reset(packet: GeneratedPacket, reception: Reception): void {
    // States go from switch to switch.
    packet.objects = this.#objects;
    packet.reset(reception);
  }

  parse(packet: GeneratedPacket): void {
    this.#functions.parse(packet);
    this.#functions.verifyChecksums(packet);
  }

  ingress(packet: GeneratedPacket): void {
    this.#functions.ingress(packet);
  }

  egress(packet: GeneratedPacket): void {
    this.#functions.egress(packet);
  }

  deparse(packet: GeneratedPacket, memory: PacketMemory = this.#memory): Uint8Array {
    this.deparseTo(memory, packet);
    return memory.reserved();
  }

  deparseTo(memory: PacketMemory, packet: GeneratedPacket): Bytes {
    packet.memory = memory;
    return this.#functions.deparse(packet);
  }
}

/**
 * PERF: the text depends on nothing else, and a fabric has one program in all its switches. Where
 * they do not share what is compiled of it, the engine specialises it for the state of each switch.
 */
const TEXTS = new WeakMap<Program, GeneratedProgram & { readonly dropPort: number }>();

/** The JavaScript for a program, as executors run it. */
export function generatedProgram(program: Program, dropPort: number): GeneratedProgram {
  const known = TEXTS.get(program);
  if (known?.dropPort === dropPort) return known;
  const { text, shape } = generate(program, dropPort);
  const generated = { text: inlineConstants(text), shape };
  rememberGenerated(program, dropPort, generated);
  return generated;
}

/** Notes what was generated for a program elsewhere. */
export function rememberGenerated(
  program: Program,
  dropPort: number,
  generated: GeneratedProgram,
): void {
  TEXTS.set(program, { ...generated, dropPort });
}

/**
 * A factory of executors that run generated code. `keep` receives text that does not compile.
 * @param compiled shared by the switches of a network, and by many short runs.
 */
export function generatedExecutors(
  keep?: TextKeeper,
  compiled?: CompiledTexts,
): (options: ExecutorOptions) => Executor<GeneratedPacket> {
  return (options) => new GeneratedExecutor(options, keep, compiled);
}

const WORD = 2 ** 32;
const WRITERS = new Map<string, MetadataWriter<GeneratedPacket>>();

type Write = MetadataWriter<GeneratedPacket>['write'];

/**
 * A writer of metadata as JavaScript: one assignment per field, whose place is a constant.
 * PERF: switches with one program share it, so that the engine has one function to compile.
 */
export function generatedWriter(
  fields: readonly (FilledField | undefined)[],
  { slots }: StateShape,
): MetadataWriter<GeneratedPacket> {
  const lines = fields.map((field, i) => field && assignment(field, slots[field.slot], i));
  const text = lines.filter((line) => line !== undefined).join('\n');
  const known = WRITERS.get(text);
  if (known !== undefined) return known;
  const body = `'use strict';\nconst { words, numbers } = packet;\n${text}`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- numbers and fixed text alone
  const write = new Function('packet', ...fields.map((_, i) => nameOf(i)), body) as Write;
  const writer = { write };
  WRITERS.set(text, writer);
  return writer;
}

const READERS = new Map<string, MetadataReader<GeneratedPacket>>();

/** A reader of one field as JavaScript. PERF: as {@link generatedWriter}. */
function generatedReader(
  field: Pick<FilledField, 'slot'> | undefined,
  { slots }: StateShape,
): MetadataReader<GeneratedPacket> {
  const cell = field && slots[field.slot];
  const value = cell === undefined ? '0' : placeOf(cell);
  const known = READERS.get(value);
  if (known !== undefined) return known;
  const body = `'use strict';\nconst { words, numbers } = packet;\nreturn ${value};`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- numbers and fixed text alone
  const read = new Function('packet', body) as MetadataReader<GeneratedPacket>['read'];
  const reader = { read };
  READERS.set(value, reader);
  return reader;
}

const nameOf = (value: number): string => `value${value}`;
const placeOf = (cell: number): string => (cell >= 0 ? `words[${cell}]` : `numbers[${~cell}]`);

function assignment(
  { modulus, saturates }: FilledField,
  cell: number | undefined,
  i: number,
): string | undefined {
  if (cell === undefined) return undefined;
  const target = placeOf(cell);
  const value = nameOf(i);
  // Words wrap by themselves.
  if (cell >= 0 && modulus === WORD && saturates !== true) return `${target} = ${value};`;
  const rest = saturates === true ? `${modulus - 1}` : `${value} % ${modulus}`;
  return `${target} = ${value} < ${modulus} ? ${value} : ${rest};`;
}
