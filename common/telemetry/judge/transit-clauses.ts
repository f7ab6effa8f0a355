import { LINK_ETHERNET } from '../../wire/capture/link-type';
import { INT_V2_METADATA, baselineWords, readIntBlock } from '../../wire/int/int-metadata';
import { INT_TYPE_MD } from '../../wire/int/int-shim';
import { hopOf } from '../craft/int-hop';
import { dissectFrame } from '../craft/kinds';
import type { AnyLayer, Fields } from '../craft/layer';
import { equal, faultless, judgeBy } from './clause';
import type { ClauseOf, Verdict } from './clause';
import { hex, viewPacket } from './packet-view';
import type { IntView, JudgeSettings, PacketView } from './packet-view';
import type { ShimView } from './shim-view';

/** A clause of INT-MD v2.1 for transit hops. */
export type Clause = ClauseOf<Pair>;

/** The packet that went into a transit hop, and the one that came out. */
export interface Pair {
  readonly sent: View;
  readonly returned: View;
  /** True if the specification wants the hop to push: hops remain, the MTU is not exceeded, all instructions are known. */
  readonly pushes: boolean;
}

interface View {
  readonly packet: PacketView;
  /** Fields of the outermost headers; those that others determine are there where they are wrong. */
  readonly ip: Fields;
  readonly l4: Fields;
  readonly shim: ShimView;
  readonly int: IntView;
  /** Hops in path order, as bytes. */
  readonly hops: readonly Uint8Array[];
  /** Bytes of the stack, whatever the shim says. */
  readonly stackLength: number;
  readonly payload: string;
}

const HEADER = 'INT-MD Metadata Header Format';
const SHIM = 'INT over TCP/UDP';
const STACK = 'INT-MD Metadata Stack';

const HEADER_WORDS = 3;

const text = (value: unknown): string => JSON.stringify(value) ?? 'none';

const isUdp = ({ packet }: View): boolean => packet.l4?.kind === 'udp';

const ipUnchanged = (field: 'source' | 'destination'): Clause => ({
  name: `ip-${field}-unchanged`,
  section: SHIM,
  check: ({ sent, returned }) => equal(field, sent.ip[field], returned.ip[field]),
});

const IP_DSCP: Clause = {
  name: 'ip-dscp-unchanged',
  section: SHIM,
  check: ({ sent, returned }) => equal('dscp', sent.packet.dscp, returned.packet.dscp),
};

const udpUnchanged = (field: 'sourcePort' | 'destinationPort'): Clause => ({
  name: `udp-${field}-unchanged`,
  section: SHIM,
  check: ({ sent, returned }) =>
    isUdp(returned)
      ? equal(field, sent.packet.l4?.[field], returned.packet.l4?.[field])
      : undefined,
});

const shimUnchanged = (field: 'type' | 'npt'): Clause => ({
  name: `shim-${field}-unchanged`,
  section: SHIM,
  check: ({ sent, returned }) =>
    sent.shim[field] === undefined
      ? undefined
      : equal(field, sent.shim[field], returned.shim[field]),
});

/** Value that the source has taken out of the packet; which of three the NPT says. */
const originalUnchanged = (npt: number, field: string, bits: number): Clause => ({
  name: `shim-${field}-unchanged`,
  section: SHIM,
  check: ({ sent, returned }) =>
    sent.shim.npt === npt
      ? equal(field, sent.shim.original & bits, returned.shim.original & bits)
      : undefined,
});

const intUnchanged = (
  field: 'discard' | 'hopWords' | 'bitmap' | 'domainId' | 'dsInstruction',
  name: string = field,
): Clause => ({
  name: `int-${name}-unchanged`,
  section: HEADER,
  check: ({ sent, returned }) => equal(name, sent.int[field], returned.int[field]),
});

/** Fields of IP that others determine; `family` where one kind of IP has them alone. */
const ipRight = (
  field: 'totalLength' | 'payloadLength' | 'checksum',
  family: 'ipv4' | 'ipv6',
): Clause => ({
  name: `ip-${field}-right`,
  section: SHIM,
  check: ({ returned }) =>
    returned.ip['kind'] === family
      ? faultless(returned.packet.ipFaults.find((fault) => fault.startsWith(field)))
      : undefined,
});

const UDP_LENGTH: Clause = {
  name: 'udp-length-right',
  section: SHIM,
  check: ({ returned }) => {
    if (!isUdp(returned)) return undefined;
    const found = returned.l4['length'];
    return found === undefined || `length: ${text(found)} does not fit the packet`;
  },
};

/** No checksum is a right one over IPv4, and elsewhere where the packet came without. */
const UDP_CHECKSUM: Clause = {
  name: 'udp-checksum-right',
  section: SHIM,
  check: ({ sent, returned }) => {
    if (!isUdp(returned)) return undefined;
    const found = returned.l4['checksum'];
    const mayBeNone = returned.ip['kind'] === 'ipv4' || sent.l4['checksum'] === 0;
    if (found === undefined || (found === 0 && mayBeNone)) return true;
    return `checksum: ${text(found)} does not fit the packet`;
  },
};

/** The shim counts what follows it. */
const SHIM_WORDS: Clause = {
  name: 'shim-words-right',
  section: SHIM,
  check: ({ returned }) =>
    equal('words', HEADER_WORDS + returned.stackLength / 4, returned.shim.words),
};

const hopsRemain = ({ int }: View): boolean => int.remainingHops !== 0;

/** True if the hop has set M, as one does in place of a push for which the MTU of its link leaves no room. */
const findsMtuExceeded = (sent: View, returned: View): boolean =>
  !sent.int.mtuExceeded && returned.int.mtuExceeded;

/** Instructions 9 to 14. */
const RESERVED = 0x007e;

/**
 * True if the hop has pushed nothing where the specification lets it: for reserved instructions, which it may fill with ones
 * instead, and for domains, which it may not know.
 */
const leavesUnknown = (sent: View, returned: View): boolean =>
  ((sent.int.bitmap & RESERVED) !== 0 || sent.int.domainId !== 0) &&
  sent.stackLength === returned.stackLength;

/** The metadata that the hop has pushed, read as the packet asks for them. */
function newest({ sent, returned, pushes }: Pair): Fields | undefined {
  const block = returned.hops.at(-1);
  if (!pushes || block === undefined) return undefined;
  const { bitmap, hopWords } = sent.int;
  if (baselineWords(bitmap) > hopWords) return undefined;
  const layout = { instructionBitmap: bitmap, hopWords, ...INT_V2_METADATA };
  return hopOf(readIntBlock(block, 0, layout));
}

const ALL_ONES = 0xffff_ffff;

export const TRANSIT_CLAUSES: readonly Clause[] = [
  ipUnchanged('source'),
  ipUnchanged('destination'),
  IP_DSCP,
  udpUnchanged('sourcePort'),
  udpUnchanged('destinationPort'),
  ipRight('totalLength', 'ipv4'),
  ipRight('payloadLength', 'ipv6'),
  ipRight('checksum', 'ipv4'),
  UDP_LENGTH,
  UDP_CHECKSUM,
  shimUnchanged('type'),
  shimUnchanged('npt'),
  originalUnchanged(0, 'originalDscp', 0x00fc),
  originalUnchanged(1, 'originalPort', 0xffff),
  originalUnchanged(2, 'originalProtocol', 0x00ff),
  SHIM_WORDS,
  intUnchanged('discard'),
  {
    name: 'mtu-exceeded-kept',
    section: HEADER,
    check: ({ sent, returned }) => {
      if (!sent.int.mtuExceeded) return undefined;
      return equal('mtuExceeded', true, returned.int.mtuExceeded);
    },
  },
  intUnchanged('hopWords'),
  intUnchanged('bitmap', 'instructionBitmap'),
  intUnchanged('domainId'),
  intUnchanged('dsInstruction'),
  {
    name: 'remaining-hop-count-decremented',
    section: HEADER,
    check: ({ sent, returned, pushes }) =>
      equal('remainingHops', sent.int.remainingHops - Number(pushes), returned.int.remainingHops),
  },
  {
    name: 'hop-limit-exceeded-when-none-remains',
    section: HEADER,
    check: ({ sent, returned }) =>
      equal(
        'hopLimitExceeded',
        hopsRemain(sent) ? sent.int.hopLimitExceeded : true,
        returned.int.hopLimitExceeded,
      ),
  },
  {
    name: 'one-hop-pushed',
    section: STACK,
    check: ({ sent, returned, pushes }) => {
      const grown = Number(pushes) * sent.int.hopWords;
      return equal('words of the stack', sent.stackLength / 4 + grown, returned.stackLength / 4);
    },
  },
  {
    name: 'earlier-hops-unchanged',
    section: STACK,
    check: ({ sent, returned }) => {
      const earlier = returned.hops.slice(0, sent.hops.length);
      // Where some are missing, another clause says so.
      return earlier.length < sent.hops.length
        ? undefined
        : equal('hops', sent.hops.map(hex), earlier.map(hex));
    },
  },
  {
    name: 'payload-unchanged',
    section: STACK,
    check: ({ sent, returned }) => equal('payload', sent.payload, returned.payload),
  },
  {
    name: 'node-id-known',
    section: STACK,
    check: (pair) => {
      const id = newest(pair)?.['nodeId'];
      return id === undefined
        ? undefined
        : id !== ALL_ONES || 'nodeId: all ones, so the node does not say who it is';
    },
  },
  {
    name: 'egress-not-before-ingress',
    section: STACK,
    check: (pair) => {
      const { ingressTimestamp: from, egressTimestamp: to } = newest(pair) ?? {};
      if (typeof from !== 'number' || typeof to !== 'number') return undefined;
      return to >= from || `egressTimestamp ${to} is before ingressTimestamp ${from}`;
    },
  },
  {
    name: 'reserved-instructions-all-ones',
    section: STACK,
    check: (pair) => {
      const words = newest(pair)?.['reserved'] as readonly number[] | undefined;
      return (words?.every((word) => word === ALL_ONES) ?? undefined)
        ? true
        : words && `reserved: wanted all ones, found ${text(words)}`;
    },
  },
];

/**
 * Judges what a transit hop made of an INT-MD packet, clause by clause.
 *
 * @param returned undefined where nothing came back.
 * @returns one failure, `packet-returned`, where a packet carries no INT-MD.
 */
export function judgeTransit(
  sent: Uint8Array,
  returned: Uint8Array | undefined,
  settings: JudgeSettings = {},
): Verdict[] {
  const before = viewOf(sent, settings);
  if (before === undefined) return [failure('the packet that was sent is no INT-MD')];
  if (returned === undefined) return [failure('no packet came back')];
  const after = viewOf(returned, settings, before);
  if (after === undefined) return [failure('the packet that came back is no readable INT-MD')];
  const pushes =
    hopsRemain(before) && !findsMtuExceeded(before, after) && !leavesUnknown(before, after);
  return judgeBy(TRANSIT_CLAUSES, { sent: before, returned: after, pushes });
}

const failure = (reason: string): Verdict => ({
  clause: 'packet-returned',
  section: SHIM,
  verdict: 'fail',
  reason,
});

/** @param sent the packet before: what came out is measured by its payload and its hops. */
function viewOf(bytes: Uint8Array, settings: JudgeSettings, sent?: View): View | undefined {
  const packet = viewPacket(bytes, settings, sent?.packet);
  if (packet?.shim === undefined || packet.int === undefined) return undefined;
  if (sent === undefined && packet.shim.type !== INT_TYPE_MD) return undefined;
  const { shim, int, ipEnd, l4 } = packet;
  const { layers } = dissectFrame(bytes, LINK_ETHERNET, settings);
  const stackAt = int.at + 4 * HEADER_WORDS;
  const payloadAt = sent === undefined ? int.end : ipEnd - sent.payload.length / 2;
  if (payloadAt < stackAt) return undefined;
  return {
    packet,
    ip: layers.find(({ kind }) => kind === `ipv${packet.family}`) as AnyLayer,
    l4: l4?.wrong ?? {},
    shim,
    int,
    hops: hopsOf(bytes.subarray(stackAt, payloadAt), 4 * (sent ?? { int }).int.hopWords),
    stackLength: payloadAt - stackAt,
    payload: hex(bytes.subarray(payloadAt, ipEnd)),
  };
}

/** Blocks of a stack, of which the last one is the first hop's. */
function hopsOf(stack: Uint8Array, length: number): readonly Uint8Array[] {
  const count = length === 0 ? 0 : Math.floor(stack.length / length);
  return Array.from({ length: count }, (_, i) => {
    const end = stack.length - i * length;
    return stack.subarray(end - length, end);
  });
}
