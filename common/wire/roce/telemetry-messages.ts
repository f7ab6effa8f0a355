import { readUint16, readUint32, readWord64, writeUint16, writeUint32 } from '../bytes';
import { writeWord64 } from '../bytes';
import type { Word64 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';
import { ROCE_REQUEST, ROCE_RESPONSE } from '../transport-layouts';

/**
 * Body of a telemetry request over RoCEv2, after a BTH of opcode 0xC0 (our choice, built on
 * draft-miao-rtgwg-hpccplus section 7.1); transport-layouts.ts describes its fields.
 */
export const TELEMETRY_REQUEST_LENGTH = ROCE_REQUEST.size;

const REQUEST = 'telemetry-request';
const RESPONSE = 'telemetry-response';
/** Version of both messages. */
const VERSION = 1;

export interface TelemetryRequest {
  /** Last four bits of the epoch of the window in force, where the receiver computes windows; else 0. */
  readonly epoch: number;
  readonly hopsMax: number;
  readonly requestId: number;
  /** The sender's clock in ns; the receiver only echoes it. */
  readonly transmitTime: Word64;
}

/** The version is in the first reserved field. */
const REQUEST_FIELDS = new FixedFormat<TelemetryRequest>(REQUEST, {
  r1: 4,
  epoch: 4,
  hopsMax: 8,
  r2: 16,
  requestId: 32,
  transmitTime: 'word64',
});

export function parseTelemetryRequest(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): TelemetryRequest | WireFault {
  if (end < offset + TELEMETRY_REQUEST_LENGTH) {
    return truncated(REQUEST, offset, TELEMETRY_REQUEST_LENGTH, end);
  }
  const version = (bytes[offset] as number) >>> 4;
  if (version !== VERSION) {
    return new WireFault(REQUEST, offset, `version must be 1, found ${version}`);
  }
  return REQUEST_FIELDS.read(bytes, offset);
}

export function emitTelemetryRequest(
  request: TelemetryRequest,
  bytes: Uint8Array,
  offset: number,
): void {
  REQUEST_FIELDS.emit(request, bytes, offset);
  bytes[offset] = (VERSION << 4) | request.epoch;
}

/**
 * Body of a telemetry response over RoCEv2, after a BTH of opcode 0xC1 (our choice, built on
 * draft-miao-rtgwg-hpccplus section 7.1). An INT stack may follow, or the window record of a receiver
 * that runs the algorithm (feedback-records.ts), and then an authentication trailer.
 */
export const TELEMETRY_RESPONSE_LENGTH = ROCE_RESPONSE.size;

export const RESPONSE_FLAG_STACK = 0x80;
export const RESPONSE_FLAG_PATH_CHANGED = 0x40;
export const RESPONSE_FLAG_HOP_MISSING = 0x20;
export const RESPONSE_FLAG_WINDOW = 0x10;

export interface TelemetryResponse {
  readonly hopCount: number;
  /** Index of the chosen hop; 0 is the one nearest to the sender. */
  readonly chosenHop: number;
  /** Sum of RESPONSE_FLAG_*. */
  readonly flags: number;
  readonly requestId: number;
  readonly transmitTime: Word64;
  readonly nodeId: number;
  readonly portId: number;
  readonly queueId: number;
  readonly timestamp: Word64;
  readonly txBytes: Word64;
  readonly queueBytes: number;
  /** Mb/s. */
  readonly capacityMbps: number;
}

export function parseTelemetryResponse(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): TelemetryResponse | WireFault {
  if (end < offset + TELEMETRY_RESPONSE_LENGTH) {
    return truncated(RESPONSE, offset, TELEMETRY_RESPONSE_LENGTH, end);
  }
  const version = (bytes[offset] as number) >>> 4;
  if (version !== VERSION) {
    return new WireFault(RESPONSE, offset, `version must be 1, found ${version}`);
  }
  return {
    hopCount: bytes[offset + 1] as number,
    chosenHop: bytes[offset + 2] as number,
    flags: bytes[offset + 3] as number,
    requestId: readUint32(bytes, offset + 4),
    transmitTime: readWord64(bytes, offset + 8),
    nodeId: readUint32(bytes, offset + 16),
    portId: readUint16(bytes, offset + 20),
    queueId: bytes[offset + 22] as number,
    timestamp: readWord64(bytes, offset + 24),
    txBytes: readWord64(bytes, offset + 32),
    queueBytes: readUint32(bytes, offset + 40),
    capacityMbps: readUint32(bytes, offset + 44),
  };
}

export function emitTelemetryResponse(
  response: TelemetryResponse,
  bytes: Uint8Array,
  offset: number,
): void {
  bytes[offset] = VERSION << 4;
  bytes[offset + 1] = response.hopCount;
  bytes[offset + 2] = response.chosenHop;
  bytes[offset + 3] = response.flags;
  writeUint32(bytes, offset + 4, response.requestId);
  writeWord64(bytes, offset + 8, response.transmitTime);
  writeUint32(bytes, offset + 16, response.nodeId);
  writeUint16(bytes, offset + 20, response.portId);
  writeUint16(bytes, offset + 22, response.queueId << 8);
  writeWord64(bytes, offset + 24, response.timestamp);
  writeWord64(bytes, offset + 32, response.txBytes);
  writeUint32(bytes, offset + 40, response.queueBytes);
  writeUint32(bytes, offset + 44, response.capacityMbps);
}
