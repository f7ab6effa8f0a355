import type { Operand, Primitive } from './json-values';

/** A header type: `[field, width]`, with optional signed and saturating flags. */
export type FieldSpec = readonly [string, number | '*', boolean?, boolean?];

export interface ActionSpec {
  readonly id: number;
  readonly name: string;
  readonly parameters?: readonly (readonly [string, number])[];
  readonly body?: readonly Primitive[];
}

/** A table as tests write it; what is left out takes p4c's usual value. */
export interface TableSpec {
  readonly name: string;
  readonly key?: readonly (readonly [kind: string, field: string, mask?: string])[];
  readonly matchType?: string;
  readonly type?: string;
  readonly actions: readonly ActionSpec[];
  readonly next?: Readonly<Record<string, string | null>>;
  readonly baseNext?: string | null;
  readonly defaultAction?: readonly [id: number, ...data: string[]];
  readonly extra?: object;
}

export interface ProgramSpec {
  readonly metadata?: readonly FieldSpec[];
  /** Header types by name. */
  readonly types?: Readonly<Record<string, readonly FieldSpec[]>>;
  /** `[instance, type]`, in order of their ids, behind the metadata. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly stacks?: readonly (readonly [name: string, type: string, size: number])[];
  readonly states?: readonly object[];
  readonly order?: readonly string[];
  readonly actions?: readonly ActionSpec[];
  readonly ingress?: ControlSpec;
  readonly egress?: ControlSpec;
  /** Further top-level members, which replace what is built. */
  readonly extra?: object;
}

export interface ControlSpec {
  readonly start: string | null;
  readonly tables?: readonly TableSpec[];
  readonly conditionals?: readonly object[];
  readonly profiles?: readonly object[];
  readonly extra?: object;
}

const STANDARD_METADATA: readonly FieldSpec[] = [
  ['ingress_port', 9],
  ['egress_spec', 9],
  ['egress_port', 9],
  ['instance_type', 32],
  ['packet_length', 32],
  ['enq_timestamp', 32],
  ['enq_qdepth', 19],
  ['deq_timedelta', 32],
  ['deq_qdepth', 19],
  ['ingress_global_timestamp', 48],
  ['egress_global_timestamp', 48],
  ['mcast_grp', 16],
  ['egress_rid', 16],
  ['checksum_error', 1],
  ['parser_error', 32],
  ['priority', 3],
  ['_padding', 3],
];

const QUEUEING = ['enq_timestamp', 'enq_qdepth', 'deq_timedelta', 'deq_qdepth'];
const ERRORS = [
  'NoError',
  'PacketTooShort',
  'NoMatch',
  'StackOutOfBounds',
  'HeaderTooShort',
  'ParserTimeout',
  'ParserInvalidArgument',
  'OwnError',
];

/** The BMv2 JSON of a program as an object, for tests that spoil it. */
export function programObject(spec: ProgramSpec = {}): Record<string, unknown> {
  const stacks = spec.stacks ?? [];
  const elements = stacks.flatMap(([name, type, size]) =>
    Array.from({ length: size }, (_, i): [string, string] => [`${name}[${i}]`, type]),
  );
  const wire = [...(spec.headers ?? []), ...elements];
  const types = {
    metadata_t: [...(spec.metadata ?? []), ['_unused', 1]] as FieldSpec[],
    standard_metadata: STANDARD_METADATA,
    ...spec.types,
  };
  const instances = [
    { name: 'm', id: 0, header_type: 'metadata_t', metadata: true },
    { name: 'standard_metadata', id: 1, header_type: 'standard_metadata', metadata: true },
    ...wire.map(([name, type], i) => ({ name, id: i + 2, header_type: type, metadata: false })),
  ];
  const firstElement = (spec.headers ?? []).length + 2;
  return {
    program: 'test.p4',
    __meta__: { version: [2, 23], compiler: 'test' },
    header_types: Object.entries(types).map(([name, fields], id) => ({ name, id, fields })),
    headers: instances,
    header_stacks: stackObjects(stacks, firstElement),
    errors: ERRORS.map((name, code) => [name, code]),
    parsers: [parserObject(spec.states ?? [acceptState('start', [])])],
    deparsers: [{ name: 'deparser', id: 0, order: spec.order ?? wire.map(([name]) => name) }],
    actions: actionObjects(spec),
    pipelines: [controlObject('ingress', 0, spec.ingress), controlObject('egress', 1, spec.egress)],
    field_aliases: QUEUEING.map((name) => [
      `queueing_metadata.${name}`,
      ['standard_metadata', name],
    ]),
    ...spec.extra,
  };
}

/** The BMv2 JSON text of a program. */
export const programText = (spec: ProgramSpec = {}): string => JSON.stringify(programObject(spec));

/** A parser state without a select. */
export const acceptState = (name: string, ops: readonly object[], next?: string): object => ({
  name,
  id: 0,
  parser_ops: ops,
  transitions: [{ type: 'default', value: null, mask: null, next_state: next ?? null }],
  transition_key: [],
});

/** A parser state with a select; transitions are `[value or default, next, mask]`. */
export const selectState = (
  name: string,
  ops: readonly object[],
  key: readonly Operand[],
  transitions: readonly (readonly [string, string | null, string?])[],
): object => ({
  name,
  id: 0,
  parser_ops: ops,
  transition_key: key,
  transitions: transitions.map(([value, next, mask]) => ({
    ...(value === 'default' ? {} : { type: 'hexstr' }),
    value,
    mask: mask ?? null,
    next_state: next,
  })),
});

export const extract = (name: string): object => ({
  op: 'extract',
  parameters: [{ type: 'regular', value: name }],
});

/** A control of one keyless table that always runs the action. */
export const alwaysRun = (action: ActionSpec): ControlSpec => ({
  start: `run_${action.name}`,
  tables: [{ name: `run_${action.name}`, actions: [action], defaultAction: [action.id] }],
});

function stackObjects(
  stacks: readonly (readonly [string, string, number])[],
  firstId: number,
): object[] {
  let id = firstId;
  return stacks.map(([name, type, size], i) => {
    const ids = Array.from({ length: size }, () => id++);
    return { name, id: i, header_type: type, size, header_ids: ids };
  });
}

function parserObject(states: readonly object[]): object {
  return { name: 'parser', id: 0, init_state: 'start', parse_states: states };
}

function actionObjects(spec: ProgramSpec): object[] {
  const tables = [...(spec.ingress?.tables ?? []), ...(spec.egress?.tables ?? [])];
  const all = [...(spec.actions ?? []), ...tables.flatMap((table) => table.actions)];
  const unique = new Map(all.map((action) => [action.id, action]));
  return [...unique.values()].map(({ id, name, parameters, body }) => ({
    name,
    id,
    runtime_data: (parameters ?? []).map(([parameter, bitwidth]) => ({
      name: parameter,
      bitwidth,
    })),
    primitives: body ?? [],
  }));
}

function controlObject(name: string, id: number, spec: ControlSpec = { start: null }): object {
  return {
    name,
    id,
    init_table: spec.start,
    tables: (spec.tables ?? []).map(tableObject),
    action_profiles: spec.profiles ?? [],
    conditionals: spec.conditionals ?? [],
    ...spec.extra,
  };
}

function tableObject(spec: TableSpec, id: number): object {
  const baseNext = spec.baseNext ?? null;
  const entry = spec.defaultAction;
  return {
    name: spec.name,
    id,
    key: (spec.key ?? []).map(([kind, target, mask]) => ({
      match_type: kind,
      name: target,
      target: [target.slice(0, target.lastIndexOf('.')), target.slice(target.lastIndexOf('.') + 1)],
      mask: mask ?? null,
    })),
    match_type: spec.matchType ?? 'exact',
    type: spec.type ?? 'simple',
    max_size: 1024,
    with_counters: false,
    support_timeout: false,
    direct_meters: null,
    action_ids: spec.actions.map((action) => action.id),
    actions: spec.actions.map((action) => action.name),
    base_default_next: baseNext,
    next_tables: spec.next ?? Object.fromEntries(spec.actions.map((a) => [a.name, baseNext])),
    ...(entry && {
      default_entry: {
        action_id: entry[0],
        action_const: false,
        action_data: entry.slice(1),
        action_entry_const: false,
      },
    }),
    ...spec.extra,
  };
}
