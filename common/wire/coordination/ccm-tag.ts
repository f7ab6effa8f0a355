import { assert } from '../../assert';
import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * Tag of coordinated congestion management (our choice; draft-lyu-rtgwg-coordinated-cm has no
 * layout), placed like a VLAN tag:
 *
 *     | TPID 16 | version 4 = 1 | CC 1 | ARV 1 | r 10 | rerouting point 32 |
 *
 * With INT-MD of the domain "HP", the indicators are in the DS flags, around the bit that subscribes
 * to fast feedback: | CC 1 | ARV 1 | feedback 1 | rerouting point 13 |.
 */
export const CCM_TAG_LENGTH = 8;
export const CCM_TPID = 0x88b5;

/** Rerouting point that stands for the source host of the packet. */
export const CCM_SOURCE_HOST = 0x1ffe;
/** The largest node id that can be a rerouting point. */
export const CCM_NODE_ID_MAX = 0x1ffd;

const DS_CONTROL = 0x8000;
const DS_POINT_VALID = 0x4000;
const DS_POINT = 0x1fff;

/** Fields of the tag of coordinated congestion management. */
export interface CcmIndicators {
  /** The packet may take part in incast congestion. */
  readonly congestionControl: boolean;
  /** Node upstream that can send the flow another way, if any. */
  readonly reroutingPoint: number | undefined;
}

/** Refuses versions other than 1. */
export function parseCcmTag(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): CcmIndicators | WireFault {
  if (end < offset + CCM_TAG_LENGTH) return truncated('ccm-tag', offset, CCM_TAG_LENGTH, end);
  const first = readUint16(bytes, offset + 2);
  if (first >>> 12 !== 1) {
    return new WireFault('ccm-tag', offset + 2, `version must be 1, found ${first >>> 12}`);
  }
  return {
    congestionControl: (first & 0x800) !== 0,
    reroutingPoint: (first & 0x400) === 0 ? undefined : readUint32(bytes, offset + 4),
  };
}

export function emitCcmTag(tag: CcmIndicators, bytes: Uint8Array, offset: number): void {
  writeUint16(bytes, offset, CCM_TPID);
  const valid = tag.reroutingPoint === undefined ? 0 : 0x400;
  writeUint16(bytes, offset + 2, 0x1000 | (tag.congestionControl ? 0x800 : 0) | valid);
  writeUint32(bytes, offset + 4, tag.reroutingPoint ?? 0);
}

/** The flag that subscribes to fast feedback is not part of the tag. */
export const indicatorsOfDsFlags = (dsFlags: number): CcmIndicators => ({
  congestionControl: (dsFlags & DS_CONTROL) !== 0,
  reroutingPoint: (dsFlags & DS_POINT_VALID) === 0 ? undefined : dsFlags & DS_POINT,
});

/** DS flags that say the tag and nothing else. The rerouting point must fit in 13 bits. */
export function dsFlagsOf({ congestionControl, reroutingPoint }: CcmIndicators): number {
  const control = congestionControl ? DS_CONTROL : 0;
  if (reroutingPoint === undefined) return control;
  assert(reroutingPoint <= DS_POINT, `DS flags have 13 bits for a point, not ${reroutingPoint}`);
  return control | DS_POINT_VALID | reroutingPoint;
}
