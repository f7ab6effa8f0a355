import { BTH_TELEMETRY_REQUEST, BTH_TELEMETRY_RESPONSE } from '../../wire/roce/bth';
import { indicatorsOfDsFlags } from '../../wire/coordination/ccm-tag';
import { WireFault } from '../../wire/fault';
import { HP_DOMAIN } from '../../wire/int/int-md';
import { INT_SHIM_LENGTH } from '../../wire/int/int-shim';
import { intMxLength } from '../../wire/int/int-mx';
import { parseIntHead } from '../../wire/int/int-packet';
import type { IntHead } from '../../wire/int/int-packet';
import { readUint32 } from '../../wire/bytes';
import { bytesHex } from '../fields';
import { intStackHops } from '../int-hops';
import type { DecodeSettings } from './decode-settings';
import type { Telemetry } from './telemetry';
import { startsWith } from './frame-layers';
import type { IpLayer, TransportLayer } from './frame-layers';

/** INT bytes after the transport header, and where they end. */
export interface DecodedInt {
  readonly telemetry: readonly Telemetry[];
  /** Offset of what follows the INT bytes, or of the payload if there are none. */
  readonly payloadOffset: number;
  /** The UDP port that the packet had before INT. */
  readonly destinationPort: number;
}

/** INT by DSCP, port or probe marker. */
export function decodeInt(
  bytes: Uint8Array,
  ip: IpLayer,
  transport: TransportLayer,
  settings: DecodeSettings,
): DecodedInt {
  const offset = intOffset(bytes, ip, transport, settings);
  const { destinationPort } = transport;
  if (offset === undefined) {
    return { telemetry: NO_TELEMETRY, payloadOffset: transport.payloadOffset, destinationPort };
  }
  const head = parseIntHead(bytes, offset, transport.end);
  if (head instanceof WireFault) {
    const telemetry: Telemetry[] = [{ format: 'int', fault: head }];
    return { telemetry, payloadOffset: transport.end, destinationPort };
  }
  const original = originalPort(head) ?? destinationPort;
  return {
    telemetry: [intTelemetry(bytes, offset, head, settings)],
    payloadOffset: endOfInt(head, offset),
    destinationPort: original,
  };
}

const NO_TELEMETRY: Telemetry[] = [];

/** Offset behind INT whose head was read. */
export const endOfInt = (head: IntHead, offset: number): number =>
  head.kind === 'int-mx' ? offset + INT_SHIM_LENGTH + intMxLength(head.header) : head.stackEnd;

/** The port that INT has taken the place of, where it says one. */
function originalPort(head: IntHead): number | undefined {
  const restored = head.kind === 'int-v0.5' ? head.tail : head.shim;
  return 'originalPort' in restored ? restored.originalPort : undefined;
}

function intOffset(
  bytes: Uint8Array,
  ip: IpLayer,
  { protocol, destinationPort, payloadOffset: at, end }: TransportLayer,
  { intDscp, intPort, intMarker, rocePort }: DecodeSettings,
): number | undefined {
  if (intMarker !== undefined && startsWith(bytes, { at, end }, intMarker)) return at + 8;
  if (protocol === 'udp' && destinationPort === rocePort && isTelemetryMessage(bytes, at, end)) {
    return undefined;
  }
  const byPort = protocol === 'udp' && destinationPort === intPort;
  // A marked segment without payload, such as an ACK of TCP, carries no INT.
  return (byPort || ip.dscp === intDscp) && end > at ? at : undefined;
}

/**
 * Our requests and responses over RoCEv2 have the DSCP of INT, so that they get its treatment, but a
 * response carries none; their opcodes are no types of INT.
 */
const isTelemetryMessage = (bytes: Uint8Array, at: number, end: number): boolean =>
  end > at && (bytes[at] === BTH_TELEMETRY_REQUEST || bytes[at] === BTH_TELEMETRY_RESPONSE);

/** INT whose head was read, as telemetry. */
export const intTelemetry = (
  bytes: Uint8Array,
  offset: number,
  head: IntHead,
  settings: DecodeSettings,
): Extract<Telemetry, { readonly details: unknown }> => ({
  format: 'int',
  details: knownDetails(bytes, offset, head),
  hops: intStackHops(bytes, head, settings.units),
});

/**
 * Details by the words that they are read from: packets of one flow and length have equal ones.
 * PERF: making them costs as much as reading ten hops; what was made is kept for 64 kinds of packet,
 * each in the one place that it may have.
 */
const KNOWN: ({ readonly words: readonly number[]; readonly details: Details } | undefined)[] = [];
const KNOWN_KINDS = 64;

type Details = Readonly<Record<string, unknown>>;

function knownDetails(bytes: Uint8Array, offset: number, head: IntHead): Details {
  if (head.kind !== 'int-md') return intDetails(head);
  const a = readUint32(bytes, offset);
  const b = readUint32(bytes, offset + 4);
  const c = readUint32(bytes, offset + 8);
  const d = readUint32(bytes, offset + 12);
  const place = (a ^ (b * 31) ^ (c * 17) ^ (d * 13)) & (KNOWN_KINDS - 1);
  const known = KNOWN[place];
  if (known !== undefined) {
    const { words } = known;
    const isSame = words[0] === a && words[1] === b && words[2] === c && words[3] === d;
    if (isSame) return known.details;
  }
  const details = intDetails(head);
  KNOWN[place] = { words: [a, b, c, d], details };
  return details;
}

const hex = (value: number, digits: number): string =>
  `0x${value.toString(16).padStart(digits, '0')}`;

/** The coordination tag in the DS flags, where it says anything. */
function coordination({ domainId, dsFlags }: { domainId: number; dsFlags: number }) {
  const tag = indicatorsOfDsFlags(dsFlags);
  const isSet = tag.congestionControl || tag.reroutingPoint !== undefined;
  return domainId === HP_DOMAIN.domainId && isSet ? { coordination: tag } : {};
}

function intDetails(packet: IntHead): Details {
  const details: Record<string, unknown> = { kind: packet.kind };
  const restored = packet.kind === 'int-v0.5' ? packet.tail : packet.shim;
  for (const name of ['originalDscp', 'originalPort', 'originalProtocol'] as const) {
    if (name in restored) details[name] = (restored as Readonly<Record<string, unknown>>)[name];
  }
  return Object.assign(details, behindShimDetails(packet));
}

/** Details of the INT header behind the shim, for any carrier of the shim. */
export function behindShimDetails(packet: IntHead): Details {
  const { kind, header } = packet;
  const details: Record<string, unknown> = { kind };
  details['instructionBitmap'] = hex(header.instructionBitmap, 4);
  if ('domainId' in header) {
    details['domainId'] = hex(header.domainId, 4);
    details['dsInstruction'] = hex(header.dsInstruction, 4);
    details['dsFlags'] = hex(header.dsFlags, 4);
    Object.assign(details, coordination(header));
  }
  details['discard'] = header.discard;
  if (packet.kind === 'int-mx') {
    details['sourceMetadata'] = bytesHex(packet.header.sourceMetadata);
    return details;
  }
  const { hopLimitExceeded, hopWords } = packet.header;
  if (packet.kind === 'int-v0.5') {
    const { maxHops, totalHops, replication } = packet.header;
    return Object.assign(details, { hopLimitExceeded, maxHops, totalHops, hopWords, replication });
  }
  const { mtuExceeded, remainingHops } = packet.header;
  Object.assign(details, { hopLimitExceeded, mtuExceeded, remainingHops, hopWords });
  if (packet.kind === 'int-v1') {
    details['replication'] = packet.header.replication;
    if (packet.layout.timestampWords === 2) details['timestampBits'] = 64;
  }
  return details;
}
