import type { AnyLayer, Fields } from '../craft/layer';
import { LINK_ETHERNET } from '../../wire/capture/link-type';
import { craftFrame, dissectFrame } from '../craft/kinds';
import { equal, judgeBy } from './clause';
import type { ClauseOf, Verdict } from './clause';
import type { JudgeSettings } from './packet-view';

/** A clause of INT-MD v2.1 for transit hops. */
export type Clause = ClauseOf<Pair>;

/** The packet that went into a transit hop, and the one that came out. */
export interface Pair {
  readonly sent: View;
  readonly returned: View;
  /** True if the specification wants the hop to push: hops remain, and it has not found the MTU exceeded. */
  readonly pushes: boolean;
}

interface View {
  readonly ip: Fields;
  readonly udp: Fields;
  readonly shim: Fields;
  readonly int: Fields;
  readonly hops: readonly Fields[];
  readonly payload: unknown;
}

const HEADER = 'INT-MD Metadata Header Format';
const SHIM = 'INT over TCP/UDP';
const STACK = 'INT-MD Metadata Stack';

const text = (value: unknown): string => JSON.stringify(value) ?? 'none';

/** INT may be behind TCP in place of UDP. */
const isUdp = ({ udp }: View): boolean => udp['kind'] === 'udp';

type Part = 'ip' | 'udp' | 'shim' | 'int';

const unchanged = (part: Part, field: string, section: string): Clause => ({
  name: `${part}-${field}-unchanged`,
  section,
  check: ({ sent, returned }) =>
    part === 'udp' && !isUdp(returned)
      ? undefined
      : equal(field, sent[part][field], returned[part][field]),
});

/** Fields that {@link dissectFrame} shows only where they are wrong; `family` where one kind of IP has them alone. */
const right = (part: Part, field: string, section: string, family?: 'ipv4' | 'ipv6'): Clause => ({
  name: `${part}-${field}-right`,
  section,
  check: ({ returned }) => {
    if (family !== undefined && returned.ip['kind'] !== family) return undefined;
    if (part === 'udp' && !isUdp(returned)) return undefined;
    const found = returned[part][field];
    return found === undefined || `${field}: ${text(found)} does not fit the packet`;
  },
});

/** No checksum is a right one over IPv4, and elsewhere where the packet came without. */
const UDP_CHECKSUM: Clause = {
  name: 'udp-checksum-right',
  section: SHIM,
  check: ({ sent, returned }) => {
    if (!isUdp(returned)) return undefined;
    const found = returned.udp['checksum'];
    const mayBeNone = returned.ip['kind'] === 'ipv4' || sent.udp['checksum'] === 0;
    if (found === undefined || (found === 0 && mayBeNone)) return true;
    return `checksum: ${text(found)} does not fit the packet`;
  },
};

const hopsRemain = ({ int }: View): boolean => int['remainingHops'] !== 0;

/** True if the hop has set M, as one does in place of a push for which the MTU of its link leaves no room. */
const findsMtuExceeded = (sent: View, returned: View): boolean =>
  sent.int['mtuExceeded'] !== true && returned.int['mtuExceeded'] === true;

const newest = ({ returned, pushes }: Pair): Fields | undefined =>
  pushes ? returned.hops.at(-1) : undefined;

const ALL_ONES = 0xffff_ffff;

export const TRANSIT_CLAUSES: readonly Clause[] = [
  unchanged('ip', 'source', SHIM),
  unchanged('ip', 'destination', SHIM),
  unchanged('ip', 'dscp', SHIM),
  unchanged('udp', 'sourcePort', SHIM),
  unchanged('udp', 'destinationPort', SHIM),
  right('ip', 'totalLength', SHIM, 'ipv4'),
  right('ip', 'payloadLength', SHIM, 'ipv6'),
  right('ip', 'checksum', SHIM, 'ipv4'),
  right('udp', 'length', SHIM),
  UDP_CHECKSUM,
  unchanged('shim', 'type', SHIM),
  unchanged('shim', 'npt', SHIM),
  unchanged('shim', 'originalDscp', SHIM),
  unchanged('shim', 'originalPort', SHIM),
  right('shim', 'words', SHIM),
  unchanged('int', 'discard', HEADER),
  {
    name: 'mtu-exceeded-kept',
    section: HEADER,
    check: ({ sent, returned }) => {
      if (sent.int['mtuExceeded'] !== true) return undefined;
      return equal('mtuExceeded', true, returned.int['mtuExceeded']);
    },
  },
  unchanged('int', 'hopWords', HEADER),
  unchanged('int', 'instructionBitmap', HEADER),
  unchanged('int', 'domainId', HEADER),
  unchanged('int', 'dsInstruction', HEADER),
  {
    name: 'remaining-hop-count-decremented',
    section: HEADER,
    check: ({ sent, returned, pushes }) =>
      equal(
        'remainingHops',
        (sent.int['remainingHops'] as number) - Number(pushes),
        returned.int['remainingHops'],
      ),
  },
  {
    name: 'hop-limit-exceeded-when-none-remains',
    section: HEADER,
    check: ({ sent, returned }) =>
      equal(
        'hopLimitExceeded',
        hopsRemain(sent) ? sent.int['hopLimitExceeded'] : true,
        returned.int['hopLimitExceeded'],
      ),
  },
  {
    name: 'one-hop-pushed',
    section: STACK,
    check: ({ sent, returned, pushes }) =>
      equal('hops', sent.hops.length + Number(pushes), returned.hops.length),
  },
  {
    name: 'earlier-hops-unchanged',
    section: STACK,
    check: ({ sent, returned }) =>
      equal('hops', sent.hops, returned.hops.slice(0, sent.hops.length)),
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
 * @returns one failure, `packet-returned`, where a packet carries no INT-MD over UDP or TCP.
 */
export function judgeTransit(
  sent: Uint8Array,
  returned: Uint8Array | undefined,
  settings: JudgeSettings = {},
): Verdict[] {
  const before = viewOf(sent, settings);
  if (before === undefined)
    return [failure('the packet that was sent is no INT-MD over UDP or TCP')];
  if (returned === undefined) return [failure('no packet came back')];
  const after = viewOf(returned, settings);
  if (after === undefined)
    return [failure('the packet that came back is no readable INT-MD over UDP or TCP')];
  const pushes = hopsRemain(before) && !findsMtuExceeded(before, after);
  const pair = { sent: before, returned: after, pushes };
  return judgeBy(TRANSIT_CLAUSES, pair);
}

const failure = (reason: string): Verdict => ({
  clause: 'packet-returned',
  section: SHIM,
  verdict: 'fail',
  reason,
});

/** Fields that mean the same whether they are derived or said. */
function viewOf(frame: Uint8Array, settings: JudgeSettings): View | undefined {
  const { layers } = dissectFrame(frame, LINK_ETHERNET, settings);
  const ip = layers.find(({ kind }) => kind === 'ipv4' || kind === 'ipv6');
  const [shim, int] = ['int-shim', 'int-md'].map((name) =>
    layers.find(({ kind }) => kind === name),
  );
  const udp = layers.find(({ kind }) => kind === 'udp' || kind === 'tcp');
  if (ip === undefined || udp === undefined || shim === undefined || int === undefined)
    return undefined;
  const at = layers.indexOf(int);
  return {
    ip,
    udp,
    shim,
    int: withLayout(int, frame, settings),
    hops: (int['hops'] ?? []) as readonly Fields[],
    payload: layers.slice(at + 1),
  };
}

/** Bitmap and hop length as they stand in the frame: they are left out where they follow from the hops. */
function withLayout(int: AnyLayer, frame: Uint8Array, settings: JudgeSettings): Fields {
  const at = headerOffset(frame, settings);
  return {
    ...int,
    hopWords: (frame[at + 2] ?? 0) & 0x1f,
    instructionBitmap: 256 * (frame[at + 4] ?? 0) + (frame[at + 5] ?? 0),
  };
}

function headerOffset(frame: Uint8Array, settings: JudgeSettings): number {
  const { layers } = dissectFrame(frame, LINK_ETHERNET, settings);
  const before = layers.slice(
    0,
    layers.findIndex(({ kind }) => kind === 'int-md'),
  );
  return craftFrame(before).length;
}
