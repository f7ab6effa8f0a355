import { Identifier, code, operand } from './text/code';
import { describePlace, emitAction } from './control/emit-action';
import { inlinedActions } from './control/inlined-actions';
import { emitControl } from './control/emit-control';
import { emitHashFunction, emitMismatch, hashValue } from './statement/emit-hash';
import { emitParser } from './packet/emit-parser';
import { hasNumberKey, onlyCall } from './control/emit-table';
import { globalNames } from './layout/global-names';
import { Layout } from './layout/layout';
import { RUNTIME } from './runtime/runtime';
import { Scope, emitFunction } from './value/scope';
import { Writer } from './text/writer';
import type { Program, Checksum } from '../ir/nodes';
import type { StateShape } from './runtime/generated-packet';
import type { GlobalNames } from './layout/global-names';
import type { GenerationContext } from './value/scope';
import { emitBoolean } from './expression/emit-expression';
import { fit, readField, storeField, validity } from './expression/emit-fields';
import type { Value } from './value/value';
import { emitPacking, emitVarbitPacking } from './expression/emit-bits';
import { emitStatement } from './statement/emit-statement';
import type { Code } from './text/code';

/** JavaScript for one program, and the shape of the packet states that it works on. */
export interface GeneratedProgram {
  /** Body of a function of {@link RUNTIME}. */
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
  const objects = switchObjects(program, globals);
  const names = objects.map(({ name }) => name.text);
  const context: GenerationContext = { layout, globals, dropPort, inlined, objects: names };
  const functions = new Writer();
  emitFunctions(new Scope(context, functions));
  const body = new Writer();
  emitKeys(context, body);
  emitSwitchObjects(objects, functions.variables(), body);
  body.append(functions);
  const writer = new Writer();
  writer.comment(`Generated from ${program.name}.`);
  writer.line(code`'use strict';`);
  emitRuntimeNames(writer, body);
  emitCells(context, writer);
  writer.append(body);
  writer.line(code`return { SwitchObjects, parse, verifyChecksums, ingress, egress, deparse };`);
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

/** Scratch for the keys of tables, which all switches share. */
function emitKeys({ layout, globals }: GenerationContext, writer: Writer): void {
  for (const table of layout.program.tables) {
    const size = table.key.length;
    if (size === 0) continue;
    const scratch = hasNumberKey(table) ? code`Float64Array` : code`Array`;
    writer.line(code`const ${globals.key(table.index)} = new ${scratch}(${size});`);
  }
  writer.blank();
}

/**
 * A class of what each switch with the program has for itself, as far as functions use it.
 * PERF: the engine treats functions and objects as constants only where there is one of each, and code is a third
 * slower where there are more. So all switches share the functions, which find these objects by the packet.
 */
function emitSwitchObjects(
  objects: readonly SwitchObject[],
  used: ReadonlySet<string>,
  writer: Writer,
): void {
  writer.block(code`class SwitchObjects`, () => {
    writer.block(code`constructor(state, log, random)`, () => {
      for (const { name, value } of objects) {
        if (used.has(name.text)) writer.line(code`this.${name} = ${value};`);
      }
    });
  });
  writer.blank();
}

interface SwitchObject {
  readonly name: Identifier;
  readonly value: Code;
}

function switchObjects(program: Program, globals: GlobalNames): readonly SwitchObject[] {
  const own = (name: string, value: Code): SwitchObject => ({ name: new Identifier(name), value });
  return [
    own('log', code`log`),
    own('random', code`random`),
    own('meters', code`state.meterList`),
    own('valueSets', code`state.valueSetList`),
    own('calculations', code`state.calculationList`),
    own('selectors', code`state.selectorList`),
    ...program.tables
      .filter((table) => onlyCall(table) === undefined)
      .flatMap(({ index }) => [
        { name: globals.table(index), value: code`state.tableList[${index}]` },
        { name: globals.data(index), value: code`new PreparedCalls(state)` },
      ]),
    ...program.registers.map((_, i) => {
      return { name: globals.register(i), value: code`state.registerList[${i}]` };
    }),
    ...program.counters.map((_, i) => {
      return { name: globals.counter(i), value: code`state.counterList[${i}]` };
    }),
  ];
}

function emitHashes(scope: Scope): void {
  const { program, globals, writer } = scope;
  program.calculations.forEach((calculation, i) => {
    writer.comment(`calculation ${calculation.name}${describePlace(calculation)}`);
    const unit = code`calculations[${i}]`;
    emitHashFunction(globals.calculation(i), { ...calculation, unit }, scope);
  });
  program.actionProfiles.forEach(({ name, selector }, i) => {
    if (selector === undefined) return;
    writer.comment(`selector of ${name}`);
    const unit = code`selectors[${i}]`;
    emitHashFunction(globals.selector(i), { ...selector, unit }, scope);
  });
}

/** Marks the packet when a checksum is wrong that the program verifies; nothing else follows. */
function emitVerification(outer: Scope): void {
  emitFunction(new Identifier('verifyChecksums'), outer, (scope) => {
    const { writer, program } = scope;
    for (const checksum of program.verifiedChecksums) {
      writer.comment(checksum.name);
      const condition = operand(emitBoolean(checksum.condition, scope));
      const valid = validity(checksum.target.header, scope);
      writer.block(code`if (${valid} && ${condition})`, () => {
        const stored = readField(checksum.target, scope);
        const mismatch = emitMismatch(stored, computed(checksum, scope), scope);
        writer.line(code`if (${mismatch}) packet.checksumError = true;`);
      });
    }
  });
}

/** Writes checksums in the program's order; fields of invalid headers are written too, unsent. */
function emitUpdate(outer: Scope): void {
  emitFunction(new Identifier('updateChecksums'), outer, (scope) => {
    const { writer, program } = scope;
    for (const checksum of program.updatedChecksums) {
      writer.comment(checksum.name);
      const condition = emitBoolean(checksum.condition, scope);
      writer.block(code`if (${condition})`, () => {
        const place = scope.layout.place(checksum.target.slot);
        storeField(place, computed(checksum, scope), scope);
      });
    }
  });
}

/** The value as the target field can hold it. */
function computed({ calculation, target }: Checksum, scope: Scope): Value {
  const algorithm = scope.program.calculations[calculation]?.algorithm ?? 'csum16';
  return fit(hashValue(scope.globals.calculation(calculation), algorithm), target, scope);
}

/** Checksums, then all valid headers in the deparser's order, then the bytes not parsed. */
function emitDeparser(outer: Scope): void {
  emitFunction(new Identifier('deparse'), outer, (scope) => {
    const { writer } = scope;
    if (scope.program.updatedChecksums.length > 0) writer.line(code`updateChecksums(packet);`);
    for (const statement of scope.program.deparserStatements) {
      // Loading refuses jumps outside of actions.
      if (statement.kind === 'jump' || statement.kind === 'jump-if-false') continue;
      emitStatement(statement, scope);
    }
    const sent = emitLength(scope);
    writer.line(code`const { memory } = packet;`);
    writer.line(code`memory.reserve(length);`);
    writer.line(code`const out = memory.bytes;`);
    writer.line(code`const { view, start } = memory;`);
    writer.line(code`copyTail(packet, out, start, start + length);`);
    writer.line(code`let at = start;`);
    for (const { index, isSent } of sent) emitHeader(index, isSent, scope);
    writer.line(code`return length;`);
  });
}

/** A header, and code that is true if it is sent. */
interface SentHeader {
  readonly index: number;
  readonly isSent: Code;
}

function emitLength(scope: Scope): readonly SentHeader[] {
  const { writer, program, globals } = scope;
  writer.line(code`let length = packet.end - packet.offset;`);
  return program.deparserOrder.map((index) => {
    const isSent = scope.keep(validity(index, scope), `has_${globals.header(index).text}`);
    writer.line(code`if (${isSent}) length += ${lengthOf(index, scope)};`);
    return { index, isSent };
  });
}

function emitHeader(index: number, isSent: Code, scope: Scope): void {
  const header = scope.layout.header(index);
  scope.writer.block(code`if (${isSent})`, () => {
    if (header.varbit === undefined) emitPacking(header, code`at`, scope);
    else emitVarbitPacking(header, code`at`, scope);
    scope.writer.line(code`at += ${lengthOf(index, scope)};`);
  });
}

function lengthOf(index: number, { layout, globals }: Scope): Code {
  const { byteLength, varbit } = layout.header(index);
  if (varbit === undefined) return code`${byteLength}`;
  return code`${byteLength} + widths[${globals.header(index)}] / 8`;
}
