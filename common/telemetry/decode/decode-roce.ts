import { AETH_LENGTH, parseAeth, parseReth } from '../../wire/roce/extended-headers';
import { BTH_ACKNOWLEDGE, BTH_CNP, BTH_LENGTH, BTH_TELEMETRY_REQUEST } from '../../wire/roce/bth';
import { BTH_TELEMETRY_RESPONSE, parseBth } from '../../wire/roce/bth';
import type { Bth } from '../../wire/roce/bth';
import { COMPACT_RESPONSE, parseCnp } from '../../wire/roce/cnp';
import { hpccPaddingLength, parseHpccPadding } from '../../wire/hpcc/hpcc-padding';
import { ICRC_LENGTH } from '../../wire/roce/icrc';
import { WireFault } from '../../wire/fault';
import { parseIntHead } from '../../wire/int/int-packet';
import {
  parseTelemetryRequest,
  parseTelemetryResponse,
  RESPONSE_FLAG_WINDOW,
} from '../../wire/roce/telemetry-messages';
import {
  AUTHENTICATION,
  ROCE_REQUEST,
  ROCE_RESPONSE,
  WINDOW_RECORD,
} from '../../wire/transport-layouts';
import { word64Hex } from '../../wire/bytes';
import type { HopTelemetry } from '../../hop/hop';
import { compactResponseHop, responseHop } from '../compact-hops';
import { paddingTelemetry } from './decode-padding';
import { endOfInt, intTelemetry } from './decode-int';
import type { DecodeSettings } from './decode-settings';
import type { DecodeFormat, Telemetry } from './telemetry';

interface Body {
  readonly details: Readonly<Record<string, unknown>>;
  readonly hops: readonly HopTelemetry[];
  /** Telemetry that the body carries besides. */
  readonly carried?: readonly Telemetry[];
}

const DEFAULT_PARTITION = 0xffff;
const NO_BODY: Body = { details: {}, hops: [] };

/** A RoCEv2 packet from its BTH on, behind INT bytes if there are any. */
interface Place {
  readonly at: number;
  readonly end: number;
  /** True if its DSCP says that a switch has cut the packet to its headers; absent: no. */
  readonly isTrimmed?: boolean | undefined;
}

/**
 * RoCEv2 packets that are there for congestion control, acknowledgements with telemetry, and data that a switch has
 * trimmed; others when the format `roce` is asked for. INT that the body carries is telemetry of its own.
 */
export function decodeRoce(
  bytes: Uint8Array,
  place: Place,
  settings: DecodeSettings,
  wanted: DecodeFormat | 'auto',
): readonly Telemetry[] {
  const { at, end } = place;
  const bth = parseBth(bytes, at, end);
  if (bth instanceof WireFault) return wanted === 'roce' ? [{ format: 'roce', fault: bth }] : [];
  if (wanted !== 'roce' && !isTelemetry(bth, place)) return [];
  const body = decodeBody(bth, bytes, place, settings);
  if (body instanceof WireFault) return [{ format: 'roce', fault: body }];
  const { opcode, destinationQp, psn, becn, fecn, ackRequest, ...rest } = bth;
  const first = { opcode, destinationQp, psn, becn, fecn, ackRequest };
  const cut = isCut(bth, place) ? { trimmed: true } : {};
  const details = { ...first, ...cut, ...body.details, ...rest };
  return [{ format: 'roce', details, hops: body.hops }, ...(body.carried ?? [])];
}

const CONTROL_OPCODES = new Set([BTH_CNP, BTH_TELEMETRY_REQUEST, BTH_TELEMETRY_RESPONSE]);

/** True for packets of congestion control, acknowledgements that are longer than they need be, and trimmed data. */
const isTelemetry = (bth: Bth, place: Place): boolean =>
  CONTROL_OPCODES.has(bth.opcode) ||
  isCut(bth, place) ||
  (bth.opcode === BTH_ACKNOWLEDGE && place.end > place.at + BTH_LENGTH + AETH_LENGTH + ICRC_LENGTH);

/** True for the header of data: nothing in it says how many bytes a switch has cut off. */
const isCut = ({ opcode }: Bth, { isTrimmed }: Place): boolean =>
  isTrimmed === true && opcode < BTH_ACKNOWLEDGE;

function decodeBody(
  bth: Bth,
  bytes: Uint8Array,
  { at, end }: Place,
  settings: DecodeSettings,
): Body | WireFault {
  const bodyAt = at + BTH_LENGTH;
  // Bytes behind the message end where the ICRC begins, or those that fill the last word before it.
  const bodyEnd = end - ICRC_LENGTH - bth.padCount;
  switch (bth.opcode) {
    case BTH_ACKNOWLEDGE: {
      const aeth = parseAeth(bytes, bodyAt, end);
      if (aeth instanceof WireFault) return aeth;
      const rest = restOf(bytes, { at: bodyAt + AETH_LENGTH, end: bodyEnd }, settings);
      return { details: { acknowledge: aeth, ...rest.details }, hops: [], carried: rest.carried };
    }
    case BTH_CNP:
      return cnpBody(bytes, at, end);
    case BTH_TELEMETRY_REQUEST: {
      const request = parseTelemetryRequest(bytes, bodyAt, end);
      if (request instanceof WireFault) return request;
      const rest = restOf(bytes, { at: bodyAt + ROCE_REQUEST.size, end: bodyEnd }, settings);
      const fields = ROCE_REQUEST.read(bytes, bodyAt);
      return { details: { kind: 'request', ...fields, ...rest.details }, hops: [] };
    }
    case BTH_TELEMETRY_RESPONSE:
      return responseBody(bytes, { at: bodyAt, end: bodyEnd }, settings);
    default:
      return RETH_OPCODES.has(bth.opcode) ? rethBody(bytes, bodyAt, end) : NO_BODY;
  }
}

function responseBody(
  bytes: Uint8Array,
  { at, end }: Place,
  settings: DecodeSettings,
): Body | WireFault {
  const response = parseTelemetryResponse(bytes, at, end);
  if (response instanceof WireFault) return response;
  const { requestId, hopCount, chosenHop, responseFlags, transmitTimeNs } = ROCE_RESPONSE.read(
    bytes,
    at,
  );
  const named = { kind: 'response', requestId, hopCount, chosenHop, responseFlags, transmitTimeNs };
  const restAt = at + ROCE_RESPONSE.size;
  const hasWindow = (response.flags & RESPONSE_FLAG_WINDOW) !== 0;
  const window = hasWindow && end >= restAt + WINDOW_RECORD.size;
  const rest = restOf(bytes, { at: window ? restAt + WINDOW_RECORD.size : restAt, end }, settings);
  return {
    details: { ...named, ...(window ? WINDOW_RECORD.read(bytes, restAt) : {}), ...rest.details },
    // A window is told without a hop.
    hops: hopCount === 0 ? [] : [responseHop(response)],
    carried: rest.carried,
  };
}

interface Rest {
  readonly details: Readonly<Record<string, unknown>>;
  readonly carried: readonly Telemetry[];
}

/** Telemetry behind a message, and the authentication that ends it. */
function restOf(bytes: Uint8Array, place: Place, settings: DecodeSettings): Rest {
  const { end } = place;
  const { carried, behind } = intOf(bytes, place, settings) ??
    paddingOf(bytes, place) ?? { carried: [], behind: place.at };
  if (end - behind === AUTHENTICATION.size) {
    return { details: AUTHENTICATION.read(bytes, behind), carried };
  }
  if (end <= behind) return { details: {}, carried };
  const reason = `${end - behind} bytes are neither telemetry nor an authentication`;
  return {
    details: {},
    carried: [...carried, { format: 'roce', fault: new WireFault('roce', behind, reason) }],
  };
}

/** Telemetry that was found, and where it ends. */
interface Carried {
  readonly carried: readonly Telemetry[];
  readonly behind: number;
}

function intOf(
  bytes: Uint8Array,
  { at, end }: Place,
  settings: DecodeSettings,
): Carried | undefined {
  const head = at < end ? parseIntHead(bytes, at, end) : undefined;
  if (head === undefined || head instanceof WireFault) return undefined;
  return { carried: [intTelemetry(bytes, at, head, settings)], behind: endOfInt(head, at) };
}

/** HPCC's padding, the only telemetry whose length is no whole number of words. */
function paddingOf(bytes: Uint8Array, { at, end }: Place): Carried | undefined {
  if ((end - at) % 4 === 0) return undefined;
  const padding = parseHpccPadding(bytes, at, end);
  if (padding instanceof WireFault) return undefined;
  const behind = at + hpccPaddingLength(padding);
  const isWhole = behind === end || behind === end - AUTHENTICATION.size;
  return isWhole ? { carried: [paddingTelemetry(padding, 'published')], behind } : undefined;
}

/** True if a RoCEv2 packet of our hosts can begin at a place: of a known opcode, in the default partition. */
export function isRoceAt(bytes: Uint8Array, { at, end }: Place): boolean {
  const bth = parseBth(bytes, at, end);
  if (bth instanceof WireFault || bth.partitionKey !== DEFAULT_PARTITION) return false;
  return bth.opcode <= BTH_ACKNOWLEDGE || CONTROL_OPCODES.has(bth.opcode);
}

/** RC and UC: the first or only packet of a write, with immediate data too, and a read's request. */
const RETH_OPCODES = new Set([0x06, 0x0a, 0x0b, 0x0c, 0x26, 0x2a, 0x2b]);

function rethBody(bytes: Uint8Array, offset: number, end: number): Body | WireFault {
  const reth = parseReth(bytes, offset, end);
  if (reth instanceof WireFault) return reth;
  const { virtualAddress, remoteKey, dmaLength } = reth;
  const address = `0x${word64Hex(virtualAddress)}`;
  return { details: { virtualAddress: address, remoteKey, dmaLengthBytes: dmaLength }, hops: [] };
}

/** Bytes that are zero in a notification are our compact response elsewhere. */
function cnpBody(bytes: Uint8Array, offset: number, end: number): Body | WireFault {
  const cnp = parseCnp(bytes, offset, end);
  if (cnp instanceof WireFault) return cnp;
  if (cnp.becn || cnp.body.every((byte) => byte === 0)) {
    return { details: { kind: 'congestion-notification' }, hops: [] };
  }
  const response = COMPACT_RESPONSE.read(cnp.body, 0);
  return { details: { kind: 'compact-response' }, hops: [compactResponseHop(response)] };
}
