import type { NamedEntity } from '../entities/named-entity';
import { findTable } from '../program/outline';
import type { ProgramOutline, TableOutline } from '../program/outline';
import { identityOf, isKept } from '../entities/identity';
import type { KeptEntity } from '../entities/identity';

/** Which part of a switch's state the controller answers for. */
export interface Management {
  /** What shall be there, with defaults that nobody mentions as the program has them. */
  readonly desired: readonly KeptEntity[];
  /** Whether an entity that a switch has sent is the controller's to change. */
  manages(entity: NamedEntity): entity is KeptEntity;
}

/**
 * Everything is the controller's but constant tables, the tables that the document leaves to
 * others, and entries that the program itself brings, unless the document speaks of their table.
 * @param desired in canonical form.
 */
export function management(
  desired: readonly KeptEntity[],
  program: ProgramOutline,
  unmanagedTables: readonly string[],
): Management {
  const left = new Set(unmanagedTables.map((name) => findTable(program, name)?.name ?? name));
  const mentioned = new Set(
    desired.flatMap((each) => (each.kind === 'table-entry' ? [each.table] : [])),
  );
  const ownTables = program.tables.filter(
    ({ name, isConst, hasInitialEntries }) =>
      !left.has(name) && !isConst && (!hasInitialEntries || mentioned.has(name)),
  );
  const own = new Set(ownTables.map(({ name }) => name));
  const defaults = defaultTables(program, left);
  const stated = new Set(desired.map(identityOf));
  const untold = defaults.flatMap(initialDefault).filter((each) => !stated.has(identityOf(each)));
  const managedDefaults = new Set(defaults.map(({ name }) => name));
  return {
    desired: [...desired, ...untold],
    manages: (entity): entity is KeptEntity => {
      if (!isKept(entity)) return false;
      if (entity.kind === 'table-entry') return own.has(entity.table) && entity.isConst !== true;
      return entity.kind !== 'default-entry' || managedDefaults.has(entity.table);
    },
  };
}

/** Tables whose default action may be written: not those of profiles, nor constant ones. */
export function defaultTables(
  program: ProgramOutline,
  unmanaged: ReadonlySet<string> = new Set(),
): readonly TableOutline[] {
  return program.tables.filter(
    ({ name, constDefault, actionProfile }) =>
      !constDefault && actionProfile === undefined && !unmanaged.has(name),
  );
}

function initialDefault({ name, initialDefault: action }: TableOutline): readonly KeptEntity[] {
  return action === undefined ? [] : [{ kind: 'default-entry', table: name, action }];
}
