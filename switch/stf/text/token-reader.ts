import { StfError } from './tokens';
import type { ComparisonOperator, Literal } from './statements';
import type { Token } from './tokens';
import { allOnes } from '../../../common/p4runtime/bytestring';

const OPERATORS: ReadonlySet<string> = new Set<ComparisonOperator>([
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
]);

const isOperator = (text: string): text is ComparisonOperator => OPERATORS.has(text);

/** Reads the tokens of one statement from left to right; every failure says what was wanted. */
export class TokenReader {
  #at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    /** The statement's own line, for what is missing at its end. */
    readonly line: number,
  ) {}

  get atEnd(): boolean {
    return this.#at >= this.tokens.length;
  }

  /** The token that comes next, or the one after so many others. */
  peek(ahead = 0): Token | undefined {
    return this.tokens[this.#at + ahead];
  }

  /** Reads the symbol if it comes next; true if it does. */
  takes(symbol: string): boolean {
    const found = this.peek();
    if (found?.kind !== 'symbol' || found.text !== symbol) return false;
    this.#at += 1;
    return true;
  }

  symbol(symbol: string): void {
    if (!this.takes(symbol)) this.fail(`'${symbol}'`);
  }

  /** @param what names it in the error. */
  name(what: string): string {
    const found = this.peek();
    if (found?.kind !== 'name' && found?.kind !== 'text') return this.fail(what);
    this.#at += 1;
    return found.text;
  }

  /** The digits that come next; the caller has looked. */
  data(): string {
    const { text } = this.peek() ?? this.fail('data');
    this.#at += 1;
    return text;
  }

  text(what: string): string {
    return this.peek()?.kind === 'text' ? this.name(what) : this.fail(what);
  }

  literal(what: string): Literal {
    const found = this.peek();
    const literal = found?.kind === 'number' ? parseLiteral(found.text) : undefined;
    if (literal === undefined) return this.fail(what);
    this.#at += 1;
    return literal;
  }

  /** A number without `*`. */
  whole(what: string): bigint {
    const before = this.#at;
    const { value, text } = this.literal(what);
    if (!text.includes('*')) return value;
    this.#at = before;
    return this.fail(`${what} without '*'`);
  }

  /** A number without `*` that is small enough for an index or a port. */
  index(what: string): number {
    return Number(this.whole(what));
  }

  /** A number with or without a decimal point. */
  decimal(what: string): number {
    const found = this.peek();
    if (found?.kind !== 'number' || !/^\d+(\.\d+)?$/.test(found.text)) return this.fail(what);
    this.#at += 1;
    return Number(found.text);
  }

  operator(): ComparisonOperator {
    const found = this.peek();
    if (found?.kind !== 'symbol' || !isOperator(found.text)) {
      return this.fail('a comparison (==, !=, <, <=, > or >=)');
    }
    this.#at += 1;
    return found.text;
  }

  /** All that is left, at least one of them, as small numbers. */
  indices(what: string): number[] {
    const numbers = [this.index(what)];
    while (!this.atEnd) numbers.push(this.index(what));
    return numbers;
  }

  fail(wanted: string): never {
    const found = this.peek();
    const text = found === undefined ? 'the end of the statement' : `'${found.text}'`;
    throw new StfError(found?.line ?? this.line, `wanted ${wanted}, found ${text}`);
  }
}

const FORM = /^(?:(0[xX])([\da-fA-F*]+)|(0[bB])([01*]+)|(0[oO])([0-7*]+)|(\d+))$/;

/** Reads a number: decimal, `0x…`, `0b…` or `0o…`, the latter with `*` for digits left open. */
export function parseLiteral(text: string): Literal | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, hex, hexDigits, binary, binaryDigits, octal, octalDigits] = match;
  if (hex !== undefined) return digits(text, hexDigits ?? '', 16);
  if (binary !== undefined) return digits(text, binaryDigits ?? '', 2);
  if (octal !== undefined) return digits(text, octalDigits ?? '', 8);
  const value = BigInt(text);
  const bits = value.toString(2).length;
  return { text, value, known: allOnes(bits), bits, radix: 10 };
}

function digits(text: string, body: string, radix: 2 | 8 | 16): Literal {
  const prefix = radix === 16 ? '0x' : radix === 8 ? '0o' : '0b';
  const highest = (radix - 1).toString(radix);
  return {
    text,
    value: BigInt(prefix + body.replaceAll('*', '0')),
    known: BigInt(prefix + body.replace(/[^*]/g, highest).replaceAll('*', '0')),
    bits: body.length * Math.log2(radix),
    radix,
  };
}
