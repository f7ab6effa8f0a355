import { PS_PER_MS, PS_PER_NS, PS_PER_SECOND, PS_PER_US } from '../../../common/units/units';
import { parseExpect, parsePacket } from './parse-packet';
import { parseAction, parseAdd, parseRemove } from './parse-table';
import type { Keyword } from './keywords';
import type { Command, MeterRate } from './statements';
import type { TokenReader } from './token-reader';

type Parser = (reader: TokenReader) => Command;

/** Reads what follows a keyword. @throws StfError */
export function parseCommand(keyword: Keyword, reader: TokenReader): Command {
  return PARSERS[keyword](reader);
}

const PARSERS: Readonly<Record<Keyword, Parser>> = {
  add: parseAdd,
  setdefault: (reader) => ({
    kind: 'setdefault',
    table: reader.name('the name of a table'),
    action: parseAction(reader),
  }),
  remove: parseRemove,
  check_counter: parseCheckCounter,
  packet: parsePacket,
  expect: parseExpect,
  no_packet: () => ({ kind: 'no-packet' }),
  wait: parseWait,
  mirroring_add: (reader) => ({
    kind: 'mirroring-add',
    session: reader.index('a session'),
    port: reader.index('a port'),
  }),
  mirroring_add_mc: (reader) => ({
    kind: 'mirroring-add-mc',
    session: reader.index('a session'),
    group: reader.index('a multicast group'),
  }),
  mirroring_delete: (reader) => ({
    kind: 'mirroring-delete',
    session: reader.index('a session'),
  }),
  mirroring_get: (reader) => ({ kind: 'mirroring-get', session: reader.index('a session') }),
  mc_mgrp_create: (reader) => ({
    kind: 'mc-group-create',
    group: reader.index('a multicast group'),
  }),
  mc_node_create: (reader) => ({
    kind: 'mc-node-create',
    rid: reader.index('a replication id'),
    ports: reader.indices('a port'),
  }),
  mc_node_update: (reader) => ({
    kind: 'mc-node-update',
    node: reader.index('a node handle'),
    ports: reader.indices('a port'),
  }),
  mc_node_associate: (reader) => ({
    kind: 'mc-node-associate',
    group: reader.index('a multicast group'),
    node: reader.index('a node handle'),
  }),
  counter_read: (reader) => ({
    kind: 'counter-read',
    counter: reader.name('the name of a counter'),
    index: reader.index('an index'),
  }),
  counter_write: (reader) => ({
    kind: 'counter-write',
    counter: reader.name('the name of a counter'),
    index: reader.index('an index'),
    bytes: reader.whole('a number of bytes'),
    packets: reader.whole('a number of packets'),
  }),
  register_read: (reader) => ({
    kind: 'register-read',
    register: reader.name('the name of a register'),
    index: reader.index('an index'),
  }),
  register_write: (reader) => ({
    kind: 'register-write',
    register: reader.name('the name of a register'),
    index: reader.index('an index'),
    value: reader.whole('a value'),
  }),
  register_reset: (reader) => ({
    kind: 'register-reset',
    register: reader.name('the name of a register'),
  }),
  meter_get_rates: (reader) => ({
    kind: 'meter-get-rates',
    meter: reader.name('the name of a meter'),
    index: reader.index('an index'),
  }),
  meter_set_rates: parseMeter,
  meter_array_set_rates: (reader) => ({
    kind: 'meter-set-rates',
    meter: reader.name('the name of a meter'),
    index: undefined,
    rates: parseRates(reader),
  }),
  check_register: (reader) => ({
    kind: 'check-register',
    register: reader.name('the name of a register'),
    index: parseCell(reader),
    operator: reader.operator(),
    value: reader.whole('a value'),
  }),
  member_create: (reader) => ({
    kind: 'member-create',
    profile: reader.name('the name of an action profile'),
    action: parseAction(reader),
  }),
  group_create: (reader) => ({
    kind: 'group-create',
    profile: reader.name('the name of an action profile'),
    members: reader.atEnd ? [] : reader.indices('a member handle'),
  }),
  pvs_add: (reader) => ({
    kind: 'value-set-add',
    valueSet: reader.name('the name of a parser value set'),
    value: reader.whole('a value'),
  }),
  set_queue_rate: (reader) => ({
    kind: 'set-queue-rate',
    packetsPerSecond: reader.index('packets per second'),
    port: reader.atEnd ? undefined : reader.index('a port'),
  }),
  set_queue_depth: (reader) => ({
    kind: 'set-queue-depth',
    packets: reader.index('a number of packets'),
    port: reader.atEnd ? undefined : reader.index('a port'),
  }),
  expect_digest: parseExpectDigest,
  expect_log: (reader) => ({ kind: 'expect-log', text: reader.text('a text in double quotes') }),
};

function parseCell(reader: TokenReader): number {
  reader.symbol('(');
  const index = reader.index('an index');
  reader.symbol(')');
  return index;
}

function parseCheckCounter(reader: TokenReader): Command {
  const counter = reader.name('the name of a counter');
  reader.symbol('(');
  const isName = reader.peek()?.kind === 'name';
  const cell = isName ? entryName(reader) : reader.index("an index or an entry's name");
  reader.symbol(')');
  if (reader.atEnd) return { kind: 'check-counter', counter, cell, test: undefined };
  const unit = reader.name("'bytes' or 'packets'").toLowerCase();
  if (unit !== 'bytes' && unit !== 'packets') {
    return reader.fail(`'bytes' or 'packets' instead of '${unit}'`);
  }
  const operator = reader.operator();
  return {
    kind: 'check-counter',
    counter,
    cell,
    test: { unit, operator, value: reader.whole('a number') },
  };
}

/** Entries are named `A` where they are made and `$A` where they are used. */
const entryName = (reader: TokenReader): string =>
  reader.name("an entry's name").replace(/^\$/, '');

function parseMeter(reader: TokenReader): Command {
  const meter = reader.name('the name of a meter');
  if (reader.peek()?.kind === 'name') {
    const id = entryName(reader);
    return { kind: 'meter-set-entry-rates', meter, id, rates: parseRates(reader) };
  }
  const index = reader.index("an index or an entry's name");
  return { kind: 'meter-set-rates', meter, index, rates: parseRates(reader) };
}

const TIME_UNITS: Readonly<Record<string, number>> = {
  ns: PS_PER_NS,
  us: PS_PER_US,
  ms: PS_PER_MS,
  s: PS_PER_SECOND,
};

/** A bare `wait` lets everything that is under way come out, and that happens anyway. */
function parseWait(reader: TokenReader): Command {
  if (reader.atEnd) return { kind: 'wait', duration: 0 };
  const amount = reader.index('a length of time');
  const unit = TIME_UNITS[reader.peek()?.text ?? ''];
  if (unit === undefined) return reader.fail('a unit of time (ns, us, ms or s)');
  reader.name('a unit of time');
  return { kind: 'wait', duration: amount * unit };
}

function parseRates(reader: TokenReader): MeterRate[] {
  const rates: MeterRate[] = [];
  do {
    const perMicrosecond = reader.decimal('a rate per microsecond');
    reader.symbol(':');
    rates.push({ perMicrosecond, burst: reader.index('a burst size') });
  } while (!reader.atEnd);
  return rates;
}

function parseExpectDigest(reader: TokenReader): Command {
  const digest = reader.name('the name of a digest');
  const values: bigint[] = [];
  while (!reader.atEnd) values.push(reader.whole('a value'));
  return { kind: 'expect-digest', digest, values };
}
