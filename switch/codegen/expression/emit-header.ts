import { unreachable } from '../../../common/assert';
import { code } from '../text/code';
import { toIndex } from '../value/convert';
import { emitUnionElement, emitUnionIndex } from './emit-union';
import { memberStacks } from '../layout/layout';
import { emitData } from './emit-expression';
import type { HeaderExpression } from '../../ir/expressions';
import type { Code } from '../text/code';
import type { Place, Stride } from '../layout/layout';
import type { Scope } from '../value/scope';

/** A header, or the element of a stack that only running decides. */
export interface Element {
  /** The header, or the first one of the stack. */
  readonly header: number;
  /** Position in the stack; undefined for a header that is known. */
  readonly index: Code | undefined;
  /** Whether the stack has that element; undefined when it is certain. */
  readonly exists: Code | undefined;
  readonly stride: Stride;
}

/** Undefined when no packet can have such an element. */
export function emitElement(node: HeaderExpression, scope: Scope): Element | undefined {
  switch (node.kind) {
    case 'header':
      return fixedElement(node.header, scope);
    case 'stack-element': {
      const headers = scope.program.stacks[node.stack]?.headers ?? [];
      if (node.index.kind === 'constant') {
        const header = headers[Number(node.index.value)];
        return header === undefined ? undefined : fixedElement(header, scope);
      }
      const index = scope.bind(toIndex(emitData(node.index, scope)), 'index');
      return stackElement(headers, index, scope);
    }
    case 'stack-last': {
      const index = scope.keep(code`counts[${node.stack}] - 1`, 'last');
      return stackElement(scope.program.stacks[node.stack]?.headers ?? [], index, scope);
    }
    case 'union-member':
      return unionMember(node, scope);
    default:
      return unreachable(node);
  }
}

/** The index of a header as code, negative when a stack has no such element. */
export function emitHeaderIndex(node: HeaderExpression, scope: Scope): Code {
  if (node.kind === 'header') return code`${scope.globals.header(node.header)}`;
  if (node.kind === 'stack-last') {
    return code`stackElement(packet, ${node.stack}, counts[${node.stack}] - 1)`;
  }
  if (node.kind === 'union-member') {
    return code`unionMember(packet, ${emitUnionIndex(node.union, scope)}, ${node.member})`;
  }
  const index = toIndex(emitData(node.index, scope));
  return code`stackElement(packet, ${node.stack}, ${index})`;
}

/** Whether a header is valid. */
export function emitValidity(node: HeaderExpression, scope: Scope): Code {
  if (node.kind !== 'header') return code`isValid(packet, ${emitHeaderIndex(node, scope)})`;
  return validity(node.header, scope);
}

/** Whether a header that is known is valid; metadata always is. */
export function validity(header: number, scope: Scope): Code {
  if (scope.layout.header(header).metadata) return code`true`;
  return code`valid[${scope.globals.header(header)}] === 1`;
}

/** Makes a header valid with all fields 0. PERF: straight stores where the header is known. */
export function emitAddHeader(node: HeaderExpression, scope: Scope): void {
  const { writer, globals, layout } = scope;
  if (node.kind !== 'header') {
    writer.line(code`addHeader(packet, ${emitHeaderIndex(node, scope)});`);
    return;
  }
  const header = layout.header(node.header);
  if (header.metadata) return;
  const name = globals.header(node.header);
  if (header.union !== undefined || header.varbit !== undefined) {
    writer.line(code`addHeader(packet, ${name});`);
    return;
  }
  writer.block(code`if (valid[${name}] === 0)`, () => {
    for (const field of header.fields) clearField(layout.place(field.slot), scope);
    writer.line(code`valid[${name}] = 1;`);
    writer.line(code`packet.packetLength += ${header.byteLength};`);
  });
}

function clearField({ name, representation }: Place, { writer }: Scope): void {
  switch (representation) {
    case 'word':
      writer.line(code`words[${name}] = 0;`);
      return;
    case 'number':
      writer.line(code`numbers[${name}] = 0;`);
      return;
    case 'pair':
      writer.line(code`words[${name}] = 0;`);
      writer.line(code`words[${name} + 1] = 0;`);
      return;
    case 'bigint':
      writer.line(code`bigints[${name}] = 0n;`);
  }
}

function fixedElement(header: number, scope: Scope): Element {
  const stride = scope.layout.stride(-1);
  return { header, index: undefined, exists: undefined, stride };
}

/** A member of a union, or of an element of a stack of unions. */
function unionMember(
  { union, member }: Extract<HeaderExpression, { kind: 'union-member' }>,
  scope: Scope,
): Element | undefined {
  const { program } = scope;
  if (union.kind === 'union') {
    const header = program.unions[union.union]?.headers[member];
    return header === undefined ? undefined : fixedElement(header, scope);
  }
  const { unionStack, index } = emitUnionElement(union, scope);
  const stack = program.unionStacks[unionStack];
  const headers = stack && memberStacks(stack, program)[member];
  return stackElement(headers ?? [], index, scope);
}

function stackElement(headers: readonly number[], index: Code, scope: Scope): Element | undefined {
  const header = headers[0];
  if (header === undefined) return undefined;
  const exists = code`${index} >= 0 && ${index} < ${headers.length}`;
  return { header, index, exists, stride: scope.layout.stride(header) };
}
