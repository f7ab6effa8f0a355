import type { Action, ConstantCall, Program, TableLayout } from '../ir/nodes';

/**
 * True if the new program has a place of the same shape for all state that the old one keeps
 * between packets, so that the state can stay. Further state of the new program begins empty.
 */
export function preservesState(old: Program, next: Program): boolean {
  const places = declarations(next);
  return [...declarations(old)].every(([name, shape]) => places.get(name) === shape);
}

/**
 * The objects with state, and their shapes as text. Numbers of actions, which another statement
 * elsewhere in the program shifts, are not among them.
 */
function declarations(program: Program): ReadonlyMap<string, string> {
  const shapes = new Map<string, string>();
  const declare = (kind: string, name: string, shape: object): void =>
    void shapes.set(`${kind} ${name}`, text(shape));
  for (const table of program.tables) {
    if (hasState(table)) declare('table', table.name, tableShape(program, table));
  }
  for (const { name, size, selector } of program.actionProfiles) {
    declare('profile', name, { size, selects: selector !== undefined });
  }
  for (const { name, size, width } of program.registers) declare('register', name, { size, width });
  for (const { name, size } of program.counters) declare('counter', name, { size });
  for (const { name, size, unit, direct } of program.meters) {
    declare('meter', name, { size, unit, direct });
  }
  for (const { name, size, fieldWidths } of program.valueSets) {
    declare('value set', name, { size, fieldWidths });
  }
  for (const { name, elements } of program.digests.values()) {
    declare('digest', name, { elements: elements.length });
  }
  return shapes;
}

/** False for tables without keys that the compiler makes of statements: they cannot change. */
const hasState = ({ key, defaultIsConstant }: TableLayout): boolean =>
  key.length > 0 || !defaultIsConstant;

function tableShape(program: Program, table: TableLayout): object {
  const named = (call: ConstantCall | undefined): object | undefined =>
    call && { action: program.actions.get(call.actionId)?.name, arguments: call.arguments };
  return {
    key: table.key.map(({ matchKind, width }) => [matchKind, width]),
    size: table.size,
    actions: table.actionIds.map((id) => actionShape(program.actions.get(id))),
    profile: program.actionProfiles[table.actionProfile ?? -1]?.name,
    counters: table.withCounters,
    meter: program.meters[table.directMeter?.meter ?? -1]?.name,
    idle: table.withIdleTimeout,
    default: [named(table.defaultCall), table.defaultIsConstant],
    entries: table.entries?.map(({ key, rank, call }) => [key, rank, named(call)]),
  };
}

const actionShape = (action: Action | undefined): unknown[] => [
  action?.name,
  action?.parameters.map(({ name, width }) => [name, width]),
];

const text = (shape: object): string =>
  JSON.stringify(shape, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
