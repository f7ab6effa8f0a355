import { sentenceOf } from '../../../common/document/schema-faults';
import { InputError } from '../../../common/errors';
import type { z } from 'zod';

/** Position in a P4 source, as p4c records it. */
interface SourceInfo {
  readonly filename?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * Place of the reader in a program: the path in the JSON, and the P4 file and line of the innermost
 * construct that carries one.
 */
export class Place {
  constructor(
    readonly path: string,
    readonly source?: string,
  ) {}

  /** The place of a member or element. */
  child(key: string | number): Place {
    const step = typeof key === 'number' ? `[${key}]` : this.path === '' ? key : `.${key}`;
    return new Place(this.path + step, this.source);
  }

  /** The same place, named by its position in the P4 source when there is one. */
  in(info: SourceInfo | null | undefined): Place {
    if (info?.filename === undefined || info.line === undefined) return this;
    return new Place(this.path, `${info.filename}:${info.line}`);
  }

  toString(): string {
    return this.source ?? (this.path === '' ? 'the top level' : this.path);
  }
}

/** The program is well formed but needs something that this switch does not have. */
export function refuse(construct: string, place: Place): never {
  throw new InputError(`program uses ${construct} at ${place.toString()}: not supported`);
}

/** The JSON is not what p4c writes. */
export function malformed(problem: string, place: Place): never {
  throw new InputError(`BMv2 JSON is malformed at ${place.toString()}: ${problem}`);
}

/** The value as `schema` describes it. @throws InputError with the JSON path of the first fault. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, place: Place): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  let at = place;
  for (const step of issue?.path ?? []) {
    at = at.child(typeof step === 'number' ? step : String(step));
  }
  return malformed(issue === undefined ? 'unknown fault' : sentenceOf(issue), at);
}

/** A hexadecimal constant such as `0x0800` or `-0x1`. @throws InputError when it is none. */
export function parseHex(value: unknown, place: Place): bigint {
  if (typeof value !== 'string' || !/^-?(0x)?[0-9a-f]+$/i.test(value)) {
    return malformed(`wanted a hexadecimal number, found ${JSON.stringify(value)}`, place);
  }
  const negative = value.startsWith('-');
  const digits = value.replace(/^-?(0x)?/i, '');
  const magnitude = BigInt(`0x${digits}`);
  return negative ? -magnitude : magnitude;
}

/** The member of `map`, or the error that it is not declared. */
export function lookUp<T>(
  map: ReadonlyMap<string, T>,
  name: string,
  what: string,
  place: Place,
): T {
  const found = map.get(name);
  return found === undefined ? malformed(`${what} '${name}' is not declared`, place) : found;
}
