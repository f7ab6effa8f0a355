import { craftFrame } from '../craft/kinds';
import type { JudgeSettings } from './packet-view';
import type { JudgedRole } from './roles';

/** Addresses of the frames of a suite. */
export interface SuiteFlow {
  readonly source: string;
  readonly destination: string;
}

const DEFAULT_FLOW: SuiteFlow = { source: '10.0.0.1', destination: '10.0.0.2' };
const PORT = 5000;
const PAYLOAD = { kind: 'payload', text: 'a packet that a device is judged by' };

const ipOf = (flow: SuiteFlow, dscp?: number): object => ({
  kind: flow.destination.includes(':') ? 'ipv6' : 'ipv4',
  ...flow,
  ...(dscp !== undefined && { dscp }),
});
const UDP = { kind: 'udp', destinationPort: PORT };
const TCP = { kind: 'tcp', destinationPort: PORT };

const HOP = { nodeId: 0x107, ingressInterface: 2, egressInterface: 3 };
const TIMED = { nodeId: 0x107, ingressTimestamp: 1000, egressTimestamp: 1400 };
const WITH_COMPLEMENT = { nodeId: 0x107, checksumComplement: 0 };

type Layers = readonly object[];

/** Frames of INT-MD over UDP and TCP: with and without hops, times, a complement, at the hop limit, over MTU. */
const INT_MD: readonly object[] = [
  { instructionBitmap: 0xc000, hopWords: 2, hops: [] },
  { hops: [HOP, HOP] },
  { hops: [TIMED] },
  { instructionBitmap: 0xff80, hopWords: 12, hops: [] },
  { hops: [WITH_COMPLEMENT] },
  { remainingHops: 1, hops: [HOP] },
];
const LIMITS: readonly object[] = [
  { remainingHops: 0, hops: [HOP] },
  { remainingHops: 0, hopLimitExceeded: true, hops: [HOP] },
  { mtuExceeded: true, hops: [HOP] },
  { instructionBitmap: 0x807e, hopWords: 7, hops: [] },
];

const overBoth = (flow: SuiteFlow, shim: object, int: object): Layers[] =>
  [UDP, TCP].map((l4) => [{ kind: 'ethernet' }, ipOf(flow), l4, shim, int, PAYLOAD]);

const intMd = (flow: SuiteFlow, fields: readonly object[], originalDscp = 10): Layers[] =>
  fields.flatMap((each) =>
    overBoth(flow, { kind: 'int-shim', originalDscp }, { kind: 'int-md', ...each }),
  );

const MX_FIELDS: readonly object[] = [
  { instructionBitmap: 0x8000 },
  { instructionBitmap: 0xff80 },
  { instructionBitmap: 0x7c00 },
];
const intMx = (flow: SuiteFlow): Layers[] =>
  MX_FIELDS.flatMap((each) =>
    overBoth(flow, { kind: 'int-shim', originalDscp: 10 }, { kind: 'int-mx', ...each }),
  );

const plain = (flow: SuiteFlow): Layers[] =>
  [UDP, TCP].flatMap((l4) =>
    [0, 12].map((dscp) => [{ kind: 'ethernet' }, ipOf(flow, dscp), l4, PAYLOAD]),
  );

/** A version that nobody defines: the first half of the header's first byte. */
const unknownVersion = (flow: SuiteFlow): Layers => [
  { kind: 'ethernet' },
  ipOf(flow),
  UDP,
  { kind: 'int-shim' },
  {
    kind: 'int-md',
    instructionBitmap: 0x8000,
    hopWords: 1,
    hops: [],
    patch: [{ at: 0, bytes: '50' }],
  },
  PAYLOAD,
];

function layersOf(role: JudgedRole, flow: SuiteFlow): readonly Layers[] {
  switch (role) {
    case 'transit':
      return [...intMd(flow, INT_MD), ...intMd(flow, LIMITS), unknownVersion(flow)];
    case 'sink':
      return [...intMd(flow, INT_MD), ...intMd(flow, [{ discard: true, hops: [HOP] }])];
    case 'source':
    case 'mx-source':
    case 'xd':
      return plain(flow);
    case 'mx-transit':
      return intMx(flow);
    case 'mx-sink':
      return intMx(flow);
  }
}

/** Frames by which a device in a role is judged. */
export const suiteOf = (
  role: JudgedRole,
  flow: Partial<SuiteFlow> = {},
  settings: JudgeSettings = {},
): readonly Uint8Array[] =>
  layersOf(role, { ...DEFAULT_FLOW, ...flow }).map((layers) => craftFrame(layers, settings));
