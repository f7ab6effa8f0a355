import { Identifier, code } from './text/code';
import { describePlace, emitAction } from './control/emit-action';
import { inlinedActions } from './control/inlined-actions';
import { emitUpdate, emitVerification } from './packet/emit-checksums';
import { emitControl } from './control/emit-control';
import { emitDeparser } from './packet/emit-deparser';
import { emitHashFunction } from './statement/emit-hash';
import { emitParser } from './packet/emit-parser';
import { hasNumberKey } from './control/emit-table';
import { globalNames } from './layout/global-names';
import { Layout } from './layout/layout';
import { RUNTIME } from './runtime/runtime';
import { Scope } from './value/scope';
import { Writer } from './text/writer';
import type { Program } from '../ir/nodes';
import type { StateShape } from './runtime/generated-packet';
import type { GenerationContext } from './value/scope';

/** JavaScript for one program, and the shape of the packet states that it works on. */
export interface GeneratedProgram {
  /** Body of a function of {@link RUNTIME}, the program's state, and the sink of `log_msg`. */
  readonly text: string;
  readonly shape: StateShape;
}

/**
 * Says a program in JavaScript. The text consists of control flow, constants, accesses to the
 * packet's arrays and calls of the functions in `runtime`; tables are data that it looks things up
 * in, so entries change without generating anew.
 */
export function generate(program: Program, dropPort: number): GeneratedProgram {
  const globals = globalNames(program);
  const layout = new Layout(program, globals.names);
  const inlined = inlinedActions(program);
  const context: GenerationContext = { layout, globals, dropPort, inlined };
  const body = new Writer();
  emitObjects(context, body);
  emitFunctions(new Scope(context, body));
  const writer = new Writer();
  writer.comment(`Generated from ${program.name}.`);
  writer.line(code`'use strict';`);
  emitRuntimeNames(writer, body);
  emitCells(context, writer);
  writer.append(body);
  writer.line(code`return { parse, verifyChecksums, ingress, egress, deparse };`);
  return { text: writer.text(), shape: layout.shape };
}

function emitFunctions(scope: Scope): void {
  const { program } = scope;
  emitHashes(scope);
  for (const action of program.actions.values()) {
    if (!scope.isInlined(action.id)) emitAction(action, scope);
  }
  emitParser(scope);
  emitVerification(scope);
  emitUpdate(scope);
  emitControl(program.ingress, new Identifier('ingress'), scope);
  emitControl(program.egress, new Identifier('egress'), scope);
  emitDeparser(scope);
}

/** The functions that the text calls. */
function emitRuntimeNames(writer: Writer, body: Writer): void {
  const variables = body.variables();
  const used = Object.keys(RUNTIME).filter((name) => variables.has(name));
  const list = (): void => {
    for (const name of used.sort()) writer.line(code`${new Identifier(name)},`);
  };
  writer.block(code`const`, list, ' = runtime;');
}

/** Names of the headers, and of the cells of all fields. */
function emitCells({ layout, globals }: GenerationContext, writer: Writer): void {
  for (const header of layout.program.headers) {
    writer.blank();
    writer.comment(header.name);
    writer.line(code`const ${globals.header(header.index)} = ${header.index};`);
    for (const field of header.fields) {
      const { name, cell } = layout.place(field.slot);
      writer.line(code`const ${name} = ${cell};`);
    }
  }
  writer.blank();
}

/** Tables with scratch for their keys, and arrays. */
function emitObjects({ layout, globals }: GenerationContext, writer: Writer): void {
  const { program } = layout;
  for (const table of program.tables) {
    const name = globals.table(table.index);
    const size = table.key.length;
    const scratch = hasNumberKey(table) ? code`Float64Array` : code`Array`;
    writer.line(code`const ${name} = state.tableList[${table.index}];`);
    if (size > 0) writer.line(code`const ${globals.key(table.index)} = new ${scratch}(${size});`);
    writer.line(code`const ${globals.data(table.index)} = new PreparedCalls(state);`);
  }
  writer.line(code`const meters = state.meterList;`);
  writer.line(code`const valueSets = state.valueSetList;`);
  program.registers.forEach((_, i) => {
    writer.line(code`const ${globals.register(i)} = state.registerList[${i}];`);
  });
  program.counters.forEach((_, i) => {
    writer.line(code`const ${globals.counter(i)} = state.counterList[${i}];`);
  });
  writer.blank();
}

function emitHashes(scope: Scope): void {
  const { program, globals, writer } = scope;
  program.calculations.forEach((calculation, i) => {
    writer.comment(`calculation ${calculation.name}${describePlace(calculation)}`);
    const unit = code`state.calculationList[${i}]`;
    emitHashFunction(globals.calculation(i), { ...calculation, unit }, scope);
  });
  program.actionProfiles.forEach(({ name, selector }, i) => {
    if (selector === undefined) return;
    writer.comment(`selector of ${name}`);
    const unit = code`state.selectorList[${i}]`;
    emitHashFunction(globals.selector(i), { ...selector, unit }, scope);
  });
}
