import { unreachable } from '../../common/assert';
import { InputError } from '../../common/errors';

/** A value of the tree with the type under which it travels (message TypedValue of gNMI 0.10). */
export type GnmiValue =
  | { readonly kind: 'string' | 'ascii'; readonly value: string }
  | { readonly kind: 'int' | 'uint'; readonly value: bigint }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'bytes' | 'proto'; readonly value: Uint8Array }
  | { readonly kind: 'double' | 'float'; readonly value: number }
  /** digits / 10^precision. */
  | { readonly kind: 'decimal'; readonly digits: bigint; readonly precision: number }
  | { readonly kind: 'leaflist'; readonly values: readonly GnmiValue[] }
  /** The text is kept, because a number of JSON may have more digits than a JavaScript number. */
  | { readonly kind: 'json' | 'json_ietf'; readonly text: string }
  | { readonly kind: 'any'; readonly type: string; readonly value: Uint8Array }
  /** The device sent a value without any type. */
  | { readonly kind: 'none' };

/** A value as JavaScript has it. */
export type PlainValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly PlainValue[]
  | { readonly [name: string]: PlainValue };

/**
 * The JavaScript value: integers are numbers up to 2^53 - 1 and bigints beyond, and JSON is parsed,
 * where 64-bit integers are text if the device follows RFC 7951 (`json_ietf`), and round otherwise.
 * @throws InputError when JSON is malformed.
 */
export function plainValue(value: GnmiValue): PlainValue {
  switch (value.kind) {
    case 'string':
    case 'ascii':
    case 'bool':
    case 'bytes':
    case 'proto':
    case 'any':
    case 'double':
    case 'float':
      return value.value;
    case 'int':
    case 'uint':
      return safeNumber(value.value);
    case 'decimal':
      return Number(value.digits) / 10 ** value.precision;
    case 'leaflist':
      return value.values.map(plainValue);
    case 'json':
    case 'json_ietf':
      return parseJson(value.text, `${value.kind} value`);
    case 'none':
      return null;
    default:
      return unreachable(value);
  }
}

/**
 * The typed value that says a JavaScript value natively: integers are `uint`, and `int` below zero;
 * other numbers `double`; arrays leaf-lists; objects and null have no native type and are RFC 7951
 * JSON.
 * @throws InputError for integers that need more than 64 bits.
 */
export function typedValue(plain: PlainValue): GnmiValue {
  if (typeof plain === 'string') return { kind: 'string', value: plain };
  if (typeof plain === 'boolean') return { kind: 'bool', value: plain };
  if (typeof plain === 'bigint') return integer(plain);
  if (typeof plain === 'number') {
    const whole = Number.isSafeInteger(plain) && !Object.is(plain, -0);
    return whole ? integer(BigInt(plain)) : { kind: 'double', value: plain };
  }
  if (plain instanceof Uint8Array) return { kind: 'bytes', value: plain };
  if (isList(plain)) return { kind: 'leaflist', values: plain.map(typedValue) };
  return { kind: 'json_ietf', text: JSON.stringify(plain) };
}

/** Parses JSON. @throws InputError saying where the text came from and what is wrong. */
export function parseJson(text: string, what: string): PlainValue {
  try {
    return JSON.parse(text) as PlainValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`gNMI ${what}: wanted JSON: ${reason}`);
  }
}

/** Checks that an integer fits its type. @throws InputError naming the bounds. */
export function checkedInteger(kind: 'int' | 'uint', value: bigint): GnmiValue {
  const [min, max] = kind === 'int' ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
  if (value >= min && value <= max) return { kind, value };
  throw new InputError(`gNMI value: wanted ${kind} from ${min} to ${max}, found ${value}`);
}

const integer = (value: bigint): GnmiValue => checkedInteger(value < 0n ? 'int' : 'uint', value);

/** Array.isArray does not narrow readonly lists. */
const isList = (plain: unknown): plain is readonly PlainValue[] => Array.isArray(plain);

function safeNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
