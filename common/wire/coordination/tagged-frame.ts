import type { Packet } from '../../packet/packet';
import { readUint16 } from '../bytes';
import type { CcmIndicators } from './ccm-tag';
import { CCM_TAG_LENGTH, CCM_TPID, emitCcmTag, parseCcmTag } from './ccm-tag';
import { WireFault } from '../fault';

/** Offset of the tag, behind the MAC addresses, where a VLAN tag would be too. */
const TAG_AT = 12;

/** The frame with the stand-alone tag, which it must not have yet. */
export function withTag(packet: Packet, tag: CcmIndicators): Packet {
  const { bytes, length } = packet;
  const tagged = new Uint8Array(bytes.length + CCM_TAG_LENGTH);
  tagged.set(bytes.subarray(0, TAG_AT));
  emitCcmTag(tag, tagged, TAG_AT);
  tagged.set(bytes.subarray(TAG_AT), TAG_AT + CCM_TAG_LENGTH);
  return { ...packet, bytes: tagged, length: length + CCM_TAG_LENGTH };
}

/** Parses the stand-alone tag of a frame; undefined without one. */
export function tagOf({ bytes }: Packet): CcmIndicators | undefined {
  if (!hasTag(bytes)) return undefined;
  const tag = parseCcmTag(bytes, TAG_AT);
  return tag instanceof WireFault ? undefined : tag;
}

/** The frame as it was before it was tagged; itself if it was not. */
export function withoutTag(packet: Packet): Packet {
  const { bytes, length } = packet;
  if (!hasTag(bytes)) return packet;
  const plain = new Uint8Array(bytes.length - CCM_TAG_LENGTH);
  plain.set(bytes.subarray(0, TAG_AT));
  plain.set(bytes.subarray(TAG_AT + CCM_TAG_LENGTH), TAG_AT);
  return { ...packet, bytes: plain, length: length - CCM_TAG_LENGTH };
}

const hasTag = (bytes: Uint8Array): boolean => isTagged(bytes, 0, bytes.length);

/** True if the frame in `bytes[start..end)` has the stand-alone tag. */
export const isTagged = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start >= TAG_AT + CCM_TAG_LENGTH && readUint16(bytes, start + TAG_AT) === CCM_TPID;
