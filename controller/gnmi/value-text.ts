import { unreachable } from '../../common/assert';
import { InputError } from '../../common/errors';
import { checkedInteger, parseJson } from './value';
import type { GnmiValue } from './value';

/**
 * Reads `TYPE:TEXT`, the inverse of {@link printValue}; text without a known type is JSON as of
 * RFC 7951 if it is JSON, and a JSON string if not.
 * @throws InputError naming the type, what it wants and what was found.
 */
export function parseValue(text: string): GnmiValue {
  const colon = text.indexOf(':');
  const reader = colon < 0 ? undefined : READERS.get(text.slice(0, colon));
  return reader === undefined ? untyped(text) : reader(text.slice(colon + 1));
}

/**
 * A value as `TYPE:TEXT`: decimal numbers, bytes in hexadecimal, a leaf-list as a JSON list of such
 * texts, and a protobuf message as its bytes, a space and its type.
 */
export function printValue(value: GnmiValue): string {
  return value.kind === 'none' ? 'none:' : `${value.kind}:${content(value)}`;
}

function content(value: Exclude<GnmiValue, { readonly kind: 'none' }>): string {
  switch (value.kind) {
    case 'string':
    case 'ascii':
      return value.value;
    case 'int':
    case 'uint':
    case 'bool':
      return String(value.value);
    case 'double':
    case 'float':
      return Object.is(value.value, -0) ? '-0' : String(value.value);
    case 'bytes':
    case 'proto':
      return hex(value.value);
    case 'decimal':
      return `${value.digits}e-${value.precision}`;
    case 'leaflist':
      return JSON.stringify(value.values.map(printValue));
    case 'json':
    case 'json_ietf':
      return value.text;
    case 'any':
      return `${hex(value.value)} ${value.type}`;
    default:
      return unreachable(value);
  }
}

type Reader = (text: string) => GnmiValue;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['string', (value) => ({ kind: 'string', value })],
  ['ascii', (value) => ({ kind: 'ascii', value })],
  ['int', (text) => readInteger('int', text)],
  ['uint', (text) => readInteger('uint', text)],
  ['bool', readBool],
  ['bytes', (text) => ({ kind: 'bytes', value: readHex('bytes', text) })],
  ['proto', (text) => ({ kind: 'proto', value: readHex('proto', text) })],
  ['double', (text) => ({ kind: 'double', value: readNumber('double', text) })],
  ['float', (text) => ({ kind: 'float', value: readNumber('float', text) })],
  ['decimal', readDecimal],
  ['leaflist', readLeafList],
  ['json', (text) => readJson('json', text)],
  ['json_ietf', (text) => readJson('json_ietf', text)],
  ['any', readAny],
  ['none', () => ({ kind: 'none' })],
]);

function untyped(text: string): GnmiValue {
  try {
    return readJson('json_ietf', text);
  } catch {
    return { kind: 'json_ietf', text: JSON.stringify(text) };
  }
}

function readInteger(kind: 'int' | 'uint', text: string): GnmiValue {
  if (!/^-?\d+$/.test(text)) throw fault(kind, 'a whole number', text);
  return checkedInteger(kind, BigInt(text));
}

function readBool(text: string): GnmiValue {
  if (text !== 'true' && text !== 'false') throw fault('bool', 'true or false', text);
  return { kind: 'bool', value: text === 'true' };
}

function readNumber(kind: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && (text === 'NaN' || !Number.isNaN(value))) return value;
  throw fault(kind, 'a number', text);
}

function readDecimal(text: string): GnmiValue {
  const [, digits = '', precision = ''] = /^(-?\d+)e-(\d{1,2})$/.exec(text) ?? [];
  if (digits === '') throw fault('decimal', 'DIGITSe-PRECISION', text);
  checkedInteger('int', BigInt(digits));
  return { kind: 'decimal', digits: BigInt(digits), precision: Number(precision) };
}

function readLeafList(text: string): GnmiValue {
  const list = parseJson(text, 'leaflist value');
  if (!Array.isArray(list)) throw fault('leaflist', 'a JSON list', text);
  const values = list.map((each: unknown) => {
    if (typeof each !== 'string') throw fault('leaflist', 'texts such as "uint:1"', text);
    return parseValue(each);
  });
  return { kind: 'leaflist', values };
}

function readJson(kind: 'json' | 'json_ietf', text: string): GnmiValue {
  parseJson(text, `${kind} value`);
  return { kind, text };
}

function readAny(text: string): GnmiValue {
  const space = text.indexOf(' ');
  if (space < 0) throw fault('any', 'HEX TYPE', text);
  return { kind: 'any', type: text.slice(space + 1), value: readHex('any', text.slice(0, space)) };
}

function readHex(kind: string, text: string): Uint8Array {
  if (!/^([0-9a-fA-F]{2})*$/.test(text)) throw fault(kind, 'pairs of hexadecimal digits', text);
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const fault = (kind: string, wanted: string, found: string): InputError =>
  new InputError(`gNMI ${kind} value: wanted ${wanted}, found '${found}'`);
