/**
 * A small learning switch with everything that P4Runtime can write besides action profiles, as p4c
 * would compile it:
 *
 *   parser    packet_out behind the CPU port 510; the value set trusted_types selects ether types
 *   ingress   smac   exact source: learn is a digest of source and port; idle timeouts, counter
 *             dmac   ternary destination: forward, flood (multicast), to_cpu, mirror (clone), deny;
 *                    direct meter and counter
 *             counter rx by port, meter police by port, registers last_source, balance (signed)
 */
export const CPU_PORT = 510;

export const EXTERNS_P4INFO = `
pkg_info { arch: "v1model" }
tables {
  preamble { id: 33554433 name: "ingress.smac" alias: "smac" }
  match_fields { id: 1 name: "hdr.ethernet.src_addr" bitwidth: 48 match_type: EXACT }
  action_refs { id: 16777217 }
  action_refs { id: 16777216 }
  initial_default_action { action_id: 16777217 }
  direct_resource_ids: 318767361
  size: 64
  idle_timeout_behavior: NOTIFY_CONTROL
}
tables {
  preamble { id: 33554434 name: "ingress.dmac" alias: "dmac" }
  match_fields { id: 1 name: "hdr.ethernet.dst_addr" bitwidth: 48 match_type: TERNARY }
  action_refs { id: 16777218 }
  action_refs { id: 16777219 }
  action_refs { id: 16777220 }
  action_refs { id: 16777221 }
  action_refs { id: 16777222 }
  initial_default_action { action_id: 16777222 }
  direct_resource_ids: 318767362
  direct_resource_ids: 352321537
  size: 64
}
actions { preamble { id: 16777216 name: "NoAction" alias: "NoAction" } }
actions { preamble { id: 16777217 name: "ingress.learn" alias: "learn" } }
actions {
  preamble { id: 16777218 name: "ingress.forward" alias: "forward" }
  params { id: 1 name: "port" bitwidth: 9 }
}
actions {
  preamble { id: 16777219 name: "ingress.flood" alias: "flood" }
  params { id: 1 name: "group" bitwidth: 16 }
}
actions { preamble { id: 16777220 name: "ingress.to_cpu" alias: "to_cpu" } }
actions {
  preamble { id: 16777221 name: "ingress.mirror" alias: "mirror" }
  params { id: 1 name: "port" bitwidth: 9 }
}
actions { preamble { id: 16777222 name: "ingress.deny" alias: "deny" } }
counters {
  preamble { id: 301989889 name: "ingress.rx" alias: "rx" }
  spec { unit: BOTH }
  size: 8
}
direct_counters {
  preamble { id: 318767361 name: "ingress.smac_hits" alias: "smac_hits" }
  spec { unit: PACKETS }
  direct_table_id: 33554433
}
direct_counters {
  preamble { id: 318767362 name: "ingress.dmac_hits" alias: "dmac_hits" }
  spec { unit: BOTH }
  direct_table_id: 33554434
}
meters {
  preamble { id: 335544321 name: "ingress.police" alias: "police" }
  spec { unit: BYTES }
  size: 8
}
direct_meters {
  preamble { id: 352321537 name: "ingress.dmac_rate" alias: "dmac_rate" }
  spec { unit: PACKETS }
  direct_table_id: 33554434
}
registers {
  preamble { id: 369098753 name: "ingress.last_source" alias: "last_source" }
  type_spec { bitstring { bit { bitwidth: 48 } } }
  size: 8
}
registers {
  preamble { id: 369098754 name: "ingress.balance" alias: "balance" }
  type_spec { bitstring { int { bitwidth: 16 } } }
  size: 4
}
digests {
  preamble { id: 385875969 name: "learnt_t" alias: "learnt_t" }
  type_spec { struct { name: "learnt_t" } }
}
value_sets {
  preamble { id: 50331649 name: "trusted_types" alias: "trusted_types" }
  match { id: 1 name: "" bitwidth: 16 match_type: EXACT }
  size: 4
}
controller_packet_metadata {
  preamble { id: 67108865 name: "packet_in" alias: "packet_in" annotations: "@controller_header(\\"packet_in\\")" }
  metadata { id: 1 name: "ingress_port" bitwidth: 9 }
  metadata { id: 2 name: "_pad" annotations: "@padding" bitwidth: 7 }
}
controller_packet_metadata {
  preamble { id: 67108866 name: "packet_out" alias: "packet_out" annotations: "@controller_header(\\"packet_out\\")" }
  metadata { id: 1 name: "egress_port" bitwidth: 9 }
  metadata { id: 2 name: "_pad" annotations: "@padding" bitwidth: 7 }
}
type_info {
  structs {
    key: "learnt_t"
    value {
      members { name: "source" type_spec { bitstring { bit { bitwidth: 48 } } } }
      members { name: "port" type_spec { bitstring { bit { bitwidth: 9 } } } }
    }
  }
}
`;

type Json = Readonly<Record<string, unknown>>;

function externsProgram(): Json {
  return {
    program: 'externs.p4',
    __meta__: { version: [2, 23], compiler: 'sample' },
    header_types: [
      { name: 'scalars_0', id: 0, fields: bits({ color: 32 }) },
      { name: 'standard_metadata', id: 1, fields: STANDARD_METADATA },
      { name: 'ethernet_t', id: 2, fields: bits({ dst_addr: 48, src_addr: 48, ether_type: 16 }) },
      { name: 'packet_in_t', id: 3, fields: bits({ ingress_port: 9, _pad: 7 }) },
      { name: 'packet_out_t', id: 4, fields: bits({ egress_port: 9, _pad: 7 }) },
    ],
    headers: [
      header(0, 'scalars', 'scalars_0', true),
      header(1, 'standard_metadata', 'standard_metadata', true),
      header(2, 'ethernet', 'ethernet_t'),
      header(3, 'packet_in', 'packet_in_t'),
      header(4, 'packet_out', 'packet_out_t'),
    ],
    field_lists: [],
    learn_lists: [
      {
        id: 1,
        name: 'learnt_t',
        elements: [field('ethernet', 'src_addr'), field('standard_metadata', 'ingress_port')],
      },
    ],
    parse_vsets: [{ name: 'trusted_types', id: 0, compressed_bitwidth: 16, max_size: 4 }],
    parsers: [{ name: 'parser', id: 0, init_state: 'start', parse_states: parseStates() }],
    deparsers: [{ name: 'deparser', id: 0, order: ['packet_in', 'ethernet'] }],
    counter_arrays: [
      { name: 'ingress.rx', id: 0, size: 8, is_direct: false },
      { name: 'ingress.smac_hits', id: 1, is_direct: true, binding: 'ingress.smac' },
      { name: 'ingress.dmac_hits', id: 2, is_direct: true, binding: 'ingress.dmac' },
    ],
    meter_arrays: [
      { name: 'ingress.police', id: 0, is_direct: false, size: 8, rate_count: 2, type: 'bytes' },
      {
        name: 'ingress.dmac_rate',
        id: 1,
        is_direct: true,
        rate_count: 2,
        type: 'packets',
        binding: 'ingress.dmac',
        result_target: ['scalars', 'color'],
      },
    ],
    register_arrays: [
      { name: 'ingress.last_source', id: 0, size: 8, bitwidth: 48 },
      { name: 'ingress.balance', id: 1, size: 4, bitwidth: 16 },
    ],
    actions: actions(),
    pipelines: [ingress(), pipeline('egress', 1, null, [])],
  };
}

function ingress(): Json {
  const tables = [
    table('send', { id: 0, actions: { send: 7 }, default_entry: fixed(7) }),
    table('account', {
      ...{ id: 1, actions: { account: 8 }, default_entry: fixed(8) },
      next: 'ingress.smac',
    }),
    table('ingress.smac', {
      ...{ id: 2, key: [key('exact', 'src_addr')], max_size: 64 },
      ...{ actions: { 'ingress.learn': 1, NoAction: 0 }, default_entry: { action_id: 1 } },
      ...{ with_counters: true, support_timeout: true, next: 'ingress.dmac' },
    }),
    table('ingress.dmac', {
      ...{ id: 3, key: [key('ternary', 'dst_addr')], max_size: 64, match_type: 'ternary' },
      actions: {
        ...{ 'ingress.forward': 2, 'ingress.flood': 3, 'ingress.to_cpu': 4 },
        ...{ 'ingress.mirror': 5, 'ingress.deny': 6 },
      },
      default_entry: { action_id: 6 },
      ...{ with_counters: true, direct_meters: 'ingress.dmac_rate' },
    }),
  ];
  const valid = { op: 'd2b', left: null, right: field('packet_out', '$valid$') };
  const expression = { type: 'expression', value: valid };
  const branch = { name: 'node_2', id: 0, expression, true_next: 'send', false_next: 'account' };
  return { ...pipeline('ingress', 0, 'node_2', tables), conditionals: [branch] };
}

function parseStates(): Json[] {
  const toDefault = (next: string | null): Json => {
    return { type: 'default', value: 'default', mask: null, next_state: next };
  };
  const extract = (name: string): Json => {
    return { op: 'extract', parameters: [{ type: 'regular', value: name }] };
  };
  const ofCpu = { type: 'hexstr', value: '0x01fe', mask: null, next_state: 'parse_packet_out' };
  const trusted = { type: 'parse_vset', value: 'trusted_types', mask: null, next_state: null };
  return [
    {
      ...{ name: 'start', id: 0, parser_ops: [] },
      transitions: [ofCpu, toDefault('parse_ethernet')],
      transition_key: [field('standard_metadata', 'ingress_port')],
    },
    {
      ...{ name: 'parse_packet_out', id: 1, parser_ops: [extract('packet_out')] },
      transitions: [toDefault('parse_ethernet')],
      transition_key: [],
    },
    {
      ...{ name: 'parse_ethernet', id: 2, parser_ops: [extract('ethernet')] },
      transitions: [trusted, toDefault(null)],
      transition_key: [field('ethernet', 'ether_type')],
    },
  ];
}

function actions(): Json[] {
  const port = field('standard_metadata', 'egress_spec');
  const from = field('standard_metadata', 'ingress_port');
  const data = { type: 'runtime_data', value: 0 };
  const hex = (value: number): Json => ({ type: 'hexstr', value: `0x${value.toString(16)}` });
  const mirror = [call('assign', port, data), call('clone_ingress_pkt_to_egress', hex(5), hex(0))];
  const toCpu = [
    call('assign', port, hex(CPU_PORT)),
    call('add_header', { type: 'header', value: 'packet_in' }),
    call('assign', field('packet_in', 'ingress_port'), from),
  ];
  const send = [
    call('assign', port, field('packet_out', 'egress_port')),
    call('remove_header', { type: 'header', value: 'packet_out' }),
  ];
  const account = [
    call('count', { type: 'counter_array', value: 'ingress.rx' }, from),
    call('register_write', register('ingress.last_source'), from, field('ethernet', 'src_addr')),
  ];
  return [
    action(0, 'NoAction', {}),
    action(1, 'ingress.learn', {}, call('generate_digest', hex(1), hex(1))),
    action(2, 'ingress.forward', { port: 9 }, call('assign', port, data)),
    action(
      3,
      'ingress.flood',
      { group: 16 },
      call('assign', field('standard_metadata', 'mcast_grp'), data),
    ),
    action(4, 'ingress.to_cpu', {}, ...toCpu),
    action(5, 'ingress.mirror', { port: 9 }, ...mirror),
    action(
      6,
      'ingress.deny',
      {},
      call('mark_to_drop', { type: 'header', value: 'standard_metadata' }),
    ),
    action(7, 'send', {}, ...send),
    action(8, 'account', {}, ...account),
  ];
}

const STANDARD_METADATA = bits({
  ingress_port: 9,
  egress_spec: 9,
  egress_port: 9,
  instance_type: 32,
  packet_length: 32,
  enq_timestamp: 32,
  enq_qdepth: 19,
  deq_timedelta: 32,
  deq_qdepth: 19,
  ingress_global_timestamp: 48,
  egress_global_timestamp: 48,
  mcast_grp: 16,
  egress_rid: 16,
  checksum_error: 1,
  parser_error: 32,
  priority: 3,
  _padding: 3,
});

function bits(fields: Readonly<Record<string, number>>): (string | number | boolean)[][] {
  return Object.entries(fields).map(([name, width]) => [name, width, false]);
}

function header(id: number, name: string, type: string, metadata = false): Json {
  return { name, id, header_type: type, metadata, pi_omit: true };
}

function field(name: string, member: string): Json {
  return { type: 'field', value: [name, member] };
}

function register(name: string): Json {
  return { type: 'register_array', value: name };
}

function call(op: string, ...parameters: readonly Json[]): Json {
  return { op, parameters };
}

function action(
  id: number,
  name: string,
  parameters: Readonly<Record<string, number>>,
  ...primitives: readonly Json[]
): Json {
  const data = Object.entries(parameters).map(([each, bitwidth]) => ({ name: each, bitwidth }));
  return { name, id, runtime_data: data, primitives };
}

function key(kind: string, member: string): Json {
  const target = ['ethernet', member];
  return { match_type: kind, name: `hdr.ethernet.${member}`, target, mask: null };
}

const fixed = (id: number): Json => {
  return { action_id: id, action_const: true, action_data: [], action_entry_const: true };
};

type JsonTable = Json & {
  readonly actions: Readonly<Record<string, number>>;
  readonly next?: string;
};

function table(name: string, { actions: ids, next, ...rest }: JsonTable): Json {
  const names = Object.keys(ids);
  const following = next ?? null;
  return {
    ...{ name, key: [], match_type: 'exact', type: 'simple', max_size: 1024 },
    ...{ with_counters: false, support_timeout: false, direct_meters: null },
    ...{ action_ids: Object.values(ids), actions: names, base_default_next: following },
    next_tables: Object.fromEntries(names.map((each) => [each, following])),
    ...rest,
  };
}

function pipeline(name: string, id: number, start: string | null, tables: readonly Json[]): Json {
  return { name, id, init_table: start, tables, action_profiles: [], conditionals: [] };
}

/** The program's BMv2 JSON as text. */
export const EXTERNS_PROGRAM = JSON.stringify(externsProgram());
