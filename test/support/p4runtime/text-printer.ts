import { unreachable } from '../../../common/assert';
import type { TreeField, TreeValue } from '../../../common/p4runtime/message-encoder';

const INDENT = '  ';

/** Writes a message tree in protobuf's text form, one field per line, as p4c does. */
export function printTextFormat(fields: readonly TreeField[]): string {
  return fields.map((field) => fieldText(field, '')).join('');
}

function fieldText({ name, value }: TreeField, indent: string): string {
  if (value.kind !== 'message') return `${indent}${name}: ${valueText(value)}\n`;
  const inner = value.fields.map((field) => fieldText(field, indent + INDENT)).join('');
  return `${indent}${name} {\n${inner}${indent}}\n`;
}

function valueText(value: Exclude<TreeValue, { readonly kind: 'message' }>): string {
  switch (value.kind) {
    case 'word':
      return value.text;
    case 'bytes':
      return `"${Array.from(value.bytes, escaped).join('')}"`;
    default:
      return unreachable(value);
  }
}

const NAMED = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x27, "\\'"],
  [0x5c, '\\\\'],
]);

/** Octal escapes have three digits, so that a digit that follows is never taken for a part. */
function escaped(byte: number): string {
  const named = NAMED.get(byte);
  if (named !== undefined) return named;
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\${byte.toString(8).padStart(3, '0')}`;
}
