import { readUint16, readUint48, writeUint16 } from '../bytes';
import { emitEthernet, ETHERNET_LENGTH } from './ethernet';

/**
 * MAC control frames that stop and start a sender: PFC (IEEE 802.1Qbb, now IEEE 802.1Q clause 36, with
 * the frame of IEEE 802.3 annex 31D), and the older PAUSE for all traffic (annex 31B), which is only read.
 *
 *     0              6     12       14       16               18                    34       60
 *     | 01:80:c2:.01 | src | 0x8808 | opcode | class vector   | 8 times of 16 bits  | zeros  |
 *
 * Bit n of the vector says that time n counts. A time is in quanta of 512 bit times of the link; 0 ends
 * a pause. Times run from the arrival of the frame. A link carries the frame to its own other end only.
 */
export const ETHERTYPE_MAC_CONTROL = 0x8808;
/** Bytes of a pause frame without frame check sequence: the smallest Ethernet frame. */
export const PAUSE_FRAME_LENGTH = 60;
export const PAUSE_CLASSES = 8;
export const QUANTA_MAX = 0xffff;
/** Bit times. */
export const QUANTUM_BITS = 512;

const DESTINATION = 0x0180_c200_0001;
const OPCODE_PAUSE = 0x0001;
const OPCODE_PFC = 0x0101;
const VECTOR_AT = ETHERNET_LENGTH + 2;
const TIMES_AT = VECTOR_AT + 2;
const ALL_CLASSES = 0xff;

/** Request of a pause frame to its receiver. */
export interface PauseRequest {
  /** Bit n: the request concerns class n. */
  readonly classes: number;
  /** Quanta by class; 0: go on. */
  readonly quanta: readonly number[];
}

/** True for MAC control frames, which a switch or host never forwards; a frame begins at `start`. */
export function isMacControl(bytes: Uint8Array, start = 0): boolean {
  return bytes[start + 12] === 0x88 && bytes[start + 13] === 0x08;
}

/**
 * Undefined for other opcodes, which are to be ignored, for frames that are cut short, and for those to any other
 * address than that of the link's other end: bridges forward these, and who sends one may be anywhere.
 */
export function parsePause(bytes: Uint8Array): PauseRequest | undefined {
  if (!isMacControl(bytes) || bytes.length < VECTOR_AT + 2) return undefined;
  if (readUint48(bytes, 0) !== DESTINATION) return undefined;
  const opcode = readUint16(bytes, ETHERNET_LENGTH);
  if (opcode === OPCODE_PAUSE) {
    const time = readUint16(bytes, VECTOR_AT);
    return { classes: ALL_CLASSES, quanta: new Array<number>(PAUSE_CLASSES).fill(time) };
  }
  if (opcode !== OPCODE_PFC || bytes.length < TIMES_AT + 2 * PAUSE_CLASSES) return undefined;
  return {
    classes: readUint16(bytes, VECTOR_AT) & ALL_CLASSES,
    quanta: Array.from({ length: PAUSE_CLASSES }, (_, i) => readUint16(bytes, TIMES_AT + 2 * i)),
  };
}

/** A PFC frame. @param source MAC address of the port that sends it. */
export function emitPause({ classes, quanta }: PauseRequest, source: number): Uint8Array {
  const bytes = new Uint8Array(PAUSE_FRAME_LENGTH);
  emitEthernet({ destination: DESTINATION, source, etherType: ETHERTYPE_MAC_CONTROL }, bytes);
  writeUint16(bytes, ETHERNET_LENGTH, OPCODE_PFC);
  writeUint16(bytes, VECTOR_AT, classes);
  quanta.forEach((time, i) => writeUint16(bytes, TIMES_AT + 2 * i, time));
  return bytes;
}
