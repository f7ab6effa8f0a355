import { PS_PER_MS, PS_PER_NS, PS_PER_SECOND, PS_PER_US } from '../../../common/units/units';
import type { ActionText, Command, MatchValue, MeterRate, NamedMatch } from './statements';
import type { TokenReader } from './token-reader';

type Parser = (reader: TokenReader) => Command;
type CommandOf<Kind> = Extract<Command, { readonly kind: Kind }>;

/** Reads what follows a keyword. @throws StfError */
export function parseCommand(keyword: Keyword, reader: TokenReader): Command {
  return PARSERS[keyword](reader);
}

/** A command whose fields stand one behind the other. */
const fields =
  <Kind extends Command['kind']>(
    kind: Kind,
    parsers: {
      readonly [Name in Exclude<keyof CommandOf<Kind>, 'kind'>]: (
        reader: TokenReader,
      ) => CommandOf<Kind>[Name];
    },
  ): Parser =>
  (reader) => {
    const parsed = Object.entries<(reader: TokenReader) => unknown>(parsers).map(
      ([name, parse]) => [name, parse(reader)] as const,
    );
    return { kind, ...Object.fromEntries(parsed) } as CommandOf<Kind>;
  };

const named =
  (what: string) =>
  (reader: TokenReader): string =>
    reader.name(`the name of ${what}`);
const indexOf =
  (what: string) =>
  (reader: TokenReader): number =>
    reader.index(what);
const wholeOf =
  (what: string) =>
  (reader: TokenReader): bigint =>
    reader.whole(what);

const [session, group, index] = [
  indexOf('a session'),
  indexOf('a multicast group'),
  indexOf('an index'),
];
const ports = (reader: TokenReader): number[] => reader.indices('a port');
const portIfAny = (reader: TokenReader): number | undefined =>
  reader.atEnd ? undefined : reader.index('a port');
const [counter, register, meter, profile] = [
  named('a counter'),
  named('a register'),
  named('a meter'),
  named('an action profile'),
];
const value = wholeOf('a value');

const PARSERS: Readonly<Record<Keyword, Parser>> = {
  add: parseAdd,
  setdefault: fields('setdefault', { table: named('a table'), action: parseAction }),
  remove: parseRemove,
  check_counter: parseCheckCounter,
  packet: parsePacket,
  expect: parseExpect,
  no_packet: fields('no-packet', {}),
  wait: parseWait,
  mirroring_add: fields('mirroring-add', { session, port: indexOf('a port') }),
  mirroring_add_mc: fields('mirroring-add-mc', { session, group }),
  mirroring_delete: fields('mirroring-delete', { session }),
  mirroring_get: fields('mirroring-get', { session }),
  mc_mgrp_create: fields('mc-group-create', { group }),
  mc_node_create: fields('mc-node-create', { rid: indexOf('a replication id'), ports }),
  mc_node_update: fields('mc-node-update', { node: indexOf('a node handle'), ports }),
  mc_node_associate: fields('mc-node-associate', { group, node: indexOf('a node handle') }),
  counter_read: fields('counter-read', { counter, index }),
  counter_write: fields('counter-write', {
    counter,
    index,
    bytes: wholeOf('a number of bytes'),
    packets: wholeOf('a number of packets'),
  }),
  register_read: fields('register-read', { register, index }),
  register_write: fields('register-write', { register, index, value }),
  register_reset: fields('register-reset', { register }),
  meter_get_rates: fields('meter-get-rates', { meter, index }),
  meter_set_rates: parseMeter,
  meter_array_set_rates: fields('meter-set-rates', {
    meter,
    index: () => undefined,
    rates: parseRates,
  }),
  check_register: fields('check-register', {
    register,
    index: parseCell,
    operator: (reader) => reader.operator(),
    value,
  }),
  member_create: fields('member-create', { profile, action: parseAction }),
  group_create: fields('group-create', {
    profile,
    members: (reader) => (reader.atEnd ? [] : reader.indices('a member handle')),
  }),
  pvs_add: fields('value-set-add', { valueSet: named('a parser value set'), value }),
  set_queue_rate: fields('set-queue-rate', {
    packetsPerSecond: indexOf('packets per second'),
    port: portIfAny,
  }),
  set_queue_depth: fields('set-queue-depth', {
    packets: indexOf('a number of packets'),
    port: portIfAny,
  }),
  expect_digest: parseExpectDigest,
  expect_log: fields('expect-log', { text: (reader) => reader.text('a text in double quotes') }),
};

function parseCell(reader: TokenReader): number {
  reader.symbol('(');
  const index = reader.index('an index');
  reader.symbol(')');
  return index;
}

function parseCheckCounter(reader: TokenReader): Command {
  const name = counter(reader);
  reader.symbol('(');
  const isName = reader.peek()?.kind === 'name';
  const cell = isName ? entryName(reader) : reader.index("an index or an entry's name");
  reader.symbol(')');
  if (reader.atEnd) return { kind: 'check-counter', counter: name, cell, test: undefined };
  const unit = reader.name("'bytes' or 'packets'").toLowerCase();
  if (unit !== 'bytes' && unit !== 'packets') {
    return reader.fail(`'bytes' or 'packets' instead of '${unit}'`);
  }
  const operator = reader.operator();
  return {
    kind: 'check-counter',
    counter: name,
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

/** `add NAME [PRIO] (KEY:VALUE)+ ACTION [= ID]` */
function parseAdd(reader: TokenReader): Command {
  const table = reader.name('the name of a table');
  const priority = reader.peek()?.kind === 'number' ? reader.index('a priority') : undefined;
  const matches: NamedMatch[] = [];
  do {
    const name = reader.name('a match KEY:VALUE');
    reader.symbol(':');
    matches.push({ name, value: parseMatchValue(reader) });
  } while (reader.peek(1)?.text === ':');
  const action = parseAction(reader);
  const id = reader.takes('=') ? reader.name('a name for the entry').replace(/^\$/, '') : undefined;
  return { kind: 'add', table, priority, matches, action, id };
}

/** `remove all`, or our own `remove ID` for the entry that was added as `= ID`. */
function parseRemove(reader: TokenReader): Command {
  const name = reader.name("'all' or the name of an entry");
  if (name.toLowerCase() === 'all') return { kind: 'remove-all' };
  return { kind: 'remove', id: name.replace(/^\$/, '') };
}

/** `VALUE`, `VALUE/LENGTH`, and our own `VALUE&&&MASK` and `LOW..HIGH`. */
function parseMatchValue(reader: TokenReader): MatchValue {
  const value = reader.literal('a value');
  if (reader.takes('/')) {
    return { kind: 'prefix', value, length: reader.literal('a prefix length') };
  }
  if (reader.takes('&&&')) return { kind: 'masked', value, mask: reader.literal('a mask') };
  if (reader.takes('..')) {
    return { kind: 'range', low: value, high: reader.literal('the end of a range') };
  }
  return { kind: 'literal', value };
}

/** `NAME ( [ARG:VALUE {, ARG:VALUE}] )` */
function parseAction(reader: TokenReader): ActionText {
  const name = reader.name('an action NAME(ARG:VALUE, ...)');
  reader.symbol('(');
  const found: ActionText['arguments'][number][] = [];
  while (!reader.takes(')')) {
    if (found.length > 0) reader.symbol(',');
    const argument = reader.name('an argument ARG:VALUE');
    reader.symbol(':');
    found.push({ name: argument, value: reader.literal('a value') });
  }
  return { name, arguments: found };
}

/** `packet PORT HEX...` */
function parsePacket(reader: TokenReader): Command {
  const port = parsePort(reader);
  const digits = parseDigits(reader);
  if (digits === '') reader.fail("the packet's hexadecimal digits");
  if (digits.includes('*')) reader.fail("a packet without '*'");
  if (digits.length % 2 === 1) {
    reader.fail(`an even number of hexadecimal digits instead of ${digits.length}`);
  }
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
  return { kind: 'packet', port, bytes };
}

/** `expect PORT [HEX|* ...] [$]` */
function parseExpect(reader: TokenReader): Command {
  const port = parsePort(reader);
  if (reader.atEnd) return { kind: 'expect', port, pattern: undefined };
  const digits = parseDigits(reader);
  const exact = reader.takes('$');
  return { kind: 'expect', port, pattern: { digits, exact } };
}

function parsePort(reader: TokenReader): number {
  const isDecimal = /^\d+$/.test(reader.peek()?.text ?? '');
  return isDecimal ? Number(reader.data()) : reader.fail('a port (decimal) before the data');
}

function parseDigits(reader: TokenReader): string {
  let digits = '';
  while (reader.peek()?.kind === 'data') digits += reader.data();
  return digits.toUpperCase();
}

/** First words of statements, in lower case; the case of the letters does not matter. */
export const KEYWORDS = [
  'add',
  'setdefault',
  'remove',
  'check_counter',
  'packet',
  'expect',
  'no_packet',
  'wait',
  'mirroring_add',
  'mirroring_add_mc',
  'mirroring_delete',
  'mirroring_get',
  'mc_mgrp_create',
  'mc_node_create',
  'mc_node_update',
  'mc_node_associate',
  'counter_read',
  'counter_write',
  'register_read',
  'register_write',
  'register_reset',
  'meter_get_rates',
  'meter_set_rates',
  'meter_array_set_rates',
  // The rest is our own; names are those of bmv2's command line where it has the command.
  'check_register',
  'member_create',
  'group_create',
  'pvs_add',
  'set_queue_rate',
  'set_queue_depth',
  'expect_digest',
  'expect_log',
] as const;

export type Keyword = (typeof KEYWORDS)[number];
