import { InputError } from '../../common/errors';
import type { CcmKey } from '../../common/wire/coordination/ccm-notification';
import { CCM_KEY_LENGTHS } from '../../common/wire/coordination/ccm-notification';
import type { MacFunction } from './key-ring';

/**
 * Keys that hosts share with the switches, by id. To rotate: add the new key to hosts, then let the
 * switches use it, then remove the old one; notifications on their way stay valid throughout.
 */
export class SwitchKeys {
  /** HMAC-SHA-256, given from outside to keep the core pure. */
  readonly hmac: MacFunction;
  readonly #keys = new Map<number, CcmKey>();

  constructor(hmac: MacFunction) {
    this.hmac = hmac;
  }

  /** Key that switch `node` signs with under this id. */
  key(id: number, node: number): CcmKey | undefined {
    return this.#keys.get(placeOf(id, node)) ?? this.#keys.get(placeOf(id, EVERY_SWITCH));
  }

  /**
   * A key of all switches, or of one.
   * @throws InputError for an id in use or not from 1 to 255, and for a key of another length.
   */
  add(id: number, { algorithm, bytes }: CcmKey, node = EVERY_SWITCH): this {
    // Id 0 says on the wire that there is no code.
    if (!Number.isInteger(id) || id < 1 || id > 255) {
      throw new InputError(`id of a switch's key must be an integer from 1 to 255, got ${id}`);
    }
    const place = placeOf(id, node);
    if (this.#keys.has(place)) throw new InputError(`key ${id} of switches is known already`);
    const wanted = CCM_KEY_LENGTHS[algorithm];
    if (bytes.length !== wanted) {
      const found = `got ${bytes.length}`;
      throw new InputError(`key ${id} of switches must have ${wanted} bytes, ${found}`);
    }
    this.#keys.set(place, { algorithm, bytes: bytes.slice() });
    return this;
  }

  remove(id: number, node = EVERY_SWITCH): void {
    this.#keys.delete(placeOf(id, node));
  }
}

/** No switch has this node id. */
const EVERY_SWITCH = 0;

/** Below 2^40: 32 bits of node and 8 of id. */
const placeOf = (id: number, node: number): number => node * 0x100 + id;
