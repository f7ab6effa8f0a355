import { standardTypes } from '../../../common/thrift/io/generated-code';
import { StateError } from '../../control/table-control';
import type { HashControl } from '../../control/program-control';
import type { ServiceCalls } from './service-calls';
import type { ThriftTarget } from './target';

const { HashError, HashFailure } = standardTypes;

interface CrcMessage {
  readonly polynomial: number;
  readonly initialRemainder: number;
  readonly finalXor: number;
  readonly dataReflected: boolean;
  readonly remainderReflected: boolean;
}

export function hashCalls(target: ThriftTarget): ServiceCalls {
  const hash = (name: string, algorithm: string): HashControl => {
    const found = target.program?.hashes.get(name);
    if (found === undefined) throw new HashFailure({ code: HashError.UNKNOWN_CALCULATION });
    if (found.algorithm === algorithm) return found;
    throw new HashFailure({ code: HashError.WRONG_ALGORITHM });
  };
  const setCrc = (width: 16 | 32, name: string, crc: CrcMessage): void => {
    const unsigned = (value: number): bigint => BigInt.asUintN(width, BigInt(value));
    hash(name, `crc${width}_custom`).setCrcParameters({
      polynomial: unsigned(crc.polynomial),
      initialRemainder: unsigned(crc.initialRemainder),
      finalXor: unsigned(crc.finalXor),
      dataReflected: crc.dataReflected,
      remainderReflected: crc.remainderReflected,
    });
  };
  return {
    bm_set_crc16_custom_parameters: (_context: number, name: string, crc: CrcMessage): void =>
      setCrc(16, name, crc),
    bm_set_crc32_custom_parameters: (_context: number, name: string, crc: CrcMessage): void =>
      setCrc(32, name, crc),
    bm_set_toeplitz_hash_key: (_context: number, name: string, key: Buffer): void => {
      try {
        hash(name, 'toeplitz').setToeplitzKey(key);
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
        throw new HashFailure({ code: HashError.BAD_PARAMETERS });
      }
    },
  };
}
