import type { Bytes } from '../../units/units';
import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { truncated, WireFault } from '../fault';
import { PATH_SHIM } from '../transport-layouts';

/**
 * Shim of data packets for algorithms without records of hops: the time of departure or the credit that the
 * flow wants, and one byte for the load of the bottleneck link (PINT). It stands between the UDP header and that of the
 * transport in datagrams to {@link PATH_SHIM_PORT}, and acknowledgements echo it. transport-layouts.ts
 * describes its 8 bytes; the program of the profile hpcc-pint writes the digest.
 */
export const PATH_SHIM_PORT = 50005;
export const PATH_SHIM_LENGTH = PATH_SHIM.size;
export const PATH_SHIM_TIME_MODULUS = 2 ** 48;

const VERSION = 0x10;
const DEMAND = 0x04;
const DIGEST = 0x02;
const TIME = 0x01;

export interface PathShim {
  /** Undefined: switches shall not write one. */
  readonly digest: number | undefined;
  /** Undefined: the packet does not say. */
  readonly sentAtNs: number | undefined;
  /** Payload bytes that the flow wants credit for, in all so far, in place of the time. Absent: it wants none. */
  readonly creditTarget?: Bytes | undefined;
}

/** Writes the shim; absent fields become 0, with their flags cleared. */
export function emitPathShim(shim: PathShim, bytes: Uint8Array, offset: number): void {
  const { digest, sentAtNs, creditTarget } = shim;
  const second = creditTarget === undefined ? (sentAtNs === undefined ? 0 : TIME) : DEMAND;
  bytes[offset] = VERSION | (digest === undefined ? 0 : DIGEST) | second;
  bytes[offset + 1] = digest ?? 0;
  const stamp = creditTarget ?? sentAtNs;
  if (stamp !== undefined) stampPathShim(stamp, bytes, offset);
}

/** Writes the time or the demand only. PERF: per packet. */
export function stampPathShim(stamp: number, bytes: Uint8Array, offset: number): void {
  const high = Math.floor(stamp / 0x1_0000_0000);
  writeUint16(bytes, offset + 2, high % 0x1_0000);
  writeUint32(bytes, offset + 4, stamp - high * 0x1_0000_0000);
}

/** Refuses other versions, reserved bits, and time and demand together. */
export function parsePathShim(bytes: Uint8Array, offset: number): PathShim | WireFault {
  if (bytes.length < offset + PATH_SHIM_LENGTH) {
    return truncated(NAME, offset, PATH_SHIM_LENGTH, bytes.length);
  }
  const first = bytes[offset] as number;
  const second = first & (DEMAND | TIME);
  if ((first & ~(DEMAND | DIGEST | TIME)) !== VERSION || second === (DEMAND | TIME)) {
    const found = `0x${first.toString(16)}`;
    const wanted = 'version 1, time or demand, and no reserved bits';
    return new WireFault(NAME, offset, `wanted ${wanted}, found ${found}`);
  }
  const stamp = readUint16(bytes, offset + 2) * 0x1_0000_0000 + readUint32(bytes, offset + 4);
  return {
    digest: (first & DIGEST) === 0 ? undefined : bytes[offset + 1],
    sentAtNs: second === TIME ? stamp : undefined,
    ...(second === DEMAND && { creditTarget: stamp }),
  };
}

/**
 * Digests are logarithmic: one octave of the load has 14 codes, a factor of 1.0507 each, about the base
 * 1.05 of the PINT paper. Code 0: no switch has written.
 */
const CODES_PER_OCTAVE = 14;
/** Load of code 1 is 2^-8. */
const LOWEST_OCTAVE = -8;

/** U that a digest stands for; undefined if no switch has written one. */
export const loadOfDigest = (digest: number): number | undefined =>
  digest === 0 ? undefined : 2 ** (LOWEST_OCTAVE + (digest - 1) / CODES_PER_OCTAVE);

const NAME = 'path-shim';
