import { decodeValue } from '../../common/p4runtime/bytestring';
import type { P4InfoIndex, TableInfo } from '../../common/p4runtime/p4info';
import { formatValue } from '../../common/p4runtime/values';
import type { NamedEntity } from '../entities/named-entity';
import type { DefaultEntry } from '../entities/table-entry';
import { identityOf, isKept } from '../entities/identity';
import type { KeptEntity } from '../entities/identity';

/** Part of a switch's state that the controller manages. */
export interface Management {
  /** Wanted entities; tables whose default nobody mentions have the program's. */
  readonly desired: readonly KeptEntity[];
  /** True if the controller may change an entity that a switch has sent. */
  readonly manages: (entity: NamedEntity) => entity is KeptEntity;
}

/**
 * Everything is the controller's but constant tables, the tables that the document leaves to
 * others, and entries that the program itself brings, unless the document speaks of their table.
 * @param desired in canonical form.
 */
export function management(
  desired: readonly KeptEntity[],
  program: P4InfoIndex,
  unmanagedTables: readonly string[],
): Management {
  const left = new Set(unmanagedTables.map((name) => program.tables.find(name)?.name ?? name));
  const mentioned = new Set(
    desired.flatMap((each) => (each.kind === 'table-entry' ? [each.table] : [])),
  );
  const ownTables = program.tables.all.filter(
    ({ name, isConst, hasInitialEntries }) =>
      !left.has(name) && !isConst && (!hasInitialEntries || mentioned.has(name)),
  );
  const own = new Set(ownTables.map(({ name }) => name));
  const defaults = defaultTables(program, left);
  const stated = new Set(desired.map(identityOf));
  const untold = initialDefaults(program, defaults).filter((each) => !stated.has(identityOf(each)));
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
  program: P4InfoIndex,
  unmanaged: ReadonlySet<string> = new Set(),
): readonly TableInfo[] {
  return program.tables.all.filter(
    ({ name, constDefault, actionProfileId }) =>
      !constDefault && actionProfileId === undefined && !unmanaged.has(name),
  );
}

/** Actions of tables on a miss right after the program is loaded, where P4Info names them. */
export function initialDefaults(
  { actions, tables }: P4InfoIndex,
  chosen: readonly TableInfo[] = tables.all,
): readonly DefaultEntry[] {
  return chosen.flatMap(({ name: table, initialDefault: call }) => {
    const action = call && actions.byNumber(call.actionId);
    if (action === undefined) return [];
    const values = action.parameters.all.map(({ id, name, width }) => {
      const argument = call?.arguments.find(({ paramId }) => paramId === id);
      const value = argument === undefined ? 0n : decodeValue(argument.value, width, name);
      return [name, formatValue(value, width)] as const;
    });
    const { name } = action;
    return [
      { kind: 'default-entry', table, action: { name, arguments: Object.fromEntries(values) } },
    ];
  });
}
