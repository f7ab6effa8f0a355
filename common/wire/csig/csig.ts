import { readUint16, writeUint16 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';
import { FixedFormat } from '../fixed-format';

/**
 * CSIG compact tag, placed like a VLAN tag. The same bits mean different things to two bodies, so
 * the dialect is configuration:
 *
 *     IETF: | TPID 16 | type 3 | r 1 | signal 5 | locator 7 |
 *     UEC:  | TPID 16 | type 3 | r 1 | signal 5 | locator 6 | D 1 |
 */
export const CSIG_LENGTH = 4;
/** EtherType of the tag: none is assigned. */
export const CSIG_TPID = 0x9900;

const CSIG_MIN_BANDWIDTH_FRACTION = 1;
const CSIG_MAX_QUEUE = 3;

/** Layout of the CSIG tag: that of the IETF draft, or of UEC. */
export type CsigDialect = 'ietf' | 'uec';

/** The compact CSIG tag. */
export interface CsigTag {
  readonly tpid: number;
  /** Minimum of bandwidth (0) or of its free share (1), maximum of delay (2) or of a queue (3). */
  readonly type: number;
  /** Bucket, 0 to 31. */
  readonly signal: number;
  /** Location of the bottleneck: 7 bits, or 6 in the UEC dialect. */
  readonly locator: number;
  /** D of the UEC dialect: switches leave the tag alone. Always false in the IETF's. */
  readonly doNotUpdate: boolean;
}

export function parseCsig(
  bytes: Uint8Array,
  offset: number,
  end: number,
  dialect: CsigDialect,
): CsigTag | WireFault {
  if (end < offset + CSIG_LENGTH) return truncated('csig', offset, CSIG_LENGTH, end);
  const tag = readUint16(bytes, offset + 2);
  return {
    tpid: readUint16(bytes, offset),
    type: tag >>> 13,
    signal: (tag >>> 7) & 0x1f,
    locator: dialect === 'ietf' ? tag & 0x7f : (tag >>> 1) & 0x3f,
    doNotUpdate: dialect === 'uec' && (tag & 1) !== 0,
  };
}

export function emitCsig(
  tag: CsigTag,
  bytes: Uint8Array,
  offset: number,
  dialect: CsigDialect,
): void {
  const locator = dialect === 'ietf' ? tag.locator : (tag.locator << 1) | Number(tag.doNotUpdate);
  writeUint16(bytes, offset, tag.tpid);
  writeUint16(bytes, offset + 2, (tag.type << 13) | (tag.signal << 7) | locator);
}

/** The tag of a source, with the neutral value of its type. */
export const initialCsig = (tpid: number, type: number): CsigTag => ({
  tpid,
  type,
  signal: isMinimum(type) ? 0x1f : 0,
  locator: 0,
  doNotUpdate: false,
});

/** The tag after a switch whose egress port has `signal`: the worse value and its place stay. */
export function updateCsig(tag: CsigTag, signal: number, locator: number): CsigTag {
  if (tag.doNotUpdate || tag.type > CSIG_MAX_QUEUE) return tag;
  const worse = isMinimum(tag.type) ? signal < tag.signal : signal > tag.signal;
  return worse ? { ...tag, signal, locator } : tag;
}

const isMinimum = (type: number): boolean => type <= CSIG_MIN_BANDWIDTH_FRACTION;

/** Bucket of a value: how many edges, in ascending order, it reaches. */
export const csigBucket = (value: number, edges: readonly number[]): number =>
  edges.filter((edge) => value >= edge).length;

/** The wide CSIG tag. */
export interface CsigWideTag {
  readonly tpid: number;
  readonly locator: number;
  readonly doNotUpdate: boolean;
  readonly type: number;
  /** (value - base) / step, with base and step of the domain. */
  readonly signal: number;
}

/**
 * CSIG wide tag (UEC only); it has a TPID of its own.
 *
 *     | TPID 16 | locator 15 | D 1 | type 4 | signal 20 | r 8 |
 */
export const CSIG_WIDE = new FixedFormat<CsigWideTag>('csig-wide', {
  tpid: 16,
  locator: 15,
  doNotUpdate: 'flag',
  type: 4,
  signal: 20,
  r1: 8,
});
