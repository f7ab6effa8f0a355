/** A write of a register of the chip, at its address on the bus. */
export interface RegisterWrite {
  readonly address: number;
  readonly value: number;
}

/** Registers of mirroring in the first pipe; the harness writes those of the others alike. */
const MIRROR = 0x2000000 + 0x780000 + 0x20000;
const SESSION_BYTES = 0x20;
const SESSION_CONTROL = 0x14;
const GLOBAL_CONTROL = MIRROR + 0x8000;
const BOTH_GRESSES = 3;
/** Packets that a session holds until the port takes them. */
const MOST_ENTRIES = 0x3f;

/** Bytes of a packet that a session copies at most. */
export const MOST_MIRRORED_BYTES = 0x3fff;

/**
 * Registers of a mirror session to a port.
 * @param port undefined where the session ends.
 * @param bytes how many a copy has at most, with what the program puts before it.
 */
export function mirrorSession(
  session: number,
  port: number | undefined,
  bytes: number,
): readonly RegisterWrite[] {
  const at = MIRROR + session * SESSION_BYTES;
  const isOn = port !== undefined;
  return [
    { address: at, value: isOn ? (port << 4) | (1 << 3) : 0 },
    {
      address: at + SESSION_CONTROL,
      value: isOn ? (bytes << 16) | (MOST_ENTRIES << 8) | BOTH_GRESSES : 0,
    },
    { address: GLOBAL_CONTROL, value: BOTH_GRESSES },
  ];
}

/** Controls of a selector, one for each of the four memories with arithmetic of a stage. */
const FIRST_SELECTOR = 0x2000000 + 0x10830;
const STAGE_BYTES = 0x80000;
const SELECTOR_BYTES = 0x200;
const STAGES = 12;
const SELECTORS = 4;
const SCRAMBLES = 1;

const isSelector = ({ address, value }: RegisterWrite): boolean => {
  const at = address - FIRST_SELECTOR;
  const row = (at % STAGE_BYTES) / SELECTOR_BYTES;
  const isControl = Number.isInteger(row) && row < SELECTORS;
  return at >= 0 && at < STAGES * STAGE_BYTES && isControl && value !== 0;
};

/**
 * Registers of a program's selectors so that they take the hash as it is: the compiler has them scramble
 * it, which no program says.
 * @param binary of the assembler.
 */
export const plainSelectors = (binary: Uint8Array): readonly RegisterWrite[] =>
  writesOf(binary)
    .filter(isSelector)
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
