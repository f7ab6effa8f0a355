import { globalNames } from '../../../../../switch/codegen/layout/global-names';
import { Layout } from '../../../../../switch/codegen/layout/layout';
import { RUNTIME } from '../../../../../switch/codegen/runtime/runtime';
import { code, Identifier } from '../../../../../switch/codegen/text/code';
import { Writer } from '../../../../../switch/codegen/text/writer';
import { Scope } from '../../../../../switch/codegen/value/scope';
import { readProgram } from '../../../../../switch/ir/lowering/read-program';
import { programText } from '../../support/program';
import type { Code } from '../../../../../switch/codegen/text/code';
import type { Value } from '../../../../../switch/codegen/value/value';
import type { Operand } from './operands';

const DROP_PORT = 511;
const program = readProgram(programText({}));
const globals = globalNames(program);
const layout = new Layout(program, globals.names);

/** Emits the text for operands: a value with what is known of it, or a condition. */
export type Emit = (scope: Scope, ...values: readonly Value[]) => Value | Code;

/** An expression as it was emitted, and what it is when it runs. */
export interface Emitted {
  readonly text: string;
  readonly result: Value | Code;
  /** Its code run with these numbers in the places of its operands: a number, a pair, a bigint or a boolean. */
  readonly run: (...numbers: readonly bigint[]) => unknown;
}

const NAMES = ['x', 'y'];
const runtime = Object.keys(RUNTIME).join(', ');

/** Emits an expression of operands as the body of a function of them. */
export function emitted(emit: Emit, ...operands: readonly Operand[]): Emitted {
  const writer = new Writer();
  const scope = new Scope(
    { layout, globals, dropPort: DROP_PORT, inlined: new Set(), objects: [] },
    writer,
  );
  const names = operands.map((_, i) => scope.local(NAMES[i] ?? ''));
  const values = operands.map(({ value }, i) => value(names[i] ?? new Identifier('x')));
  const result = emit(scope, ...values);
  writer.line(code`return ${returned(result)};`);
  const text = writer.text();
  let compiled: Compiled | undefined;
  return {
    text,
    result,
    run: (...numbers) => {
      compiled ??= compile(
        text,
        names.map((name) => name.text),
      );
      return compiled(...numbers.flatMap((number, i) => operands[i]?.parts(number) ?? []));
    },
  };
}

function returned(result: Value | Code): Code {
  if (!('kind' in result)) return result;
  return result.kind === 'pair' ? code`[${result.high}, ${result.low}]` : result.code;
}

type Compiled = (...values: readonly unknown[]) => unknown;

/** By text: operators give the same for many widths. */
const compiledTexts = new Map<string, Compiled>();

function compile(text: string, names: readonly string[]): Compiled {
  const key = `${names.join()}\n${text}`;
  let compiled = compiledTexts.get(key);
  if (compiled === undefined) {
    compiled = compileAnew(text, names);
    compiledTexts.set(key, compiled);
  }
  return compiled;
}

function compileAnew(text: string, names: readonly string[]): Compiled {
  const parameters = names.flatMap((name) => [name, `${name}_high`, `${name}_low`]).join(', ');
  const body = `'use strict';\nconst { ${runtime} } = runtime;\nreturn (${parameters}) => {\n${text}};`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- what is generated is what is tested
  const make = new Function('runtime', body) as (runtime: object) => Compiled;
  return make(RUNTIME);
}
