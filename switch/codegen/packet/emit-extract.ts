import { faultCode } from '../../ir/parser-nodes';
import { unreachable } from '../../../common/assert';
import { code } from '../text/code';
import { toIndex } from '../value/convert';
import { emitExtraction, emitWords } from '../expression/emit-bits';
import { emitData, unionCount } from '../expression/emit-expression';
import { memberStacks } from '../layout/layout';
import type { DataExpression } from '../../ir/expressions';
import type { HeaderLayout } from '../../ir/nodes';
import type { ExtractTarget, ParserFault } from '../../ir/parser-nodes';
import type { Code } from '../text/code';
import type { Element } from '../expression/emit-fields';
import type { Scope } from '../value/scope';

/** The header that an extraction fills, and the count that it moves on. */
interface Destination {
  readonly header: HeaderLayout;
  /** Index of the header in code. */
  readonly index: Code;
  readonly element: Element | undefined;
  readonly count: Code | undefined;
}

/**
 * Extracts a header; with `bits`, its varbit field gets as many. A header that does not fit keeps
 * its fields and its validity.
 */
export function emitExtract(target: ExtractTarget, scope: Scope, bits?: DataExpression): void {
  const destination = emitDestination(target, scope);
  if (destination === undefined) return;
  const { header, index, count } = destination;
  if (bits === undefined) emitFixed(destination, scope);
  else emitVariable(destination, bits, scope);
  const { writer } = scope;
  if (header.union === undefined) writer.line(code`valid[${index}] = 1;`);
  else writer.line(code`validate(packet, ${index});`);
  if (count !== undefined) writer.line(code`${count} += 1;`);
}

function emitFixed({ header, element }: Destination, scope: Scope): void {
  const length = code`${header.byteLength}`;
  emitLengthCheck(length, scope);
  const from = { bytes: code`bytes`, base: code`offset`, element };
  if (scope.layout.isPacked(header.index)) emitWords(header, from, scope);
  else emitExtraction(header.fields, from, scope);
  scope.writer.line(code`offset += ${length};`);
}

/** The order of the checks is bmv2's: whole bytes, enough of them, no more than the type takes. */
function emitVariable(
  { header, index, element }: Destination,
  bits: DataExpression,
  scope: Scope,
): void {
  const { writer } = scope;
  const position = header.varbit ?? header.fields.length;
  const field = header.fields[position];
  if (field === undefined) return;
  const extra = scope.keep(toIndex(emitData(bits, scope)), 'extra');
  const invalid = fail('ParserInvalidArgument', scope);
  writer.line(code`if (${extra} < 0 || ${extra} % 8 !== 0) ${invalid}`);
  emitLengthCheck(code`${header.byteLength} + ${extra} / 8`, scope);
  const tooWide = fail('HeaderTooShort', scope);
  writer.line(code`if (${extra} > ${field.width}) ${tooWide}`);
  const bytes = code`bytes`;
  const behind = scope.keep(code`offset + ${extra} / 8`, 'behind');
  const before = { bytes, base: code`offset`, element };
  emitExtraction(header.fields.slice(0, position), before, scope);
  emitExtraction([field], { ...before, width: extra }, scope);
  emitExtraction(header.fields.slice(position + 1), { ...before, base: behind }, scope);
  writer.line(code`widths[${index}] = ${extra};`);
  writer.line(code`offset = ${behind} + ${header.byteLength};`);
}

function emitDestination(target: ExtractTarget, scope: Scope): Destination | undefined {
  const { program, globals } = scope;
  switch (target.kind) {
    case 'header': {
      const header = scope.layout.header(target.header);
      const index = code`${globals.header(target.header)}`;
      return { header, index, element: undefined, count: undefined };
    }
    case 'next': {
      const headers = program.stacks[target.stack]?.headers ?? [];
      return emitNext(headers, code`counts[${target.stack}]`, scope, (at) => {
        return code`stackElement(packet, ${target.stack}, ${at})`;
      });
    }
    case 'next-member': {
      const { unionStack, member } = target;
      const stack = program.unionStacks[unionStack];
      const headers = (stack && memberStacks(stack, program)[member]) ?? [];
      return emitNext(headers, unionCount(unionStack, scope), scope, (at) => {
        return code`unionMember(packet, unionElement(packet, ${unionStack}, ${at}), ${member})`;
      });
    }
    default:
      return unreachable(target);
  }
}

/** The next free element of headers that lie behind each other. */
function emitNext(
  headers: readonly number[],
  count: Code,
  scope: Scope,
  indexOf: (at: Code) => Code,
): Destination | undefined {
  const first = headers[0];
  if (first === undefined) return undefined;
  const at = scope.keep(count, 'next');
  const full = fail('StackOutOfBounds', scope);
  scope.writer.line(code`if (${at} >= ${headers.length}) ${full}`);
  const stride = scope.layout.stride(first);
  const element = { header: first, index: at, exists: undefined, stride };
  return { header: scope.layout.header(first), index: indexOf(at), element, count };
}

/** Ends the parser with an error that it raises itself. */
export function fail(fault: ParserFault, { program }: Scope): Code {
  return stop(code`${faultCode(fault, program.errors)}`);
}

/** Ends the parser with an error. */
export function stop(error: Code): Code {
  return code`return stopParsing(packet, offset, ${error});`;
}

/** Ends the parser when so many bytes are not there. */
export function emitLengthCheck(bytes: Code, scope: Scope): void {
  const tooShort = fail('PacketTooShort', scope);
  scope.writer.line(code`if (offset + ${bytes} > end) ${tooShort}`);
}
