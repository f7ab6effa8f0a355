// Queues, mirroring and the clock of simple_switch, under the service name "simple_switch".

namespace py hpcc.simple_switch

// Where a mirrored packet goes: to a port, to a multicast group, or to both.
struct MirroringTarget {
  1: optional i32 port
  2: optional i32 multicastGroup
}

enum MirroringError {
  UNKNOWN_SESSION = 1
}

exception MirroringFailure {
  1: MirroringError code
}

service SimpleSwitch {
  // Queue settings answer 0, and others than 0 when they are refused. Depths are in packets; a rate
  // of 0 packets per second has no limit.
  i32 set_egress_queue_depth(1: i32 port, 2: i32 packets)
  i32 set_egress_priority_queue_depth(1: i32 port, 2: i32 priority, 3: i32 packets)
  i32 set_all_egress_queue_depths(1: i32 packets)
  i32 set_egress_queue_rate(1: i32 port, 2: i64 packetsPerSecond)
  i32 set_egress_priority_queue_rate(1: i32 port, 2: i32 priority, 3: i64 packetsPerSecond)
  i32 set_all_egress_queue_rates(1: i64 packetsPerSecond)

  void mirroring_session_add(1: i32 session, 2: MirroringTarget target)
    throws (1: MirroringFailure failure)
  void mirroring_session_delete(1: i32 session)
    throws (1: MirroringFailure failure)
  MirroringTarget mirroring_session_get(1: i32 session)
    throws (1: MirroringFailure failure)

  // The older form of the same: sessions with a port only. The last one answers the port, or -1.
  i32 mirroring_mapping_add(1: i32 session, 2: i32 port)
  i32 mirroring_mapping_delete(1: i32 session)
  i32 mirroring_mapping_get_egress_port(1: i32 session)

  // Microseconds since the switch started, and the same by the machine's calendar.
  i64 get_time_elapsed_us()
  i64 get_time_since_epoch_us()
}
