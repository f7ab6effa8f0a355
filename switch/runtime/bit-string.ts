import { writeBits, writeNumber } from './bit-fields';

/**
 * A growing string of bits: the input of checksums and hashes. One object serves many packets, so
 * that computing a checksum allocates nothing.
 */
export class BitString {
  #bytes = new Uint8Array(64);
  #bits = 0;

  /** Length in bits. */
  get length(): number {
    return this.#bits;
  }

  clear(): void {
    this.#bytes.fill(0, 0, (this.#bits + 7) >> 3);
    this.#bits = 0;
  }

  /** Appends the low `width` bits of a value, most significant bit first. */
  append(value: bigint, width: number): void {
    this.#reserve(width);
    writeBits(this.#bytes, { bitOffset: this.#bits, width }, value);
    this.#bits += width;
  }

  /** As {@link append}, for numbers of at most 48 bits that fit their width. */
  appendNumber(value: number, width: number): void {
    this.#reserve(width);
    writeNumber(this.#bytes, { bitOffset: this.#bits, width }, value);
    this.#bits += width;
  }

  /** Fills the last byte with zero bits. */
  pad(): void {
    this.#bits = (this.#bits + 7) & ~7;
  }

  /** Appends whole bytes and then `zeros` bytes of zero; the string is padded first. */
  appendBytes(bytes: Uint8Array, zeros = 0): void {
    this.pad();
    this.#reserve((bytes.length + zeros) * 8);
    this.#bytes.set(bytes, this.#bits >> 3);
    this.#bits += (bytes.length + zeros) * 8;
  }

  /** The padded string. Valid until the next change. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, (this.#bits + 7) >> 3);
  }

  #reserve(width: number): void {
    const needed = (this.#bits + width + 7) >> 3;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
