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
