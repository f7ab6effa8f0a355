import { InputError } from '../../common/errors';

/** HMAC-SHA-256, or another code of at least 16 bytes; given from outside to keep the core pure. */
export type MacFunction = (key: Uint8Array, message: Uint8Array) => Uint8Array;

const KEY_LENGTH = 32;

/**
 * Keys that two hosts share. To rotate: add the new key on both sides, then use it on both, then
 * remove the old one; feedback that is on its way stays valid throughout.
 */
export class KeyRing {
  readonly mac: MacFunction;
  readonly #keys = new Map<number, Uint8Array>();
  #signing: number;

  /** @throws InputError as {@link KeyRing.add} does. */
  constructor(mac: MacFunction, id: number, key: Uint8Array) {
    this.mac = mac;
    this.add(id, key);
    this.#signing = id;
  }

  /** Id of the key that signs. */
  get signing(): number {
    return this.#signing;
  }

  key(id: number): Uint8Array | undefined {
    return this.#keys.get(id);
  }

  /** All of them, whichever signs. */
  all(): readonly Uint8Array[] {
    return [...this.#keys.values()];
  }

  /** @throws InputError for an id beyond 8 bits or in use, and for a key that is not 32 bytes. */
  add(id: number, key: Uint8Array): void {
    if (!Number.isInteger(id) || id < 0 || id > 255) {
      throw new InputError(`key id must be an integer from 0 to 255, got ${id}`);
    }
    if (this.#keys.has(id)) throw new InputError(`key ${id} is in the ring already`);
    if (key.length !== KEY_LENGTH) {
      throw new InputError(`key ${id} must have ${KEY_LENGTH} bytes, got ${key.length}`);
    }
    this.#keys.set(id, key.slice());
  }

  /** Signs with this key from now on. @throws InputError if it is not in the ring. */
  use(id: number): void {
    if (!this.#keys.has(id)) throw new InputError(`key ${id} is not in the ring`);
    this.#signing = id;
  }

  /** @throws InputError for the key that signs. */
  remove(id: number): void {
    if (id === this.#signing) throw new InputError(`key ${id} signs; use another one first`);
    this.#keys.delete(id);
  }
}
