import { BTH_CNP, BTH_LENGTH, emitBth, parseBth } from './bth';
import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';

/**
 * Congestion Notification Packet of RoCEv2 (annex A17), from the BTH on; the ICRC follows.
 *
 *     | BTH: opcode 0x81, BECN, QP of the flow's sender, PSN 0 | reserved 16 bytes |
 *
 * The reserved bytes are zeros, or carry a compact response.
 */
export const CNP_LENGTH = BTH_LENGTH + 16;

/** A congestion notification packet of RoCEv2, from the BTH on. */
export interface Cnp {
  readonly becn: boolean;
  readonly partitionKey: number;
  readonly destinationQp: number;
  /** The 16 reserved bytes. */
  readonly body: Uint8Array;
}

/** Refuses other opcodes. */
export function parseCnp(bytes: Uint8Array, offset: number, end = bytes.length): Cnp | WireFault {
  if (end < offset + CNP_LENGTH) return truncated('cnp', offset, CNP_LENGTH, end);
  const bth = parseBth(bytes, offset, end);
  if (bth instanceof WireFault) return bth;
  if (bth.opcode !== BTH_CNP) {
    return new WireFault('cnp', offset, `opcode must be 0x81, found 0x${bth.opcode.toString(16)}`);
  }
  const { becn, partitionKey, destinationQp } = bth;
  const body = bytes.subarray(offset + BTH_LENGTH, offset + CNP_LENGTH);
  return { becn, partitionKey, destinationQp, body };
}

export function emitCnp(cnp: Cnp, bytes: Uint8Array, offset: number): void {
  const { becn, partitionKey, destinationQp } = cnp;
  const bth = {
    opcode: BTH_CNP,
    solicited: false,
    migration: false,
    padCount: 0,
    partitionKey,
    fecn: false,
    becn,
    destinationQp,
    ackRequest: false,
    psn: 0,
    windowEpoch: 0,
  };
  emitBth(bth, bytes, offset);
  bytes.set(cnp.body, offset + BTH_LENGTH);
}

/** Telemetry of one link in the reserved bytes of a CNP. */
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

/**
 * Telemetry of one link in the 16 reserved bytes of a CNP (our choice; BECN is then 0):
 *
 *     | node 16 | port 16 | timestamp low 32, ns | txBytes / 128, 32 | speed 4, r 4, queue / 80, 24 |
 */
export const COMPACT_RESPONSE = new FixedFormat<CompactResponse>('compact-response', {
  nodeId: 16,
  portId: 16,
  timestamp: 32,
  txUnits: 32,
  speedCode: 4,
  r1: 4,
  queueUnits: 24,
});
