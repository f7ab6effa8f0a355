import { assert } from '../../assert';

export interface VlanTag {
  /** The EtherType of the tag itself: 0x8100 or 0x88a8. */
  readonly tpid: number;
  /** Priority, drop eligibility and VLAN id. */
  readonly tci: number;
}

const ADDRESSES_BYTES = 12;
const TAG_BYTES = 4;

/**
 * Puts a tag back where it was on the wire (IEEE 802.1Q clause 9.3): after both addresses. The
 * kernel takes outer tags off received frames and reports them beside; P4 programs expect them in.
 */
export function tagged(frame: Uint8Array, { tpid, tci }: VlanTag): Uint8Array {
  assert(frame.length >= ADDRESSES_BYTES, 'the kernel takes tags only off Ethernet frames');
  const result = new Uint8Array(frame.length + TAG_BYTES);
  result.set(frame.subarray(0, ADDRESSES_BYTES));
  result.set([tpid >> 8, tpid & 0xff, tci >> 8, tci & 0xff], ADDRESSES_BYTES);
  result.set(frame.subarray(ADDRESSES_BYTES), ADDRESSES_BYTES + TAG_BYTES);
  return result;
}
