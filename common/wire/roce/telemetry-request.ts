import { readUint32, writeUint16, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { readWord64, writeWord64 } from '../word64';
import type { Word64 } from '../word64';

/**
 * Body of a telemetry request over RoCEv2, after a BTH of opcode 0xC0 (our choice, built on
 * draft-miao-rtgwg-hpccplus section 7.1):
 *
 *     | version 4, r 4 | max hops 8 | r 16 | request id 32 | transmit time 64, ns |
 */
export const TELEMETRY_REQUEST_LENGTH = 16;

const NAME = 'telemetry-request';
const VERSION = 1;

export interface TelemetryRequest {
  readonly hopsMax: number;
  readonly requestId: number;
  /** The sender's clock in ns; the receiver only echoes it. */
  readonly transmitTime: Word64;
}

export function parseTelemetryRequest(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): TelemetryRequest | WireFault {
  if (end < offset + TELEMETRY_REQUEST_LENGTH) {
    return truncated(NAME, offset, TELEMETRY_REQUEST_LENGTH, end);
  }
  const version = (bytes[offset] as number) >>> 4;
  if (version !== VERSION) {
    return new WireFault(NAME, offset, `version must be 1, found ${version}`);
  }
  return {
    hopsMax: bytes[offset + 1] as number,
    requestId: readUint32(bytes, offset + 4),
    transmitTime: readWord64(bytes, offset + 8),
  };
}

export function emitTelemetryRequest(
  request: TelemetryRequest,
  bytes: Uint8Array,
  offset: number,
): void {
  bytes[offset] = VERSION << 4;
  bytes[offset + 1] = request.hopsMax;
  writeUint16(bytes, offset + 2, 0);
  writeUint32(bytes, offset + 4, request.requestId);
  writeWord64(bytes, offset + 8, request.transmitTime);
}
