import { truncated } from '../fault';
import type { WireFault } from '../fault';

/**
 * Telemetry of the public HPCC simulator: always five slots, little-endian, 42 bytes.
 *
 *     | slot 0, 64 bits | ... | slot 4 | nhop 16 |
 *     slot, least significant bit first: | rate 3 | time 24 | bytes 20 | queue 17 |
 *
 * A sixth hop overwrites slot 0; readers drop headers with nhop above 5.
 */
export const NS3_INT_LENGTH = 42;
export const NS3_INT_SLOTS = 5;

/** A slot of the simulator's header. */
export interface Ns3IntHop {
  /** 0 = 25G, 1 = 50G, 2 = 100G, 3 = 200G, 4 = 400G. */
  readonly rateCode: number;
  /** ns modulo 2^24. */
  readonly time: number;
  /** Units of 128 bytes, modulo 2^20. */
  readonly txUnits: number;
  /** Units of 80 bytes, 17 bits. */
  readonly queueUnits: number;
}

/** The telemetry header of HPCC's public simulator. */
export interface Ns3IntHeader {
  /** The five slots, used or not. */
  readonly slots: readonly Ns3IntHop[];
  /** Hops that pushed, which may be more than there are slots. */
  readonly hopCount: number;
}

const EMPTY_SLOT: Ns3IntHop = { rateCode: 0, time: 0, txUnits: 0, queueUnits: 0 };

/** The header as a sender makes it. */
export const EMPTY_NS3_INT: Ns3IntHeader = {
  slots: Array.from({ length: NS3_INT_SLOTS }, () => EMPTY_SLOT),
  hopCount: 0,
};

export function parseNs3Int(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): Ns3IntHeader | WireFault {
  if (end < offset + NS3_INT_LENGTH) return truncated('ns3-int', offset, NS3_INT_LENGTH, end);
  const slots: Ns3IntHop[] = [];
  for (let i = 0; i < NS3_INT_SLOTS; i++) slots.push(readSlot(bytes, offset + 8 * i));
  const low = bytes[offset + 40] as number;
  return { slots, hopCount: low | ((bytes[offset + 41] as number) << 8) };
}

function readSlot(bytes: Uint8Array, at: number): Ns3IntHop {
  const low = readLittle32(bytes, at);
  const high = readLittle32(bytes, at + 4);
  return {
    rateCode: low & 7,
    time: (low >>> 3) & 0xff_ffff,
    // 5 bits are in the low word, 15 in the high one.
    txUnits: (low >>> 27) | ((high & 0x7fff) << 5),
    queueUnits: high >>> 15,
  };
}

export function emitNs3Int(header: Ns3IntHeader, bytes: Uint8Array, offset: number): void {
  header.slots.forEach((slot, i) => emitSlot(slot, bytes, offset + 8 * i));
  bytes[offset + 40] = header.hopCount;
  bytes[offset + 41] = header.hopCount >>> 8;
}

function emitSlot({ rateCode, time, txUnits, queueUnits }: Ns3IntHop, b: Uint8Array, at: number) {
  writeLittle32(b, at, rateCode | (time << 3) | (txUnits << 27));
  writeLittle32(b, at + 4, (txUnits >>> 5) | (queueUnits << 15));
}

/** Adds a hop as a switch of the simulator does: the slots are a ring. */
export function pushNs3Int(header: Ns3IntHeader, hop: Ns3IntHop): Ns3IntHeader {
  const slots = header.slots.slice();
  slots[header.hopCount % NS3_INT_SLOTS] = hop;
  return { slots, hopCount: header.hopCount + 1 };
}

function readLittle32(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at + 3] as number) << 8) | (bytes[at + 2] as number);
  return ((high << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at] as number)) >>> 0;
}

function writeLittle32(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4; i++) bytes[at + i] = value >>> (8 * i);
}
