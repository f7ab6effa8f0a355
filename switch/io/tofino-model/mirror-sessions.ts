import type { RegisterWrite } from './chip-registers';

/**
 * Registers of a mirror session to a port.
 * @param port undefined where the session ends.
 * @param bytes how many a copy has at most, with what the program puts before it and without the
 * frame check sequence.
 */
export type MirrorSession = (
  session: number,
  port: number | undefined,
  bytes: number,
) => readonly RegisterWrite[];

/** Bytes of a packet that a session copies at most. */
export const MOST_MIRRORED_BYTES = 0x3ff0;

/** Registers of mirroring in the first pipe of Tofino 1; the harness writes other pipes' alike. */
const MIRROR = 0x2000000 + 0x780000 + 0x20000;
const SESSION_BYTES = 0x20;
const SESSION_CONTROL = 0x14;
const GLOBAL_CONTROL = MIRROR + 0x8000;
const BOTH_GRESSES = 3;
/** Packets that a session holds until the port takes them. */
const MOST_ENTRIES = 0x3f;

export const tofino1Session: MirrorSession = (session, port, bytes) => {
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
};

/** The same of Tofino 2: what a session leads to lies in five words, which two tables take over. */
const MIRROR_2 = 0x4000000 + 0xc80000;
const WORDS = MIRROR_2 + 0xc;
const PORT_WORD = 2;
const WORDS_OF_SESSION = 5;
const PORT_VALID = 1 << 14;
const TABLES = [MIRROR_2 + 0x2000, MIRROR_2 + 0x2400];
/** Each quarter of the deparser has its own. */
const SLICES = [0, 1, 2, 3].map((slice) => MIRROR_2 + 0x10000 + slice * 0x800);
const ENABLED_IN_BOTH_GRESSES = 7;
/** Lengths are cut down to whole words, and have the frame check sequence in them. */
const WORD_BYTES = 4;
const FCS_BYTES = 4;

export const tofino2Session: MirrorSession = (session, port, bytes) => {
  const isOn = port !== undefined;
  const length = Math.ceil((bytes + FCS_BYTES) / WORD_BYTES) * WORD_BYTES;
  const words = Array.from({ length: WORDS_OF_SESSION }, (_, i) =>
    i === PORT_WORD && isOn ? port | PORT_VALID : 0,
  );
  return [
    ...words.map((value, i) => ({ address: WORDS + 4 * i, value })),
    ...TABLES.map((table) => ({ address: table + 4 * session, value: 0 })),
    ...SLICES.map((slice) => ({
      address: slice + 4 * session,
      value: isOn ? (length << 4) | ENABLED_IN_BOTH_GRESSES : 0,
    })),
  ];
};
