import { anonymousMemory } from '../../../common/io/net/libc';
import type { Address, SharedMemory } from '../../../common/io/net/libc';
import type { Bytes } from '../../../common/units/units';
import { SOCKET_ADDRESS_LENGTH } from './socket-address';

/** Datagrams per system call. */
export const BATCH = 64;

/** Sizes of the C structures mmsghdr and iovec on 64-bit Linux, and room for one control message. */
const MESSAGE_BYTES = 64;
const VECTOR_BYTES = 16;
const CONTROL_BYTES = 64;
/** Offsets in mmsghdr. */
const NAME = 0;
const NAME_LENGTH = 8;
const VECTOR = 16;
const VECTOR_COUNT = 24;
const CONTROL = 32;
const CONTROL_LENGTH = 40;
const RECEIVED_LENGTH = 56;
/** Offsets in cmsghdr: its length, level, type and data. */
const CMSG = { length: 0, level: 8, type: 12, data: 16 } as const;
const CMSG_WITH_INT = 24;
const SOL_IP = 0;
const IP_TOS = 1;

export interface ReceivedDatagram {
  readonly length: Bytes;
  /** Address and port of the sender. */
  readonly address: number;
  readonly port: number;
  /** Type of service: DSCP and ECN. */
  readonly tos: number;
}

/** Memory for a batch of datagrams with their addresses and types of service. */
export class DatagramBatch {
  readonly memory: SharedMemory;
  readonly #slotBytes: number;
  readonly #headroom: Bytes;

  /** @param headroom bytes before each datagram that the kernel leaves alone. */
  constructor(datagramBytes: Bytes, headroom: Bytes) {
    this.#headroom = headroom;
    // Not a multiple of a page, or the first bytes of all datagrams would compete for one cache set.
    this.#slotBytes = ((headroom + datagramBytes + 63) & ~63) + 64;
    this.memory = anonymousMemory(BATCH * (this.#slotBytes + FIXED_BYTES));
    for (let i = 0; i < BATCH; i++) this.#layOut(i, datagramBytes);
  }

  /** Address of the structures from datagram `index` on. */
  messages(index: number): Address {
    return this.memory.address + BigInt(index * MESSAGE_BYTES);
  }

  /** Offset of a datagram's headroom in the memory. */
  slotAt(index: number): number {
    return BATCH * FIXED_BYTES + index * this.#slotBytes;
  }

  /** Makes a slot ready to receive. */
  prepare(index: number): void {
    const { view } = this.memory;
    view.setUint32(index * MESSAGE_BYTES + NAME_LENGTH, SOCKET_ADDRESS_LENGTH, true);
    // The upper half of the length stays 0. PERF: a BigInt for each would be an object for each.
    view.setUint32(index * MESSAGE_BYTES + CONTROL_LENGTH, CONTROL_BYTES, true);
  }

  received(index: number): ReceivedDatagram {
    const { view } = this.memory;
    const name = nameAt(index);
    return {
      length: view.getUint32(index * MESSAGE_BYTES + RECEIVED_LENGTH, true),
      port: view.getUint16(name + 2, false),
      address: view.getUint32(name + 4, false),
      tos: this.#receivedTos(index),
    };
  }

  /** Addresses a datagram whose bytes are in the slot already. */
  address(index: number, to: Uint8Array, { length, tos }: { length: Bytes; tos: number }): void {
    const { view, bytes } = this.memory;
    bytes.set(to, nameAt(index));
    view.setUint32(index * MESSAGE_BYTES + NAME_LENGTH, to.length, true);
    view.setUint32(index * MESSAGE_BYTES + CONTROL_LENGTH, CMSG_WITH_INT, true);
    view.setInt32(controlAt(index) + CMSG.data, tos, true);
    view.setUint32(vectorAt(index) + 8, length, true);
  }

  #receivedTos(index: number): number {
    const { view } = this.memory;
    const control = controlAt(index);
    const hasControl = view.getUint32(index * MESSAGE_BYTES + CONTROL_LENGTH, true) > 0;
    const isTos = view.getInt32(control + CMSG.type, true) === IP_TOS;
    return hasControl && isTos ? view.getUint8(control + CMSG.data) : 0;
  }

  #layOut(index: number, datagramBytes: Bytes): void {
    const { address, view } = this.memory;
    const message = index * MESSAGE_BYTES;
    const set = (at: number, value: number | bigint): void =>
      view.setBigUint64(at, BigInt(value), true);
    set(message + NAME, address + BigInt(nameAt(index)));
    set(message + VECTOR, address + BigInt(vectorAt(index)));
    set(message + VECTOR_COUNT, 1);
    set(message + CONTROL, address + BigInt(controlAt(index)));
    set(vectorAt(index), address + BigInt(this.slotAt(index) + this.#headroom));
    set(vectorAt(index) + 8, datagramBytes);
    // Each datagram to send has one control message, of which only the value changes.
    set(controlAt(index) + CMSG.length, CMSG.data + 4);
    view.setInt32(controlAt(index) + CMSG.level, SOL_IP, true);
    view.setInt32(controlAt(index) + CMSG.type, IP_TOS, true);
  }
}

const FIXED_BYTES = MESSAGE_BYTES + VECTOR_BYTES + SOCKET_ADDRESS_LENGTH + CONTROL_BYTES;
const vectorAt = (index: number): number => BATCH * MESSAGE_BYTES + index * VECTOR_BYTES;
const nameAt = (index: number): number =>
  BATCH * (MESSAGE_BYTES + VECTOR_BYTES) + index * SOCKET_ADDRESS_LENGTH;
const controlAt = (index: number): number =>
  BATCH * (FIXED_BYTES - CONTROL_BYTES) + index * CONTROL_BYTES;
