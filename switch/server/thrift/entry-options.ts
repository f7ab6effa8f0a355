import { standardTypes } from '../../../common/thrift/io/generated-code';
import { failure } from './table-failure';
import type { TableControl } from '../../control/table-control';

const { EntryOptions, TableError } = standardTypes;

/** In Thrift the smaller priority wins, inside the larger, as in P4Runtime. */
const RANK_ORIGIN = 2 ** 31 - 1;

/** What bmv2 answers where entries have no priority. */
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
