import { craftFrame } from '../craft/kinds';
import { IOAM_NAMESPACE } from './trace-clauses';

/** Addresses of frames. */
export interface SuiteFlow {
  readonly source: string;
  readonly destination: string;
}

/** Addresses of the frames for nodes of IOAM. */
const IPV6_FLOW: SuiteFlow = { source: 'fd00::1', destination: 'fd00::2' };

const NODE = { hopLimit: 65, nodeId: 7, ingressInterface: 1, egressInterface: 2 };

/** Traces of every type, with room and without, after other nodes, with flags, and of another namespace. */
const tracesOf = (namespaceId: number): readonly object[] => [
  { namespaceId, traceType: 0x800000, remainingWords: 3 },
  { namespaceId, traceType: 0xc00000, remainingWords: 2, hops: [NODE] },
  { namespaceId, traceType: 0xf00000, remainingWords: 8 },
  { namespaceId, traceType: 0xf00000, remainingWords: 9 },
  { namespaceId, traceType: 0xfff000, remainingWords: 15 },
  { namespaceId, traceType: 0x00e000, remainingWords: 12 },
  { namespaceId, traceType: 0xc20800, remainingWords: 8 },
  { namespaceId, traceType: 0xc00000, remainingWords: 1, hops: [NODE] },
  { namespaceId, traceType: 0xc00000, remainingWords: 0, hops: [NODE, NODE] },
  { namespaceId, traceType: 0xc00000, remainingWords: 0, overflow: true, hops: [NODE] },
  { namespaceId, traceType: 0xc00000, remainingWords: 4, overflow: true, hops: [NODE] },
  { namespaceId, traceType: 0xc00000, remainingWords: 4, active: true },
  { namespaceId: namespaceId + 1, traceType: 0xc00000, remainingWords: 4 },
];

/** Options of Direct Export: every field, flow id and sequence number or neither, and another namespace. */
const exportsOf = (namespaceId: number): readonly object[] => [
  { namespaceId, traceType: 0x800000 },
  { namespaceId, traceType: 0xc00000, flowId: 7 },
  { namespaceId, traceType: 0x300000, flowId: 7, sequence: 0 },
  { namespaceId, traceType: 0xfa4000, flowId: 7, sequence: 1 },
  { namespaceId, traceType: 0xfff002, flowId: 7, sequence: 2 },
  { namespaceId, traceType: 0x080000, sequence: 9 },
  { namespaceId, traceType: 0xc00000, flowId: 8, otherFlags: 0x21, otherWords: [1, 2] },
  { namespaceId: namespaceId + 1, traceType: 0xc00000, flowId: 7 },
];

const framesWith = (options: readonly object[], flow: Partial<SuiteFlow>): readonly Uint8Array[] =>
  options.map((option) =>
    craftFrame([
      { kind: 'ethernet' },
      { kind: 'ipv6', ...IPV6_FLOW, ...flow, dscp: 10, flowLabel: 0x12345 },
      { kind: 'hop-by-hop', options: [option] },
      { kind: 'udp', destinationPort: 5000 },
      { kind: 'payload', text: 'a packet that a node is judged by' },
    ]),
  );

/** Frames by which a transit node of the pre-allocated trace of IOAM is judged. */
export const ioamSuiteOf = (
  flow: Partial<SuiteFlow>,
  namespaceId = IOAM_NAMESPACE,
): readonly Uint8Array[] =>
  framesWith(
    tracesOf(namespaceId).map((trace) => ({ trace })),
    flow,
  );

const NODES = [NODE, { ...NODE, nodeId: 8 }];

/** The same as incremental traces, and one with context of NSH and another option before it. */
const grownTracesOf = (namespaceId: number): readonly (readonly object[])[] => {
  const grown = tracesOf(namespaceId).map((trace) => ({ ...trace, isIncremental: true }));
  const edge = { namespaceId, sequence: 7 };
  const trace = { namespaceId, traceType: 0xc00000, remainingWords: 6, isIncremental: true };
  return [
    ...grown.map((each) => [{ kind: 'nsh' }, { kind: 'nsh-ioam', trace: each }]),
    [
      { kind: 'nsh', mdType: 1, context: '5a'.repeat(16), ttl: 9, oam: true },
      { kind: 'nsh-ioam', edgeToEdge: edge },
      { kind: 'nsh-ioam', trace: { ...trace, hops: NODES } },
    ],
  ];
};

/** Addresses of the packets on service paths. */
const NSH_FLOW: SuiteFlow = { source: '10.0.0.1', destination: '10.0.0.2' };

/** Frames by which a transit node of the incremental trace behind NSH is judged: on path 1, at index 255. */
export const nshSuiteOf = (
  flow: Partial<SuiteFlow>,
  namespaceId = IOAM_NAMESPACE,
): readonly Uint8Array[] => {
  const addresses = { ...NSH_FLOW, ...flow };
  const kind = addresses.destination.includes(':') ? 'ipv6' : 'ipv4';
  return grownTracesOf(namespaceId).map((layers) =>
    craftFrame([
      { kind: 'ethernet' },
      ...layers,
      { kind, ...addresses },
      { kind: 'udp', destinationPort: 5000 },
      { kind: 'payload', text: 'a packet that a node is judged by' },
    ]),
  );
};

/** Frames by which a node that exports directly is judged. */
export const dexSuiteOf = (
  flow: Partial<SuiteFlow>,
  namespaceId = IOAM_NAMESPACE,
): readonly Uint8Array[] =>
  framesWith(
    exportsOf(namespaceId).map((directExport) => ({ directExport })),
    flow,
  );
