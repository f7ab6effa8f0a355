import { InputError } from '../errors';
import type * as p4info from './generated/p4/config/v1/p4info';
import {
  ActionRefScope,
  MatchFieldMatchType,
  TableIdleTimeoutBehavior,
} from './generated/p4/config/v1/p4info';
import type { MatchKind } from './key-field';
import { NameIndex } from './name-index';
import type { NamedObject } from './name-index';
import * as externs from './p4info-externs';
import { named } from './p4info-externs';

export type { SizedInfo } from './p4info-externs';

/** A key field or an action parameter. */
export interface FieldInfo extends NamedObject {
  /** Width in bits. */
  readonly width: number;
}

export interface MatchFieldInfo extends FieldInfo {
  readonly matchKind: MatchKind;
}

export interface ActionInfo extends NamedObject {
  readonly parameters: NameIndex<FieldInfo>;
}

/** An action as one table lists it, with the places where entries may use it. */
export interface TableActionInfo extends NamedObject {
  readonly action: ActionInfo;
  readonly inEntries: boolean;
  readonly asDefault: boolean;
}

export interface TableInfo extends NamedObject {
  readonly matchFields: NameIndex<MatchFieldInfo>;
  readonly actions: NameIndex<TableActionInfo>;
  /** Number of the action profile of an indirect table. */
  readonly actionProfileId: number | undefined;
  readonly size: number;
  readonly isConst: boolean;
  /** True if the program fixes the default action. */
  readonly constDefault: boolean;
  /** Default action of the program itself, where P4Info states it. */
  readonly initialDefault: p4info.TableActionCall | undefined;
  /** True if entries need a priority: some key field is ternary, range or optional. */
  readonly needsPriority: boolean;
  /** True if entries may have an idle timeout. */
  readonly idleTimeouts: boolean;
  /** True if the program declares initial entries. */
  readonly hasInitialEntries: boolean;
  /** Numbers of the direct counters and meters that belong to the table. */
  readonly directResourceIds: readonly number[];
}

export interface ActionProfileInfo extends NamedObject {
  readonly tableIds: readonly number[];
  readonly withSelector: boolean;
  readonly size: number;
  /** Largest group, 0 when the program does not limit groups. */
  readonly maxGroupSize: number;
  /** Meaning of a group's size: the sum of its weights or the number of its members. */
  readonly sizeSemantics: 'sum-of-weights' | 'sum-of-members';
  /** Largest weight of a member where members are counted; 0 for no limit. */
  readonly maxMemberWeight: number;
  readonly weightsDisallowed: boolean;
}

/** A set of values that a parser state selects on and the control plane fills. */
export interface ValueSetInfo extends externs.SizedInfo {
  readonly matchFields: NameIndex<MatchFieldInfo>;
}

/** The objects of a P4Info by name and number, checked once for references that lead nowhere. */
export class P4InfoIndex {
  readonly tables: NameIndex<TableInfo>;
  readonly actions: NameIndex<ActionInfo>;
  readonly actionProfiles: NameIndex<ActionProfileInfo>;
  readonly counters: NameIndex<externs.CounterInfo>;
  readonly directCounters: NameIndex<externs.DirectCounterInfo>;
  readonly meters: NameIndex<externs.MeterInfo>;
  readonly directMeters: NameIndex<externs.DirectMeterInfo>;
  readonly registers: NameIndex<externs.RegisterInfo>;
  readonly digests: NameIndex<externs.DigestInfo>;
  readonly valueSets: NameIndex<ValueSetInfo>;
  readonly packetHeaders: NameIndex<externs.PacketHeaderInfo>;
  readonly externTypes: NameIndex<externs.ExternTypeInfo>;

  private static readonly known = new WeakMap<p4info.P4Info, P4InfoIndex>();

  /** The index of a P4Info that does not change any more, made once. @throws InputError likewise. */
  static of(info: p4info.P4Info): P4InfoIndex {
    const index = this.known.get(info) ?? new P4InfoIndex(info);
    this.known.set(info, index);
    return index;
  }

  /** @throws InputError when the P4Info contradicts itself. */
  constructor(info: p4info.P4Info) {
    this.actions = new NameIndex('action', info.actions.map(actionInfo));
    this.actionProfiles = new NameIndex('action profile', info.actionProfiles.map(profileInfo));
    const tables = info.tables.map((table) => tableInfo(table, this.actions, this.actionProfiles));
    this.tables = new NameIndex('table', tables);
    const types = info.hasTypeInfo ? info.typeInfo : undefined;
    const registers = info.registers.map((each) => externs.registerInfo(each, types));
    const digests = info.digests.map((each) => externs.digestInfo(each, types));
    const headers = info.controllerPacketMetadata.map(externs.packetHeaderInfo);
    const directCounters = info.directCounters.map(externs.directCounterInfo);
    const directMeters = info.directMeters.map(externs.directMeterInfo);
    this.counters = new NameIndex('counter', info.counters.map(externs.counterInfo));
    this.directCounters = new NameIndex('direct counter', directCounters);
    this.meters = new NameIndex('meter', info.meters.map(externs.meterInfo));
    this.directMeters = new NameIndex('direct meter', directMeters);
    this.registers = new NameIndex('register', registers);
    this.digests = new NameIndex('digest', digests);
    this.valueSets = new NameIndex('value set', info.valueSets.map(valueSetInfo));
    this.packetHeaders = new NameIndex('controller header', headers);
    this.externTypes = new NameIndex('extern type', info.externs.map(externs.externTypeInfo));
  }
}

function fieldInfo(field: { id: number; name: string; bitwidth: number }): FieldInfo {
  return { id: field.id, name: field.name, alias: field.name, width: field.bitwidth };
}

function actionInfo(action: p4info.Action): ActionInfo {
  const parameters = action.params.map(fieldInfo);
  return { ...named(action), parameters: new NameIndex('parameter', parameters) };
}

function profileInfo(profile: p4info.ActionProfile): ActionProfileInfo {
  return {
    ...named(profile),
    tableIds: profile.tableIds,
    withSelector: profile.withSelector,
    size: Number(profile.size),
    maxGroupSize: profile.maxGroupSize,
    sizeSemantics: profile.hasSumOfMembers ? 'sum-of-members' : 'sum-of-weights',
    maxMemberWeight: profile.hasSumOfMembers ? profile.sumOfMembers.maxMemberWeight : 0,
    weightsDisallowed: profile.weightsDisallowed,
  };
}

function valueSetInfo(set: p4info.ValueSet): ValueSetInfo {
  const name = named(set);
  const fields = set.match.map((field) => matchFieldInfo(field, `value set '${name.name}'`));
  return { ...name, size: set.size, matchFields: new NameIndex('match field', fields) };
}

function tableInfo(
  table: p4info.Table,
  actions: NameIndex<ActionInfo>,
  profiles: NameIndex<ActionProfileInfo>,
): TableInfo {
  const name = named(table);
  const matchFields = table.matchFields.map((field) =>
    matchFieldInfo(field, `table '${name.name}'`),
  );
  const refs = table.actionRefs.map((ref) => tableAction(ref, name.name, actions));
  const profileId = table.implementationId;
  if (profileId !== 0 && profiles.byNumber(profileId) === undefined) {
    throw new InputError(`P4Info: table '${name.name}' names action profile ${profileId}: missing`);
  }
  return {
    ...name,
    matchFields: new NameIndex('match field', matchFields),
    actions: new NameIndex('action', refs),
    actionProfileId: profileId === 0 ? undefined : profileId,
    size: Number(table.size),
    isConst: table.isConstTable,
    constDefault: table.constDefaultActionId !== 0,
    initialDefault: table.hasInitialDefaultAction ? table.initialDefaultAction : undefined,
    needsPriority: matchFields.some((each) => !['exact', 'lpm'].includes(each.matchKind)),
    idleTimeouts: table.idleTimeoutBehavior === TableIdleTimeoutBehavior.NOTIFY_CONTROL,
    hasInitialEntries: table.hasInitialEntries,
    directResourceIds: table.directResourceIds,
  };
}

function tableAction(
  ref: p4info.ActionRef,
  table: string,
  actions: NameIndex<ActionInfo>,
): TableActionInfo {
  const action = actions.byNumber(ref.id);
  if (action === undefined) {
    throw new InputError(`P4Info: table '${table}' names action ${ref.id}: missing`);
  }
  const { id, name, alias } = action;
  const groupOnly = ref.scope === ActionRefScope.GROUP_ACTION;
  const inEntries = ref.scope !== ActionRefScope.DEFAULT_ONLY && !groupOnly;
  const asDefault = ref.scope !== ActionRefScope.TABLE_ONLY && !groupOnly;
  return { id, name, alias, action, inEntries, asDefault };
}

const MATCH_KINDS = new Map<MatchFieldMatchType, MatchKind>([
  [MatchFieldMatchType.EXACT, 'exact'],
  [MatchFieldMatchType.LPM, 'lpm'],
  [MatchFieldMatchType.TERNARY, 'ternary'],
  [MatchFieldMatchType.RANGE, 'range'],
  [MatchFieldMatchType.OPTIONAL, 'optional'],
]);

function matchFieldInfo(field: p4info.MatchField, where: string): MatchFieldInfo {
  const matchKind = MATCH_KINDS.get(field.matchType);
  if (matchKind === undefined) {
    const found = field.otherMatchType || 'no match kind';
    throw new InputError(`P4Info: ${where}, field '${field.name}': ${found}`);
  }
  return { ...fieldInfo(field), matchKind };
}
