import { parseAeth, parseReth } from '../../wire/roce/extended-headers';
import { BTH_ACKNOWLEDGE, BTH_CNP, BTH_LENGTH, BTH_TELEMETRY_REQUEST } from '../../wire/roce/bth';
import { BTH_TELEMETRY_RESPONSE, parseBth } from '../../wire/roce/bth';
import type { Bth } from '../../wire/roce/bth';
import { COMPACT_RESPONSE, parseCnp } from '../../wire/roce/cnp';
import { WireFault } from '../../wire/fault';
import { parseTelemetryRequest, parseTelemetryResponse } from '../../wire/roce/telemetry-messages';
import { word64Hex } from '../../wire/bytes';
import type { HopTelemetry } from '../../hop/hop';
import { compactResponseHop, responseHop } from '../compact-hops';
import type { Telemetry } from './telemetry';

interface Body {
  readonly details: Readonly<Record<string, unknown>>;
  readonly hops: readonly HopTelemetry[];
}

const NO_BODY: Body = { details: {}, hops: [] };

/**
 * A RoCEv2 packet from its BTH on.
 *
 * @param offset of the BTH, behind INT bytes if there are any.
 */
export function decodeRoce(bytes: Uint8Array, offset: number, end: number): Telemetry {
  const bth = parseBth(bytes, offset, end);
  if (bth instanceof WireFault) return { format: 'roce', fault: bth };
  const body = decodeBody(bth, bytes, offset, end);
  if (body instanceof WireFault) return { format: 'roce', fault: body };
  const { opcode, destinationQp, psn, becn, fecn, ackRequest, ...rest } = bth;
  const first = { opcode, destinationQp, psn, becn, fecn, ackRequest };
  const details = { ...first, ...body.details, ...rest };
  return { format: 'roce', details, hops: body.hops };
}

/** Whether the packet is there for congestion control, rather than for data. */
export function isRoceTelemetry(bytes: Uint8Array, offset: number, end: number): boolean {
  const bth = parseBth(bytes, offset, end);
  return !(bth instanceof WireFault) && CONTROL_OPCODES.has(bth.opcode);
}

const CONTROL_OPCODES = new Set([BTH_CNP, BTH_TELEMETRY_REQUEST, BTH_TELEMETRY_RESPONSE]);

function decodeBody(bth: Bth, bytes: Uint8Array, offset: number, end: number): Body | WireFault {
  const bodyAt = offset + BTH_LENGTH;
  switch (bth.opcode) {
    case BTH_ACKNOWLEDGE: {
      const aeth = parseAeth(bytes, bodyAt, end);
      return aeth instanceof WireFault ? aeth : { details: { acknowledge: aeth }, hops: [] };
    }
    case BTH_CNP:
      return cnpBody(bytes, offset, end);
    case BTH_TELEMETRY_REQUEST: {
      const request = parseTelemetryRequest(bytes, bodyAt, end);
      if (request instanceof WireFault) return request;
      const { hopsMax, requestId, transmitTime } = request;
      const transmitTimeNs = `0x${word64Hex(transmitTime)}`;
      return { details: { kind: 'request', requestId, hopsMax, transmitTimeNs }, hops: [] };
    }
    case BTH_TELEMETRY_RESPONSE: {
      const response = parseTelemetryResponse(bytes, bodyAt, end);
      if (response instanceof WireFault) return response;
      const { hopCount, chosenHop, flags, requestId, transmitTime } = response;
      const transmitTimeNs = `0x${word64Hex(transmitTime)}`;
      const chosen = { requestId, hopCount, chosenHop, responseFlags: flags };
      const details = { kind: 'response', ...chosen, transmitTimeNs };
      return { details, hops: [responseHop(response)] };
    }
    default:
      return RETH_OPCODES.has(bth.opcode) ? rethBody(bytes, bodyAt, end) : NO_BODY;
  }
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
