import { InputError } from '../../../common/errors';
import { encodeValue } from '../../../common/p4runtime/bytestring';
import { wireValue } from './wire-value';

/** Ports of P4Runtime are bit<32> unless the program translates them. */
const PORT_WIDTH = 32;

/** The bytes of a port number. @throws InputError beginning with `what`. */
export function encodePort(port: number, what: string): Uint8Array {
  if (Number.isInteger(port) && port >= 0 && port < 2 ** PORT_WIDTH) {
    return encodeValue(BigInt(port));
  }
  throw new InputError(`${what}: wanted a port of ${PORT_WIDTH} bits, found ${port}`);
}

/** A port that a switch has sent. @throws InputError beginning with `what`. */
export function decodePort(bytes: Uint8Array, what: string): number {
  return Number(wireValue(bytes, PORT_WIDTH, what));
}
