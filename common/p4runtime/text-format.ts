import { InputError } from '../errors';
import type { TreeField, TreeValue } from './message-encoder';
import { textTokens } from './text-tokens';
import type { TextToken } from './text-tokens';

/**
 * Reads a message in protobuf's text form: fields, nested messages in `{}` or `<>`, lists in `[]`,
 * strings with escapes that may stand side by side, and comments from `#` on. Extensions and
 * spelled-out Any messages do not occur in our protocol and are refused.
 * @throws InputError naming the line.
 */
export function parseTextFormat(text: string): readonly TreeField[] {
  const reader = new TokenReader(textTokens(text));
  return fieldsUntil(reader, undefined);
}

class TokenReader {
  private position = 0;
  constructor(private readonly tokens: readonly TextToken[]) {}

  peek(): TextToken {
    return this.tokens[this.position] ?? { kind: 'end', line: 0 };
  }

  next(): TextToken {
    const token = this.peek();
    this.position++;
    return token;
  }

  /** Consumes one of `marks` if it comes next. */
  take(...marks: string[]): string | undefined {
    const token = this.peek();
    if (token.kind !== 'mark' || !marks.includes(token.text)) return undefined;
    this.position++;
    return token.text;
  }
}

function fieldsUntil(reader: TokenReader, closing: string | undefined): TreeField[] {
  const fields: TreeField[] = [];
  for (;;) {
    const token = reader.next();
    if (token.kind === 'word') fields.push(...field(reader, token.text, token.line));
    else if (token.kind === 'end' && closing === undefined) return fields;
    else if (token.kind === 'mark' && token.text === closing) return fields;
    else throw unexpected(token, closing === undefined ? 'a field' : `a field or '${closing}'`);
    reader.take(',', ';');
  }
}

function field(reader: TokenReader, name: string, line: number): TreeField[] {
  const colon = reader.take(':') !== undefined;
  const where = `line ${line}`;
  if (reader.take('[') !== undefined) {
    return list(reader).map((value) => ({ name, value, where }));
  }
  const next = reader.peek();
  if (!colon && !(next.kind === 'mark' && (next.text === '{' || next.text === '<'))) {
    throw unexpected(next, `':' or '{' after '${name}'`);
  }
  return [{ name, value: value(reader), where }];
}

function list(reader: TokenReader): TreeValue[] {
  const values: TreeValue[] = [];
  if (reader.take(']') !== undefined) return values;
  do values.push(value(reader));
  while (reader.take(',') !== undefined);
  if (reader.take(']') === undefined) throw unexpected(reader.peek(), `',' or ']'`);
  return values;
}

function value(reader: TokenReader): TreeValue {
  if (reader.take('{') !== undefined) return { kind: 'message', fields: fieldsUntil(reader, '}') };
  if (reader.take('<') !== undefined) return { kind: 'message', fields: fieldsUntil(reader, '>') };
  const token = reader.next();
  if (token.kind === 'word') return { kind: 'word', text: token.text };
  if (token.kind !== 'string') throw unexpected(token, 'a value');
  return { kind: 'bytes', bytes: concatenated(reader, token.bytes) };
}

/** Strings side by side are one string, as in C. */
function concatenated(reader: TokenReader, first: Uint8Array): Uint8Array {
  const parts = [first];
  for (let next = reader.peek(); next.kind === 'string'; next = reader.peek()) {
    parts.push(next.bytes);
    reader.next();
  }
  return parts.length === 1 ? first : Uint8Array.from(Buffer.concat(parts));
}

function unexpected(token: TextToken, wanted: string): InputError {
  const found =
    token.kind === 'end' ? 'the end' : token.kind === 'string' ? 'a string' : `'${token.text}'`;
  return new InputError(`line ${token.line}: wanted ${wanted}, found ${found}`);
}
