import type { Packet } from '../../common/packet/packet';
import type { Random } from '../../common/random/random';
import { microseconds } from '../../common/units/units';
import type { Duration, Instant } from '../../common/units/units';
import { readUint16 } from '../../common/wire/bytes';
import { CCM_PORT } from '../../common/wire/coordination/ccm-notification';
import { afterIpIn, destinationIn, mendUdpChecksum } from '../../common/wire/ip/plain-frame';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { MAC_LENGTH } from '../../common/wire/security/message-mac';
import type { NotificationFaultDocument } from '../scenario/data-plane-schema';

/** Length of the shortest notification. */
const MESSAGE_LENGTH_MIN = 64;
/** Offsets within the message. */
const TYPE = 0;
const WORDS = 2;
const KEY_ID = 3;
const TYPES = 3;
/** Notifications that an attacker remembers, to send one of them once more. */
const MEMORY = 64;

/** A packet that arrives so much later than the link alone would make it. */
export interface Delayed {
  readonly packet: Packet;
  readonly by: Duration;
}

/** Counts of notifications by what was done to them. */
export interface FaultCounts {
  /** That came along. */
  genuine: number;
  lost: number;
  duplicated: number;
  delayed: number;
  forged: number;
  replayed: number;
}

/**
 * Faults of a link, and an attacker on it without a key, who both pick on notifications for the node
 * at its end. There and nowhere before, so that every one that is made also arrives, and what the
 * receiver refuses can be compared with what was made.
 */
export class NotificationFaults {
  readonly counts: FaultCounts = noFaults();
  readonly #memory: { readonly packet: Packet; readonly arrivesBy: Instant }[] = [];

  constructor(
    private readonly document: NotificationFaultDocument,
    /** IPv4 address of the node at the end of the link, or that in its IPv6 address. */
    private readonly receiver: number,
    private readonly random: Random,
  ) {}

  /** The packets that arrive in the place of `packet`, which would arrive at `at`. */
  pass(at: Instant, packet: Packet): readonly Delayed[] {
    if (!this.#isForReceiver(packet)) return [{ packet, by: 0 }];
    const { counts, document } = this;
    counts.genuine++;
    const copies = this.#deliver(at, packet);
    if (this.#happens(document.replay)) {
      const old = this.#remembered(at);
      if (old !== undefined) {
        counts.replayed++;
        copies.push({ packet: old, by: 0 });
      }
    }
    if (this.#happens(document.forge)) {
      counts.forged++;
      copies.push({ packet: this.#forged(packet), by: 0 });
    }
    return copies;
  }

  #deliver(at: Instant, packet: Packet): Delayed[] {
    const { counts, document } = this;
    if (this.#happens(document.loss)) {
      counts.lost++;
      return [];
    }
    const isLate = this.#happens(document.reorder);
    const by = isLate ? this.#someTime() : 0;
    if (isLate) counts.delayed++;
    this.#remember(packet, at + by);
    if (!this.#happens(document.duplicate)) return [{ packet, by }];
    counts.duplicated++;
    return [
      { packet, by },
      { packet: copyOf(packet), by: by + this.#someTime() },
    ];
  }

  #isForReceiver({ bytes }: Packet): boolean {
    const udpAt = afterIpIn(bytes);
    return (
      bytes.length >= udpAt + UDP_LENGTH + MESSAGE_LENGTH_MIN &&
      readUint16(bytes, udpAt + 2) === CCM_PORT &&
      destinationIn(bytes) === this.receiver
    );
  }

  #happens(probability: number): boolean {
    return this.random.uniform() < probability;
  }

  #someTime(): Duration {
    return 1 + this.random.below(microseconds(this.document.delayUs));
  }

  #remember(packet: Packet, arrivesBy: Instant): void {
    const entry = { packet, arrivesBy };
    if (this.#memory.length < MEMORY) this.#memory.push(entry);
    else this.#memory[this.random.below(MEMORY)] = entry;
  }

  /** A replay must have arrived before; otherwise it would be the original. */
  #remembered(at: Instant): Packet | undefined {
    const arrived = this.#memory.filter(({ arrivesBy }) => arrivesBy < at);
    const chosen = arrived[this.random.below(Math.max(1, arrived.length))];
    return chosen === undefined ? undefined : copyOf(chosen.packet);
  }

  /** Every byte of a message can differ, so that a receiver has to check every one. */
  #forged(packet: Packet): Packet {
    const forged = copyOf(packet);
    const { bytes } = forged;
    this.#falsify(bytes.subarray(afterIpIn(bytes) + UDP_LENGTH));
    // It is the code that must refuse this.
    mendUdpChecksum(bytes);
    return forged;
  }

  /** The kinds of forgery: from one byte that differs to a message without a code. */
  #falsify(message: Uint8Array): void {
    const { random } = this;
    const mac = message.length - MAC_LENGTH;
    switch (random.below(7)) {
      case 0:
        for (let at = KEY_ID + 1; at < message.length; at++) this.#change(message, at);
        break;
      case 1:
        this.#change(message, mac + random.below(MAC_LENGTH));
        break;
      case 2:
        message[KEY_ID] = 100 + random.below(100);
        break;
      case 3:
        message[KEY_ID] = 0;
        break;
      case 4:
        message[KEY_ID] = 0;
        message[WORDS] = mac / 4;
        break;
      case 5:
        this.#changeType(message);
        break;
      default:
        this.#change(message, random.below(message.length));
    }
  }

  #change(message: Uint8Array, at: number): void {
    message[at] = (message[at] as number) ^ (1 + this.random.below(255));
  }

  /** Replaces the type at random, so that a request for control may ask for something else. */
  #changeType(message: Uint8Array): void {
    const first = message[TYPE] as number;
    const type = (((first & 0xf) + this.random.below(TYPES - 1)) % TYPES) + 1;
    message[TYPE] = (first & 0xf0) | type;
  }
}

/** Counts that all begin with 0. */
export const noFaults = (): FaultCounts => ({
  genuine: 0,
  lost: 0,
  duplicated: 0,
  delayed: 0,
  forged: 0,
  replayed: 0,
});

/** A copy without the packet's id, because it counts as another packet. */
function copyOf({ bytes, length }: Packet): Packet {
  return { bytes: bytes.slice(), length };
}
