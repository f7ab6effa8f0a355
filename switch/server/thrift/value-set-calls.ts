import { standardTypes } from '../../../common/thrift/io/generated-code';
import { StateError } from '../../control/table-control';
import type { ValueSetControl, ValueSetMember } from '../../control/program-control';
import type { ServiceCalls } from './service-calls';
import type { ThriftTarget } from './target';

const { ValueSetError, ValueSetFailure } = standardTypes;

export function valueSetCalls(target: ThriftTarget): ServiceCalls {
  const set = (name: string): ValueSetControl => {
    const found = target.program?.valueSets.get(name);
    if (found === undefined) throw new ValueSetFailure({ code: ValueSetError.UNKNOWN_SET });
    return found;
  };
  return {
    bm_parse_vset_get: (_context: number, name: string): Buffer[] => {
      const found = set(name);
      return [...found.members()].flatMap((member) => bytesOf(found, member) ?? []);
    },
    bm_parse_vset_add: (_context: number, name: string, value: Buffer): void =>
      refused(() => set(name).add(valueOf(value))),
    bm_parse_vset_remove: (_context: number, name: string, value: Buffer): void =>
      refused(() => set(name).remove(valueOf(value))),
    bm_parse_vset_clear: (_context: number, name: string): void => set(name).clear(),
  };
}

/** All parts in one, big-endian; undefined for a member with masks, which Thrift cannot say. */
function bytesOf({ fieldWidths }: ValueSetControl, member: ValueSetMember): Buffer | undefined {
  let value = 0n;
  for (const [i, field] of member.entries()) {
    if (field.kind !== 'exact') return undefined;
    value = (value << BigInt(fieldWidths[i] ?? 0)) | field.value;
  }
  const width = fieldWidths.reduce((total, each) => total + each, 0);
  return Buffer.from(value.toString(16).padStart(2 * Math.ceil(width / 8), '0'), 'hex');
}

function valueOf(bytes: Buffer): bigint {
  if (bytes.length === 0) throw new ValueSetFailure({ code: ValueSetError.FAILED });
  return BigInt(`0x${bytes.toString('hex')}`);
}

function refused(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new ValueSetFailure({ code: ValueSetError.FAILED });
  }
}
