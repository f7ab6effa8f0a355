import { Identifier, code } from '../text/code';
import { emitFunction } from '../value/scope';
import { emitPacking, emitVarbitPacking } from '../expression/emit-bits';
import { validity } from '../expression/emit-fields';
import { emitStatement } from '../statement/emit-statement';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';

/** Checksums, then all valid headers in the deparser's order, then the bytes not parsed. */
export function emitDeparser(outer: Scope): void {
  emitFunction(new Identifier('deparse'), outer, [], (scope) => {
    const { writer } = scope;
    if (scope.program.updatedChecksums.length > 0) writer.line(code`updateChecksums(packet);`);
    for (const statement of scope.program.deparserStatements) {
      // Loading refuses jumps outside of actions.
      if (statement.kind === 'jump' || statement.kind === 'jump-if-false') continue;
      emitStatement(statement, scope);
    }
    emitLength(scope);
    writer.line(code`const { memory } = packet;`);
    writer.line(code`const out = memory.take(length);`);
    writer.line(code`copyTail(packet, out);`);
    writer.line(code`const { view, start } = memory;`);
    writer.line(code`let at = start;`);
    for (const index of scope.program.deparserOrder) emitHeader(index, scope);
    writer.line(code`return out;`);
  });
}

function emitLength(scope: Scope): void {
  scope.writer.line(code`let length = packet.bytes.length - packet.offset;`);
  for (const index of scope.program.deparserOrder) {
    const length = lengthOf(index, scope);
    scope.writer.line(code`if (${validity(index, scope)}) length += ${length};`);
  }
}

function emitHeader(index: number, scope: Scope): void {
  const header = scope.layout.header(index);
  scope.writer.block(code`if (${validity(index, scope)})`, () => {
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
