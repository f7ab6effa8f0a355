/** Operand that a primitive is called on: in the way that is written, X stands for it. */
export type Operand = 'value' | 'standard metadata' | 'header' | 'stack';

/** One primitive or extern of v1model, and a call of it whose effect packets show. */
export interface PrimitiveCall {
  /** The name of the program; what the primitive is called where names are shared. */
  readonly name: string;
  readonly operand: Operand;
  /** Declarations that precede the actions of each control which calls it. */
  readonly declared?: string;
  /** Statements about the operand X, which they read and write. */
  readonly call: string;
  /** Which block calls it. */
  readonly block?: 'ingress' | 'egress';
  /** The call is the table's own, so only its own actions may have it. */
  readonly inTable?: string;
  /** p4c wants one destination for all calls, so there is one way. */
  readonly oneDestination?: boolean;
  /** A condition on which packets are left to pass; what they then show. */
  readonly unless?: { readonly condition: string; readonly then: string };
}

const INDEX = '(bit<32>)(X & 7)';

/** Every primitive of v1model.p4 that controls call, and those of headers and stacks. */
export const PRIMITIVE_CALLS: readonly PrimitiveCall[] = [
  { name: 'mark_to_drop', operand: 'standard metadata', call: 'mark_to_drop(X);' },
  {
    name: 'mark_to_drop_then_port',
    operand: 'standard metadata',
    call: 'X.mcast_grp = 1; mark_to_drop(X); X.egress_spec = 3;',
  },
  {
    name: 'mark_to_drop_egress',
    operand: 'standard metadata',
    block: 'egress',
    call: 'mark_to_drop(X);',
  },
  {
    name: 'register_read',
    operand: 'value',
    declared: 'register<bit<16>>(8) cells;',
    call: 'cells.write(3, hdr.v.b); cells.read(X, 3);',
  },
  {
    name: 'register_read_index',
    operand: 'value',
    declared: 'register<bit<16>>(8) cells;',
    call: `cells.write(${INDEX}, hdr.v.b); cells.read(X, ${INDEX});`,
  },
  {
    name: 'register_write',
    operand: 'value',
    declared: 'register<bit<16>>(8) cells;',
    call: 'X = X + 1; cells.write(2, X); X = 0; cells.read(X, 2);',
  },
  {
    name: 'counter_count',
    operand: 'value',
    declared: 'counter(8, CounterType.packets_and_bytes) seen;',
    call: `seen.count(${INDEX}); X = X + 1;`,
  },
  {
    name: 'meter_execute',
    operand: 'value',
    declared: 'meter(8, MeterType.packets) rate;',
    call: `rate.execute_meter(${INDEX}, X);`,
  },
  ...[
    ['direct_meter_read', 'rate.read(X);'],
    ['direct_meter_read_local', 'bit<16> own = X; rate.read(own); X = own;'],
    ['direct_meter_read_metadata', 'meta.x = X; rate.read(meta.x); X = meta.x;'],
  ].map(([name = '', call = '']): PrimitiveCall => ({
    name,
    call,
    operand: 'value',
    inTable: 'meters = rate;',
    oneDestination: true,
    declared: 'direct_meter<bit<16>>(MeterType.bytes) rate;',
  })),
  {
    name: 'direct_counter_count',
    operand: 'value',
    declared: 'direct_counter(CounterType.packets) seen;',
    inTable: 'counters = seen;',
    call: 'seen.count(); X = X + 1;',
  },
  { name: 'random', operand: 'value', call: 'random(X, hdr.v.b, hdr.v.b);' },
  { name: 'random_bounds', operand: 'value', call: 'random(X, X, X); X = X + 1;' },
  {
    name: 'hash',
    operand: 'value',
    call: 'hash(X, HashAlgorithm.crc16, 16w1, { hdr.v.b, X }, 16w1000);',
  },
  {
    name: 'hash_base',
    operand: 'value',
    call: 'hash(X, HashAlgorithm.csum16, X, { hdr.v.b }, 32w0x10000);',
  },
  {
    name: 'digest',
    operand: 'value',
    declared: '',
    call: 'X = X + 1; digest<learnt_t>(1, { X, hdr.v.b });',
  },
  { name: 'truncate', operand: 'value', call: 'truncate((bit<32>)((X & 3) + 4));' },
  { name: 'log_msg', operand: 'value', call: 'log_msg("saw {}", { X }); X = X + 1;' },
  { name: 'assert', operand: 'value', call: 'assert(X + 1 != X); X = X + 1;' },
  { name: 'assume', operand: 'value', call: 'assume(X + 1 != X); X = X + 1;' },
  {
    name: 'clone',
    operand: 'value',
    call: 'X = X + 1; clone(CloneType.I2E, (bit<32>)((X & 1) + 4));',
  },
  {
    name: 'clone_preserving_field_list',
    operand: 'value',
    call:
      'X = X + 1; meta.kept = X; ' +
      'clone_preserving_field_list(CloneType.I2E, (bit<32>)((X & 1) + 4), 1);',
  },
  {
    name: 'clone_egress',
    operand: 'value',
    block: 'egress',
    unless: { condition: 'std.instance_type != 0', then: 'hdr.v.b = 0xc10e;' },
    call: 'X = X + 1; clone(CloneType.E2E, (bit<32>)((X & 1) + 4));',
  },
  {
    name: 'resubmit_preserving_field_list',
    operand: 'value',
    unless: { condition: 'std.instance_type != 0', then: 'hdr.v.r = meta.kept;' },
    call: 'X = X + 1; meta.kept = X; resubmit_preserving_field_list(1);',
  },
  {
    name: 'recirculate_preserving_field_list',
    operand: 'value',
    block: 'egress',
    unless: { condition: 'meta.kept != 0', then: 'hdr.v.r = meta.kept;' },
    call: 'X = X | 1; meta.kept = X; recirculate_preserving_field_list(1);',
  },
  { name: 'set_valid', operand: 'header', call: 'X.setValid(); X.value = 0x77;' },
  { name: 'set_invalid', operand: 'header', call: 'X.value = 1; X.setInvalid();' },
  { name: 'is_valid', operand: 'header', call: 'hdr.v.r = X.isValid() ? 16w1 : 16w2;' },
  {
    name: 'push_front',
    operand: 'stack',
    call: 'X.push_front(1); X[0].setValid(); X[0].value = 0x55;',
  },
  { name: 'pop_front', operand: 'stack', call: 'X.pop_front(1);' },
];
