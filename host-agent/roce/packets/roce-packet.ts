import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import type { Aeth, Reth } from '../../../common/wire/roce/extended-headers';
import { AETH_LENGTH, parseAeth, parseReth } from '../../../common/wire/roce/extended-headers';
import { RETH_LENGTH } from '../../../common/wire/roce/extended-headers';
import type { Bth } from '../../../common/wire/roce/bth';
import { BTH_CNP, BTH_LENGTH, BTH_TELEMETRY_REQUEST } from '../../../common/wire/roce/bth';
import { BTH_TELEMETRY_RESPONSE, parseBth } from '../../../common/wire/roce/bth';
import { readUint32 } from '../../../common/wire/bytes';
import { parseCnp } from '../../../common/wire/roce/cnp';
import { truncated, WireFault } from '../../../common/wire/fault';
import type { TelemetryRequest } from '../../../common/wire/roce/telemetry-messages';
import type { TelemetryResponse } from '../../../common/wire/roce/telemetry-messages';
import { parseTelemetryRequest } from '../../../common/wire/roce/telemetry-messages';
import { parseTelemetryResponse } from '../../../common/wire/roce/telemetry-messages';
import { TELEMETRY_RESPONSE_LENGTH } from '../../../common/wire/roce/telemetry-messages';
import type { Position, RcOpcode } from './opcodes';
import { isRcCode, rcOpcode } from './opcodes';

const IMMEDIATE_LENGTH = 4;

/** A SEND or RDMA WRITE, or a part of one. */
export interface DataRequest {
  readonly kind: 'send' | 'write';
  readonly position: Position;
  /** With the first packet of a WRITE. */
  readonly reth: Reth | undefined;
  readonly immediate: number | undefined;
  readonly payloadAt: number;
  readonly payloadLength: Bytes;
}

export interface ReadResponse {
  readonly kind: 'read-response';
  readonly position: Position;
  readonly aeth: Aeth | undefined;
  readonly payloadAt: number;
  readonly payloadLength: Bytes;
}

/** Contents of a packet behind the BTH. Bodies end where the ICRC begins. */
export type RoceContent =
  | DataRequest
  | ReadResponse
  | { readonly kind: 'read-request'; readonly reth: Reth }
  | { readonly kind: 'acknowledge'; readonly aeth: Aeth; readonly bodyAt: number }
  | { readonly kind: 'telemetry-request'; readonly request: TelemetryRequest }
  | {
      readonly kind: 'telemetry-response';
      readonly response: TelemetryResponse;
      readonly bodyAt: number;
    }
  /** ECN has marked data of the flow (CNP, annex A17). */
  | { readonly kind: 'congestion-notice' }
  /** An operation of the reliable connection that is not spoken here. */
  | { readonly kind: 'unsupported' };

/**
 * Reads what follows the BTH at `bthAt` of a packet whose ICRC lies at `end`. Undefined for opcodes
 * of other services; only payload may be virtual.
 */
export function readContent(
  { bytes }: Packet,
  bth: Bth,
  { bthAt, end }: { readonly bthAt: number; readonly end: number },
): RoceContent | WireFault | undefined {
  const at = bthAt + BTH_LENGTH;
  const stored = Math.min(bytes.length, end);
  if (bth.opcode === BTH_TELEMETRY_REQUEST) {
    const request = parseTelemetryRequest(bytes, at, stored);
    return request instanceof WireFault ? request : { kind: 'telemetry-request', request };
  }
  if (bth.opcode === BTH_TELEMETRY_RESPONSE) {
    const response = parseTelemetryResponse(bytes, at, stored);
    if (response instanceof WireFault) return response;
    return { kind: 'telemetry-response', response, bodyAt: at + TELEMETRY_RESPONSE_LENGTH };
  }
  if (bth.opcode === BTH_CNP) {
    const cnp = parseCnp(bytes, bthAt, stored);
    if (cnp instanceof WireFault) return cnp;
    return cnp.becn ? { kind: 'congestion-notice' } : undefined;
  }
  if (!isRcCode(bth.opcode)) return undefined;
  const opcode = rcOpcode(bth.opcode);
  if (opcode === undefined) return { kind: 'unsupported' };
  return readRc(bytes, opcode, { at, stored, payloadEnd: end - bth.padCount });
}

interface Place {
  /** Offset of the first extended header. */
  readonly at: number;
  /** End of the stored bytes of the packet, without the ICRC. */
  readonly stored: number;
  /** End of its payload, which may be virtual. */
  readonly payloadEnd: number;
}

function readRc(bytes: Uint8Array, opcode: RcOpcode, place: Place): RoceContent | WireFault {
  const { at, stored } = place;
  switch (opcode.kind) {
    case 'send':
    case 'write':
      return readData(bytes, opcode.kind, opcode, place);
    case 'read-request': {
      const reth = parseReth(bytes, at, stored);
      return reth instanceof WireFault ? reth : { kind: 'read-request', reth };
    }
    case 'read-response':
      return readResponse(bytes, opcode, place);
    case 'acknowledge': {
      const aeth = parseAeth(bytes, at, stored);
      if (aeth instanceof WireFault) return aeth;
      return { kind: 'acknowledge', aeth, bodyAt: at + AETH_LENGTH };
    }
  }
}

function readData(
  bytes: Uint8Array,
  kind: DataRequest['kind'],
  { position, hasImmediate }: RcOpcode,
  { at, stored, payloadEnd }: Place,
): DataRequest | WireFault {
  const hasReth = kind === 'write' && (position === 'first' || position === 'only');
  const reth = hasReth ? parseReth(bytes, at, stored) : undefined;
  if (reth instanceof WireFault) return reth;
  const immediateAt = at + (hasReth ? RETH_LENGTH : 0);
  const payloadAt = immediateAt + (hasImmediate ? IMMEDIATE_LENGTH : 0);
  if (hasImmediate && stored < payloadAt) {
    return truncated('immdt', immediateAt, IMMEDIATE_LENGTH, stored);
  }
  const immediate = hasImmediate ? readUint32(bytes, immediateAt) : undefined;
  const payloadLength = payloadEnd - payloadAt;
  if (payloadLength < 0) return truncated('payload', payloadAt, 0, payloadEnd);
  return { kind, position, reth, immediate, payloadAt, payloadLength };
}

function readResponse(
  bytes: Uint8Array,
  { position }: RcOpcode,
  { at, stored, payloadEnd }: Place,
): ReadResponse | WireFault {
  const aeth = position === 'middle' ? undefined : parseAeth(bytes, at, stored);
  if (aeth instanceof WireFault) return aeth;
  const payloadAt = at + (aeth === undefined ? 0 : AETH_LENGTH);
  const payloadLength = payloadEnd - payloadAt;
  if (payloadLength < 0) return truncated('payload', payloadAt, 0, payloadEnd);
  return { kind: 'read-response', position, aeth, payloadAt, payloadLength };
}

/** Reads the BTH of a packet whose contents end at `end`. */
export function readBth(bytes: Uint8Array, bthAt: number, end: number): Bth | WireFault {
  return parseBth(bytes, bthAt, Math.min(bytes.length, end));
}
