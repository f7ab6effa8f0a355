import type { DocumentPath } from '../../document/schema-faults';
import { InputError } from '../../errors';
import { didYouMean } from '../../nearest-word';
import type { Ipv6Address } from '../../wire/ip/ipv6';
import type { Word64 } from '../../wire/bytes';

/**
 * Values of layers as documents have them: numbers, truth values, text and lists. Whoever writes YAML, JSON or
 * TypeScript writes the same.
 */

/** A layer that cannot be made: what is wrong, where, and what was expected. */
export class LayerError extends InputError {
  override readonly name = 'LayerError';

  constructor(
    /** Keys and indexes from the list of layers to the value. */
    readonly path: DocumentPath,
    /** The expectation, the finding, and what to do. */
    readonly sentence: string,
  ) {
    super(`layers${pathText(path)}: ${sentence}`);
  }
}

const pathText = (path: DocumentPath): string =>
  path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');

/** Form of a field's values, by which others make such values. */
export type FieldForm =
  | { readonly type: 'uint'; readonly bits: number }
  | { readonly type: 'flag' | 'word' | 'mac' | 'ipv4' | 'ipv6' | 'text' | 'layers' }
  | { readonly type: 'bytes'; readonly length: number | undefined }
  | { readonly type: 'words'; readonly words: readonly string[] }
  | { readonly type: 'list'; readonly item: Field<unknown> }
  | { readonly type: 'section'; readonly shape: Shape };

/** Reader of one value. */
export interface Field<T> {
  readonly form: FieldForm;
  /** The expectation, for errors and for `hpcc int layers`. */
  readonly wanted: string;
  /**
   * The value in the one form that layers have.
   * @throws LayerError at `path` for other values.
   */
  readonly read: (value: unknown, path: DocumentPath) => T;
}

/** Type of the values of a field. */
export type ValueOf<F> = F extends Field<infer T> ? T : never;

const found = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

function field<T>(
  form: FieldForm,
  wanted: string,
  read: (value: unknown) => T | undefined,
): Field<T> {
  return {
    form,
    wanted,
    read: (value, path) => {
      const known = read(value);
      if (known !== undefined) return known;
      throw new LayerError(path, `wanted ${wanted}, found ${found(value)}`);
    },
  };
}

/** Unsigned integer of up to 53 bits; text such as `0x17` is one too. */
export const uint = (bits: number): Field<number> => {
  const last = 2 ** Math.min(bits, 53) - 1;
  return field(
    { type: 'uint', bits },
    `a whole number from 0 to ${bits > 16 ? `2^${bits} - 1` : last}`,
    (value) => {
      const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
      const isOne = typeof number === 'number' && Number.isInteger(number);
      return isOne && number >= 0 && number <= last ? number : undefined;
    },
  );
};

const NUMBER = /^(0x[\da-f]+|\d+)$/i;

export const flag: Field<boolean> = field({ type: 'flag' }, 'true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
);

/** 64 bits: a number up to 2^53 - 1, and beyond it text of 16 digits such as `0xffffffffffffffff`. */
export const word: Field<number | string> = field(
  { type: 'word' },
  'a whole number of up to 64 bits, beyond 2^53 - 1 as text in hexadecimal',
  (value) => {
    if (typeof value === 'number')
      return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
    if (typeof value !== 'string' || !WORD.test(value)) return undefined;
    const text = value.slice(2).padStart(16, '0');
    return wordValue({
      high: Number.parseInt(text.slice(0, 8), 16),
      low: Number.parseInt(text.slice(8), 16),
    });
  },
);

const WORD = /^0x[\da-f]{1,16}$/i;
const MODULUS = 0x1_0000_0000;

export const wordValue = ({ high, low }: Word64): number | string =>
  high < 0x20_0000
    ? high * MODULUS + low
    : `0x${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`;

/** The two halves of a {@link word}. */
export function wordHalves(value: number | string): Word64 {
  if (typeof value === 'number') return { high: Math.floor(value / MODULUS), low: value % MODULUS };
  return {
    high: Number.parseInt(value.slice(2, 10), 16),
    low: Number.parseInt(value.slice(10), 16),
  };
}

/** Bytes as text of two hexadecimal digits each. @param length so many; undefined for any number. */
export const bytes = (length?: number): Field<string> =>
  field(
    { type: 'bytes', length },
    `${length === undefined ? 'bytes' : `${length} bytes`} as text in hexadecimal, such as "00ff17"`,
    (value) => {
      if (typeof value !== 'string') return undefined;
      const digits = value
        .replace(/^0x/i, '')
        .replace(/[\s:_-]/g, '')
        .toLowerCase();
      const isHex = digits.length % 2 === 0 && /^[\da-f]*$/.test(digits);
      return isHex && (length === undefined || digits.length === 2 * length) ? digits : undefined;
    },
  );

export const hexBytes = (digits: string): Uint8Array => {
  const raw = new Uint8Array(digits.length / 2);
  for (let i = 0; i < raw.length; i++) raw[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return raw;
};

export function bytesText(raw: Uint8Array): string {
  let text = '';
  for (const byte of raw) text += BYTE_TEXTS[byte] as string;
  return text;
}

const BYTE_TEXTS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export const mac: Field<string> = field(
  { type: 'mac' },
  'a MAC address, such as "02:00:00:00:00:01"',
  (value) => (typeof value === 'string' && MAC.test(value) ? value.toLowerCase() : undefined),
);

const MAC = /^[\da-f]{2}(:[\da-f]{2}){5}$/i;

export const macNumber = (text: string): number => Number.parseInt(text.replaceAll(':', ''), 16);
export const macText = (number: number): string =>
  (number.toString(16).padStart(12, '0').match(/../g) ?? []).join(':');

export const ipv4: Field<string> = field(
  { type: 'ipv4' },
  'an IPv4 address, such as "10.0.0.1"',
  (value) => (typeof value === 'string' && ipv4Number(value) !== undefined ? value : undefined),
);

const IPV4 = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/;

export function ipv4Number(text: string): number | undefined {
  if (!IPV4.test(text)) return undefined;
  const parts = text.split('.').map(Number);
  if (parts.some((part) => part > 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

export const ipv6: Field<string> = field(
  { type: 'ipv6' },
  'an IPv6 address, such as "fd00::1"',
  (value) => {
    const words = typeof value === 'string' ? ipv6Words(value) : undefined;
    return words === undefined ? undefined : ipv6AddressText(words);
  },
);

/** Undefined for what is no address; the form with dots is not taken. */
export function ipv6Words(text: string): Ipv6Address | undefined {
  const halves = text.split('::');
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const given = groups.flat();
  const hasGap = halves.length === 2;
  if (halves.length > 2 || (hasGap ? given.length > 7 : given.length !== 8)) return undefined;
  if (!given.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  const zeros = Array.from({ length: 8 - given.length }, () => '0');
  const all = [...(groups[0] ?? []), ...zeros, ...(groups[1] ?? [])];
  const n = all.map((group) => Number.parseInt(group, 16)) as [number, ...number[]];
  const at = (i: number): number => (n[i] as number) * 0x10000 + (n[i + 1] as number);
  return [at(0), at(2), at(4), at(6)];
}

/** Groups without leading zeros; the longest run of zeros becomes `::`. */
export function ipv6AddressText(address: Ipv6Address): string {
  const text = address
    .flatMap((part) => [part >>> 16, part & 0xffff])
    .map((group) => group.toString(16))
    .join(':');
  const runs = text.match(/(?<![\da-f])0(:0)+(?![\da-f])/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return text;
  const at = text.search(new RegExp(`(?<![\\da-f])${longest}(?![\\da-f])`));
  const before = text.slice(0, at).replace(/:$/, '');
  return `${before}::${text.slice(at + longest.length).replace(/^:/, '')}`;
}

/** One of several words. */
export const oneOf = <const W extends string>(words: readonly W[]): Field<W> => ({
  form: { type: 'words', words },
  wanted: `one of ${words.join(', ')}`,
  read: (value, path) => {
    const known = words.find((word_) => word_ === value);
    if (known !== undefined) return known;
    const near = typeof value === 'string' ? didYouMean(value, words) : '';
    throw new LayerError(path, `wanted one of ${words.join(', ')}, found ${found(value)}${near}`);
  },
});

export const listOf = <T>(item: Field<T>): Field<readonly T[]> => ({
  form: { type: 'list', item },
  wanted: `a list; each of it ${item.wanted}`,
  read: (value, path) => {
    if (Array.isArray(value)) return value.map((each, i) => item.read(each, [...path, i]));
    throw new LayerError(path, `wanted a list, found ${found(value)}`);
  },
});

/** Fields by name. */
export type Shape = Readonly<Record<string, Field<unknown>>>;

/** Values of a shape; all may be left out. */
export type ValuesOf<S extends Shape> = { readonly [Name in keyof S]?: ValueOf<S[Name]> };

/** A section whose fields may all be left out. */
export const section = <S extends Shape>(shape: S): Field<ValuesOf<S>> => ({
  form: { type: 'section', shape },
  wanted: `a section with ${Object.keys(shape).join(', ')}`,
  read: (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const names = Object.keys(shape).join(', ');
      throw new LayerError(path, `wanted a section with ${names}, found ${found(value)}`);
    }
    const read: Record<string, unknown> = {};
    for (const [name, part] of Object.entries(value)) {
      if (part === undefined) continue;
      const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (known === undefined) throw unknownField([...path, name], Object.keys(shape));
      read[name] = known.read(part, [...path, name]);
    }
    return read as ValuesOf<S>;
  },
});

function unknownField(path: DocumentPath, names: readonly string[]): LayerError {
  const name = String(path.at(-1));
  const fields = names.length === 0 ? 'none' : names.join(', ');
  return new LayerError(path, `no such field${didYouMean(name, names)}; fields here: ${fields}`);
}
