/** A session of bmv2's command line with a switch that runs one of the test programs. */
export interface CliScript {
  readonly name: string;
  /** A program of test/p4. */
  readonly program: string;
  readonly commands: readonly string[];
}

const SELECTOR = [
  ...['act_prof_create_member hops send 1', 'act_prof_create_member hops TestIngress.send 2'],
  ...['act_prof_create_member hops nothing 1', 'act_prof_create_member hops send'],
  ...['act_prof_create_group hops', 'act_prof_create_group hops'],
  ...['act_prof_add_member_to_group hops 0 0', 'act_prof_add_member_to_group hops 1 0'],
  ...['act_prof_add_member_to_group hops 1 0', 'act_prof_add_member_to_group hops 7 0'],
  ...['act_prof_add_member_to_group hops 0 7', 'act_prof_remove_member_from_group hops 0 1'],
  ...['table_indirect_add balanced 1 => 0', 'table_indirect_add balanced 1 => 1'],
  ...['table_indirect_add balanced 2 => 9', 'table_indirect_add_with_group balanced 2 => 0'],
  ...['table_indirect_add_with_group balanced 3 => 1'],
  ...['table_indirect_add_with_group balanced 3 => 5', 'table_add balanced send 3 => 1'],
  ...['act_prof_dump hops', 'act_prof_dump_member hops 1', 'act_prof_dump_group hops 0'],
  ...['act_prof_dump_member hops 8', 'act_prof_dump_group hops 8', 'table_dump balanced'],
  ...['act_prof_modify_member hops send 0 9', 'act_prof_modify_member hops send 8 9'],
  ...['act_prof_delete_member hops 0', 'act_prof_delete_member hops 8'],
  ...['act_prof_delete_group hops 0', 'act_prof_delete_group hops 8'],
  ...['table_indirect_delete balanced 0', 'table_indirect_delete balanced 0'],
  ...['table_indirect_set_default balanced 1', 'table_indirect_set_default balanced 8'],
  ...['table_dump balanced', 'table_indirect_reset_default balanced'],
  ...['act_prof_remove_member_from_group hops 0 0', 'act_prof_delete_member hops 0'],
  ...['act_prof_delete_group hops 1', 'act_prof_create_member hops send 5'],
  ...['act_prof_create_group hops', 'table_num_entries balanced', 'table_clear balanced'],
  ...['table_dump balanced', 'table_indirect_add balanced 4 => 1', 'table_dump_entry balanced 0'],
];

/** Every kind of table operation, the refused ones too. */
export const CLI_SCRIPTS: readonly CliScript[] = [
  {
    name: 'entries that the program fixes',
    program: 'tbl_const_entries',
    commands: [
      ...['show_tables', 'show_actions', 'table_info fixed', 'table_show_actions ordered'],
      ...['table_dump fixed', 'table_dump ordered', 'table_num_entries fixed'],
      ...['table_add ordered put 1&&&1 => 5 7', 'table_delete ordered 0'],
      ...['table_modify ordered put 0 3', 'table_set_default fixed put 7'],
      ...['table_set_default ordered put 7', 'table_dump_entry fixed 1'],
      ...['table_dump_entry fixed 9', 'table_dump_entry_from_key ordered 0x81&&&0xff 1'],
      'write_config_to_file /dev/null',
    ],
  },
  {
    name: 'exact entries and their handles',
    program: 'tbl_exact',
    commands: [
      ...['show_tables', 'table_info pairs', 'table_dump nowhere', 'table_dump pairs'],
      ...['table_add pairs send 1 2 => 3 4', 'table_add pairs send 2 2 => 511 65535'],
      ...['table_add pairs discard 3 2 =>', 'table_add pairs send 4 2 => 0 0'],
      ...['table_add pairs send 5 2 => 1 1', 'table_add pairs send 1 512 => 1 1'],
      ...['table_add pairs lose 1 2 => 1'],
      ...['table_delete pairs 1', 'table_dump pairs', 'table_add pairs send 6 2 => 1 1'],
      ...['table_dump_entry pairs 1', 'table_dump_entry pairs 0x1000001', 'table_dump pairs'],
      ...['table_dump_entry pairs 16777217', 'table_delete pairs 1', 'table_delete pairs 16777217'],
      ...['table_set_default pairs send 1 2', 'table_dump pairs', 'table_reset_default pairs'],
      ...['table_dump pairs', 'table_dump_entry_from_key pairs 3 2', 'table_num_entries pairs'],
      ...['table_clear pairs', 'table_num_entries pairs', 'table_indirect_add pairs 1 2 => 1'],
      ...['act_prof_dump nowhere'],
    ],
  },
  {
    name: 'prefixes beside exact keys',
    program: 'tbl_exact_lpm',
    commands: [
      ...['table_info routes', 'table_add routes put 1 0x1200/8 => 1'],
      ...['table_add routes put 1 0x1234/16 => 0', 'table_add routes put 1 0/0 => 0x1234'],
      ...['table_add routes put 1 0x1200/8 => 2', 'table_add routes put 1 0/17 => 2'],
      ...['table_add routes put 256 0/0 => 2', 'table_add routes put 1 0/0 => 65536'],
      ...['table_add routes put 1 0/0', 'table_dump routes', 'table_delete routes 1'],
      ...['table_delete routes 1', 'table_add routes put 2 0/0 => 3', 'table_delete routes 1'],
      ...['table_modify routes put 1 4', 'table_modify routes put 16777217 4'],
      ...['table_modify routes NoAction 0 =>', 'table_dump_entry routes 16777217'],
      ...['table_dump_entry_from_key routes 2 0/0', 'table_dump_entry_from_key routes 3 0/0'],
      ...['table_set_default routes put 9', 'table_dump routes', 'table_reset_default routes'],
      ...['table_clear routes', 'table_add routes put 2 0/0 => 3', 'table_dump routes'],
      ...['table_set_timeout routes 0 100', 'counter_read none 0', 'reset_state'],
      ...['table_dump routes', 'table_num_entries routes'],
    ],
  },
  {
    name: 'priorities of mixed keys',
    program: 'tbl_mixed',
    commands: [
      ...['table_info mixed', 'table_add mixed put 1 0x1200/8 0x0034&&&0x00ff => 1 10'],
      ...['table_add mixed put 1 0x1200/8 0x0034&&&0x00ff => 1 20'],
      ...['table_add mixed put 1 0x1200/8 0x0034&&&0x00ff => 2 10'],
      ...['table_add mixed put 1 0x1200/8 0x1234&&&0x00ff => 2 10'],
      ...['table_add mixed put 1 0/0 0&&&0 => 2 0', 'table_add mixed put 1 0/0 0&&&0 => 2'],
      ...['table_add mixed put 1 0/0 0&&&0 => 2 two', 'table_dump mixed'],
      ...['table_dump_entry_from_key mixed 1 0x1200/8 0x0034&&&0x00ff 20', 'table_delete mixed 0'],
      ...['table_num_entries mixed'],
    ],
  },
  {
    name: 'ranges',
    program: 'tbl_range',
    commands: [
      ...['table_add ports put 5->9 1 => 1 1', 'table_add ports put 0->65535 1 => 1 2'],
      ...['table_add ports put 9->5 1 => 1 1', 'table_dump ports'],
    ],
  },
  {
    name: 'optional keys',
    program: 'tbl_optional',
    commands: [
      'table_info filters',
      'table_add filters put 1&&&0xffff 0&&&0 => 1 1',
      'table_dump filters',
    ],
  },
  {
    name: 'validity as a key',
    program: 'tbl_validity',
    commands: ['table_info valid', 'table_add valid put 1 3 => 1', 'table_dump valid'],
  },
  { name: 'an action selector', program: 'tbl_selector', commands: SELECTOR },
  {
    name: 'an action profile without selector',
    program: 'tbl_profile',
    commands: [
      ...['show_tables', 'table_info indirect', 'act_prof_create_group hops'],
      ...['act_prof_create_member hops send 1', 'act_prof_create_member hops mark 2 0x1234'],
      ...['table_indirect_add indirect 1 => 0', 'table_indirect_add indirect 2 => 1'],
      ...['table_indirect_add_with_group indirect 3 => 0', 'table_dump indirect'],
      ...['act_prof_delete_member hops 1', 'table_indirect_delete indirect 1'],
      ...['act_prof_delete_member hops 1', 'act_prof_create_member hops send 3'],
      ...['table_indirect_create_member indirect send 4', 'act_prof_dump hops'],
      ...['table_dump_member indirect 0', 'reset_state', 'table_dump indirect'],
    ],
  },
  {
    name: 'counters of entries and of arrays',
    program: 'counters',
    commands: [
      ...[
        'show_tables',
        'table_add watched seen 1 =>',
        'counter_read hits 0',
        'counter_read hits 5',
      ],
      ...['counter_write hits 0 100 7', 'counter_read hits 0', 'counter_reset hits'],
      ...['counter_read hits 0', 'counter_read nothing 0', 'table_delete watched 0'],
    ],
  },
  {
    name: 'meters of entries',
    program: 'meter_bytes_direct',
    commands: [
      ...['table_add flows metered 1 =>', 'meter_get_rates limits 0'],
      ...['meter_set_rates limits 0 0.5:10 1:20', 'meter_get_rates limits 0'],
      ...['meter_set_rates limits 4 0.5:10 1:20', 'meter_set_rates limits 0 2:10 1:20'],
      ...['meter_set_rates limits 0 2:10', 'meter_get_rates limits 9'],
    ],
  },
  {
    name: 'meter arrays',
    program: 'meter_packets',
    commands: [
      ...['meter_get_rates limits 0', 'meter_set_rates limits 1 0.001:10 0.002:20'],
      ...['meter_get_rates limits 1', 'meter_set_rates limits 9 0.001:10 0.002:20'],
      ...['meter_set_rates limits 1 0.003:10 0.002:20', 'meter_set_rates limits 1 0.001:10'],
      ...['meter_array_set_rates limits 0.5:1 0.5:1', 'meter_get_rates limits 3'],
      ...['meter_get_rates limits 4', 'meter_get_rates nowhere 0'],
    ],
  },
  {
    name: 'registers',
    program: 'registers',
    commands: [
      ...['register_read cells 0', 'register_write cells 1 4711', 'register_read cells 1'],
      ...['register_read cells', 'register_write cells 1 70000', 'register_read cells 1'],
      ...['register_write cells 4 1', 'register_read cells 4', 'register_read cells -1'],
      ...['register_write wide 0 9223372036854775807', 'register_read wide 0'],
      'register_reset cells',
      ...['register_read cells', 'register_read nowhere 0'],
    ],
  },
  {
    name: 'multicast, mirroring and queues',
    program: 'multicast',
    commands: [
      ...['mc_mgrp_create 1', 'mc_mgrp_create 1', 'mc_node_create 7 1 2', 'mc_node_create 8 3 | 1'],
      ...['mc_node_associate 1 0', 'mc_node_associate 1 0', 'mc_node_associate 2 0'],
      ...[
        'mc_node_associate 1 5',
        'mc_dump',
        'mc_node_update 0 4 5',
        'mc_set_lag_membership 1 6 7',
      ],
      ...['mc_dump', 'mc_node_dissociate 1 1', 'mc_node_dissociate 1 0', 'mc_node_destroy 0'],
      ...['mc_node_destroy 0', 'mc_mgrp_destroy 1', 'mc_mgrp_destroy 1', 'mc_dump'],
      ...['mirroring_get 5', 'mirroring_add 5 2', 'mirroring_get 5', 'mirroring_add_mc 6 1'],
      ...['mirroring_get 6', 'mirroring_delete 5', 'mirroring_delete 5', 'mirroring_add 40000 1'],
      ...['set_queue_rate 100', 'set_queue_rate 100 1', 'set_queue_rate 100 1 0'],
      ...['set_queue_depth 10', 'set_queue_depth 10 1', 'set_queue_depth 10 1 0'],
      ...['set_queue_rate 100 1000', 'set_queue_rate fast', 'swap_configs'],
    ],
  },
  {
    name: 'parser value sets',
    program: 'parser_value_set',
    commands: [
      ...['show_pvs', 'pvs_get trill', 'pvs_add trill 0x22f3', 'pvs_get trill'],
      ...['pvs_add trill 0x22f3', 'pvs_add trill 0x10000', 'pvs_add trill 0', 'pvs_remove trill 7'],
      ...['pvs_remove trill 0x22f3', 'pvs_get trill', 'pvs_clear trill', 'pvs_get trill'],
      'pvs_get nowhere',
    ],
  },
];
