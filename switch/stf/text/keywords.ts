/** What a statement may begin with; the case of the letters does not matter. */
export const KEYWORDS = [
  ...(['add', 'setdefault', 'remove', 'check_counter'] as const),
  ...(['packet', 'expect', 'no_packet', 'wait'] as const),
  ...(['mirroring_add', 'mirroring_add_mc', 'mirroring_delete', 'mirroring_get'] as const),
  ...(['mc_mgrp_create', 'mc_node_create', 'mc_node_update', 'mc_node_associate'] as const),
  ...(['counter_read', 'counter_write'] as const),
  ...(['register_read', 'register_write', 'register_reset'] as const),
  ...(['meter_get_rates', 'meter_set_rates', 'meter_array_set_rates'] as const),
  // The rest is our own; names are those of bmv2's command line where it has the command.
  ...(['check_register', 'member_create', 'group_create', 'pvs_add'] as const),
  ...(['set_queue_rate', 'set_queue_depth', 'expect_digest', 'expect_log'] as const),
] as const;

export type Keyword = (typeof KEYWORDS)[number];
