import type { Random } from '../../common/random/random';
import type { ProgramState } from '../state/program-state';
import type { GeneratedPacket } from './runtime/generated-packet';
import type { Runtime } from './runtime/runtime';

/** Functions that the generated text returns, which all switches with the program share. */
export interface GeneratedFunctions {
  /** Makes what a switch has for itself; its packets refer to it as `objects`. */
  readonly SwitchObjects: new (
    state: ProgramState,
    log: ((message: string) => void) | undefined,
    random: Random | undefined,
  ) => object;
  parse(packet: GeneratedPacket): void;
  verifyChecksums(packet: GeneratedPacket): void;
  ingress(packet: GeneratedPacket): void;
  egress(packet: GeneratedPacket): void;
  /** Writes to the memory of the packet; returns the number of bytes. */
  deparse(packet: GeneratedPacket): number;
}

/** A text as a function, which is called once. */
type Body = (runtime: Runtime) => GeneratedFunctions;

/** Keeps text that does not compile; returns its place, for instance a path. */
export type TextKeeper = (programName: string, text: string) => string;

/** Generated text that JavaScript refuses: a defect of the generator. */
class GeneratedCodeError extends Error {
  override readonly name = 'GeneratedCodeError';
}

/** Functions that were compiled of a text, which switches with equal programs share. */
export class CompiledTexts {
  readonly #functions = new Map<string, GeneratedFunctions>();

  functions(text: string, compile: () => GeneratedFunctions): GeneratedFunctions {
    const functions = this.#functions.get(text) ?? compile();
    this.#functions.set(text, functions);
    return functions;
  }
}

/**
 * Compiles generated text.
 * @param keep receives text that does not compile.
 * @throws GeneratedCodeError when the text does not compile.
 */
export function compileText(programName: string, text: string, keep?: TextKeeper): Body {
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- compiling is its purpose
    return new Function('runtime', text) as Body;
  } catch (error) {
    const kept = keep?.(programName, text);
    const where = kept === undefined ? '' : `; the text is in ${kept}`;
    throw new GeneratedCodeError(
      `the code generated for ${programName} does not compile: ${String(error)}${where}`,
      { cause: error },
    );
  }
}

/** A constant number of the outermost block. */
const DECLARATION = /^const ([A-Za-z_$][\w$]*) = (\d+);\n/gm;
/** Strings and comments are matched whole, so that names in them stay. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\/.*|(?<![.\w$])[A-Za-z_$][\w$]*/g;

/**
 * Puts numbers in the place of the names of cells and headers. No local has the name of a global,
 * as {@link Names} hands out names.
 * PERF: the names are for readers. The compiler of JavaScript treats them as constants as long as
 * a program is loaded once, and reads them from memory, at half the speed, when several switches
 * have the same program.
 */
export function inlineConstants(text: string): string {
  const numbers = new Map<string, string>();
  const rest = text.replace(DECLARATION, (_, name: string, value: string) => {
    numbers.set(name, value);
    return '';
  });
  return rest.replace(TOKEN, (token) => numbers.get(token) ?? token);
}
