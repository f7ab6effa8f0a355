import { readUint16, readUint48, writeUint16, writeUint48 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';
import { FixedFormat } from '../fixed-format';

/**
 * Ethernet II header (IEEE 802.3 clause 3.1.1).
 *
 *     0      6      12     14
 *     | dst  | src  | type |
 */
export const ETHERNET_LENGTH = 14;
export const ETHERTYPE_IPV4 = 0x0800;
export const ETHERTYPE_IPV6 = 0x86dd;

const FIELD = { destination: 0, source: 6, etherType: 12 } as const;

/** Ethernet header without tags. */
export interface EthernetHeader {
  /** MAC address as a 48-bit integer. */
  readonly destination: number;
  /** MAC address as a 48-bit integer. */
  readonly source: number;
  readonly etherType: number;
}

export function parseEthernet(bytes: Uint8Array, offset = 0): EthernetHeader | WireFault {
  if (bytes.length < offset + ETHERNET_LENGTH) {
    return truncated('ethernet', offset, ETHERNET_LENGTH, bytes.length);
  }
  return {
    destination: readUint48(bytes, offset + FIELD.destination),
    source: readUint48(bytes, offset + FIELD.source),
    etherType: readUint16(bytes, offset + FIELD.etherType),
  };
}

export function emitEthernet(header: EthernetHeader, bytes: Uint8Array, offset = 0): void {
  writeUint48(bytes, offset + FIELD.destination, header.destination);
  writeUint48(bytes, offset + FIELD.source, header.source);
  writeUint16(bytes, offset + FIELD.etherType, header.etherType);
}

/**
 * VLAN tag (IEEE 802.1Q clause 9.6), from the EtherType that announces it to the one that follows:
 *
 *     0             2                          4
 *     | tpid 0x8100 | pcp 3 | dei 1 | vid 12   |
 */
export const VLAN_LENGTH = 4;
export const ETHERTYPE_VLAN = 0x8100;
export const ETHERTYPE_SERVICE_VLAN = 0x88a8;

/** An IEEE 802.1Q tag. */
export interface VlanTag {
  readonly tpid: number;
  readonly priority: number;
  readonly dropEligible: boolean;
  readonly vlanId: number;
}

export const VLAN = new FixedFormat<VlanTag>('vlan', {
  tpid: 16,
  priority: 3,
  dropEligible: 'flag',
  vlanId: 12,
});
