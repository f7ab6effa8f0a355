import { readUint32 } from '../../wire/bytes';
import { baselineWords } from '../../wire/int/int-metadata';
import { INT_TYPE_MD, INT_TYPE_MX } from '../../wire/int/int-shim';
import { equal, faultless } from './clause';
import type { ClauseOf, Finding } from './clause';
import { carriedBytes, hex, l4Fault, l4Header } from './packet-view';
import type { PacketView } from './packet-view';
import type { Passage, Role } from './passage';
import { ofInt, ofShim, withoutShim } from './passage';
import {
  hasAdded,
  tunnelAddedClauses,
  tunnelRemovedClauses,
  tunnelTransitClauses,
} from './tunnel-clauses';

const LOCATION = 'Header Location';
const SHIM = 'INT over TCP/UDP';
const HEADER = 'INT-MD Metadata Header Format';
const MX = 'INT-MX Header Format';
const MONITOR = 'What To Monitor';
const CHECKSUM = 'Checksum Update';
const SOURCE = 'INT Source Node';
const TRANSIT = 'INT Transit Hop Node';
const SINK = 'INT Sink Node';
const XD = 'INT Application Modes';

const SECTIONS: Readonly<Record<Role, string>> = {
  transit: TRANSIT,
  source: SOURCE,
  sink: SINK,
  'mx-source': SOURCE,
  'mx-transit': TRANSIT,
  'mx-sink': SINK,
  xd: XD,
};

/** Clauses about what no role of INT may change or get wrong. */
const packetClauses = (role: Role): ClauseOf<Passage>[] => [
  {
    name: `${role}-addresses-unchanged`,
    section: SECTIONS[role],
    check: ({ sent, returned }) => equal('addresses', sent.addresses, returned.addresses),
  },
  {
    name: `${role}-ecn-unchanged`,
    section: SECTIONS[role],
    check: ({ sent, returned }) => equal('ECN', sent.ecn, returned.ecn),
  },
  {
    name: `${role}-ip-lengths-and-checksum-right`,
    section: SHIM,
    check: ({ returned }) => faultless(returned.ipFaults[0]),
  },
  {
    name: `${role}-udp-length-right`,
    section: SHIM,
    check: ({ sent, returned }) =>
      returned.l4?.kind === 'udp' ? faultless(l4Fault(returned, sent, 'length')) : undefined,
  },
  {
    name: `${role}-transport-checksum-right`,
    section: CHECKSUM,
    check: ({ sent, returned }) =>
      returned.l4 === undefined ? undefined : faultless(l4Fault(returned, sent, 'checksum')),
  },
  {
    name: `${role}-tcp-header-unchanged`,
    section: SECTIONS[role],
    check: ({ sent, returned }) =>
      sent.l4?.kind === 'tcp' && returned.l4?.kind === 'tcp'
        ? equal('TCP header', l4Header(sent), l4Header(returned))
        : undefined,
  },
];

const NPT_DSCP = 0;
const NPT_PORT = 1;
const NPT_PROTOCOL = 2;

const addedClauses = (role: 'source' | 'mx-source', type: number): ClauseOf<Passage>[] => [
  ...packetClauses(role),
  {
    name: `${role}-int-added`,
    section: SECTIONS[role],
    check: ({ returned }) => returned.int !== undefined || 'the packet has no INT',
  },
  {
    name: `${role}-shim-type`,
    section: SHIM,
    check: ofShim((shim) => equal('type', type, shim.type)),
  },
  {
    name: `${role}-shim-npt-defined`,
    section: SHIM,
    check: ofShim(({ npt }) =>
      npt === undefined ? undefined : npt <= NPT_PROTOCOL || `NPT: wanted 0 to 2, found ${npt}`,
    ),
  },
  {
    name: `${role}-shim-reserved-zero`,
    section: SHIM,
    check: ofShim(({ reserved }) => equal('reserved bits', 0, reserved)),
  },
  {
    name: `${role}-shim-has-original-dscp`,
    section: SHIM,
    // Optional: 0 says that the source does not tell.
    check: ofShim(({ npt, original }, { sent }) => {
      const kept = (original >>> 2) & 0x3f;
      if (npt !== NPT_DSCP) return undefined;
      return kept === 0 || equal('original DSCP', sent.dscp, kept);
    }),
  },
  {
    name: `${role}-shim-has-original-port`,
    section: SHIM,
    check: ofShim(({ npt, original }, { sent }) =>
      npt === NPT_PORT ? equal('original port', sent.l4?.destinationPort, original) : undefined,
    ),
  },
  {
    name: `${role}-shim-has-original-protocol`,
    section: SHIM,
    check: ofShim(({ npt, original }, { sent }) =>
      npt === NPT_PROTOCOL ? equal('original protocol', sent.protocol, original & 0xff) : undefined,
    ),
  },
  {
    name: `${role}-ports-unchanged`,
    section: LOCATION,
    check: ofShim(({ npt }, { sent, returned }) => {
      if (npt === NPT_PROTOCOL || returned.l4?.kind === 'gre') return undefined;
      const isMoved = npt === NPT_PORT || hasAdded({ sent, returned });
      const kept = isMoved ? 1 : 2;
      return equal('ports', portsOf(sent).slice(0, kept), portsOf(returned).slice(0, kept));
    }),
  },
  {
    name: `${role}-payload-unchanged`,
    section: SECTIONS[role],
    check: ofShim((own, { sent, returned }) => {
      const shim = { ...own, added: hasAdded({ sent, returned }) };
      return equal('payload', carriedBytes(sent, shim), carriedBytes(returned, shim));
    }),
  },
  {
    name: `${role}-version-2`,
    section: HEADER,
    check: ofInt(({ version }) => equal('version', 2, version)),
  },
  {
    name: `${role}-header-reserved-zero`,
    section: type === INT_TYPE_MX ? MX : HEADER,
    check: ofInt(({ reserved }) => equal('reserved bits', 0, reserved)),
  },
  {
    name: `${role}-reserved-instructions-zero`,
    section: type === INT_TYPE_MX ? MX : HEADER,
    check: ofInt(({ bitmap }) => equal('instructions 9 to 14', 0, bitmap & RESERVED)),
  },
  {
    name: `${role}-default-domain-without-ds`,
    section: HEADER,
    check: ofInt(({ domainId, dsInstruction }) =>
      domainId === 0 ? equal('DS Instruction', 0, dsInstruction) : undefined,
    ),
  },
  ...tunnelAddedClauses(role),
];

const RESERVED = 0x007e;
const COMPLEMENT = 0x0001;

const portsOf = ({ l4 }: PacketView): readonly unknown[] => [l4?.sourcePort, l4?.destinationPort];

/** Header of a tunnel that nothing is put into. */
const tunnelHeader = ({ tunnel }: PacketView): readonly unknown[] => [
  tunnel?.kind,
  tunnel?.next,
  tunnel?.rest,
  tunnel?.optionWords,
];

const HEADER_WORDS = 3;

/** Clauses for INT sources of INT-MD. */
export const SOURCE_CLAUSES: readonly ClauseOf<Passage>[] = [
  ...addedClauses('source', INT_TYPE_MD),
  {
    name: 'source-hop-limit-not-exceeded',
    section: HEADER,
    check: ofInt(({ hopLimitExceeded }) => equal('E', false, hopLimitExceeded)),
  },
  {
    name: 'source-hops-remain',
    section: HEADER,
    check: ofInt(({ remainingHops, mtuExceeded }, { returned }) => {
      // The last hop that is allowed may be the source itself.
      const hasPushed = (returned.shim?.words ?? 0) > HEADER_WORDS;
      if (mtuExceeded) return undefined;
      return hasPushed || remainingHops > 0 || 'remaining hop count: wanted 1 or more, found 0';
    }),
  },
  {
    name: 'source-hop-length-fits-instructions',
    section: HEADER,
    check: ofInt(({ bitmap, hopWords, domainId }) => {
      const wanted = baselineWords(bitmap);
      const fits = domainId === 0 ? hopWords === wanted : hopWords >= wanted;
      return fits || `hop length: wanted ${wanted} words for the instructions, found ${hopWords}`;
    }),
  },
  {
    name: 'source-shim-length-right',
    section: SHIM,
    check: ofInt(({ hopWords, domainId }, { returned }) => {
      const stack = (returned.shim?.words ?? 0) - HEADER_WORDS;
      const isWhole = stack === 0 || stack === hopWords || (domainId !== 0 && stack > 0);
      return isWhole || `stack: wanted 0 or ${hopWords} words of one hop, found ${stack}`;
    }),
  },
  {
    name: 'source-node-id-known',
    section: MONITOR,
    check: ofInt(({ hops }) => {
      const id = hops.at(-1)?.['nodeId'];
      return id === undefined ? undefined : id !== ALL_ONES || 'nodeId: all ones';
    }),
  },
  {
    name: 'source-egress-not-before-ingress',
    section: MONITOR,
    check: ofInt(({ hops }) => inOrder(hops.at(-1) ?? {})),
  },
];

const ALL_ONES = 0xffff_ffff;

/** Compares times of a hop or a report. */
export function inOrder(metadata: Readonly<Record<string, unknown>>): Finding {
  const { ingressTimestamp: from, egressTimestamp: to } = metadata;
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  return to >= from || `egressTimestamp ${to} is before ingressTimestamp ${from}`;
}

/** Clauses for transit hops of INT-MD beside those of transit-clauses.ts, over UDP and TCP. */
export const TRANSIT_PACKET_CLAUSES: readonly ClauseOf<Passage>[] = [
  ...packetClauses('transit').filter(({ name }) =>
    ['transit-ecn-unchanged', 'transit-tcp-header-unchanged'].includes(name),
  ),
  {
    name: 'transit-tcp-checksum-right',
    section: CHECKSUM,
    check: ({ sent, returned }) =>
      returned.l4?.kind === 'tcp' ? faultless(l4Fault(returned, sent, 'checksum')) : undefined,
  },
  {
    name: 'transit-protocol-unchanged',
    section: TRANSIT,
    check: ({ sent, returned }) => equal('protocol', sent.protocol, returned.protocol),
  },
  {
    name: 'transit-marker-unchanged',
    section: LOCATION,
    check: ({ sent, returned }) => equal('marker', markerBytes(sent), markerBytes(returned)),
  },
  {
    name: 'transit-shim-reserved-unchanged',
    section: SHIM,
    // "Set to zero upon transmission and ignored upon reception".
    check: ofShim(
      ({ reserved }, { sent }) =>
        reserved === 0 || equal('reserved bits', sent.shim?.reserved, reserved),
    ),
  },
  {
    name: 'transit-version-unchanged',
    section: HEADER,
    check: ofInt(({ version }, { sent }) => equal('version', sent.int?.version, version)),
  },
  {
    name: 'transit-header-reserved-unchanged',
    section: HEADER,
    check: ofInt(({ reserved }, { sent }) => equal('reserved bits', sent.int?.reserved, reserved)),
  },
  {
    name: 'transit-complement-leaves-checksum',
    section: CHECKSUM,
    // A hop that updates the checksum instead says so by a complement of all ones.
    check: ofInt(({ at, bitmap, hopWords, remainingHops }, { sent, returned }) => {
      const asked = (bitmap & COMPLEMENT) !== 0 && sent.int?.remainingHops !== remainingHops;
      const grown = (returned.shim?.words ?? 0) - (sent.shim?.words ?? 0);
      const came = transportChecksum(sent);
      if (!asked || came === 0 || grown !== hopWords) return undefined;
      const complement = readUint32(returned.bytes, at + 4 * (HEADER_WORDS + hopWords - 1));
      return complement === ALL_ONES || equal('checksum', came, transportChecksum(returned));
    }),
  },
  ...tunnelTransitClauses,
];

const markerBytes = ({ bytes, hasMarker, shim }: PacketView): string =>
  hasMarker && shim !== undefined ? hex(bytes.subarray(shim.at - 8, shim.at)) : 'none';
const CHECKSUM_AT = { tcp: 16, udp: 6, gre: 4 } as const;

/** Checksum of TCP, UDP or GRE; 0 where there is none. */
function transportChecksum({ bytes, l4 }: PacketView): number {
  if (l4 === undefined || (l4.kind === 'gre' && (bytes[l4.at] ?? 0) < 0x80)) return 0;
  const at = l4.at + CHECKSUM_AT[l4.kind];
  return 256 * (bytes[at] ?? 0) + (bytes[at + 1] ?? 0);
}

/** Clauses for INT sources of INT-MX. */
export const MX_SOURCE_CLAUSES: readonly ClauseOf<Passage>[] = [
  ...addedClauses('mx-source', INT_TYPE_MX),
  {
    name: 'mx-source-no-complement',
    section: MX,
    check: ofInt(({ bitmap }) => equal('instruction 15', 0, bitmap & COMPLEMENT)),
  },
  {
    name: 'mx-source-no-hops',
    section: MX,
    check: ofInt(({ domainId }, { returned }) =>
      domainId === 0 ? equal('shim length', HEADER_WORDS, returned.shim?.words) : undefined,
    ),
  },
];

/** Clauses for sinks, which give the packet back that was there before the source. */
const removedClauses = (role: 'sink' | 'mx-sink'): ClauseOf<Passage>[] => [
  ...packetClauses(role),
  {
    name: `${role}-int-removed`,
    section: SECTIONS[role],
    check: ({ returned }) => returned.shim === undefined || 'the packet has INT still',
  },
  {
    name: `${role}-dscp-restored`,
    section: SHIM,
    // Optional: a sink may leave the DSCP as it came.
    check: withoutShim(({ sent, returned }) => {
      const isLeft = returned.dscp === sent.dscp;
      const original = ((sent.shim?.original ?? 0) >>> 2) & 0x3f;
      const wanted = sent.shim?.npt === NPT_DSCP ? original : sent.dscp;
      return isLeft || equal('DSCP', wanted, returned.dscp);
    }),
  },
  {
    name: `${role}-ports-restored`,
    section: SHIM,
    check: withoutShim(({ sent, returned }) => {
      if (sent.l4 === undefined || sent.l4.kind === 'gre' || sent.shim?.added === true)
        return undefined;
      const port = sent.shim?.npt === NPT_PORT ? sent.shim.original : sent.l4.destinationPort;
      return equal('ports', [sent.l4.sourcePort, port], portsOf(returned));
    }),
  },
  {
    name: `${role}-protocol-restored`,
    section: SHIM,
    check: withoutShim(({ sent, returned }) => {
      if (sent.shim?.carrier === 'gre' && sent.shim.added) return undefined;
      const { npt, original } = sent.shim ?? { npt: 0, original: 0 };
      const wanted = npt === NPT_PROTOCOL ? original & 0xff : sent.protocol;
      return equal('protocol', wanted, returned.protocol);
    }),
  },
  {
    name: `${role}-payload-unchanged`,
    section: SECTIONS[role],
    check: withoutShim(({ sent, returned }) =>
      equal('payload', carriedBytes(sent), carriedBytes(returned, sent.shim)),
    ),
  },
  ...tunnelRemovedClauses(role),
];

export const SINK_CLAUSES: readonly ClauseOf<Passage>[] = removedClauses('sink');
export const MX_SINK_CLAUSES: readonly ClauseOf<Passage>[] = removedClauses('mx-sink');

const tunnelHeaderUnchanged = (role: Role): ClauseOf<Passage> => ({
  name: `${role}-tunnel-header-unchanged`,
  section: SECTIONS[role],
  check: ({ sent, returned }) =>
    sent.tunnel === undefined
      ? undefined
      : equal('header', tunnelHeader(sent), tunnelHeader(returned)),
});

/** Clauses for transit hops of INT-MX, which report a packet and leave it alone. */
export const MX_TRANSIT_CLAUSES: readonly ClauseOf<Passage>[] = [
  ...packetClauses('mx-transit'),
  {
    name: 'mx-transit-dscp-unchanged',
    section: TRANSIT,
    check: ({ sent, returned }) => equal('DSCP', sent.dscp, returned.dscp),
  },
  {
    name: 'mx-transit-shim-unchanged',
    section: MX,
    check: ({ sent, returned }) => equal('shim', shimBytes(sent), shimBytes(returned)),
  },
  {
    name: 'mx-transit-instructions-unchanged',
    section: MX,
    check: ({ sent, returned }) =>
      equal('header', instructionBytes(sent), instructionBytes(returned)),
  },
  tunnelHeaderUnchanged('mx-transit'),
  {
    name: 'mx-transit-payload-unchanged',
    section: TRANSIT,
    check: ({ sent, returned }) => equal('payload', carriedBytes(sent), carriedBytes(returned)),
  },
];

const shimBytes = ({ bytes, shim }: PacketView): string =>
  shim === undefined ? 'none' : hex(bytes.subarray(shim.at, shim.at + 4));

/** Header but for the DS flags, which a domain may let transit hops set, and source-inserted metadata. */
const instructionBytes = ({ bytes, int }: PacketView): string =>
  int === undefined
    ? 'none'
    : hex(bytes.subarray(int.at, int.at + 10)) + hex(bytes.subarray(int.at + 12, int.end));

/** Clauses for nodes of INT-XD, which report a packet and only forward it. */
export const XD_CLAUSES: readonly ClauseOf<Passage>[] = [
  ...packetClauses('xd'),
  {
    name: 'xd-dscp-unchanged',
    section: XD,
    check: withoutShim(({ sent, returned }) => equal('DSCP', sent.dscp, returned.dscp)),
  },
  {
    name: 'xd-no-int-added',
    section: XD,
    check: ({ returned }) => returned.shim === undefined || 'the packet has got INT',
  },
  {
    name: 'xd-ports-unchanged',
    section: XD,
    check: withoutShim(({ sent, returned }) => equal('ports', portsOf(sent), portsOf(returned))),
  },
  tunnelHeaderUnchanged('xd'),
  {
    name: 'xd-packet-unchanged',
    section: XD,
    check: withoutShim(({ sent, returned }) =>
      equal('payload', carriedBytes(sent), carriedBytes(returned)),
    ),
  },
];
