import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vm from 'node:vm';
import { InputError } from '../../errors';
import { functionText } from './module-text';
import type { TextRules } from './module-text';

/** Exports of somebody's code: nothing may look into them but code of their own compartment. */
export interface ForeignExports {
  readonly foreign: unique symbol;
}

/** Functions of the compartment itself, made before anybody's code has come. */
interface Boot {
  /** Names that code finds around it, in the order of the arguments. */
  readonly names: string;
  readonly prepare: (made: unknown) => () => ForeignExports;
  readonly own: (made: unknown) => unknown;
}

/**
 * Start of a compartment after the lockdown: it has the names of compartments of SES, of which those go that make
 * code of text; and promises, unless code may await, as nobody hears of those that fail.
 */
const BOOT = `((mayAwait) => {
  const { globalThis: found } = new Compartment();
  // SES leaves these out for what bits of NaN tell of memory.
  const given = { Float32Array, Float64Array };
  for (const name of Object.getOwnPropertyNames(found)) given[name] = found[name];
  const without = ['lockdown', 'Compartment', 'harden', 'eval', 'Function', 'globalThis', 'undefined', 'NaN', 'Infinity'];
  const all = Object.getOwnPropertyNames(given).filter((name) => !without.includes(name));
  const names = all.filter((name) => mayAwait || name !== 'Promise');
  const globals = Object.freeze(Object.fromEntries(names.map((name) => [name, given[name]])));
  const own = globalThis;
  const { Object: object, Reflect: reflect } = given;
  const values = [...names.map((name) => given[name]), globals];
  for (const name of reflect.ownKeys(own)) reflect.deleteProperty(own, name);
  object.preventExtensions(own);
  return object.freeze({
    names: [...names, 'globalThis'].join(),
    prepare: (made) => () => made(...values),
    own: (made) => made(given)({}),
  });
})`;

const LOCKDOWN = `lockdown({
  errorTaming: 'safe', evalTaming: 'no-eval', consoleTaming: 'unsafe', overrideTaming: 'min',
  errorTrapping: 'none', unhandledRejectionTrapping: 'none', reporting: 'none',
})`;

let lockdown: vm.Script | undefined;

/**
 * A place where somebody's code runs without rights: the language with nothing around it. It has no files,
 * network, processes, clocks, timers or randomness, cannot make code of text, and shares no object with the
 * program but functions of {@link Compartment.inside}, through which numbers and text pass.
 *
 * The language's own objects are frozen by SES in a context of their own, so that the program's stay what they
 * are and code runs at full speed. Loops and memory are the affair of a watchdog.
 */
export class Compartment {
  readonly #context: vm.Context;
  readonly #boot: Boot;

  constructor(private readonly rules: TextRules) {
    // What code queues waits for `settle`, not for the program's loop.
    this.#context = vm.createContext(plainGlobal(), {
      codeGeneration: { strings: false, wasm: false },
      microtaskMode: 'afterEvaluate',
    });
    // Without a limit no stacks are taken: formatting one would call the program from within.
    this.#run('delete Error.stackTraceLimit');
    lockdown ??= new vm.Script(fs.readFileSync(lockdownFile(), 'utf8'), { filename: 'ses' });
    lockdown.runInContext(this.#context);
    this.#run(LOCKDOWN);
    const boot = this.#run(BOOT) as (mayAwait: boolean) => Boot;
    this.#boot = boot(rules.mayAwait);
  }

  /**
   * A module of this project, run inside: what stands between the program and somebody's code.
   * @param file compiled, without imports.
   */
  inside(file: string): unknown {
    const text = fs.readFileSync(file, 'utf8');
    const names = '{ Array, Error, Float64Array, JSON, Number, Object, Promise, String }';
    const made = this.#run(`((${names}) => (exports) => { ${text}\nreturn exports; })`, file);
    return this.#boot.own(made);
  }

  /**
   * Somebody's text, ready to run. Only code {@link Compartment.inside} may call what this returns, as it may
   * throw anything.
   * @throws InputError naming the file and the line that asks for rights.
   */
  prepare(file: string, text: string): () => ForeignExports {
    const names = this.#boot.names.split(',');
    return this.#boot.prepare(this.#run(functionText(file, text, { ...this.rules, names }), file));
  }

  /** Runs what code has queued. */
  settle(): void {
    this.#run('undefined');
  }

  #run(text: string, filename = 'compartment'): unknown {
    try {
      return new vm.Script(text, { filename }).runInContext(this.#context);
    } catch (error) {
      throw new InputError(`${filename}: cannot be read: ${(error as Error).message}`);
    }
  }
}

/** The wish for a global object that can be frozen. @throws InputError where Node.js is too old for it. */
function plainGlobal(): typeof vm.constants.DONT_CONTEXTIFY {
  const { constants } = vm as { readonly constants?: Partial<typeof vm.constants> };
  const wish = constants?.DONT_CONTEXTIFY;
  if (wish !== undefined) return wish;
  throw new InputError(
    `code of files runs apart from the program from Node.js 20.18 on, and this is ${process.version}: ` +
      'take a later one, or --trust, which gives such files all rights',
  );
}

/** The lockdown of SES, which the build has put beside this file. */
const lockdownFile = (): string => path.join(__dirname, 'lockdown.js');
