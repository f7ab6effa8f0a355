// Registers, counters, meters, ports and the loaded program, as bmv2's switches offer them to its
// command line under the service name "standard". Method names, field numbers and types are what
// goes over the wire; all other names are ours. Tables and action profiles are left to P4Runtime,
// because two masters of one table confuse each other.
//
// `context` is always 0: simple_switch has one pipeline.

namespace py hpcc.standard

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
