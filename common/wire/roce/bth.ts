import { readUint16, readUint24, writeUint16, writeUint24 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * InfiniBand Base Transport Header, as RoCEv2 carries it over UDP port 4791.
 *
 *     | opcode 8 | SE 1, M 1, pad 2, version 4 | P_Key 16        |
 *     | F 1, B 1, reserved 6 | destination QP 24                 |
 *     | A 1, reserved 3, W 4 | PSN 24                            |
 *
 * W is ours, in place of reserved bits: the window that data obeys, where its receiver computes windows.
 */
export const BTH_LENGTH = 12;
export const ROCE_PORT = 4791;

export const BTH_ACKNOWLEDGE = 0x11;
export const BTH_CNP = 0x81;
/** Telemetry request and response: our choice in the manufacturer-specific range. */
export const BTH_TELEMETRY_REQUEST = 0xc0;
export const BTH_TELEMETRY_RESPONSE = 0xc1;

export interface Bth {
  readonly opcode: number;
  readonly solicited: boolean;
  readonly migration: boolean;
  /** Bytes that pad the payload to whole words, 0 to 3. */
  readonly padCount: number;
  readonly partitionKey: number;
  readonly fecn: boolean;
  readonly becn: boolean;
  readonly destinationQp: number;
  readonly ackRequest: boolean;
  readonly psn: number;
  /** Last four bits of the epoch of the window that data was sent under; 0 in plain RoCEv2. */
  readonly windowEpoch: number;
}

/** Refuses transport header versions other than 0. */
export function parseBth(bytes: Uint8Array, offset: number, end = bytes.length): Bth | WireFault {
  if (end < offset + BTH_LENGTH) return truncated('bth', offset, BTH_LENGTH, end);
  const flags = bytes[offset + 1] as number;
  if ((flags & 0xf) !== 0) {
    return new WireFault('bth', offset + 1, `version must be 0, found ${flags & 0xf}`);
  }
  const congestion = bytes[offset + 4] as number;
  return {
    opcode: bytes[offset] as number,
    solicited: (flags & 0x80) !== 0,
    migration: (flags & 0x40) !== 0,
    padCount: (flags >>> 4) & 3,
    partitionKey: readUint16(bytes, offset + 2),
    fecn: (congestion & 0x80) !== 0,
    becn: (congestion & 0x40) !== 0,
    destinationQp: readUint24(bytes, offset + 5),
    ackRequest: ((bytes[offset + 8] as number) & 0x80) !== 0,
    psn: readUint24(bytes, offset + 9),
    windowEpoch: (bytes[offset + 8] as number) & 0xf,
  };
}

export function emitBth(bth: Bth, bytes: Uint8Array, offset: number): void {
  bytes[offset] = bth.opcode;
  bytes[offset + 1] =
    (bth.solicited ? 0x80 : 0) | (bth.migration ? 0x40 : 0) | ((bth.padCount & 3) << 4);
  writeUint16(bytes, offset + 2, bth.partitionKey);
  bytes[offset + 4] = (bth.fecn ? 0x80 : 0) | (bth.becn ? 0x40 : 0);
  writeUint24(bytes, offset + 5, bth.destinationQp);
  bytes[offset + 8] = (bth.ackRequest ? 0x80 : 0) | (bth.windowEpoch & 0xf);
  writeUint24(bytes, offset + 9, bth.psn);
}

/** Packet sequence numbers of InfiniBand: 24 bits, compared modulo 2^24. */
export const PSN_MODULUS = 0x100_0000;

/** `a - b` from -2^23 to 2^23 - 1: positive when `a` comes after `b`. */
export function psnDifference(a: number, b: number): number {
  const distance = (a - b) & 0xff_ffff;
  return distance < PSN_MODULUS / 2 ? distance : distance - PSN_MODULUS;
}
