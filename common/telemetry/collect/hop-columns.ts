import { readUint16, readUint24, readUint32 } from '../../wire/bytes';
import { baselineWords } from '../../wire/int/int-metadata';

/** Value of what a hop does not tell, or marks as not available. */
export const UNTOLD = -1;

/** Hops of one datagram; those with more are left to the decoder. */
export const HOPS_OF_DATAGRAM = 512;

const WORD_MODULUS = 2 ** 32;
const HIGH_16 = 0xffff;
/** Bits whose words are told as text: reserved ones, and the checksum complement. */
const TEXT_BITS = 0x007f;

const column = (): Float64Array => new Float64Array(HOPS_OF_DATAGRAM);

/**
 * Hops of a datagram of reports, a row for each, in columns of numbers as the decoder gives them in its default
 * units. What is not told is {@link UNTOLD}.
 */
export class HopColumns {
  size = 0;
  readonly nodeId = column();
  /** Interfaces of level 1, or of level 2 where there are no others. */
  readonly ingress = column();
  readonly egress = column();
  readonly latencyNs = column();
  readonly queueId = column();
  readonly queueBytes = column();
  /** Modulo 2^48. */
  readonly ingressTime = column();
  readonly egressTime = column();
  readonly ingress2 = column();
  readonly egress2 = column();
  readonly utilization = column();
  readonly bufferId = column();
  readonly bufferBytes = column();

  /** Reads a block of metadata, of which there are the words that `bits` ask for, to the next row. */
  read(bytes: Uint8Array, start: number, bits: number): void {
    const row = this.size++;
    let at = this.#readFirst(bytes, start, bits, row);
    this.ingressTime[row] = this.egressTime[row] = UNTOLD;
    if ((bits & 0x0800) !== 0) {
      this.ingressTime[row] = timeAt(bytes, at);
      at += 8;
    }
    if ((bits & 0x0400) !== 0) {
      this.egressTime[row] = timeAt(bytes, at);
      at += 8;
    }
    this.#readLast(bytes, at, bits, row);
  }

  /** Latency of a hop, which times of ingress and egress tell where it does not itself. */
  latencyAt(row: number): number {
    const told = this.latencyNs[row] as number;
    const from = this.ingressTime[row] as number;
    const to = this.egressTime[row] as number;
    return told >= 0 || from < 0 || to < 0 ? told : latencyBetween(from, to);
  }

  #readFirst(bytes: Uint8Array, start: number, bits: number, row: number): number {
    let at = start;
    this.nodeId[row] = this.ingress[row] = this.egress[row] = UNTOLD;
    this.latencyNs[row] = this.queueId[row] = this.queueBytes[row] = UNTOLD;
    if ((bits & 0x8000) !== 0) {
      this.nodeId[row] = wordAt(bytes, at);
      at += 4;
    }
    if ((bits & 0x4000) !== 0) {
      this.ingress[row] = halfAt(bytes, at);
      this.egress[row] = halfAt(bytes, at + 2);
      at += 4;
    }
    if ((bits & 0x2000) !== 0) {
      this.latencyNs[row] = wordAt(bytes, at);
      at += 4;
    }
    if ((bits & 0x1000) !== 0) {
      if (wordAt(bytes, at) !== UNTOLD) {
        this.queueId[row] = bytes[at] as number;
        this.queueBytes[row] = readUint24(bytes, at + 1);
      }
      at += 4;
    }
    return at;
  }

  #readLast(bytes: Uint8Array, start: number, bits: number, row: number): void {
    let at = start;
    this.ingress2[row] = this.egress2[row] = this.utilization[row] = UNTOLD;
    this.bufferId[row] = this.bufferBytes[row] = UNTOLD;
    if ((bits & 0x0200) !== 0) {
      const ingress = (this.ingress2[row] = wordAt(bytes, at));
      const egress = (this.egress2[row] = wordAt(bytes, at + 4));
      if (this.ingress[row] === UNTOLD) this.ingress[row] = ingress;
      if (this.egress[row] === UNTOLD) this.egress[row] = egress;
      at += 8;
    }
    if ((bits & 0x0100) !== 0) {
      this.utilization[row] = wordAt(bytes, at);
      at += 4;
    }
    if ((bits & 0x0080) !== 0 && readUint24(bytes, at + 1) !== 0xff_ffff) {
      this.bufferId[row] = bytes[at] as number;
      this.bufferBytes[row] = readUint24(bytes, at + 1);
    }
  }
}

/** ns between two times of a clock that wraps, as the 32 bits of a hop's latency. */
export const latencyBetween = (from: number, to: number): number =>
  (((to - from) % WORD_MODULUS) + WORD_MODULUS) % WORD_MODULUS;

/** True if blocks of so many words have nothing beyond the columns. */
export const areColumns = (bits: number, words: number): boolean =>
  (bits & TEXT_BITS) === 0 && baselineWords(bits) === words;

function wordAt(bytes: Uint8Array, at: number): number {
  const value = readUint32(bytes, at);
  return value === 0xffff_ffff ? UNTOLD : value;
}

function halfAt(bytes: Uint8Array, at: number): number {
  const value = readUint16(bytes, at);
  return value === HIGH_16 ? UNTOLD : value;
}

function timeAt(bytes: Uint8Array, at: number): number {
  const high = readUint32(bytes, at);
  const low = readUint32(bytes, at + 4);
  if (high === 0xffff_ffff && low === 0xffff_ffff) return UNTOLD;
  return (high & HIGH_16) * WORD_MODULUS + low;
}
