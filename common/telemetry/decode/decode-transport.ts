import { WireFault, truncated } from '../../wire/fault';
import {
  HPCC_ACK,
  HPCC_DATA,
  HPCC_FLAG_AUTH,
  HPCC_FLAG_COOKIE,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_RATIO,
  HPCC_FLAG_SACK,
  HPCC_SETTINGS,
  HPCC_SWITCH_RESPONSE,
  HPCC_TRANSPORT_LENGTH,
  HPCC_WINDOW,
  parseHpccTransport,
  parseTrimmedData,
} from '../../wire/hpcc/hpcc-transport';
import type { HpccTransportHeader, ReceivedTransport } from '../../wire/hpcc/hpcc-transport';
import { parsePathShim, PATH_SHIM_LENGTH, PATH_SHIM_PORT } from '../../wire/hpcc/path-shim';
import { readSettings } from '../../wire/hpcc/settings-record';
import { readHop } from '../../wire/int/int-md';
import type { Layout } from '../../wire/layout';
import {
  AUTHENTICATION,
  COOKIE,
  LOAD_RATIO,
  SELECTIVE_ACK,
  SWITCH_RESPONSE_HEAD,
  TOKEN,
  TRANSPORT,
  TRANSPORT_TYPES,
  WINDOW_RECORD,
} from '../../wire/transport-layouts';
import { decodeEcho, shimDetails } from './decode-echo';
import type { DecodeSettings } from './decode-settings';
import type { DecodeFormat, Telemetry } from './telemetry';
import type { TransportLayer } from './frame-layers';

type Details = Record<string, unknown>;

/** Places that bodies are made of, in their order. */
interface Place {
  readonly at: number;
  /** End of what was captured. */
  readonly end: number;
  readonly wireEnd: number;
  /** True if a switch has cut the packet to its headers. */
  readonly isTrimmed?: boolean | undefined;
}

/**
 * Packets of the HPCC transport: probes and feedback always, data when the format `hpcc` is asked for,
 * where a time or digest (port 50005) precedes the header, or where a switch has trimmed them. Echoes of
 * telemetry follow, each as telemetry of its own.
 *
 * @param layer `at`: where the header, or what precedes it in datagrams to port 50005, begins.
 */
export function decodeTransport(
  bytes: Uint8Array,
  transport: TransportLayer & { readonly at: number },
  settings: DecodeSettings,
  wanted: DecodeFormat | 'auto',
): readonly Telemetry[] {
  const { at, protocol, destinationPort } = transport;
  if (protocol !== 'udp') return NOTHING;
  if (destinationPort === PATH_SHIM_PORT) return decodeShim(bytes, transport, settings);
  if (destinationPort !== settings.transportPort) return NOTHING;
  // PERF: most packets are data.
  const type = (bytes[at] as number) & 0xf;
  const isOther = type === HPCC_DATA && wanted !== 'hpcc';
  if (isOther && transport.isTrimmed !== true) return NOTHING;
  const found = decodePacket(bytes, transport, settings, {});
  return isOther ? found.filter(isCutOrFault) : found;
}

const isCutOrFault = (found: Telemetry): boolean =>
  'fault' in found || found.details['trimmed'] === true;

const NOTHING: readonly Telemetry[] = [];

/** True if a whole header of the transport, whose length fits, begins at `at`. */
export const isTransportAt = (bytes: Uint8Array, place: Place): boolean =>
  !(parsePacket(bytes, place) instanceof WireFault);

/** Payload of data may be missing in the capture, bodies of others may not. */
function parsePacket(bytes: Uint8Array, { at, end, wireEnd, isTrimmed = false }: Place) {
  const isCut = end < wireEnd && ((bytes[at] ?? 0) & 0xf) !== HPCC_DATA;
  if (isCut || end < at + HPCC_TRANSPORT_LENGTH) {
    return truncated('hpcc-transport', at, Math.max(wireEnd - at, HPCC_TRANSPORT_LENGTH), end);
  }
  return isTrimmed ? parseTrimmedData(bytes, at, wireEnd) : parseHpccTransport(bytes, at, wireEnd);
}

function decodeShim(bytes: Uint8Array, place: Place, settings: DecodeSettings): Telemetry[] {
  const { at, end } = place;
  const shim = parsePathShim(bytes.subarray(0, end), at);
  if (shim instanceof WireFault) return [{ format: 'hpcc', fault: shim }];
  const behind = { ...place, at: at + PATH_SHIM_LENGTH };
  return decodePacket(bytes, behind, settings, shimDetails(bytes, at));
}

function decodePacket(
  bytes: Uint8Array,
  place: Place,
  settings: DecodeSettings,
  shim: Details,
): Telemetry[] {
  const { at } = place;
  const header = parsePacket(bytes, place);
  if (header instanceof WireFault) return [{ format: 'hpcc', fault: header }];
  const token = header.token === undefined ? {} : TOKEN.read(bytes, at + TRANSPORT.size);
  const head = { ...TRANSPORT.read(bytes, at), ...flagsOf(header), ...token };
  const body = bodyOf(bytes, header);
  // Data whose length says more than follows were cut, whatever is left of them.
  const isCut = place.isTrimmed === true && header.bodyAt + header.length > place.wireEnd;
  const cut = isCut ? { trimmed: true } : {};
  const details = { kind: kindOf(header), ...shim, ...head, ...cut, ...body };
  const hops = header.type === HPCC_SWITCH_RESPONSE ? [switchHop(bytes, header.bodyAt)] : [];
  return [{ format: 'hpcc', details, hops }, ...echoesOf(bytes, header, settings)];
}

const kindOf = ({ type }: HpccTransportHeader): string => TRANSPORT_TYPES[type - 1]?.kind ?? '';

/** Flags by their names: one bit is a boolean, several are a number. */
function flagsOf({ type, flags }: HpccTransportHeader): Details {
  const named: Details = {};
  for (const { name, mask } of TRANSPORT_TYPES[type - 1]?.flags ?? []) {
    const lowest = mask & -mask;
    named[name] = mask === lowest ? (flags & mask) !== 0 : (flags & mask) / lowest;
  }
  return named;
}

const switchHop = (bytes: Uint8Array, bodyAt: number) =>
  readHop(bytes, bodyAt + SWITCH_RESPONSE_HEAD.size);

/** Records of the body by their layouts; {@link parseHpccTransport} has checked their lengths. */
function bodyOf(bytes: Uint8Array, header: ReceivedTransport): Details {
  const { type, flags, length, bodyAt, recordsLength, trailerAt } = header;
  if (type === HPCC_DATA) return {};
  if (type === HPCC_SETTINGS) return { settings: settingsText(bytes, bodyAt, bodyAt + length) };
  const details: Details = {};
  const add = (layout: Layout, at: number): void => {
    Object.assign(details, layout.read(bytes, at));
  };
  if (type === HPCC_WINDOW) add(WINDOW_RECORD, bodyAt);
  if (type === HPCC_SWITCH_RESPONSE) add(SWITCH_RESPONSE_HEAD, bodyAt);
  else if ((flags & HPCC_FLAG_RATIO) !== 0 && recordsLength > 0) add(LOAD_RATIO, bodyAt);
  if (type === HPCC_ACK && (flags & HPCC_FLAG_SACK) !== 0) {
    add(SELECTIVE_ACK, bodyAt + recordsLength);
  }
  if (trailerAt === bodyAt + length) return details;
  const hasCookie = type !== HPCC_SWITCH_RESPONSE && (flags & HPCC_FLAG_COOKIE) !== 0;
  if (hasCookie) add(COOKIE, trailerAt);
  if ((flags & HPCC_FLAG_AUTH) !== 0) {
    add(AUTHENTICATION, trailerAt + (hasCookie ? COOKIE.size : 0));
  }
  return details;
}

/** Settings in one line, `name=value` with blanks between; empty where the body is none. */
const settingsText = (bytes: Uint8Array, at: number, end: number): string =>
  Object.entries(readSettings(bytes, at, end) ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** The latest echo comes first, then those of the packets before it, all of one length. */
function echoesOf(
  bytes: Uint8Array,
  header: ReceivedTransport,
  settings: DecodeSettings,
): Telemetry[] {
  if (header.type === HPCC_DATA || (header.flags & HPCC_FLAG_ECHO) === 0) return [];
  const { bodyAt, recordsLength, recordLength: length } = header;
  const of = { echoOfFlow: header.flowId, acknowledgement: header.sequence };
  const echoes: Telemetry[] = [];
  for (let at = bodyAt; at + length <= bodyAt + recordsLength; at += length) {
    echoes.push(decodeEcho(bytes, { at, end: at + length }, of, settings));
  }
  return echoes;
}
