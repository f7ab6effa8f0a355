import { ERRNO } from './errno';
import type { Descriptor } from './descriptors';
import type { Interface } from './interfaces';
import type { SystemParts } from './system';

const HEADER_BYTES = 16;
const INFO_BYTES = 16;
const SEQUENCE_AT = 8;
const ERROR_TYPE = 2;
const NEW_LINK = 16;
const NAME_ATTRIBUTE = 3;
const NAME_AT = HEADER_BYTES + INFO_BYTES + 4;
const IS_UP = 1;
const HAS_CARRIER = 1 << 16;

/** Group of those who are told of links. */
const LINKS = 1;
/** Messages that a socket holds. */
const ROOM = 50;

/** An rtnetlink socket that answers questions about interfaces by name and tells of changes, rtnetlink(7). */
export class NetlinkDescriptor implements Descriptor {
  readonly kind = 'netlink';
  readonly #parts: SystemParts;
  readonly #answers: Uint8Array[] = [];
  /** An answer found no room, of which the next reading is told. */
  #hasOverrun = false;
  readonly #readable: () => void;
  readonly #told = (changed: Interface): void => {
    if (this.#answers.length >= ROOM || this.#parts.faults.strikes('enobufs-netlink')) {
      this.#hasOverrun = true;
    } else this.#answers.push(this.#link(changed, 0));
    this.#readable();
  };

  /** @param readable called when something has come that nobody asked for. */
  constructor(parts: SystemParts, readable: () => void) {
    this.#parts = parts;
    this.#readable = readable;
  }

  bind(groups: number): number {
    if (groups === LINKS) this.#parts.interfaces.watchers.add(this.#told);
    return 0;
  }

  get isReadable(): boolean {
    return this.#hasOverrun || this.#answers.length > 0;
  }

  /** The kernel answers before it returns. */
  write(request: Uint8Array): number {
    const { faults, interfaces } = this.#parts;
    if (faults.strikes('eintr')) return -ERRNO.EINTR;
    if (faults.strikes('enobufs-netlink')) return -ERRNO.ENOBUFS;
    const view = new DataView(request.buffer, request.byteOffset, request.byteLength);
    const name = Buffer.from(request.subarray(NAME_AT)).toString('latin1').replace(/\0.*$/s, '');
    const sequence = view.getUint32(SEQUENCE_AT, true);
    const found = interfaces.named(name);
    if (faults.strikes('enobufs-netlink')) this.#hasOverrun = true;
    else this.#answers.push(found ? this.#link(found, sequence) : noDevice(sequence));
    return request.length;
  }

  read(into: Uint8Array): number {
    if (this.#parts.faults.strikes('eintr')) return -ERRNO.EINTR;
    if (this.#hasOverrun) {
      this.#hasOverrun = false;
      return -ERRNO.ENOBUFS;
    }
    const answer = this.#answers.shift();
    if (answer === undefined) return -ERRNO.EAGAIN;
    into.set(answer);
    return answer.length;
  }

  close(): void {
    this.#parts.interfaces.watchers.delete(this.#told);
    this.#answers.length = 0;
  }

  #link(one: Interface, sequence: number): Uint8Array {
    const name = Buffer.from(`${one.name}\0`);
    const bytes = new Uint8Array(HEADER_BYTES + INFO_BYTES + ((4 + name.length + 3) & ~3));
    const view = new DataView(bytes.buffer);
    const carrier = this.#parts.interfaces.hasCarrier(one) ? HAS_CARRIER : 0;
    view.setUint32(0, bytes.length, true);
    view.setUint16(4, NEW_LINK, true);
    view.setUint32(SEQUENCE_AT, sequence, true);
    view.setInt32(HEADER_BYTES + 4, one.index ?? 0, true);
    view.setUint32(HEADER_BYTES + 8, (one.isUp ? IS_UP : 0) | carrier, true);
    view.setUint16(HEADER_BYTES + INFO_BYTES, 4 + name.length, true);
    view.setUint16(HEADER_BYTES + INFO_BYTES + 2, NAME_ATTRIBUTE, true);
    bytes.set(name, NAME_AT);
    return bytes;
  }
}

function noDevice(sequence: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + 20);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, ERROR_TYPE, true);
  view.setUint32(SEQUENCE_AT, sequence, true);
  view.setInt32(HEADER_BYTES, -ERRNO.ENODEV, true);
  return bytes;
}
