/** A write of a register of the chip, at its address on the bus. */
export interface RegisterWrite {
  readonly address: number;
  readonly value: number;
}

/** Addresses of the controls of selectors in the first pipe: some in each stage. */
export interface SelectorAddresses {
  readonly first: number;
  /** From one to the next in a stage. */
  readonly step: number;
  readonly stages: number;
}

const STAGE_BYTES = 0x80000;
const SELECTORS_OF_STAGE = 4;
const SCRAMBLES = 1;

function isSelector({ first, step, stages }: SelectorAddresses, write: RegisterWrite): boolean {
  const at = write.address - first;
  const row = (at % STAGE_BYTES) / step;
  const isControl = Number.isInteger(row) && row < SELECTORS_OF_STAGE;
  return at >= 0 && at < stages * STAGE_BYTES && isControl && write.value !== 0;
}

/**
 * Registers of a program's selectors so that they take the hash as it is: the compiler has them scramble
 * it, which no program says.
 * @param binary of the assembler.
 */
export const plainSelectors = (
  binary: Uint8Array,
  addresses: SelectorAddresses,
): readonly RegisterWrite[] =>
  writesOf(binary)
    .filter((write) => isSelector(addresses, write))
    .map(({ address, value }) => ({ address, value: value & ~SCRAMBLES }));

const ATOM_BYTES = 12;
const REGISTER_ATOM = 'R'.charCodeAt(0) << 24;

/** Writes in the form of the assembler's binaries, which the harness loads. */
export function registerBinary(writes: readonly RegisterWrite[]): Uint8Array {
  const binary = Buffer.alloc(ATOM_BYTES * writes.length);
  writes.forEach(({ address, value }, i) => {
    binary.writeUInt32LE(REGISTER_ATOM, ATOM_BYTES * i);
    binary.writeUInt32LE(address, ATOM_BYTES * i + 4);
    binary.writeUInt32LE(value >>> 0, ATOM_BYTES * i + 8);
  });
  return binary;
}

/** Bytes before the contents of a block: its atom's name, the address, bits of a word, and words. */
const BLOCK_HEAD_BYTES = 20;

/** The single registers that a binary of the assembler writes; blocks of memory are no such. */
function writesOf(bytes: Uint8Array): readonly RegisterWrite[] {
  const binary = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const writes: RegisterWrite[] = [];
  for (let at = 0; at + ATOM_BYTES <= binary.length;) {
    const kind = String.fromCharCode(binary.readUInt8(at + 3));
    if (kind === 'R') {
      writes.push({ address: binary.readUInt32LE(at + 4), value: binary.readUInt32LE(at + 8) });
      at += ATOM_BYTES;
    } else if (kind === 'H') {
      at += 4 + binary.readUInt32LE(at + 4);
    } else {
      const bits = binary.readUInt32LE(at + 12) * binary.readUInt32LE(at + 16);
      at += BLOCK_HEAD_BYTES + bits / 8;
    }
  }
  return writes;
}
