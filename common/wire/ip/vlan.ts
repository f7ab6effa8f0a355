import { readUint16, writeUint16 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';

/**
 * VLAN tag (IEEE 802.1Q clause 9.6), from the EtherType that announces it to the one that follows:
 *
 *     0             2                          4
 *     | tpid 0x8100 | pcp 3 | dei 1 | vid 12   |
 */
export const VLAN_LENGTH = 4;
export const ETHERTYPE_VLAN = 0x8100;
export const ETHERTYPE_SERVICE_VLAN = 0x88a8;

export interface VlanTag {
  readonly tpid: number;
  readonly priority: number;
  readonly dropEligible: boolean;
  readonly vlanId: number;
}

export function parseVlan(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): VlanTag | WireFault {
  if (end < offset + VLAN_LENGTH) return truncated('vlan', offset, VLAN_LENGTH, end);
  const control = readUint16(bytes, offset + 2);
  return {
    tpid: readUint16(bytes, offset),
    priority: control >>> 13,
    dropEligible: (control & 0x1000) !== 0,
    vlanId: control & 0xfff,
  };
}

export function emitVlan(tag: VlanTag, bytes: Uint8Array, offset: number): void {
  const control = (tag.priority << 13) | (tag.dropEligible ? 0x1000 : 0) | tag.vlanId;
  writeUint16(bytes, offset, tag.tpid);
  writeUint16(bytes, offset + 2, control);
}
