import { code } from './code';
import { emitViews } from './emit-action';
import { emitPacking } from './emit-bits';
import { validity } from './emit-header';
import type { Scope } from './scope';

/** Checksums, then all valid headers in the deparser's order, then the bytes not parsed. */
export function emitDeparser(outer: Scope): void {
  const scope = outer.nested();
  const { writer } = scope;
  writer.block(code`function deparse(packet)`, () => {
    if (scope.program.updatedChecksums.length > 0) writer.line(code`updateChecksums(packet);`);
    emitViews(scope);
    emitLength(scope);
    writer.line(code`const out = allocateBytes(length);`);
    writer.line(code`let at = 0;`);
    for (const index of scope.program.deparserOrder) emitHeader(index, scope);
    writer.line(code`copyTail(packet, out, at);`);
    writer.line(code`return out;`);
  });
}

function emitLength(scope: Scope): void {
  scope.writer.line(code`let length = packet.bytes.length - packet.offset;`);
  for (const index of scope.program.deparserOrder) {
    const { byteLength } = scope.layout.header(index);
    scope.writer.line(code`if (${validity(index, scope)}) length += ${byteLength};`);
  }
}

function emitHeader(index: number, scope: Scope): void {
  const header = scope.layout.header(index);
  scope.writer.block(code`if (${validity(index, scope)})`, () => {
    emitPacking(header, code`at`, scope);
    scope.writer.line(code`at += ${header.byteLength};`);
  });
}
