import { checksumWords, finishChecksum, foldChecksum } from '../../../common/wire/ip/checksum';
import { sipHash24 } from '../../../common/wire/security/siphash';
import type { ActionText, Command, Literal, NamedMatch } from '../../../switch/stf/text/statements';
import type { StfTest } from '../../../switch/stf/text/statements';
import { likeFlow } from './equal-hashes';
import type { FiveTuple } from './equal-hashes';

/**
 * The packet test of coordination over IPv4 as one over IPv6: entries, frames and notifications about
 * flows. An address of IPv4 is the first word of that of IPv6. What follows in the source address of a
 * flow is chosen so that the switch's hashes of the flow are those that they were, since paths,
 * cells and collisions of flows depend on them.
 */
export function overIpv6(test: StfTest): StfTest {
  const keys = keysIn(test);
  const statements = test.statements.flatMap((statement) =>
    translated(statement.command, keys).map((command) => ({ ...statement, command })),
  );
  return { file: `${test.file} over IPv6`, statements };
}

function translated(command: Command, keys: readonly Uint8Array[]): readonly Command[] {
  const { kind } = command;
  if (kind === 'packet') {
    return [{ ...command, bytes: toBytes(frameOverIpv6(toDigits(command.bytes), keys)) }];
  }
  if (kind === 'expect' && command.pattern !== undefined) {
    const digits = frameOverIpv6(command.pattern.digits.toLowerCase(), keys).toUpperCase();
    return [{ ...command, pattern: { ...command.pattern, digits } }];
  }
  if (kind === 'member-create') {
    const action = { ...command.action, name: 'forward_ipv6' };
    return [{ ...command, profile: 'ingress.route.ipv6_ecmp', action }];
  }
  if (kind === 'add') return [entryOverIpv6(command)];
  if (kind === 'setdefault' && command.table === 'sender') {
    return [command, senderOverIpv6(command.action)];
  }
  return countsBytes(command) ? [] : [command];
}

const BYTES = /port_loads|tx_bytes/;

/** True for a statement that the twin leaves out: of longer frames, there are more bytes. */
export const countsBytes = (command: Command): boolean =>
  command.kind === 'check-register' && BYTES.test(command.register);

type Entry = Extract<Command, { kind: 'add' }>;

/** Tables with addresses of IPv4, by those that stand for them. */
const TABLES: Readonly<Record<string, string>> = {
  ipv4_route: 'ipv6_route',
  candidates: 'candidates_ipv6',
  ar_point: 'ar_point_ipv6',
};

function entryOverIpv6(entry: Entry): Entry {
  const table = TABLES[entry.table];
  if (table === undefined) return entry;
  const { action } = entry;
  return {
    ...entry,
    table,
    matches: entry.matches.map(matchOverIpv6),
    action:
      action.name === 'set_point'
        ? { name: 'set_ipv6_point', arguments: [addressArgument(action, 'dst_addr')] }
        : action,
  };
}

function matchOverIpv6(match: NamedMatch): NamedMatch {
  const { name, value } = match;
  if (name !== 'hdr.ipv4.dst_addr') return match;
  // A prefix of the first word, behind which flows differ.
  if (value.kind !== 'literal' && value.kind !== 'prefix') throw new Error(`${name} is masked`);
  return { name: 'hdr.ipv6.dst_addr', value: { ...value, value: addressOverIpv6(value.value) } };
}

const senderOverIpv6 = (action: ActionText): Command => ({
  kind: 'setdefault',
  table: 'sender_ipv6',
  action: { name: 'set_ipv6_sender', arguments: [addressArgument(action, 'src_addr')] },
});

function addressArgument(action: ActionText, name: string) {
  const found = action.arguments.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${action.name} has no ${name}`);
  return { name, value: addressOverIpv6(found.value) };
}

function addressOverIpv6({ value }: Literal): Literal {
  const wide = value << 96n;
  return {
    text: `0x${wide.toString(16)}`,
    value: wide,
    known: (1n << 128n) - 1n,
    bits: 128,
    radix: 16,
  };
}

/** Keys that codes of notifications are made with: of this switch, and of its peers. */
function keysIn({ statements }: StfTest): readonly Uint8Array[] {
  return statements.flatMap(({ command }) => {
    if (command.kind !== 'add' && command.kind !== 'setdefault') return [];
    const { arguments: values } = command.action;
    const [low, high] = ['low', 'high'].map((name) => values.find((each) => each.name === name));
    if (low === undefined || high === undefined) return [];
    const key = new Uint8Array(16);
    const view = new DataView(key.buffer);
    view.setBigUint64(0, low.value.value, true);
    view.setBigUint64(8, high.value.value, true);
    return [key];
  });
}

const toDigits = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const toBytes = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, 'hex'));

const TAG_TPID = '88b5';
const IPV4 = '0800';
const IPV6 = '86dd';
const TCP = 6;
const UDP = 17;
const INT_DSCP = 0x17;
const NOTIFICATION_PORT = 50001;
const NOTIFICATION_BYTES = 64;

/** The digits of a frame, of which `*` stands for any. */
function frameOverIpv6(digits: string, keys: readonly Uint8Array[]): string {
  const typeAt = digits.slice(24, 28) === TAG_TPID ? 40 : 24;
  const ip = digits.slice(typeAt + 4);
  if (digits.slice(typeAt, typeAt + 4) !== IPV4) return digits;
  if (!ip.startsWith('45') || (number(ip, 6, 2) & 0x3fff) !== 0) {
    throw new Error('options and fragments of IPv4 have no twin');
  }
  return digits.slice(0, typeAt) + IPV6 + packetOverIpv6(ip, keys);
}

/** The number of `bytes` bytes that begin at byte `at`. */
function number(digits: string, at: number, bytes: number): number {
  const part = digits.slice(2 * at, 2 * (at + bytes));
  if (!/^[0-9a-f]+$/i.test(part)) throw new Error(`wanted digits, found '${part}'`);
  return parseInt(part, 16);
}

function packetOverIpv6(ip: string, keys: readonly Uint8Array[]): string {
  const [serviceType, total, ttl] = [number(ip, 1, 1), number(ip, 2, 2), number(ip, 8, 1)];
  const protocol = number(ip, 9, 1);
  const payload = ip.slice(40);
  const isNotification =
    protocol === UDP &&
    serviceType >>> 2 !== INT_DSCP &&
    number(payload, 2, 2) === NOTIFICATION_PORT &&
    number(payload, 4, 2) === 8 + NOTIFICATION_BYTES;
  const addresses = isNotification
    ? notificationAddresses(ip)
    : flowAddresses({ source: number(ip, 12, 4), destination: number(ip, 16, 4), ...l4(ip) });
  const behind = isNotification
    ? notificationOverIpv6(payload, { ip, addresses, keys })
    : withChecksum(payload, protocol, pseudoDifference(ip, addresses));
  const grown = behind.length / 2 - payload.length / 2;
  return (
    (0x60000000 + serviceType * 0x100000).toString(16) +
    word(total - 20 + grown) +
    byte(protocol) +
    byte(ttl) +
    toDigits(addresses) +
    behind
  );
}

const byte = (value: number): string => value.toString(16).padStart(2, '0');
const word = (value: number): string => value.toString(16).padStart(4, '0');

function l4(ip: string): Pick<FiveTuple, 'protocol' | 'sourcePort' | 'destinationPort'> {
  return {
    protocol: number(ip, 9, 1),
    sourcePort: number(ip, 20, 2),
    destinationPort: number(ip, 22, 2),
  };
}

/** Both addresses of a flow, whose hashes stay. */
function flowAddresses(flow: FiveTuple): Uint8Array {
  const addresses = new Uint8Array(32);
  addresses.set(likeFlow(flow));
  new DataView(addresses.buffer).setUint32(16, flow.destination);
  return addresses;
}

/** The flow that a notification is about; it begins at byte 28 of the packet. */
const subjectOf = (ip: string): FiveTuple => ({
  source: number(ip, 28 + 40, 4),
  destination: number(ip, 28 + 44, 4),
  protocol: number(ip, 28 + 20, 1),
  sourcePort: number(ip, 28 + 24, 2),
  destinationPort: number(ip, 28 + 26, 2),
});

/** Addresses of a notification, which comes from a switch, and goes to another or to the flow's source. */
function notificationAddresses(ip: string): Uint8Array {
  const addresses = new Uint8Array(32);
  const view = new DataView(addresses.buffer);
  view.setUint32(0, number(ip, 12, 4));
  const subject = subjectOf(ip);
  if (number(ip, 16, 4) === subject.source) addresses.set(likeFlow(subject), 16);
  else view.setUint32(16, number(ip, 16, 4));
  return addresses;
}

interface Around {
  readonly ip: string;
  readonly addresses: Uint8Array;
  readonly keys: readonly Uint8Array[];
}

/** UDP header and message, with the code and the checksum right where they were right. */
function notificationOverIpv6(udp: string, { ip, addresses, keys }: Around): string {
  const old = udp.slice(16);
  const words = number(old, 2, 1);
  const covered =
    old.slice(0, 2) +
    byte(number(old, 1, 1) ^ 0x80) +
    // A wrong length stays wrong.
    byte(words === NOTIFICATION_BYTES / 4 ? 22 : words) +
    old.slice(6, 80) +
    toDigits(flowAddresses(subjectOf(ip)));
  const message = covered + codeOver(covered, old, keys) + old.slice(112, 128);
  const header = udp.slice(0, 8) + word(8 + message.length / 2);
  const sum = udp.slice(12, 16);
  const isKnown = !/[*]/.test(message) && !/[*]/.test(sum) && sum !== '0000';
  return header + (isKnown ? rightChecksum(addresses, header, message) : sum) + message;
}

/** The code of the new message under the key that the old one is right with; another one as it was. */
function codeOver(covered: string, old: string, keys: readonly Uint8Array[]): string {
  const code = old.slice(96, 112);
  if (/[*]/.test(covered + code)) return code;
  const codeOf = (key: Uint8Array, text: string): string =>
    toDigits(sipHash24(key, toBytes(text)).subarray(0, 8));
  const key = keys.find((each) => codeOf(each, old.slice(0, 96)) === code);
  return key === undefined ? code : codeOf(key, covered);
}

function rightChecksum(addresses: Uint8Array, header: string, message: string): string {
  const datagram = toBytes(`${header}0000${message}`);
  const pseudo = checksumWords(addresses, 0, addresses.length) + UDP + datagram.length;
  const sum = finishChecksum(pseudo + checksumWords(datagram, 0, datagram.length));
  return word(sum === 0 ? 0xffff : sum);
}

/** Sum of the addresses over IPv6 less that of those over IPv4. */
function pseudoDifference(ip: string, addresses: Uint8Array): number {
  const before = toBytes(ip.slice(24, 40));
  return foldChecksum(
    checksumWords(addresses, 0, addresses.length) +
      (0xffff - foldChecksum(checksumWords(before, 0, before.length))),
  );
}

/** The packet with its checksum of UDP or TCP for another sum of addresses, right or wrong as it was. */
function withChecksum(payload: string, protocol: number, difference: number): string {
  const at = protocol === UDP ? 12 : protocol === TCP ? 32 : undefined;
  if (at === undefined) return payload;
  const old = payload.slice(at, at + 4);
  if (/[*]/.test(old) || (protocol === UDP && old === '0000')) return payload;
  const sum = finishChecksum(0xffff - parseInt(old, 16) + difference);
  const isNone = protocol === UDP && sum === 0;
  return payload.slice(0, at) + word(isNone ? 0xffff : sum) + payload.slice(at + 4);
}
