import { unreachable } from '../../../common/assert';
import { standardTypes } from '../../../common/thrift/generated-code';
import { bytesOf, numberOf, failure } from './table-access';
import type { TableControl } from '../../control/table-control';
import type { KeyField, MatchKind } from '../../../common/p4runtime/key-field';

const { ExactMatch, FieldMatch, LpmMatch, MatchKind: Kind, RangeMatch } = standardTypes;
const { EntryOptions, TableError, TernaryMatch } = standardTypes;

export type FieldMessage = InstanceType<typeof FieldMatch>;

/**
 * Reads the key of an entry, field by field. As on bmv2, bits above the width of a field and
 * outside a mask are dropped. @throws TableFailure BAD_KEY
 */
export function decodeKey(table: TableControl, message: readonly FieldMessage[]): KeyField[] {
  const { matchKinds, keyWidths } = table;
  if (message.length !== matchKinds.length) throw failure(TableError.BAD_KEY);
  return message.map((field, i) => decodeField(field, matchKinds[i] ?? 'exact', keyWidths[i] ?? 0));
}

/** The key of an entry in the bytes of its fields. */
export function encodeKey(table: TableControl, key: readonly KeyField[]): FieldMessage[] {
  return key.map((field, i) => encodeField(field, table.keyWidths[i] ?? 0));
}

function decodeField(message: FieldMessage, kind: MatchKind, width: number): KeyField {
  const value = (bytes: Buffer | undefined): bigint => {
    if (bytes?.length !== Math.ceil(width / 8)) throw failure(TableError.BAD_KEY);
    return BigInt.asUintN(width, numberOf(bytes));
  };
  switch (kind) {
    case 'exact':
      return {
        kind,
        value: message.valid ? validValue(message.valid) : value(message.exact?.value),
      };
    case 'lpm':
      return lpmField(value(message.lpm?.value), message.lpm?.prefixLength ?? 0, width);
    case 'ternary':
    case 'optional': {
      const mask = value(message.ternary?.mask);
      return { kind: 'ternary', value: value(message.ternary?.value) & mask, mask };
    }
    case 'range':
      return { kind, low: value(message.range?.low), high: value(message.range?.high) };
    default:
      return unreachable(kind);
  }
}

const validValue = ({ value }: { readonly value: boolean }): bigint => (value ? 1n : 0n);

function lpmField(value: bigint, prefixLength: number, width: number): KeyField {
  if (prefixLength < 0 || prefixLength > width) throw failure(TableError.BAD_KEY);
  const free = BigInt(width - prefixLength);
  return { kind: 'lpm', value: (value >> free) << free, prefixLength };
}

function encodeField(field: KeyField, width: number): FieldMessage {
  const bytes = (value: bigint): Buffer => bytesOf(value, width);
  switch (field.kind) {
    case 'exact':
      return new FieldMatch({
        kind: Kind.EXACT,
        exact: new ExactMatch({ value: bytes(field.value) }),
      });
    case 'lpm': {
      const { value, prefixLength } = field;
      const lpm = new LpmMatch({ value: bytes(value), prefixLength });
      return new FieldMatch({ kind: Kind.LPM, lpm });
    }
    case 'ternary': {
      const ternary = new TernaryMatch({ value: bytes(field.value), mask: bytes(field.mask) });
      return new FieldMatch({ kind: Kind.TERNARY, ternary });
    }
    case 'range': {
      const range = new RangeMatch({ low: bytes(field.low), high: bytes(field.high) });
      return new FieldMatch({ kind: Kind.RANGE, range });
    }
    default:
      return unreachable(field);
  }
}

/** In Thrift the smaller priority wins, inside the larger, as in P4Runtime. */
const RANK_ORIGIN = 2 ** 31 - 1;

/** Priority that bmv2 returns where entries have none. */
const NO_PRIORITY = -1;

export type OptionsMessage = InstanceType<typeof EntryOptions>;

export const isRanked = ({ matchKinds }: TableControl): boolean =>
  matchKinds.some((kind) => kind !== 'exact' && kind !== 'lpm');

/** @throws TableFailure BAD_KEY for a negative priority. */
export function priorityFrom(table: TableControl, options: OptionsMessage): number {
  if (!isRanked(table)) return 0;
  const rank = options.priority ?? 0;
  if (rank < 0) throw failure(TableError.BAD_KEY);
  return RANK_ORIGIN - rank;
}

export function optionsOf(table: TableControl, priority: number): OptionsMessage {
  const rank = isRanked(table) ? RANK_ORIGIN - priority : NO_PRIORITY;
  return new EntryOptions({ priority: rank });
}
