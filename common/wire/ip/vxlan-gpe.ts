import { readUint24, writeUint16, writeUint24 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';

/**
 * VXLAN-GPE header (draft-ietf-nvo3-vxlan-gpe section 3.1).
 *
 *     | flags 8 | r 16 | next protocol 8 | VNI 24 | r 8 |
 */
export const VXLAN_GPE_LENGTH = 8;
export const VXLAN_GPE_PORT = 4790;
/** The VNI is valid, and a next protocol is given. */
export const VXLAN_GPE_FLAGS = 0x0c;

export interface VxlanGpeHeader {
  readonly flags: number;
  readonly nextProtocol: number;
  readonly vni: number;
}

export function parseVxlanGpe(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): VxlanGpeHeader | WireFault {
  if (end < offset + VXLAN_GPE_LENGTH) return truncated('vxlan-gpe', offset, VXLAN_GPE_LENGTH, end);
  return {
    flags: bytes[offset] as number,
    nextProtocol: bytes[offset + 3] as number,
    vni: readUint24(bytes, offset + 4),
  };
}

export function emitVxlanGpe(header: VxlanGpeHeader, bytes: Uint8Array, offset: number): void {
  bytes[offset] = header.flags;
  writeUint16(bytes, offset + 1, 0);
  bytes[offset + 3] = header.nextProtocol;
  writeUint24(bytes, offset + 4, header.vni);
  bytes[offset + 7] = 0;
}
