import type { Address } from '../../../common/io/net/libc';

const PAGE = 4096n;

/** Whoever else writes into a mapping. */
interface Writer {
  /** So many bytes from the beginning may differ from zero. */
  touched(): number;
  /** It may write no more: the memory is somebody else's next. */
  unmapped(): void;
}

interface Mapping {
  readonly address: Address;
  readonly buffer: ArrayBuffer;
  readonly writer: Writer | undefined;
}

/** Memory of former sockets, by length: making it anew costs more than emptying it. */
const SPARE = new Map<number, ArrayBuffer[]>();
const SPARE_MAX = 16;

function zeroed(length: number): ArrayBuffer {
  return SPARE.get(length)?.pop() ?? new ArrayBuffer(length);
}

/** Memory that programs share with the kernel, by address. */
export class Memory {
  readonly #mappings: Mapping[] = [];
  #next: Address = 0x10000n;

  /** Bytes that are mapped now. */
  get mapped(): number {
    return this.#mappings.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  }

  /** @param writer the kernel's part that writes into it, if any. */
  map(length: number, writer?: Writer): Address {
    const address = this.#next;
    this.#next += (BigInt(length) / PAGE + 2n) * PAGE;
    this.#mappings.push({ address, buffer: zeroed(length), writer });
    return address;
  }

  unmap(address: Address): number {
    const at = this.#mappings.findIndex((each) => each.address === address);
    if (at < 0) return -1;
    for (const { buffer, writer } of this.#mappings.splice(at, 1)) {
      writer?.unmapped();
      new Uint8Array(buffer, 0, writer?.touched()).fill(0);
      const spare = SPARE.get(buffer.byteLength) ?? [];
      SPARE.set(buffer.byteLength, spare);
      if (spare.length < SPARE_MAX) spare.push(buffer);
    }
    return 0;
  }

  buffer(address: Address): ArrayBuffer {
    return this.#at(address).buffer;
  }

  /** @throws Error where nothing is mapped, which would end a real process. */
  bytes(address: Address, length: number): Uint8Array {
    const { buffer, offset } = this.place(address);
    return new Uint8Array(buffer, offset, length);
  }

  /** The mapping around an address, and how far into it that is. */
  place(address: Address): { readonly buffer: ArrayBuffer; readonly offset: number } {
    const { buffer, address: start } = this.#at(address);
    return { buffer, offset: Number(address - start) };
  }

  #at(address: Address): Mapping {
    const found = this.#mappings.findLast(
      (each) => each.address <= address && address < each.address + BigInt(each.buffer.byteLength),
    );
    if (found === undefined) throw new Error(`nothing is mapped at ${address.toString(16)}`);
    return found;
  }
}
