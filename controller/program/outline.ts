import type { ActionByName } from '../entities/action';

/** What the intent must know of a program: which tables and actions it has to fill. */
export interface ProgramOutline {
  readonly tables: readonly TableOutline[];
}

export interface TableOutline {
  /** Full name. */
  readonly name: string;
  readonly fields: readonly FieldOutline[];
  readonly actions: readonly ActionOutline[];
  /** Full name of its action profile or selector. */
  readonly actionProfile?: string;
  /** Whether the program fixes all entries. */
  readonly isConst: boolean;
  /** Whether the program brings entries of its own, which may be changed. */
  readonly hasInitialEntries: boolean;
  /** Whether the program fixes what happens on a miss. */
  readonly constDefault: boolean;
  /** What happens on a miss when nobody says otherwise, where P4Info tells. */
  readonly initialDefault?: ActionByName;
}

export interface FieldOutline {
  readonly name: string;
  readonly matchKind: 'exact' | 'lpm' | 'ternary' | 'range' | 'optional';
  /** Bits. */
  readonly width: number;
}

export interface ActionOutline {
  readonly name: string;
  readonly parameters: readonly string[];
}

/** The table of this full name, or the only one whose name ends so after a dot. */
export function findTable(program: ProgramOutline, name: string): TableOutline | undefined {
  return findNamed(program.tables, name);
}

/** The action of a table, likewise. */
export function findAction(table: TableOutline, name: string): ActionOutline | undefined {
  return findNamed(table.actions, name);
}

function findNamed<T extends { readonly name: string }>(
  all: readonly T[],
  name: string,
): T | undefined {
  const exact = all.find((each) => each.name === name);
  if (exact !== undefined) return exact;
  const [only, ...others] = all.filter((each) => each.name.endsWith(`.${name}`));
  return others.length === 0 ? only : undefined;
}
