import fc from 'fast-check';
import { internetChecksum } from '../../../common/wire/ip/checksum';

/** A packet from 10.0.0.1 to 10.0.0.2, or from 2001:db8::1 to 2001:db8::2, as bytes tell it. */
export interface PacketPlan {
  readonly family: 4 | 6;
  readonly transport: 'udp' | 'tcp';
  /** Words of IPv4 options, where the family is 4; none unless said. */
  readonly ipOptionWords?: number;
  /** Words of TCP options. */
  readonly optionWords: number;
  readonly dscp: number;
  readonly telemetry: TelemetryPlan | undefined;
  readonly payload: Uint8Array;
}

export interface TelemetryPlan {
  readonly set: 'base' | 'wide' | 'foreign';
  readonly hops: number;
  readonly remainingHops: number;
  /** D, E and M. */
  readonly flags: number;
  readonly dsFlags: number;
  readonly originalDscp: number;
}

export const INT_DSCP = 0x17;

/** Words per hop, instructions, domain, DS instructions. */
const SETS = {
  base: [8, 0xd400, 0x4850, 0xc000],
  wide: [10, 0xf400, 0x4850, 0xe000],
  foreign: [2, 0x9000, 0, 0],
} as const;

const telemetryPlan: fc.Arbitrary<TelemetryPlan> = fc.record({
  set: fc.constantFrom('base', 'base', 'wide', 'foreign'),
  hops: fc.integer({ min: 0, max: 9 }),
  remainingHops: fc.integer({ min: 0, max: 4 }),
  flags: fc.constantFrom(0, 0, 2, 4, 6),
  dsFlags: fc.integer({ min: 0, max: 0xffff }),
  originalDscp: fc.integer({ min: 0, max: 63 }),
});

/** Random packets, most of them with telemetry, all of them right. */
export const packetPlan: fc.Arbitrary<PacketPlan> = fc.record({
  family: fc.constantFrom(4, 6),
  transport: fc.constantFrom('udp', 'tcp'),
  ipOptionWords: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 10),
  optionWords: fc.integer({ min: 0, max: 10 }),
  dscp: fc.integer({ min: 0, max: 63 }),
  telemetry: fc.option(telemetryPlan, { nil: undefined, freq: 4 }),
  payload: fc.uint8Array({ minLength: 0, maxLength: 400 }),
});

/** The frame, with checksums. */
export function frameOf(plan: PacketPlan): Uint8Array {
  const body = [...telemetryBytes(plan), ...plan.payload];
  const segment = plan.transport === 'udp' ? udp(body) : tcp(plan.optionWords, body);
  const dscp = plan.telemetry === undefined ? notInt(plan.dscp) : INT_DSCP;
  const packet = plan.family === 4 ? ipv4(plan, dscp, segment) : ipv6(plan, dscp, segment);
  const type = plan.family === 4 ? [0x08, 0x00] : [0x86, 0xdd];
  const macs = [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];
  return Uint8Array.from([...macs, ...type, ...packet]);
}

const notInt = (dscp: number): number => (dscp === INT_DSCP ? 0 : dscp);

const word16 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];

function telemetryBytes({ telemetry }: PacketPlan): number[] {
  if (telemetry === undefined) return [];
  const { set, hops, remainingHops, flags, dsFlags, originalDscp } = telemetry;
  const [words, instructions, domain, dsInstructions] = SETS[set];
  const stack = Array.from({ length: hops * words * 4 }, (_, i) => (i * 37 + hops) & 0xff);
  return [
    0x10,
    3 + hops * words,
    0,
    originalDscp << 2,
    0x20 | flags,
    0,
    words,
    remainingHops,
    ...[instructions, domain, dsInstructions, dsFlags].flatMap(word16),
    ...stack,
  ];
}

const udp = (body: readonly number[]): number[] => [
  ...[40000, 4791, 8 + body.length, 0].flatMap(word16),
  ...body,
];

const tcp = (optionWords: number, body: readonly number[]): number[] => [
  ...[40000, 4791, 0, 1, 0, 2].flatMap(word16),
  (5 + optionWords) << 4,
  0x10,
  ...[8192, 0, 0].flatMap(word16),
  ...new Array<number>(optionWords * 4).fill(1),
  ...body,
];

function ipv4(plan: PacketPlan, dscp: number, segment: number[]): number[] {
  const addresses = [10, 0, 0, 1, 10, 0, 0, 2];
  const optionWords = plan.ipOptionWords ?? 0;
  const optionBytes = 4 * optionWords;
  const header = [
    0x45 + optionWords,
    (dscp << 2) | 2,
    ...[20 + optionBytes + segment.length, 7, 0x4000].flatMap(word16),
    64,
    protocolOf(plan),
    0,
    0,
    ...addresses,
    ...new Array<number>(optionBytes).fill(1),
  ];
  header.splice(10, 2, ...word16(internetChecksum(Uint8Array.from(header))));
  return [...header, ...withChecksum(plan, addresses, segment)];
}

function ipv6(plan: PacketPlan, dscp: number, segment: number[]): number[] {
  const address = (last: number): number[] => [
    ...[0x2001, 0x0db8, 0, 0, 0, 0, 0, last].flatMap(word16),
  ];
  const addresses = [...address(1), ...address(2)];
  return [
    0x60 | (dscp >> 2),
    ((dscp & 3) << 6) | 0x20,
    0,
    0,
    ...word16(segment.length),
    protocolOf(plan),
    64,
    ...addresses,
    ...withChecksum(plan, addresses, segment),
  ];
}

const protocolOf = ({ transport }: PacketPlan): number => (transport === 'udp' ? 17 : 6);

function withChecksum(plan: PacketPlan, addresses: number[], segment: number[]): number[] {
  const pseudo = [...addresses, 0, protocolOf(plan), ...word16(segment.length)];
  const sum = internetChecksum(Uint8Array.from([...pseudo, ...segment]));
  const at = plan.transport === 'udp' ? 6 : 16;
  const sent = plan.transport === 'udp' && sum === 0 ? 0xffff : sum;
  return [...segment.slice(0, at), ...word16(sent), ...segment.slice(at + 2)];
}
