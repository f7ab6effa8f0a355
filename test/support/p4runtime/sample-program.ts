/**
 * A small program with every kind of table, as p4c would compile it: BMv2 JSON and P4Info in text.
 *
 *   ingress.route.ipv4_route   lpm, through the selector ingress.route.ecmp (8 members)
 *   ingress.route.ecmp_seed    no key, default action with a parameter
 *   ingress.acl                exact, ternary, range, optional; 4 entries
 *   ingress.mirror             exact, through the plain profile ingress.samples
 *   ingress.classes            exact, entries fixed by the program
 *   egress.port_record         exact, constant default action
 */
export const SAMPLE_P4INFO = `
# proto-file: p4/config/v1/p4info.proto
pkg_info { arch: "v1model" }
tables {
  preamble { id: 33554433 name: "ingress.route.ipv4_route" alias: "ipv4_route" }
  match_fields { id: 1 name: "hdr.ipv4.dst_addr" bitwidth: 32 match_type: LPM }
  action_refs { id: 16777217 }
  action_refs { id: 16777216 annotations: "@defaultonly" scope: DEFAULT_ONLY }
  initial_default_action { action_id: 16777216 }
  implementation_id: 285212673
  size: 16
}
tables {
  preamble { id: 33554434 name: "ingress.route.ecmp_seed" alias: "ecmp_seed" }
  action_refs { id: 16777218 }
  initial_default_action { action_id: 16777218 arguments { param_id: 1 value: "\\x00" } }
  size: 1024
}
tables {
  preamble { id: 33554435 name: "ingress.acl" alias: "acl" }
  match_fields { id: 1 name: "hdr.ethernet.src_addr" bitwidth: 48 match_type: EXACT }
  match_fields { id: 2 name: "hdr.ipv4.src_addr" bitwidth: 32 match_type: TERNARY }
  match_fields { id: 3 name: "hdr.udp.dst_port" bitwidth: 16 match_type: RANGE }
  match_fields { id: 4 name: "hdr.ipv4.protocol" bitwidth: 8 match_type: OPTIONAL }
  action_refs { id: 16777219 }
  action_refs { id: 16777220 scope: TABLE_ONLY annotations: "@tableonly" }
  action_refs { id: 16777216 scope: DEFAULT_ONLY annotations: "@defaultonly" }
  initial_default_action { action_id: 16777216 }
  size: 4
}
tables {
  preamble { id: 33554436 name: "ingress.mirror" alias: "mirror" }
  match_fields { id: 1 name: "hdr.udp.src_port" bitwidth: 16 match_type: EXACT }
  action_refs { id: 16777221 }
  action_refs { id: 16777216 annotations: "@defaultonly" scope: DEFAULT_ONLY }
  implementation_id: 285212674
  size: 8
}
tables {
  preamble { id: 33554437 name: "ingress.classes" alias: "classes" }
  match_fields { id: 1 name: "hdr.ipv4.protocol" bitwidth: 8 match_type: EXACT }
  action_refs { id: 16777219 }
  action_refs { id: 16777216 annotations: "@defaultonly" scope: DEFAULT_ONLY }
  size: 1
  is_const_table: true
  has_initial_entries: true
}
tables {
  preamble { id: 33554438 name: "egress.port_record" alias: "port_record" }
  match_fields { id: 1 name: "standard_metadata.egress_port" bitwidth: 9 match_type: EXACT }
  action_refs { id: 16777222 }
  action_refs { id: 16777223 }
  const_default_action_id: 16777223
  initial_default_action { action_id: 16777223 }
  size: 512
}
actions { preamble { id: 16777216 name: "NoAction" alias: "NoAction" annotations: "@noWarn" } }
actions {
  preamble { id: 16777217 name: "ingress.route.forward" alias: "forward" }
  params { id: 1 name: "port" bitwidth: 9 }
  params { id: 2 name: "dst_mac" bitwidth: 48 }
  params { id: 3 name: "src_mac" bitwidth: 48 }
}
actions {
  preamble { id: 16777218 name: "ingress.route.set_seed" alias: "set_seed" }
  params { id: 1 name: "seed" bitwidth: 16 }
}
actions {
  preamble { id: 16777219 name: "ingress.mark" alias: "mark" }
  params { id: 1 name: "class" bitwidth: 3 }
}
actions { preamble { id: 16777220 name: "ingress.deny" alias: "deny" } }
actions {
  preamble { id: 16777221 name: "ingress.sample" alias: "sample" }
  params { id: 1 name: "cookie" bitwidth: 64 }
}
actions {
  preamble { id: 16777222 name: "egress.set_record" alias: "set_record" }
  params { id: 1 name: "capacity" bitwidth: 32 }
}
actions { preamble { id: 16777223 name: "egress.no_record" alias: "no_record" } }
action_profiles {
  preamble { id: 285212673 name: "ingress.route.ecmp" alias: "ecmp" }
  table_ids: 33554433
  with_selector: true
  size: 8
}
action_profiles {
  preamble { id: 285212674 name: "ingress.samples" alias: "samples" }
  table_ids: 33554436
  size: 4
}
counters {
  preamble { id: 301989889 name: "ingress.drops" alias: "drops" }
  spec { unit: BOTH }
  size: 4
}
registers {
  preamble { id: 369098753 name: "egress.tx_bytes" alias: "tx_bytes" }
  type_spec { bitstring { bit { bitwidth: 48 } } }
  size: 512
}
type_info { }
`;

type Json = Readonly<Record<string, unknown>>;

/** The program's BMv2 JSON as an object, for tests that change something in it. */
export function sampleProgram(): Json {
  return {
    program: 'sample.p4',
    __meta__: { version: [2, 23], compiler: 'sample' },
    header_types: [
      { name: 'scalars_0', id: 0, fields: [] },
      { name: 'standard_metadata', id: 1, fields: STANDARD_METADATA },
      { name: 'ethernet_t', id: 2, fields: bits({ dst_addr: 48, src_addr: 48, ether_type: 16 }) },
      { name: 'ipv4_t', id: 3, fields: bits({ src_addr: 32, dst_addr: 32, protocol: 8 }) },
      { name: 'udp_t', id: 4, fields: bits({ src_port: 16, dst_port: 16 }) },
    ],
    headers: [
      { name: 'scalars', id: 0, header_type: 'scalars_0', metadata: true },
      { name: 'standard_metadata', id: 1, header_type: 'standard_metadata', metadata: true },
      { name: 'ethernet', id: 2, header_type: 'ethernet_t', metadata: false },
      { name: 'ipv4', id: 3, header_type: 'ipv4_t', metadata: false },
      { name: 'udp', id: 4, header_type: 'udp_t', metadata: false },
    ],
    parsers: [{ name: 'parser', id: 0, init_state: 'start', parse_states: [START] }],
    deparsers: [{ name: 'deparser', id: 0, order: ['ethernet', 'ipv4', 'udp'] }],
    counter_arrays: [{ name: 'ingress.drops', id: 0, size: 4 }],
    register_arrays: [{ name: 'egress.tx_bytes', id: 0, size: 512, bitwidth: 48 }],
    actions: [
      action(0, 'NoAction', {}),
      action(1, 'ingress.route.forward', { port: 9, dst_mac: 48, src_mac: 48 }),
      action(2, 'ingress.route.set_seed', { seed: 16 }),
      action(3, 'ingress.mark', { class: 3 }),
      action(4, 'ingress.deny', {}),
      action(5, 'ingress.sample', { cookie: 64 }),
      action(6, 'egress.set_record', { capacity: 32 }),
      action(7, 'egress.no_record', {}),
    ],
    pipelines: [
      pipeline('ingress', [
        indirect('ingress.route.ipv4_route', 'ingress.route.ecmp', {
          key: [key('lpm', 'ipv4', 'dst_addr')],
          type: 'indirect_ws',
          match_type: 'lpm',
          actions: { 'ingress.route.forward': 1, NoAction: 0 },
          max_size: 16,
        }),
        table('ingress.route.ecmp_seed', {
          key: [],
          actions: { 'ingress.route.set_seed': 2 },
          default_entry: { action_id: 2, action_data: ['0x0'] },
        }),
        table('ingress.acl', {
          key: [
            key('exact', 'ethernet', 'src_addr'),
            key('ternary', 'ipv4', 'src_addr'),
            key('range', 'udp', 'dst_port'),
            key('optional', 'ipv4', 'protocol'),
          ],
          match_type: 'range',
          actions: { 'ingress.mark': 3, 'ingress.deny': 4, NoAction: 0 },
          max_size: 4,
          default_entry: { action_id: 0 },
        }),
        indirect('ingress.mirror', 'ingress.samples', {
          key: [key('exact', 'udp', 'src_port')],
          type: 'indirect',
          actions: { 'ingress.sample': 5, NoAction: 0 },
          max_size: 8,
        }),
        table('ingress.classes', {
          key: [key('exact', 'ipv4', 'protocol')],
          actions: { 'ingress.mark': 3, NoAction: 0 },
          max_size: 1,
          default_entry: { action_id: 0 },
          entries: [
            {
              match_key: [{ match_type: 'exact', key: '0x11' }],
              action_entry: { action_id: 3, action_data: ['0x5'] },
              priority: 1,
            },
          ],
        }),
      ]),
      pipeline('egress', [
        table('egress.port_record', {
          key: [key('exact', 'standard_metadata', 'egress_port', 'standard_metadata')],
          actions: { 'egress.set_record': 6, 'egress.no_record': 7 },
          max_size: 512,
          default_entry: { action_id: 7, action_const: true, action_entry_const: true },
        }),
      ]),
    ],
  };
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

const START = {
  name: 'start',
  id: 0,
  parser_ops: [],
  transitions: [{ type: 'default', value: 'default', mask: null, next_state: null }],
  transition_key: [],
};

function bits(fields: Readonly<Record<string, number>>): (string | number | boolean)[][] {
  return Object.entries(fields).map(([name, width]) => [name, width, false]);
}

function action(id: number, name: string, parameters: Readonly<Record<string, number>>): Json {
  const data = Object.entries(parameters).map(([key, bitwidth]) => ({ name: key, bitwidth }));
  return { name, id, runtime_data: data, primitives: [] };
}

function key(kind: string, header: string, field: string, prefix = `hdr.${header}`): Json {
  return { match_type: kind, name: `${prefix}.${field}`, target: [header, field], mask: null };
}

function table(name: string, { actions, ...rest }: Json & { actions: object }): Json {
  const ids: number[] = Object.values(actions) as number[];
  return {
    name,
    match_type: 'exact',
    type: 'simple',
    max_size: 1024,
    action_ids: ids,
    actions: Object.keys(actions),
    base_default_next: null,
    next_tables: Object.fromEntries(Object.keys(actions).map((each) => [each, null])),
    ...rest,
  };
}

function indirect(name: string, profile: string, rest: Json & { actions: object }): Json {
  return { ...table(name, rest), action_profile: profile };
}

function pipeline(name: string, tables: readonly Json[]): Json {
  const profiles = [
    { name: 'ingress.route.ecmp', id: 0, max_size: 8, selector: { algo: 'crc16', input: [] } },
    { name: 'ingress.samples', id: 1, max_size: 4 },
  ];
  return {
    name,
    id: name === 'ingress' ? 0 : 1,
    init_table: null,
    tables,
    action_profiles: name === 'ingress' ? profiles : [],
    conditionals: [],
  };
}

/** The program's BMv2 JSON as text, which is what a switch is given. */
export const SAMPLE_PROGRAM = JSON.stringify(sampleProgram());
