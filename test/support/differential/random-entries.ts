import type { Random } from '../../../common/random/random';
import type { KeyPart, Program, TableLayout } from '../../../switch/ir/nodes';
import { StateError } from '../../../switch/control/table-control';
import type { ActionCall, EntryAction, TableEntry } from '../../../switch/control/table-control';
import type { KeyField } from '../../../common/p4runtime/key-field';
import type { ProgramState } from '../../../switch/state/program-state';
import { randomByte } from './random-packets';

const ENTRIES_MAX = 12;
const MEMBERS = 6;
const PRIORITIES = 20;
const METER_CELLS = 4;

/** Random entries for all tables of several states, the same for each. */
export function fillTables(
  program: Program,
  states: readonly ProgramState[],
  random: Random,
): void {
  program.actionProfiles.forEach((profile, index) => {
    const users = program.tables.filter(({ actionProfile }) => actionProfile === index);
    const actionIds = users.flatMap((table) => table.actionIds);
    for (let id = 1; id <= MEMBERS; id++) {
      const call = randomCall(program, actionIds, random);
      const weight = 1 + random.below(3);
      for (const state of states) {
        const target = state.profileList[index];
        target?.insertMember(id, call);
        // Groups of one to six members; the last is empty.
        if (profile.selector === undefined) continue;
        const members = Array.from({ length: MEMBERS - id }, (_, i) => ({
          memberId: i + 1,
          weight,
        }));
        const known = members.filter(({ memberId }) => memberId <= id);
        target?.insertGroup(id, known, 0);
      }
    }
  });
  for (const table of program.tables) fillTable(program, table, { states, random });
  fillValueSets(program, states, random);
  configureMeters(program, states, random);
}

function fillValueSets(program: Program, states: readonly ProgramState[], random: Random): void {
  program.valueSets.forEach(({ fieldWidths }, index) => {
    const member = fieldWidths.map((width): KeyField => {
      return { kind: 'exact', value: randomValue(width, random) };
    });
    for (const state of states) state.valueSetList[index]?.setMembers([member]);
  });
}

function configureMeters(program: Program, states: readonly ProgramState[], random: Random): void {
  program.meters.forEach(({ size }, index) => {
    for (let cell = 0; cell < Math.min(size, METER_CELLS); cell++) {
      const rate = 1 + random.below(1_000_000);
      const settings = {
        committedRate: rate,
        committedBurst: 1 + random.below(3),
        peakRate: 2 * rate,
        peakBurst: 1 + random.below(6),
      };
      for (const state of states) state.meterList[index]?.configure(cell, settings);
    }
  });
}

function fillTable(
  program: Program,
  table: TableLayout,
  { states, random }: { readonly states: readonly ProgramState[]; readonly random: Random },
): void {
  if (table.key.length === 0 || table.entries !== undefined) return;
  const ranked = table.matchKind !== 'exact' && table.matchKind !== 'lpm';
  for (let i = random.below(ENTRIES_MAX); i > 0; i--) {
    const entry = {
      key: table.key.map((part) => randomKey(part, random)),
      priority: ranked ? 1 + random.below(PRIORITIES) : 0,
      action: randomAction(program, table, random),
    };
    for (const state of states) insertUnlessPresent(state, table, entry);
  }
}

function insertUnlessPresent(state: ProgramState, table: TableLayout, entry: TableEntry): void {
  try {
    state.tableList[table.index]?.insert(entry);
  } catch (error) {
    const expected = error instanceof StateError && error.code !== 'invalid';
    if (!expected) throw error;
  }
}

function randomAction(program: Program, table: TableLayout, random: Random): EntryAction {
  if (table.actionProfile === undefined) {
    return { kind: 'call', call: randomCall(program, table.actionIds, random) };
  }
  const id = 1 + random.below(MEMBERS);
  const grouped = program.actionProfiles[table.actionProfile]?.selector !== undefined;
  if (grouped && random.below(2) === 0) return { kind: 'group', groupId: id };
  return { kind: 'member', memberId: id };
}

function randomCall(program: Program, actionIds: readonly number[], random: Random): ActionCall {
  const actionId = actionIds[random.below(actionIds.length)] ?? -1;
  const parameters = program.actions.get(actionId)?.parameters ?? [];
  return { actionId, arguments: parameters.map(({ width }) => randomValue(width, random)) };
}

function randomKey(part: KeyPart, random: Random): KeyField {
  const { width, mask: kept = -1n } = part;
  // Bits that the table clears before matching would keep the entry from ever matching.
  const value = randomValue(width, random) & kept;
  switch (part.matchKind) {
    case 'exact':
      return { kind: 'exact', value };
    case 'lpm': {
      const prefixLength = random.below(width + 1);
      const free = BigInt(width - prefixLength);
      return { kind: 'lpm', value: (value >> free) << free, prefixLength };
    }
    case 'ternary': {
      const mask = randomValue(width, random);
      return { kind: 'ternary', value: value & mask, mask };
    }
    case 'optional': {
      const mask = random.below(2) === 0 ? 0n : (1n << BigInt(width)) - 1n;
      return { kind: 'ternary', value: value & mask, mask };
    }
    case 'range': {
      const other = randomValue(width, random) & kept;
      return value < other
        ? { kind: 'range', low: value, high: other }
        : { kind: 'range', low: other, high: value };
    }
  }
}

function randomValue(width: number, random: Random): bigint {
  let value = 0n;
  for (let bits = 0; bits < width; bits += 8) value = (value << 8n) | BigInt(randomByte(random));
  return BigInt.asUintN(width, value);
}
