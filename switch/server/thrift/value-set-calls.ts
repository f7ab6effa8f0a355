import { standardTypes } from './generated-code';
import type { ServiceCalls } from './service-calls';
import type { ThriftTarget, ValueSetAccess } from './target';

const { ValueSetError, ValueSetFailure } = standardTypes;

export function valueSetCalls(target: ThriftTarget): ServiceCalls {
  const set = (name: string): ValueSetAccess => {
    const found = target.valueSet(name);
    if (found === undefined) throw new ValueSetFailure({ code: ValueSetError.UNKNOWN_SET });
    return found;
  };
  return {
    bm_parse_vset_get: (_context: number, name: string): Buffer[] => {
      const found = set(name);
      return found.list().map((value) => bytesOf(value, found.width));
    },
    bm_parse_vset_add: (_context: number, name: string, value: Buffer): void =>
      set(name).add(valueOf(value)),
    bm_parse_vset_remove: (_context: number, name: string, value: Buffer): void =>
      set(name).remove(valueOf(value)),
    bm_parse_vset_clear: (_context: number, name: string): void => set(name).clear(),
  };
}

/** Big-endian, in as many bytes as the width fills. */
function bytesOf(value: bigint, width: number): Buffer {
  const digits = 2 * Math.ceil(width / 8);
  return Buffer.from(value.toString(16).padStart(digits, '0'), 'hex');
}

function valueOf(bytes: Buffer): bigint {
  if (bytes.length === 0) throw new ValueSetFailure({ code: ValueSetError.FAILED });
  return BigInt(`0x${bytes.toString('hex')}`);
}
