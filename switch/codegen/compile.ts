import { generate } from './generate';
import type { GeneratedProgram } from './generate';
import { inlineConstants } from './inline-constants';
import { createInterpreter } from '../interpreter/interpreter';
import { UnsupportedConstructError } from './text/unsupported';
import { GeneratedPacket } from './runtime/generated-packet';
import { SlabMemory } from '../executor/slab-memory';
import { RUNTIME } from './runtime/runtime';
import type { Random } from '../../common/random/random';
import type { Program } from '../ir/nodes';
import type { ProgramState } from '../state/program-state';
import type {
  Executor,
  ExecutorFactory,
  ExecutorOptions,
  PacketMemory,
  Reception,
} from '../executor/executor';
import type { Runtime } from './runtime/runtime';
import type { StateShape } from './runtime/state-shape';

/** What the generated text returns. */
interface GeneratedFunctions {
  parse(packet: GeneratedPacket): void;
  verifyChecksums(packet: GeneratedPacket): void;
  ingress(packet: GeneratedPacket): void;
  egress(packet: GeneratedPacket): void;
  deparse(packet: GeneratedPacket): Uint8Array;
}

/** Functions that were compiled of a text, so that equal programs need not compile it again. */
export class CompiledTexts {
  readonly #bodies = new Map<string, Body>();

  body(text: string, compileText: () => Body): Body {
    const body = this.#bodies.get(text) ?? compileText();
    this.#bodies.set(text, body);
    return body;
  }
}

type Log = ((message: string) => void) | undefined;
type Body = (
  runtime: Runtime,
  state: ProgramState,
  log: Log,
  random: Random | undefined,
) => GeneratedFunctions;

/** Keeps text that does not compile and tells where, for instance a path. */
export type TextKeeper = (programName: string, text: string) => string;

/** Generated text that JavaScript refuses: a defect of the generator. */
export class GeneratedCodeError extends Error {
  override readonly name = 'GeneratedCodeError';
}

/**
 * Runs one program as JavaScript that was generated for it.
 * PERF: about fifty times as fast on hpcc.p4 as the interpreter, whose meaning it has.
 */
export class GeneratedExecutor implements Executor<GeneratedPacket> {
  readonly #functions: GeneratedFunctions;
  readonly #shape: StateShape;
  readonly #memory = new SlabMemory();
  #parsedPackets = 0;

  /** @throws GeneratedCodeError when the text does not compile. */
  constructor(options: ExecutorOptions, keep?: TextKeeper, compiled?: CompiledTexts) {
    const { program, state, dropPort, log, random } = options;
    const { text, shape } = textOf(program, dropPort);
    this.#shape = shape;
    const compileText = (): Body => compile(program.name, text, keep);
    const body = compiled?.body(text, compileText) ?? compileText();
    this.#functions = body(RUNTIME, state, log, random);
  }

  /** Proof that generated code ran: how many packets it has parsed. */
  get parsedPackets(): number {
    return this.#parsedPackets;
  }

  createState(): GeneratedPacket {
    return new GeneratedPacket(this.#shape);
  }

  reset(packet: GeneratedPacket, reception: Reception): void {
    packet.reset(reception);
  }

  parse(packet: GeneratedPacket): void {
    this.#parsedPackets += 1;
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
    packet.memory = memory;
    return this.#functions.deparse(packet);
  }
}

/**
 * PERF: the text depends on nothing else, and a fabric has one program in all its switches. Each
 * compiles it again, so that the engine specialises it for the state of one switch.
 */
const TEXTS = new WeakMap<Program, GeneratedProgram & { readonly dropPort: number }>();

function textOf(program: Program, dropPort: number): GeneratedProgram {
  const known = TEXTS.get(program);
  if (known?.dropPort === dropPort) return known;
  const { text, shape } = generate(program, dropPort);
  const inlined = { text: inlineConstants(text), shape, dropPort };
  TEXTS.set(program, inlined);
  return inlined;
}

/**
 * A factory of executors: generated code, or the interpreter where a program uses what the
 * generator does not know. `keep` receives text that does not compile.
 * @param compiled shared by many short runs, where compiling costs more than it saves.
 */
export function generatedExecutors(keep?: TextKeeper, compiled?: CompiledTexts): ExecutorFactory {
  return (options) => {
    try {
      return new GeneratedExecutor(options, keep, compiled);
    } catch (error) {
      if (error instanceof UnsupportedConstructError) return createInterpreter(options);
      throw error;
    }
  };
}

/** Compiles generated text; exported so that a test can give it text that does not compile. */
export function compile(programName: string, text: string, keep?: TextKeeper): Body {
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- compiling is its purpose
    return new Function('runtime', 'state', 'log', 'random', text) as Body;
  } catch (error) {
    const kept = keep?.(programName, text);
    const where = kept === undefined ? '' : `; the text is in ${kept}`;
    throw new GeneratedCodeError(
      `the code generated for ${programName} does not compile: ${String(error)}${where}`,
      { cause: error },
    );
  }
}
