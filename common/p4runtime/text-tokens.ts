import { InputError } from '../errors';

export type TextToken =
  | { readonly kind: 'word'; readonly text: string; readonly line: number }
  | { readonly kind: 'string'; readonly bytes: Uint8Array; readonly line: number }
  | { readonly kind: 'mark'; readonly text: string; readonly line: number }
  | { readonly kind: 'end'; readonly line: number };

/** Words cover identifiers, numbers with a sign, and bracketed extension or Any names. */
const WORD = /[-+]?[A-Za-z0-9_.]+/y;
const STRING = /"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'/y;
const BLANK = /(?:[ \t\r\f\v]|#[^\n]*)+/y;
const MARKS = new Set(['{', '}', '<', '>', '[', ']', ':', ',', ';', '/']);

/** Splits protobuf text into tokens. @throws InputError naming the line of an odd character. */
export function textTokens(text: string): TextToken[] {
  const tokens: TextToken[] = [];
  let line = 1;
  let position = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0];
    position += found?.length ?? 0;
    return found;
  };
  while (position < text.length) {
    const character = text.charAt(position);
    if (character === '\n') {
      line++;
      position++;
    } else if (take(BLANK) === undefined) {
      tokens.push(token(character, line, take));
      if (MARKS.has(character)) position++;
    }
  }
  tokens.push({ kind: 'end', line });
  return tokens;
}

function token(
  character: string,
  line: number,
  take: (pattern: RegExp) => string | undefined,
): TextToken {
  if (MARKS.has(character)) return { kind: 'mark', text: character, line };
  if (character === '"' || character === "'") {
    const quoted = take(STRING);
    if (quoted === undefined) throw new InputError(`line ${line}: this string never ends`);
    return { kind: 'string', bytes: unescape(quoted.slice(1, -1), line), line };
  }
  const word = take(WORD);
  if (word !== undefined) return { kind: 'word', text: word, line };
  throw new InputError(`line ${line}: wanted a field, a value or a bracket, found '${character}'`);
}

const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "'": 39,
  '?': 63,
  '\\': 92,
};
const ESCAPE = /\\([0-7]{1,3}|[xX][\da-fA-F]{1,2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)/gu;

/** Octal and hexadecimal escapes are bytes; everything else is the UTF-8 of its characters. */
function unescape(body: string, line: number): Uint8Array {
  const parts: Buffer[] = [];
  let from = 0;
  for (const match of body.matchAll(ESCAPE)) {
    parts.push(Buffer.from(body.slice(from, match.index), 'utf8'));
    parts.push(escaped(match[1] ?? '', line));
    from = match.index + match[0].length;
  }
  parts.push(Buffer.from(body.slice(from), 'utf8'));
  return Uint8Array.from(Buffer.concat(parts));
}

function escaped(code: string, line: number): Buffer {
  const byte = (value: number): Buffer => {
    if (value > 255) throw new InputError(`line ${line}: \\${code} is more than a byte`);
    return Buffer.of(value);
  };
  if (/^[0-7]/.test(code)) return byte(parseInt(code, 8));
  if (/^[xX]./.test(code)) return byte(parseInt(code.slice(1), 16));
  if (/^[uU]./.test(code)) {
    const point = parseInt(code.slice(1), 16);
    if (point <= 0x10ffff) return Buffer.from(String.fromCodePoint(point), 'utf8');
  }
  const simple = SIMPLE[code];
  if (simple === undefined) throw new InputError(`line ${line}: unknown escape \\${code}`);
  return byte(simple);
}
