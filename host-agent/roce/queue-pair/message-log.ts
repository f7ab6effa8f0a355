import { assert } from '../../../common/assert';
import type { Bytes } from '../../../common/units/units';
import { RETH_LENGTH, AETH_LENGTH } from '../../../common/wire/roce/extended-headers';
import type { SegmentShape } from '../../transport/sending/sender-options';
import type { Position } from '../packets/opcodes';
import { packetCount, positionOf } from '../packets/opcodes';

/** `read`: the request alone. `response`: what the responder sends for a READ. */
export type MessageKind = 'write' | 'send' | 'read' | 'response';

export interface NewMessage {
  readonly kind: MessageKind;
  /** Payload of the operation. */
  readonly length: Bytes;
  /** Offset of its first byte in the memory, or in the flow. */
  readonly offset: number;
  readonly immediate?: number | undefined;
}

/** A message that is not yet acknowledged whole. */
export interface Message extends NewMessage {
  /** PSN of its first packet, without wrap-around. */
  readonly psn: number;
  /** PSNs that it takes: for a READ those of the responses. */
  readonly packets: number;
  /** First number that it takes in the order of what is sent, and how many. */
  readonly start: number;
  readonly units: number;
}

/** A packet of a message. */
export interface PacketPlace {
  readonly message: Message;
  /** Among the packets of the message. */
  readonly index: number;
  /** Where it stands, with packet `first` of the message as the first one. */
  positionFrom(first: number): Position;
  readonly payloadLength: Bytes;
}

const IMMEDIATE_LENGTH = 4;

/**
 * The messages of one direction of a queue pair, between two ways to count: PSNs, of which each
 * packet takes one, and the sequence of the flow control, which counts bytes of payload. What has no
 * payload takes one number of the sequence, so that it can be sent again like everything else.
 */
export class MessageLog implements SegmentShape {
  readonly #mtu: Bytes;
  #messages: Message[] = [];
  #nextPsn: number;
  #nextUnit = 0;

  constructor(mtu: Bytes, firstPsn: number) {
    this.#mtu = mtu;
    this.#nextPsn = firstPsn;
  }

  /** The PSN behind all messages. */
  get nextPsn(): number {
    return this.#nextPsn;
  }

  /** Messages that are not yet released. */
  get pending(): readonly Message[] {
    return this.#messages;
  }

  append(message: NewMessage, psn = this.#nextPsn): Message {
    const packets = packetCount(message.length, this.#mtu);
    const units = message.kind === 'read' ? 1 : Math.max(1, message.length);
    const placed = { ...message, psn, packets, start: this.#nextUnit, units };
    this.#messages.push(placed);
    this.#nextPsn = psn + packets;
    this.#nextUnit += units;
    return placed;
  }

  /** The packet that begins at `sequence`. */
  at(sequence: number): PacketPlace {
    const message = this.#messageAt(sequence);
    const index = message.units === 1 ? 0 : (sequence - message.start) / this.#mtu;
    assert(Number.isInteger(index), 'packets begin at multiples of the MTU');
    const count = message.kind === 'read' ? 1 : message.packets;
    return {
      message,
      index,
      positionFrom: (first) => positionOf(index - first, count - first),
      payloadLength: message.length === 0 ? 0 : this.lengthAt(sequence),
    };
  }

  lengthAt(sequence: number): Bytes {
    const { start, units } = this.#messageAt(sequence);
    return Math.min(this.#mtu, start + units - sequence);
  }

  /** Extended headers and padding, less the number that stands for no payload. */
  extraAt(sequence: number): Bytes {
    const { message, index, payloadLength } = this.at(sequence);
    if (message.kind === 'read') return RETH_LENGTH - 1;
    const isFirst = index === 0;
    const isLast = index === message.packets - 1;
    const immediate = isLast && message.immediate !== undefined ? IMMEDIATE_LENGTH : 0;
    const fill = payloadLength === 0 ? -1 : (0 - payloadLength) & 3;
    if (message.kind === 'send') return fill + immediate;
    if (message.kind === 'write') return fill + immediate + (isFirst ? RETH_LENGTH : 0);
    return fill + (isFirst || isLast ? AETH_LENGTH : 0);
  }

  /** The sequence behind the packet of that PSN, and behind all packets before it. */
  sequenceAfter(psn: number): number {
    let sequence = this.#messages[0]?.start ?? this.#nextUnit;
    for (const message of this.#messages) {
      if (psn < message.psn) break;
      const packets = psn - message.psn + 1;
      const isWhole = message.kind === 'read' || packets >= message.packets;
      sequence = message.start + (isWhole ? message.units : packets * this.#mtu);
      if (!isWhole) break;
    }
    return sequence;
  }

  /** The message whose packets include that PSN. */
  containing(psn: number): Message | undefined {
    return this.#messages.find((one) => psn >= one.psn && psn < one.psn + one.packets);
  }

  /** Forgets messages that lie before `sequence`, up to the first that must stay. */
  release(sequence: number, mayGo: (message: Message) => boolean = () => true): Message[] {
    let count = 0;
    for (const message of this.#messages) {
      if (message.start + message.units > sequence || !mayGo(message)) break;
      count++;
    }
    return this.#messages.splice(0, count);
  }

  #messageAt(sequence: number): Message {
    const messages = this.#messages;
    let low = 0;
    let high = messages.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((messages[middle]?.start ?? Infinity) <= sequence) low = middle;
      else high = middle - 1;
    }
    const message = messages[low];
    const isThere = message !== undefined && sequence < message.start + message.units;
    assert(isThere && sequence >= message.start, `a message is sent at ${sequence}`);
    return message;
  }
}
