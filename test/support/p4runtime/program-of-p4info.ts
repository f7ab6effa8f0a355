import { leafWidths } from '../../../common/p4runtime/data-type';
import type {
  ActionInfo,
  ActionProfileInfo,
  P4InfoIndex,
  TableInfo,
} from '../../../common/p4runtime/p4info';

type Json = Readonly<Record<string, unknown>>;

/**
 * BMv2 JSON with all that a P4Info declares, and no packet processing: what a switch of state alone
 * needs to stand in for a target whose compiled program only that target reads.
 */
export function programOfP4Info(info: P4InfoIndex): string {
  const actions = new Map(info.actions.all.map((action, id) => [action.name, id]));
  const tables = info.tables.all.map((table) => tableOf(info, table, actions));
  return JSON.stringify({
    __meta__: { version: [2, 23], compiler: 'none' },
    header_types: [{ name: 'scalars_t', fields: keyFields(info) }],
    headers: [{ name: 'scalars', id: 0, header_type: 'scalars_t', metadata: true }],
    parsers: [{ name: 'parser', init_state: 'start', parse_states: [START] }],
    deparsers: [{ name: 'deparser', order: [] }],
    actions: info.actions.all.map((action, id) => actionOf(action, id)),
    pipelines: [
      pipeline('ingress', tables, info.actionProfiles.all.map(profileOf)),
      pipeline('egress', [], []),
    ],
    counter_arrays: info.counters.all.map(({ name, size }) => ({ name, size, is_direct: false })),
    register_arrays: info.registers.all.map(({ name, size, dataType }) => {
      const [bitwidth] = dataType.kind === 'unsupported' ? [] : leafWidths(dataType);
      return { name, size, bitwidth };
    }),
  });
}

const START = {
  ...{ name: 'start', parser_ops: [], transition_key: [] },
  transitions: [{ type: 'default', value: null, mask: null, next_state: null }],
};

const pipeline = (name: string, tables: readonly Json[], profiles: readonly Json[]): Json => ({
  ...{ name, init_table: null, tables, action_profiles: profiles, conditionals: [] },
});

const actionOf = ({ name, parameters }: ActionInfo, id: number): Json => ({
  ...{ name, id, primitives: [] },
  runtime_data: parameters.all.map((each) => ({ name: each.name, bitwidth: each.width })),
});

const profileOf = ({ name, size, withSelector }: ActionProfileInfo): Json => ({
  ...{ name, max_size: size },
  ...(withSelector && { selector: { algo: 'crc16', input: [] } }),
});

/** Every key of every table is a field of its own. */
const keyName = (table: string, key: string): string => `${table}|${key}`;

function keyFields(info: P4InfoIndex): (readonly [string, number, boolean])[] {
  const fields = info.tables.all.flatMap(({ name: table, matchFields }) =>
    matchFields.all.map(({ name, width }) => [keyName(table, name), width, false] as const),
  );
  const bits = fields.reduce((sum, [, width]) => sum + width, 0);
  return [...fields, ['_padding', 8 - (bits % 8), false] as const];
}

function tableOf(info: P4InfoIndex, table: TableInfo, ids: ReadonlyMap<string, number>): Json {
  const key = table.matchFields.all.map(({ name, matchKind }) => ({
    ...{ name, match_type: matchKind, target: ['scalars', keyName(table.name, name)] },
  }));
  const names = table.actions.all.map(({ name }) => name);
  const kinds = table.matchFields.all.map(({ matchKind }) => matchKind);
  const profile = info.actionProfiles.byNumber(table.actionProfileId ?? 0);
  const type = profile === undefined ? 'simple' : profile.withSelector ? 'indirect_ws' : 'indirect';
  return {
    ...{ name: table.name, key, type, max_size: table.size },
    match_type: (['ternary', 'range', 'lpm'] as const).find((k) => kinds.includes(k)) ?? 'exact',
    actions: names,
    action_ids: names.map((name) => ids.get(name)),
    ...{ base_default_next: null, next_tables: {} },
    ...(profile !== undefined && { action_profile: profile.name }),
    ...defaultOf(info, table, ids),
  };
}

function defaultOf(info: P4InfoIndex, table: TableInfo, ids: ReadonlyMap<string, number>): Json {
  const { initialDefault: call, constDefault } = table;
  if (call === undefined) return {};
  const data = call.arguments.map(({ value }) => `0x${Buffer.from(value).toString('hex')}`);
  const name = info.actions.byNumber(call.actionId)?.name ?? '';
  return {
    default_entry: {
      ...{ action_id: ids.get(name), action_data: data },
      ...{ action_const: constDefault, action_entry_const: constDefault },
    },
  };
}
