// Tables, action profiles, registers, counters, meters, ports and the loaded program, as bmv2's
// switches offer them to its command line under the service name "standard". Method names, field
// numbers and types are what goes over the wire; all other names are ours.
//
// `context` is always 0: simple_switch has one pipeline.

namespace py hpcc.standard

// ---- tables and action profiles ----

// Numbers are big-endian, in as many bytes as the field has.
enum MatchKind {
  EXACT = 0
  LPM = 1
  TERNARY = 2
  VALID = 3
  RANGE = 4
}

struct ExactMatch {
  1: binary value
}

struct LpmMatch {
  1: binary value
  2: i32 prefixLength
}

struct TernaryMatch {
  1: binary value
  2: binary mask
}

struct ValidMatch {
  1: bool value
}

struct RangeMatch {
  1: binary low
  2: binary high
}

// One field of a key; the member that `kind` names is set.
struct FieldMatch {
  1: MatchKind kind
  2: optional ExactMatch exact
  3: optional LpmMatch lpm
  4: optional TernaryMatch ternary
  5: optional ValidMatch valid
  6: optional RangeMatch range
}

// The smaller priority wins.
struct EntryOptions {
  1: optional i32 priority
}

enum ActionKind {
  NONE = 0
  CALL = 1
  MEMBER = 2
  GROUP = 3
}

struct ActionEntry {
  1: ActionKind kind
  2: optional string name
  3: optional list<binary> values
  4: optional i32 member
  5: optional i32 group
}

struct EntryLife {
  1: i32 timeoutMs
  2: i32 sinceHitMs
}

struct TableEntry {
  1: list<FieldMatch> key
  2: EntryOptions options
  3: i32 handle
  4: ActionEntry action
  5: optional EntryLife life
}

struct ProfileMember {
  1: i32 handle
  2: string name
  3: list<binary> values
}

struct ProfileGroup {
  1: i32 handle
  2: list<i32> members
}

enum TableError {
  TABLE_FULL = 1
  UNKNOWN_HANDLE = 2
  EXPIRED_HANDLE = 3
  NO_COUNTERS = 4
  NO_METERS = 5
  NO_AGEING = 6
  UNKNOWN_TABLE = 7
  UNKNOWN_ACTION = 8
  OTHER_TABLE_TYPE = 9
  UNKNOWN_MEMBER = 10
  MEMBER_IN_USE = 11
  MEMBER_IN_GROUP = 12
  MEMBER_NOT_IN_GROUP = 13
  UNKNOWN_GROUP = 14
  GROUP_IN_USE = 15
  EMPTY_GROUP = 16
  DUPLICATE_ENTRY = 17
  BAD_KEY = 18
  BAD_METER_OPERATION = 19
  CONSTANT_DEFAULT_ACTION = 20
  CONSTANT_DEFAULT_ENTRY = 21
  NO_DEFAULT_ENTRY = 22
  UNKNOWN_PROFILE = 23
  NO_SELECTION = 24
  FIXED_ENTRIES = 25
  BAD_ARGUMENTS = 26
  NO_KEY = 27
  FAILED = 100
}

exception TableFailure {
  1: TableError code
}

// ---- registers ----

enum RegisterError {
  UNKNOWN_ARRAY = 1
  INDEX_OUT_OF_RANGE = 2
  FAILED = 3
}

exception RegisterFailure {
  1: RegisterError code
}

// ---- counters ----

struct CounterValue {
  1: i64 bytes
  2: i64 packets
}

enum CounterError {
  UNKNOWN_ARRAY = 1
  INDEX_OUT_OF_RANGE = 2
  FAILED = 3
}

exception CounterFailure {
  1: CounterError code
}

// ---- meters ----

// One bucket of a meter. Meters of v1model have two: committed, then peak.
struct MeterRate {
  // Bytes or packets, by the type of the array.
  1: double unitsPerMicrosecond
  2: i32 burst
}

enum MeterError {
  UNKNOWN_ARRAY = 1
  INDEX_OUT_OF_RANGE = 2
  BAD_RATES = 3
  BAD_RATE = 4
  BAD_BURST = 5
  FAILED = 6
}

exception MeterFailure {
  1: MeterError code
}

// ---- parser value sets ----

enum ValueSetError {
  UNKNOWN_SET = 1
  FAILED = 2
}

exception ValueSetFailure {
  1: ValueSetError code
}

// ---- hash functions ----

// Parameters of a custom CRC with 16 bits; Thrift knows signed integers only.
struct Crc16Parameters {
  1: i16 polynomial
  2: i16 initialRemainder
  3: i16 finalXor
  4: bool dataReflected
  5: bool remainderReflected
}

struct Crc32Parameters {
  1: i32 polynomial
  2: i32 initialRemainder
  3: i32 finalXor
  4: bool dataReflected
  5: bool remainderReflected
}

// The same numbers for custom CRCs and for the keys of Toeplitz hashes.
enum HashError {
  UNKNOWN_CALCULATION = 1
  WRONG_ALGORITHM = 2
  BAD_PARAMETERS = 3
}

exception HashFailure {
  1: HashError code
}

// ---- network interfaces ----

struct PortStatus {
  1: i32 port
  2: string interfaceName
  3: bool isUp
  4: map<string, string> details
}

enum PortError {
  FAILED = 1
}

exception PortFailure {
  1: PortError code
}

// ---- the program ----

enum SwapError {
  DISABLED = 1
  UNDER_WAY = 2
  NOTHING_LOADED = 3
}

exception SwapFailure {
  1: SwapError code
}

struct DeviceStatus {
  1: i64 deviceId
  2: i32 thriftPort
  3: optional string notifications
  4: optional string eventLog
  5: optional string debugger
}

service Standard {
  i64 bm_mt_get_num_entries(1: i32 context, 2: string table)
    throws (1: TableFailure failure)
  void bm_mt_clear_entries(1: i32 context, 2: string table, 3: bool alsoDefault)
    throws (1: TableFailure failure)
  i32 bm_mt_add_entry(1: i32 context, 2: string table, 3: list<FieldMatch> key, 4: string action,
      5: list<binary> values, 6: EntryOptions options)
    throws (1: TableFailure failure)
  void bm_mt_set_default_action(1: i32 context, 2: string table, 3: string action,
      4: list<binary> values)
    throws (1: TableFailure failure)
  void bm_mt_reset_default_entry(1: i32 context, 2: string table)
    throws (1: TableFailure failure)
  void bm_mt_delete_entry(1: i32 context, 2: string table, 3: i32 handle)
    throws (1: TableFailure failure)
  void bm_mt_modify_entry(1: i32 context, 2: string table, 3: i32 handle, 4: string action,
      5: list<binary> values)
    throws (1: TableFailure failure)
  void bm_mt_set_entry_ttl(1: i32 context, 2: string table, 3: i32 handle, 4: i32 timeoutMs)
    throws (1: TableFailure failure)

  i32 bm_mt_act_prof_add_member(1: i32 context, 2: string profile, 3: string action,
      4: list<binary> values)
    throws (1: TableFailure failure)
  void bm_mt_act_prof_delete_member(1: i32 context, 2: string profile, 3: i32 member)
    throws (1: TableFailure failure)
  void bm_mt_act_prof_modify_member(1: i32 context, 2: string profile, 3: i32 member,
      4: string action, 5: list<binary> values)
    throws (1: TableFailure failure)
  i32 bm_mt_act_prof_create_group(1: i32 context, 2: string profile)
    throws (1: TableFailure failure)
  void bm_mt_act_prof_delete_group(1: i32 context, 2: string profile, 3: i32 group)
    throws (1: TableFailure failure)
  void bm_mt_act_prof_add_member_to_group(1: i32 context, 2: string profile, 3: i32 member,
      4: i32 group)
    throws (1: TableFailure failure)
  void bm_mt_act_prof_remove_member_from_group(1: i32 context, 2: string profile, 3: i32 member,
      4: i32 group)
    throws (1: TableFailure failure)
  list<ProfileMember> bm_mt_act_prof_get_members(1: i32 context, 2: string profile)
    throws (1: TableFailure failure)
  ProfileMember bm_mt_act_prof_get_member(1: i32 context, 2: string profile, 3: i32 member)
    throws (1: TableFailure failure)
  list<ProfileGroup> bm_mt_act_prof_get_groups(1: i32 context, 2: string profile)
    throws (1: TableFailure failure)
  ProfileGroup bm_mt_act_prof_get_group(1: i32 context, 2: string profile, 3: i32 group)
    throws (1: TableFailure failure)

  i32 bm_mt_indirect_add_entry(1: i32 context, 2: string table, 3: list<FieldMatch> key,
      4: i32 member, 5: EntryOptions options)
    throws (1: TableFailure failure)
  void bm_mt_indirect_modify_entry(1: i32 context, 2: string table, 3: i32 handle, 4: i32 member)
    throws (1: TableFailure failure)
  void bm_mt_indirect_delete_entry(1: i32 context, 2: string table, 3: i32 handle)
    throws (1: TableFailure failure)
  void bm_mt_indirect_set_entry_ttl(1: i32 context, 2: string table, 3: i32 handle,
      4: i32 timeoutMs)
    throws (1: TableFailure failure)
  void bm_mt_indirect_set_default_member(1: i32 context, 2: string table, 3: i32 member)
    throws (1: TableFailure failure)
  void bm_mt_indirect_reset_default_entry(1: i32 context, 2: string table)
    throws (1: TableFailure failure)
  i32 bm_mt_indirect_ws_add_entry(1: i32 context, 2: string table, 3: list<FieldMatch> key,
      4: i32 group, 5: EntryOptions options)
    throws (1: TableFailure failure)
  void bm_mt_indirect_ws_modify_entry(1: i32 context, 2: string table, 3: i32 handle, 4: i32 group)
    throws (1: TableFailure failure)
  void bm_mt_indirect_ws_set_default_group(1: i32 context, 2: string table, 3: i32 group)
    throws (1: TableFailure failure)

  CounterValue bm_mt_read_counter(1: i32 context, 2: string table, 3: i32 handle)
    throws (1: TableFailure failure)
  void bm_mt_reset_counters(1: i32 context, 2: string table)
    throws (1: TableFailure failure)
  void bm_mt_write_counter(1: i32 context, 2: string table, 3: i32 handle, 4: CounterValue value)
    throws (1: TableFailure failure)
  void bm_mt_set_meter_rates(1: i32 context, 2: string table, 3: i32 handle,
      4: list<MeterRate> rates)
    throws (1: TableFailure failure)
  list<MeterRate> bm_mt_get_meter_rates(1: i32 context, 2: string table, 3: i32 handle)
    throws (1: TableFailure failure)
  list<TableEntry> bm_mt_get_entries(1: i32 context, 2: string table)
    throws (1: TableFailure failure)
  TableEntry bm_mt_get_entry(1: i32 context, 2: string table, 3: i32 handle)
    throws (1: TableFailure failure)
  ActionEntry bm_mt_get_default_entry(1: i32 context, 2: string table)
    throws (1: TableFailure failure)
  TableEntry bm_mt_get_entry_from_key(1: i32 context, 2: string table, 3: list<FieldMatch> key,
      4: EntryOptions options)
    throws (1: TableFailure failure)

  i64 bm_register_read(1: i32 context, 2: string name, 3: i32 index)
    throws (1: RegisterFailure failure)
  list<i64> bm_register_read_all(1: i32 context, 2: string name)
    throws (1: RegisterFailure failure)
  void bm_register_write(1: i32 context, 2: string name, 3: i32 index, 4: i64 value)
    throws (1: RegisterFailure failure)
  // From the first index up to, and without, the second.
  void bm_register_write_range(1: i32 context, 2: string name, 3: i32 first, 4: i32 past, 5: i64 value)
    throws (1: RegisterFailure failure)
  void bm_register_reset(1: i32 context, 2: string name)
    throws (1: RegisterFailure failure)

  CounterValue bm_counter_read(1: i32 context, 2: string name, 3: i32 index)
    throws (1: CounterFailure failure)
  void bm_counter_write(1: i32 context, 2: string name, 3: i32 index, 4: CounterValue value)
    throws (1: CounterFailure failure)
  void bm_counter_reset_all(1: i32 context, 2: string name)
    throws (1: CounterFailure failure)

  list<MeterRate> bm_meter_get_rates(1: i32 context, 2: string name, 3: i32 index)
    throws (1: MeterFailure failure)
  void bm_meter_set_rates(1: i32 context, 2: string name, 3: i32 index, 4: list<MeterRate> rates)
    throws (1: MeterFailure failure)
  void bm_meter_array_set_rates(1: i32 context, 2: string name, 3: list<MeterRate> rates)
    throws (1: MeterFailure failure)

  list<binary> bm_parse_vset_get(1: i32 context, 2: string name)
    throws (1: ValueSetFailure failure)
  void bm_parse_vset_add(1: i32 context, 2: string name, 3: binary value)
    throws (1: ValueSetFailure failure)
  void bm_parse_vset_remove(1: i32 context, 2: string name, 3: binary value)
    throws (1: ValueSetFailure failure)
  void bm_parse_vset_clear(1: i32 context, 2: string name)
    throws (1: ValueSetFailure failure)

  void bm_set_crc16_custom_parameters(1: i32 context, 2: string name, 3: Crc16Parameters crc)
    throws (1: HashFailure failure)
  void bm_set_crc32_custom_parameters(1: i32 context, 2: string name, 3: Crc32Parameters crc)
    throws (1: HashFailure failure)
  void bm_set_toeplitz_hash_key(1: i32 context, 2: string name, 3: binary key)
    throws (1: HashFailure failure)

  list<PortStatus> bm_dev_mgr_show_ports()
    throws (1: PortFailure failure)
  // The third argument is a file of packets in place of an interface; it must be empty.
  void bm_dev_mgr_add_port(1: string interfaceName, 2: i32 port, 3: string file)
    throws (1: PortFailure failure)
  void bm_dev_mgr_remove_port(1: i32 port)
    throws (1: PortFailure failure)

  DeviceStatus bm_mgmt_get_info()
  // The BMv2 JSON, and the MD5 of its bytes.
  string bm_get_config()
  binary bm_get_config_md5()
  // Checks and keeps a program; the next call runs it.
  void bm_load_new_config(1: string json)
    throws (1: SwapFailure failure)
  void bm_swap_configs()
    throws (1: SwapFailure failure)
  void bm_reset_state()
}
