// Multicast groups, as bmv2's command line knows them under the service name "simple_pre_lag". A
// group holds nodes; a node copies a packet to a set of ports with one replication id. Sets of ports
// and of link aggregation groups are texts of 0 and 1, whose last character is port 0.

namespace py hpcc.simple_pre_lag

enum MulticastError {
  TABLE_FULL = 1
  BAD_GROUP = 2
  UNKNOWN_GROUP = 3
  UNKNOWN_NODE = 4
  FAILED = 5
}

exception MulticastFailure {
  1: MulticastError code
}

service SimplePreLAG {
  i32 bm_mc_mgrp_create(1: i32 context, 2: i32 group)
    throws (1: MulticastFailure failure)
  void bm_mc_mgrp_destroy(1: i32 context, 2: i32 group)
    throws (1: MulticastFailure failure)
  i32 bm_mc_node_create(1: i32 context, 2: i32 replicationId, 3: string ports, 4: string lags)
    throws (1: MulticastFailure failure)
  void bm_mc_node_update(1: i32 context, 2: i32 node, 3: string ports, 4: string lags)
    throws (1: MulticastFailure failure)
  void bm_mc_node_destroy(1: i32 context, 2: i32 node)
    throws (1: MulticastFailure failure)
  void bm_mc_node_associate(1: i32 context, 2: i32 group, 3: i32 node)
    throws (1: MulticastFailure failure)
  void bm_mc_node_dissociate(1: i32 context, 2: i32 group, 3: i32 node)
    throws (1: MulticastFailure failure)
  void bm_mc_set_lag_membership(1: i32 context, 2: i16 lag, 3: string ports)
    throws (1: MulticastFailure failure)
  // All of it as JSON text.
  string bm_mc_get_entries(1: i32 context)
    throws (1: MulticastFailure failure)
}
