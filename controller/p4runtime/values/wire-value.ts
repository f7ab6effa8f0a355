import { InputError } from '../../../common/errors';
import { decodeSigned, decodeValue } from '../../../common/p4runtime/bytestring';
import { RpcError } from '../../../common/p4runtime/codes';

/** Reads a value that a switch has sent. @throws InputError when it does not fit. */
export function wireValue(bytes: Uint8Array, width: number, what: string): bigint {
  return fromSwitch(() => decodeValue(bytes, width, what));
}

/** Reads a signed value that a switch has sent. @throws InputError when it does not fit. */
export function signedWireValue(bytes: Uint8Array, width: number, what: string): bigint {
  return fromSwitch(() => decodeSigned(bytes, width, what));
}

function fromSwitch<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RpcError) throw new InputError(`from the switch: ${error.message}`);
    throw error;
  }
}
