import {
  readUint16,
  readUint24,
  readUint32,
  writeUint16,
  writeUint24,
  writeUint32,
} from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';

/**
 * Telemetry of one link in the 16 reserved bytes of a CNP (our choice; BECN is then 0):
 *
 *     | node 16 | port 16 | timestamp low 32, ns | txBytes / 128, 32 | speed 4, r 4, queue / 80, 24 |
 */
export const COMPACT_RESPONSE_LENGTH = 16;

export interface CompactResponse {
  readonly nodeId: number;
  readonly portId: number;
  /** ns modulo 2^32. */
  readonly timestamp: number;
  /** Units of 128 bytes, modulo 2^32. */
  readonly txUnits: number;
  readonly speedCode: number;
  /** Units of 80 bytes. */
  readonly queueUnits: number;
}

export function parseCompactResponse(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): CompactResponse | WireFault {
  if (end < offset + COMPACT_RESPONSE_LENGTH) {
    return truncated('compact-response', offset, COMPACT_RESPONSE_LENGTH, end);
  }
  return {
    nodeId: readUint16(bytes, offset),
    portId: readUint16(bytes, offset + 2),
    timestamp: readUint32(bytes, offset + 4),
    txUnits: readUint32(bytes, offset + 8),
    speedCode: (bytes[offset + 12] as number) >>> 4,
    queueUnits: readUint24(bytes, offset + 13),
  };
}

export function emitCompactResponse(
  response: CompactResponse,
  bytes: Uint8Array,
  offset: number,
): void {
  writeUint16(bytes, offset, response.nodeId);
  writeUint16(bytes, offset + 2, response.portId);
  writeUint32(bytes, offset + 4, response.timestamp);
  writeUint32(bytes, offset + 8, response.txUnits);
  bytes[offset + 12] = response.speedCode << 4;
  writeUint24(bytes, offset + 13, response.queueUnits);
}
