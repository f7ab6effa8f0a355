import { parseP4Info } from '../../../../../common/p4runtime/load-p4info';
import { P4InfoIndex } from '../../../../../common/p4runtime/p4info';

/** P4Info with every kind of entity, some of which v1model never has. */
const TEXT = `
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
  structs {
    key: "flow_t"
    value {
      members { name: "address" type_spec { bitstring { bit { bitwidth: 32 } } } }
      members { name: "delta" type_spec { bitstring { int { bitwidth: 8 } } } }
    }
  }
  serializable_enums { key: "kind_t" value { underlying_type { bitwidth: 4 } } }
}
externs {
  extern_type_id: 129
  extern_type_name: "Hash"
  instances { preamble { id: 2164260865 name: "ingress.flow_hash" alias: "flow_hash" } }
}
registers {
  preamble { id: 369098760 name: "ingress.flows" alias: "flows" }
  type_spec { struct { name: "flow_t" } }
  size: 2
}
registers {
  preamble { id: 369098761 name: "ingress.pairs" alias: "pairs" }
  type_spec { tuple { members { bool {} } members { serializable_enum { name: "kind_t" } } } }
  size: 2
}
`;

export const ENTITIES_INDEX = new P4InfoIndex(parseP4Info(Buffer.from(TEXT), 'text'));
