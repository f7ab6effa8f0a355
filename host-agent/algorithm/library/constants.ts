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
