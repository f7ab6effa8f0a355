import { BTH_CNP, BTH_LENGTH, emitBth, parseBth } from './bth';
import { WireFault, truncated } from '../fault';

/**
 * Congestion Notification Packet of RoCEv2 (annex A17), from the BTH on; the ICRC follows.
 *
 *     | BTH: opcode 0x81, BECN, QP of the flow's sender, PSN 0 | reserved 16 bytes |
 *
 * The reserved bytes are zeros, or carry the compact response of `compact-response.ts`.
 */
export const CNP_LENGTH = BTH_LENGTH + 16;

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
  const fixed = { solicited: false, migration: false, padCount: 0, fecn: false, psn: 0 };
  emitBth(
    { ...fixed, opcode: BTH_CNP, becn, partitionKey, destinationQp, ackRequest: false },
    bytes,
    offset,
  );
  bytes.set(cnp.body, offset + BTH_LENGTH);
}
