import { CounterArray } from '../runtime/counter-array';
import { createCalculation } from '../runtime/calculation-unit';
import { MeterArray } from '../runtime/meter';
import { RegisterArray } from '../runtime/register-array';
import { ValueSet } from '../runtime/value-set';
import { ActionProfile } from '../tables/action-profile';
import { MatchTable } from '../tables/match-table';
import { preservesState } from './preserved-state';
import type { Action, ConstantEntry, Program, TableLayout } from '../ir/nodes';
import type { Instant } from '../../common/units/units';
import type { DigestSample, DigestSink, ProgramControl } from '../control/program-control';
import type { CalculationUnit } from '../runtime/calculation-unit';
import type { ActionSignature, PipelineControl, TableEntry } from '../control/table-control';

/** P4Runtime servers of bmv2 invert priorities around this number, the largest int32. */
const RANK_ORIGIN = 2 ** 31 - 1;

/**
 * All state of a running program. Its control plane sees it by name, executors by the indices of
 * the program.
 */
export class ProgramState implements PipelineControl, ProgramControl {
  readonly tables: ReadonlyMap<string, MatchTable>;
  readonly actionProfiles: ReadonlyMap<string, ActionProfile>;
  readonly registers: ReadonlyMap<string, RegisterArray>;
  readonly counters: ReadonlyMap<string, CounterArray>;
  readonly meters: ReadonlyMap<string, MeterArray>;
  readonly valueSets: ReadonlyMap<string, ValueSet>;
  readonly hashes: ReadonlyMap<string, CalculationUnit>;
  readonly tableList: readonly MatchTable[];
  readonly profileList: readonly ActionProfile[];
  readonly registerList: readonly RegisterArray[];
  readonly counterList: readonly CounterArray[];
  /** Direct meters are here too, without cells. */
  readonly meterList: readonly MeterArray[];
  readonly valueSetList: readonly ValueSet[];
  /** The calculations of the program, with their settings. */
  readonly calculationList: readonly CalculationUnit[];
  /** The hash of each action profile that has a selector. */
  readonly selectorList: readonly (CalculationUnit | undefined)[];
  /** The present instant, set before each packet. */
  now: Instant = 0;
  #learn: DigestSink = () => undefined;
  readonly #program: Program;

  /**
   * @param old of a program whose state has a place in this one, see {@link preservesState}: its tables
   * and arrays become this state's, with all that is in them.
   */
  constructor(program: Program, old?: ProgramState) {
    this.#program = program;
    this.now = old?.now ?? 0;
    this.profileList = createProfiles(program, old);
    this.tableList = program.tables.map((layout) => this.#createTable(layout, old));
    this.registerList = program.registers.map(
      ({ name, size, width }) => old?.registers.get(name) ?? new RegisterArray(name, size, width),
    );
    this.counterList = program.counters.map(
      ({ name, size }) => old?.counters.get(name) ?? new CounterArray(name, size),
    );
    this.meterList = program.meters.map(({ name, size, unit, direct }) => {
      return old?.meters.get(name) ?? new MeterArray(name, direct ? 0 : size, unit);
    });
    this.valueSetList = program.valueSets.map(({ name, size, fieldWidths }) => {
      return old?.valueSets.get(name) ?? new ValueSet(name, size, fieldWidths);
    });
    this.calculationList = program.calculations.map(({ name, algorithm }) => {
      const known = old?.hashes.get(name);
      return known?.algorithm === algorithm ? known : createCalculation(name, algorithm);
    });
    this.selectorList = program.actionProfiles.map(
      ({ name, selector }) => selector && createCalculation(name, selector.algorithm),
    );
    this.meters = byName(this.meterList.filter((_, i) => program.meters[i]?.direct === false));
    this.valueSets = byName(this.valueSetList);
    this.hashes = byName(this.calculationList);
    this.tables = byName(this.tableList);
    this.actionProfiles = byName(this.profileList);
    this.registers = byName(this.registerList);
    this.counters = byName(this.counterList);
  }

  /**
   * The state of a program that takes the place of this one's: all that is here is kept, and this
   * object is of no more use. Undefined, and nothing has changed, when some of it has no place there.
   */
  successor(program: Program): ProgramState | undefined {
    return preservesState(this.#program, program) ? new ProgramState(program, this) : undefined;
  }

  get entryResources(): ReadonlyMap<string, MatchTable> {
    return this.tables;
  }

  onDigest(learn: DigestSink): void {
    this.#learn = learn;
  }

  /** Passes a digest to its subscriber. */
  learn(digest: string, sample: DigestSample): void {
    this.#learn(digest, sample);
  }

  tableAction(table: string, action: string): ActionSignature | undefined {
    return this.tables.get(table)?.action(action);
  }

  profileAction(profile: string, action: string): ActionSignature | undefined {
    return this.actionProfiles.get(profile)?.action(action);
  }

  action(id: number): ActionSignature | undefined {
    return this.#program.actions.get(id);
  }

  /** One for all states of the program. */
  get actions(): object {
    return this.#program.actions;
  }

  #createTable(layout: TableLayout, old: ProgramState | undefined): MatchTable {
    const { actionProfile } = layout;
    const options = {
      ...layout,
      clock: this,
      actions: signatures(this.#program.actions, layout.actionIds),
      profile: actionProfile === undefined ? undefined : this.profileList[actionProfile],
      constantEntries: layout.entries && constantEntries(layout, layout.entries),
    };
    // Without a key it has nothing but its default action, which may be another statement now.
    const known = layout.defaultIsConstant && layout.key.length === 0 ? undefined : old;
    const table = known?.tables.get(layout.name);
    table?.continueIn(options);
    return table ?? new MatchTable(options);
  }
}

function byName<T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((item) => [item.name, item]));
}

function signatures(
  actions: ReadonlyMap<number, Action>,
  ids: readonly number[],
): ReadonlyMap<number, ActionSignature> {
  const known = ids.flatMap((id) => actions.get(id) ?? []);
  return new Map(known.map((action) => [action.id, action]));
}

/** Members may call every action of every table that uses the profile. */
function createProfiles(program: Program, old: ProgramState | undefined): ActionProfile[] {
  return program.actionProfiles.map(({ name, size, selector }, index) => {
    const users = program.tables.filter((table) => table.actionProfile === index);
    const ids = users.flatMap((table) => table.actionIds);
    const actions = signatures(program.actions, ids);
    const profile = old?.actionProfiles.get(name);
    profile?.continueIn(actions);
    return (
      profile ?? new ActionProfile({ name, size, withSelector: selector !== undefined, actions })
    );
  });
}

/** In the JSON the smaller rank wins; inside, as in P4Runtime, the larger priority. */
function constantEntries(layout: TableLayout, entries: readonly ConstantEntry[]): TableEntry[] {
  const ranked = layout.matchKind !== 'exact' && layout.matchKind !== 'lpm';
  return entries.map(({ key, rank, call }) => ({
    key,
    priority: ranked ? RANK_ORIGIN - rank : 0,
    action: { kind: 'call', call },
  }));
}
