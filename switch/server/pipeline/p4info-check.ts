import { InputError } from '../../../common/errors';
import type { ActionInfo, P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { Action, Program, TableLayout } from '../../ir/nodes';
import { leafWidths } from '../../../common/p4runtime/data-type';

/**
 * Strictness of the comparison of P4Info and program. `positions`: only what a write needs, kinds
 * and widths of keys and parameters by their positions, as on bmv2.
 */
export type Comparison = 'whole' | 'positions';

/** A P4Info, the program it comes with, and how they are compared. */
interface Pair {
  readonly info: P4InfoIndex;
  readonly program: Program;
  readonly comparison: Comparison;
}

/**
 * Compares P4Info with the program it comes with. bmv2 does not, and a mismatch then surfaces as an
 * odd error of some later write.
 * @throws InputError naming the first difference.
 */
export function checkP4Info(
  info: P4InfoIndex,
  program: Program,
  comparison: Comparison = 'whole',
): void {
  const pair = { info, program, comparison };
  const isWhole = comparison === 'whole';
  for (const profile of info.actionProfiles.all) {
    const where = `action profile '${profile.name}'`;
    const found = byName(where, profile.name, program.actionProfiles);
    same(`${where}: selector`, profile.withSelector, found.selector !== undefined);
    if (isWhole) same(`${where}: size`, profile.size, found.size);
  }
  for (const table of info.tables.all) {
    checkTable(pair, table, byName(`table '${table.name}'`, table.name, program.tables));
  }
  if (isWhole) checkVisibleTables(info, program);
  checkExterns(info, program);
}

function checkVisibleTables(info: P4InfoIndex, program: Program): void {
  for (const table of program.tables) {
    if (isVisible(table) && !info.tables.all.some((each) => each.name === table.name)) {
      throw new InputError(`table '${table.name}' of the program is not in the P4Info`);
    }
  }
}

/** The compiler makes tables of its own, which P4Info hides: without keys or filled for good. */
function isVisible(table: TableLayout): boolean {
  return table.key.length > 0 && table.entries === undefined;
}

function checkTable(pair: Pair, table: TableInfo, found: TableLayout): void {
  const { info, program, comparison } = pair;
  const where = `table '${table.name}'`;
  same(`${where}: number of key fields`, table.matchFields.all.length, found.key.length);
  table.matchFields.all.forEach((field, i) => {
    const key = found.key[i];
    const place = `${where}, key field ${i + 1}`;
    if (comparison === 'whole') sameName(place, field.name, key?.name);
    // p4c lowers an optional field to a ternary one whose mask is all ones or all zeroes.
    const isLowered = field.matchKind === 'optional' && key?.matchKind === 'ternary';
    const kind = isLowered ? 'optional' : key?.matchKind;
    same(`${place} '${field.name}': match kind`, field.matchKind, kind);
    // The compiler gives fields that are not bit<W>, such as errors, no width.
    if (field.width > 0) same(`${place} '${field.name}': width`, field.width, key?.width);
  });
  const profile = info.actionProfiles.byNumber(table.actionProfileId ?? 0)?.name ?? 'none';
  const profileFound = program.actionProfiles[found.actionProfile ?? -1]?.name ?? 'none';
  same(`${where}: action profile`, profile, profileFound);
  checkActions(
    pair,
    table,
    found.actionIds.flatMap((id) => program.actions.get(id) ?? []),
  );
  if (comparison === 'positions') return;
  // Tables filled by the program have the size that each compiler version finds fit.
  if (!table.isConst && found.entries === undefined) same(`${where}: size`, table.size, found.size);
  if (profile === 'none') {
    same(`${where}: constant default action`, table.constDefault, found.defaultIsConstant);
  }
}

function checkActions({ comparison }: Pair, table: TableInfo, found: readonly Action[]): void {
  const where = `table '${table.name}'`;
  for (const { action } of table.actions.all) {
    const place = `${where}, action '${action.name}'`;
    checkParameters(place, action, { found: byName(place, action.name, found), comparison });
  }
  if (comparison === 'positions') return;
  for (const { name } of found) {
    if (!table.actions.all.some((each) => each.name === name)) {
      throw new InputError(`${where}: action '${name}' of the program is not in the P4Info`);
    }
  }
}

function checkParameters(
  place: string,
  action: ActionInfo,
  { found, comparison }: { readonly found: Action; readonly comparison: Comparison },
): void {
  const wanted = action.parameters.all;
  same(`${place}: number of parameters`, wanted.length, found.parameters.length);
  wanted.forEach((parameter, i) => {
    const match = found.parameters[i];
    if (comparison === 'whole') {
      sameName(`${place}, parameter ${i + 1}`, parameter.name, match?.name);
    }
    same(`${place}, parameter '${parameter.name}': width`, parameter.width, match?.width);
  });
}

/**
 * Compares the counters, meters, registers, digests and value sets of a P4Info with the program.
 * @throws InputError naming the first difference.
 */
export function checkExterns(info: P4InfoIndex, program: Program): void {
  for (const { name, size } of info.counters.all) {
    same(`counter '${name}': size`, size, byName(`counter '${name}'`, name, program.counters).size);
  }
  for (const { name, size, unit } of info.meters.all) {
    const found = byName(`meter '${name}'`, name, program.meters);
    same(`meter '${name}': size`, size, found.size);
    same(`meter '${name}': unit`, unit, found.unit);
  }
  for (const { name, size, dataType } of info.registers.all) {
    const found = byName(`register '${name}'`, name, program.registers);
    same(`register '${name}': size`, size, found.size);
    if (dataType.kind === 'unsupported') continue;
    same(`register '${name}': width`, leafWidths(dataType).join('+'), String(found.width));
  }
  checkDirectResources(info, program);
  for (const { name, size } of info.valueSets.all) {
    same(
      `value set '${name}': size`,
      size,
      byName(`value set '${name}'`, name, program.valueSets).size,
    );
  }
  for (const { name, dataType } of info.digests.all) {
    const found = byName(`digest '${name}'`, name, [...program.digests.values()]);
    if (dataType.kind === 'unsupported') continue;
    same(`digest '${name}': fields`, leafWidths(dataType).length, found.elements.length);
  }
}

function checkDirectResources(info: P4InfoIndex, program: Program): void {
  const tableName = (id: number): string => info.tables.byNumber(id)?.name ?? `number ${id}`;
  for (const { name, tableId } of info.directCounters.all) {
    const table = byName(`table '${tableName(tableId)}'`, tableName(tableId), program.tables);
    same(`direct counter '${name}': of table '${table.name}'`, true, table.withCounters);
  }
  for (const { name, tableId } of info.directMeters.all) {
    const table = byName(`table '${tableName(tableId)}'`, tableName(tableId), program.tables);
    const found = program.meters[table.directMeter?.meter ?? -1]?.name;
    same(`direct meter of table '${table.name}'`, name, found);
  }
  for (const { name, idleTimeouts } of info.tables.all) {
    const { withIdleTimeout } = byName(`table '${name}'`, name, program.tables);
    same(`table '${name}': idle timeouts`, idleTimeouts, withIdleTimeout);
  }
}

type Fact = string | number | boolean | undefined;

/** @throws InputError with both values when what P4Info says is not what the program has. */
export function same(what: string, inP4Info: Fact, inProgram: Fact): void {
  if (inP4Info === inProgram) return;
  throw new InputError(`${what}: ${String(inP4Info)} in P4Info, ${String(inProgram)} in program`);
}

function sameName(place: string, inP4Info: string, inProgram: string | undefined): void {
  if (inP4Info === inProgram) return;
  const found = `${inP4Info} in P4Info, ${String(inProgram)} in program`;
  const way = 'bmv2 and --compatible bmv2 go by position';
  throw new InputError(`${place}: name: ${found}; ${way}`);
}

/**
 * The object of the program that P4Info names. `what` names kind and object for the message.
 * @throws InputError listing what there is when it is missing.
 */
export function byName<T extends { readonly name: string }>(
  what: string,
  name: string,
  found: readonly T[],
): T {
  const match = found.find((each) => each.name === name);
  if (match !== undefined) return match;
  const names = found.map((each) => each.name).join(', ') || 'none';
  throw new InputError(`${what} is not in the program, which has: ${names}`);
}
