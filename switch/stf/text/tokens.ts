import { InputError } from '../../../common/errors';

/** A test that cannot be run as it is written. The message of the error begins with its place. */
export class StfError extends InputError {
  override readonly name = 'StfError';

  constructor(
    readonly line: number,
    readonly reason: string,
    readonly file = '',
  ) {
    super(`${file === '' ? 'line ' : `${file}:`}${line}: ${reason}`);
  }

  /** The same error with the name of its file. */
  in(file: string): StfError {
    return new StfError(this.line, this.reason, file);
  }
}

/** A word of an STF line. Names and texts come without their quotes. */
export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'symbol' | 'data';
  readonly text: string;
  readonly line: number;
}

const IDENTIFIER = String.raw`[A-Za-z_$][\w$]*(?:\[\d+\])?`;

const COMMAND_TOKENS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['text', /"([^"]*)"/y],
  ['name', new RegExp(String.raw`(${IDENTIFIER}(?:\.${IDENTIFIER})*)`, 'y')],
  ['number', /(0[xX][\da-fA-F*]+|0[bB][01*]+|0[oO][0-7*]+|\d+(?:\.\d+)?)/y],
  ['symbol', /(&&&|\.\.|[=!<>]=|[=<>:,()/])/y],
];

/** Tokens after `packet` and `expect`: hexadecimal digits in groups of any size. */
const DATA_TOKENS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['data', /([\da-fA-F*]+)/y],
  ['symbol', /(\$)/y],
];

const BLANK = /[ \t\r]*(?:#.*)?/y;

/**
 * Splits one line into tokens.
 * @param mode `data` for what follows `packet` and `expect`, `command` for everything else.
 * @throws StfError at a character that begins no token.
 */
export function tokenise(line: number, text: string, mode: 'command' | 'data'): Token[] {
  const rules = mode === 'data' ? DATA_TOKENS : COMMAND_TOKENS;
  const tokens: Token[] = [];
  for (let at = skipBlank(text, 0); at < text.length;) {
    const [kind, match] = firstMatch(rules, text, at) ?? [];
    if (kind === undefined || match === undefined) {
      const wanted = mode === 'data' ? 'hexadecimal digits' : 'a name, a number or a symbol';
      throw new StfError(line, `wanted ${wanted}, found '${text.slice(at).trim()}'`);
    }
    tokens.push({ kind, text: match[1] ?? '', line });
    at = skipBlank(text, at + match[0].length);
  }
  return tokens;
}

function firstMatch(
  rules: readonly (readonly [Token['kind'], RegExp])[],
  text: string,
  at: number,
): [Token['kind'], RegExpExecArray] | undefined {
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return [kind, match];
  }
  return undefined;
}

/** The position behind spaces and a comment. */
function skipBlank(text: string, at: number): number {
  BLANK.lastIndex = at;
  return at + (BLANK.exec(text)?.[0].length ?? 0);
}
