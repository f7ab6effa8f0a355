import { InputError } from '../../../common/errors';
import { decodeValue, encodeValue } from '../../../common/p4runtime/bytestring';
import { RpcError } from '../../../common/p4runtime/codes';
import type { NameIndex, NamedObject } from '../../../common/p4runtime/name-index';

/** Reads a value that a switch has sent. @throws InputError when it does not fit. */
export function wireValue(bytes: Uint8Array, width: number, what: string): bigint {
  return fromSwitch(() => decodeValue(bytes, width, what));
}

/** Runs a decoder on what a switch has sent. @throws InputError when it refuses that. */
export function fromSwitch<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RpcError) throw new InputError(`from the switch: ${error.message}`);
    throw error;
  }
}

const SIGNED_MAX = 2n ** 63n - 1n;
const UNSIGNED_MAX = 2n ** 64n - 1n;

/** The text of a count for an int64 field. @throws InputError for what is negative or too large. */
export function signed64(value: bigint, what: string): string {
  return checked(value, SIGNED_MAX, what);
}

/** The text of a number for a uint64 field. @throws InputError likewise. */
export function unsigned64(value: bigint, what: string): string {
  return checked(value, UNSIGNED_MAX, what);
}

function checked(value: bigint, max: bigint, what: string): string {
  if (value >= 0n && value <= max) return value.toString();
  throw new InputError(`${what}: wanted a number from 0 to ${max}, found ${value}`);
}

/** Ports of P4Runtime are bit<32> unless the program translates them. */
const PORT_WIDTH = 32;

/** The bytes of a port number. */
export const encodePort = (port: number): Uint8Array => encodeValue(BigInt(port));

/** @throws InputError beginning with `what`. */
export function checkedPort(port: number, what: string): number {
  if (Number.isInteger(port) && port >= 0 && port < 2 ** PORT_WIDTH) return port;
  throw new InputError(`${what}: wanted a port of ${PORT_WIDTH} bits, found ${port}`);
}

/** A port that a switch has sent. @throws InputError beginning with `what`. */
export function decodePort(bytes: Uint8Array, what: string): number {
  return Number(wireValue(bytes, PORT_WIDTH, what));
}

/** The object of P4Info that a switch means. @throws InputError when P4Info lacks it. */
export function sentObject<T extends NamedObject>(objects: NameIndex<T>, id: number): T {
  const found = objects.byNumber(id);
  if (found !== undefined) return found;
  throw new InputError(`from the switch: P4Info has no ${objects.kind} ${id}`);
}
