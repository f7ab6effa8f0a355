import type { CounterControl } from '../control/program-control';
import type { Bytes } from '../../common/units/units';

/** Packets and bytes that something has seen; exact up to 2^53 each. */
export interface Count {
  packets: number;
  bytes: Bytes;
}

/** A P4 counter array. Every cell counts both packets and bytes, whatever the program declares. */
export class CounterArray implements CounterControl {
  readonly #packets: Float64Array;
  readonly #bytes: Float64Array;

  constructor(
    readonly name: string,
    readonly size: number,
  ) {
    this.#packets = new Float64Array(size);
    this.#bytes = new Float64Array(size);
  }

  /** Counts one packet. An index outside the array does nothing, as on bmv2. */
  count(index: bigint | number, bytes: Bytes): void {
    const cell = Number(index);
    if (cell < 0 || cell >= this.size) return;
    this.#packets[cell] = (this.#packets[cell] ?? 0) + 1;
    this.#bytes[cell] = (this.#bytes[cell] ?? 0) + bytes;
  }

  read(index: number): Count | undefined {
    const packets = this.#packets[index];
    return packets === undefined ? undefined : { packets, bytes: this.#bytes[index] ?? 0 };
  }

  /** Sets all cells to 0. */
  reset(): void {
    this.#packets.fill(0);
    this.#bytes.fill(0);
  }

  write(index: number, count: Readonly<Count>): void {
    if (index < 0 || index >= this.size) return;
    this.#packets[index] = count.packets;
    this.#bytes[index] = count.bytes;
  }
}
