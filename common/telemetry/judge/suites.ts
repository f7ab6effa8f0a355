import { craftFrame } from '../craft/kinds';
import { PLAIN_OF, intOver, plainOver } from './carriers';
import type { JudgedCarrier } from './carriers';
import { dexSuiteOf, ioamSuiteOf, nshSuiteOf } from './ioam-suite';
import type { SuiteFlow } from './ioam-suite';
import type { JudgeSettings } from './packet-view';
import type { IntRole, JudgedRole } from './roles';

const DEFAULT_FLOW: SuiteFlow = { source: '10.0.0.1', destination: '10.0.0.2' };

const ipOf = (flow: SuiteFlow, dscp?: number): object => ({
  kind: flow.destination.includes(':') ? 'ipv6' : 'ipv4',
  ...flow,
  ...(dscp !== undefined && { dscp }),
});
const HOP = { nodeId: 0x107, ingressInterface: 2, egressInterface: 3 };
const TIMED = { nodeId: 0x107, ingressTimestamp: 1000, egressTimestamp: 1400 };
const WITH_COMPLEMENT = { nodeId: 0x107, checksumComplement: 0 };

type Layers = readonly object[];

interface Plan {
  readonly flow: SuiteFlow;
  readonly carriers: readonly JudgedCarrier[];
  readonly settings: JudgeSettings;
}

/** Frames of INT-MD: with and without hops, times, a complement, at the hop limit, over MTU. */
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

const intMd = ({ flow, carriers, settings }: Plan, fields: readonly object[]): Layers[] =>
  fields.flatMap((each) =>
    carriers.map((carrier) => intOver(carrier, ipOf(flow), { kind: 'int-md', ...each }, settings)),
  );

const MX_FIELDS: readonly object[] = [
  { instructionBitmap: 0x8000 },
  { instructionBitmap: 0xff80 },
  { instructionBitmap: 0x7c00 },
];
const intMx = ({ flow, carriers, settings }: Plan, fields: readonly object[]): Layers[] =>
  fields.flatMap((each) =>
    carriers.map((carrier) => intOver(carrier, ipOf(flow), { kind: 'int-mx', ...each }, settings)),
  );

/** Packets as they are before a source, of each kind that the carriers are for. */
const plain = ({ flow, carriers }: Plan): Layers[] =>
  [...new Set(carriers.map((carrier) => PLAIN_OF[carrier]))].flatMap((kind) =>
    [0, 12].map((dscp) => plainOver(kind, ipOf(flow, dscp))),
  );

function layersOf(role: IntRole, plan: Plan): readonly Layers[] {
  switch (role) {
    case 'transit':
      return [...intMd(plan, INT_MD), ...intMd(plan, LIMITS)];
    case 'sink':
      return [...intMd(plan, INT_MD), ...intMd(plan, [{ discard: true, hops: [HOP] }])];
    case 'source':
    case 'mx-source':
    case 'xd':
      return plain(plan);
    case 'mx-transit':
      return intMx(plan, MX_FIELDS);
    case 'mx-sink':
      return intMx(plan, [...MX_FIELDS, { instructionBitmap: 0x8000, discard: true }]);
  }
}

/** Carriers that a device is judged by unless others are named. */
const DEFAULT_CARRIERS: readonly JudgedCarrier[] = ['udp', 'tcp'];

/** Frames by which a device in a role is judged. */
export const suiteOf = (
  role: JudgedRole,
  flow: Partial<SuiteFlow> = {},
  settings: JudgeSettings = {},
  carriers: readonly JudgedCarrier[] = DEFAULT_CARRIERS,
): readonly Uint8Array[] => {
  if (role === 'ioam-export') return dexSuiteOf(flow, settings.ioamNamespace);
  if (role === 'ioam-transit') return ioamSuiteOf(flow, settings.ioamNamespace);
  if (role === 'ioam-incremental') return nshSuiteOf(flow, settings.ioamNamespace);
  return layersOf(role, { flow: { ...DEFAULT_FLOW, ...flow }, carriers, settings }).map((layers) =>
    craftFrame(layers, settings),
  );
};
