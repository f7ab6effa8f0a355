import { SimplePreLag, SimpleSwitch, Standard } from '../../common/thrift/generated-code';

/** A value of Thrift's binary protocol with the number of its type. */
interface Value {
  readonly type: number;
  readonly bytes: Buffer;
}

const VERSION_CALL = 0x8001_0001;

function whole(type: number, size: 1 | 2 | 4 | 8, value: number): Value {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return { type, bytes: bytes.subarray(8 - size) };
}
const bool = (value: boolean): Value => whole(2, 1, Number(value));
const i16 = (value: number): Value => whole(6, 2, value);
const i32 = (value: number): Value => whole(8, 4, value);
const i64 = (value: number): Value => whole(10, 8, value);

function text(value: string | readonly number[]): Value {
  const content = typeof value === 'string' ? Buffer.from(value) : Buffer.from(value);
  return { type: 11, bytes: Buffer.concat([i32(content.length).bytes, content]) };
}

function struct(fields: Readonly<Record<number, Value>>): Value {
  const parts = Object.entries(fields).flatMap(([id, { type, bytes }]) => [
    Buffer.from([type]),
    i16(Number(id)).bytes,
    bytes,
  ]);
  return { type: 12, bytes: Buffer.concat([...parts, Buffer.from([0])]) };
}

function list(...values: readonly Value[]): Value {
  const type = Buffer.from([values[0]?.type ?? 11]);
  const count = i32(values.length).bytes;
  return { type: 15, bytes: Buffer.concat([type, count, ...values.map(({ bytes }) => bytes)]) };
}

/** The bytes of a call; its parameters are numbered from 1. */
function call(name: string, ...parameters: readonly Value[]): Buffer {
  const version = Buffer.alloc(4);
  version.writeUInt32BE(VERSION_CALL);
  const numbered = Object.fromEntries(parameters.map((value, i) => [i + 1, value]));
  return Buffer.concat([version, text(name).bytes, i32(1).bytes, struct(numbered).bytes]);
}

const mac = [2, 0, 0, 0, 0, 1];
const exactKey = struct({ 1: i32(0), 2: struct({ 1: text(mac) }) });
const lpmKey = struct({ 1: i32(1), 3: struct({ 1: text(mac), 2: i32(24) }) });
const ternaryKey = struct({
  1: i32(2),
  4: struct({ 1: text(mac), 2: text([255, 0, 0, 0, 0, 0]) }),
});
const validKey = struct({ 1: i32(3), 5: struct({ 1: bool(true) }) });
const rangeKey = struct({ 1: i32(4), 6: struct({ 1: text(mac), 2: text(mac) }) });
const none = struct({});
const priority = struct({ 1: i32(10) });
const rates = list(struct({ 1: { type: 4, bytes: Buffer.alloc(8) }, 2: i32(10) }));
const [zero, one] = [i32(0), i32(1)];
const smac = text('ingress.smac');
const dmac = text('ingress.dmac');

const STANDARD = [
  call(
    'standard:bm_mt_add_entry',
    zero,
    dmac,
    list(ternaryKey),
    text('ingress.forward'),
    list(text([0, 1])),
    priority,
  ),
  call('standard:bm_mt_add_entry', zero, smac, list(exactKey), text('ingress.known'), list(), none),
  call(
    'standard:bm_mt_add_entry',
    zero,
    smac,
    list(lpmKey, validKey, rangeKey),
    text('NoAction'),
    list(),
    none,
  ),
  call(
    'standard:bm_mt_set_default_action',
    zero,
    dmac,
    text('ingress.default_forward'),
    list(text([0, 2])),
  ),
  call('standard:bm_mt_modify_entry', zero, dmac, zero, text('ingress.flood'), list(text([0, 2]))),
  call('standard:bm_mt_set_entry_ttl', zero, smac, zero, i32(1000)),
  call('standard:bm_mt_get_entry_from_key', zero, smac, list(exactKey), none),
  call('standard:bm_mt_get_entries', zero, smac),
  call('standard:bm_mt_clear_entries', zero, smac, bool(true)),
  call('standard:bm_mt_indirect_add_entry', zero, smac, list(exactKey), zero, none),
  call('standard:bm_mt_act_prof_add_member', zero, text('profile'), text('NoAction'), list()),
  call('standard:bm_register_read_all', zero, text('ingress.balance')),
  call('standard:bm_register_write', zero, text('ingress.last_source'), one, i64(77)),
  call('standard:bm_register_write_range', zero, text('ingress.last_source'), zero, one, i64(-1)),
  call(
    'standard:bm_counter_write',
    zero,
    text('ingress.rx'),
    one,
    struct({ 1: i64(1), 2: i64(2) }),
  ),
  call('standard:bm_meter_set_rates', zero, text('ingress.police'), one, rates),
  call('standard:bm_meter_array_set_rates', zero, text('ingress.police'), rates),
  call('standard:bm_parse_vset_add', zero, text('trusted_types'), text([8, 0])),
  call(
    'standard:bm_set_crc16_custom_parameters',
    zero,
    text('calc'),
    struct({ 1: i32(4129), 2: zero, 3: zero, 4: bool(true), 5: bool(false) }),
  ),
  call('standard:bm_mgmt_get_info'),
  call('standard:bm_load_new_config', text('{}')),
  call('standard:bm_dev_mgr_add_port', text('eth2'), i32(2), text('')),
];

const OTHERS = [
  call('simple_pre_lag:bm_mc_mgrp_create', zero, one),
  call('simple_pre_lag:bm_mc_node_create', zero, one, text('0110'), text('01')),
  call('simple_pre_lag:bm_mc_node_update', zero, zero, text('0110'), text('01')),
  call('simple_pre_lag:bm_mc_node_associate', zero, one, zero),
  call('simple_pre_lag:bm_mc_set_lag_membership', zero, i16(1), text('0011')),
  call('simple_pre_lag:bm_mc_get_entries', zero),
  call('simple_switch:set_egress_priority_queue_rate', one, zero, i64(1000)),
  call('simple_switch:set_all_egress_queue_depths', i32(64)),
  call('simple_switch:mirroring_session_add', one, struct({ 1: one, 2: one })),
  call('simple_switch:mirroring_session_get', one),
  call('simple_switch:get_time_elapsed_us'),
];

/** Calls of all three services, and some of them one after the other. */
export function exampleCalls(): readonly Uint8Array[] {
  const [add, known] = STANDARD;
  const several = [add, known, call('standard:bm_mt_get_entries', zero, dmac)];
  return [...STANDARD, ...OTHERS, Buffer.concat(several.flatMap((each) => each ?? []))];
}

const SERVICES = { standard: Standard, simple_pre_lag: SimplePreLag, simple_switch: SimpleSwitch };

/** `service:method` of all calls. */
export function callNames(): string[] {
  return Object.entries(SERVICES).flatMap(([service, { Processor }]) =>
    Object.getOwnPropertyNames((Processor as { readonly prototype: object }).prototype)
      .filter((name) => name.startsWith('process_'))
      .map((name) => `${service}:${name.slice('process_'.length)}`),
  );
}
