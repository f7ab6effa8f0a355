import { InputError } from '../../../common/errors';

/** Constants of an algorithm, by name; the unit is the end of the name. */
export type Constants = Readonly<Record<string, number>>;

/**
 * The constants of an algorithm, some of them changed.
 * @throws InputError naming a constant that the algorithm does not have, or that is not a number of at
 *   least 0.
 */
export function withChanges<Table extends Constants>(
  algorithm: string,
  table: Table,
  changes: Constants = {},
): Readonly<Record<keyof Table, number>> {
  for (const [name, value] of Object.entries(changes)) {
    if (!(name in table)) {
      const known = Object.keys(table).join(', ') || 'none';
      throw new InputError(`${algorithm} has no constant '${name}'; it has: ${known}`);
    }
    if (!Number.isFinite(value) || value < 0) {
      throw new InputError(`${name} of ${algorithm} must be a number of at least 0, got ${value}`);
    }
  }
  return { ...table, ...changes };
}

/**
 * {@link withChanges} for algorithms that accept paths of up to `maxHops` links: as many as the packets of
 * the host have room for, unless the constant says otherwise.
 */
export const withHopLimit = <Table extends Constants & { readonly maxHops: number }>(
  algorithm: string,
  table: Table,
  {
    maxHops = table.maxHops,
    constants,
  }: { readonly maxHops?: number; readonly constants?: Constants },
): Readonly<Record<keyof Table, number>> =>
  withChanges(algorithm, { ...table, maxHops }, constants);
