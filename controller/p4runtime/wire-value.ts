import { InputError } from '../../common/errors';
import { decodeValue } from '../../common/p4runtime/bytestring';
import { RpcError } from '../../common/p4runtime/codes';

/** Reads a value that a switch has sent. @throws InputError when it does not fit. */
export function wireValue(bytes: Uint8Array, width: number, what: string): bigint {
  try {
    return decodeValue(bytes, width, what);
  } catch (error) {
    if (error instanceof RpcError) throw new InputError(`from the switch: ${error.message}`);
    throw error;
  }
}
