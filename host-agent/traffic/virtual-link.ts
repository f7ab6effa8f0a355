import type { Packet } from '../../common/packet/packet';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { PS_PER_NS, PS_PER_SECOND, serialisationTime } from '../../common/units/units';
import { emitHops, HP_DOMAIN, INT_DSCP, INT_FIXED_LENGTH } from '../../common/wire/int/int-md';
import { afterIpIn, dscpIn, growDatagram } from '../../common/wire/ip/plain-frame';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import type { Agent } from '../host/agent';

/** Within INT, from its shim on. */
const REMAINING_HOPS = 7;
const COUNTER_MODULUS = 2 ** 48;
/** Counter of a switch that has run for long, so that its 48 bits are used. */
const SENT_BEFORE: Bytes = 2 ** 45;
const UP_SINCE_NS = 2 ** 46;
const BITS_PER_BYTE = 8;

/**
 * The port of a switch in virtual time and the link behind it: one direction, with a queue that forgets
 * nothing, which tells of itself in frames that ask for INT telemetry.
 */
export class VirtualLink {
  readonly #rate: BitsPerSecond;
  readonly #delay: Duration;
  readonly #onTheWay: { readonly at: Instant; readonly packet: Packet }[] = [];
  #freeAt: Instant = 0;
  #sentBytes: Bytes = SENT_BEFORE;

  constructor(rate: BitsPerSecond, delay: Duration) {
    this.#rate = rate;
    this.#delay = delay;
  }

  /** Time at which the next packet arrives, or Infinity. */
  get nextArrival(): Instant {
    return this.#onTheWay[0]?.at ?? Infinity;
  }

  send(now: Instant, packet: Packet): void {
    const begin = Math.max(now, this.#freeAt);
    const carried = this.#carried(begin, ((begin - now) / PS_PER_SECOND) * this.#rate, packet);
    this.#freeAt = begin + serialisationTime(carried.length, this.#rate);
    this.#sentBytes = (this.#sentBytes + carried.length) % COUNTER_MODULUS;
    this.#onTheWay.push({ at: this.#freeAt + this.#delay, packet: carried });
  }

  /** Gives the host what has arrived by now. */
  deliver(now: Instant, host: Agent): void {
    while (this.nextArrival <= now) {
      const arrived = this.#onTheWay.shift();
      if (arrived !== undefined) host.handlePacket(now, arrived.packet);
    }
  }

  /** The frame in one piece, as interfaces deliver it, and with telemetry if it asks for any. */
  #carried(begin: Instant, queueBits: number, packet: Packet): Packet {
    const asks = dscpIn(packet.bytes) === INT_DSCP;
    const intAt = afterIpIn(packet.bytes) + UDP_LENGTH;
    const added = asks ? HP_DOMAIN.hopLength : 0;
    const bytes = new Uint8Array(packet.length + added);
    const split = asks ? intAt + INT_FIXED_LENGTH : 0;
    bytes.set(packet.bytes.subarray(0, split));
    bytes.set(packet.bytes.subarray(split), split + added);
    if (asks) this.#addHop(begin, Math.floor(queueBits / BITS_PER_BYTE), { bytes, intAt });
    return { bytes, length: bytes.length };
  }

  #addHop(begin: Instant, queueBytes: Bytes, { bytes, intAt }: FrameWithInt): void {
    const hop = {
      switchId: 1,
      portId: 1,
      queueBytes,
      capacity: this.#rate,
      timestamp: (UP_SINCE_NS + Math.floor(begin / PS_PER_NS)) % COUNTER_MODULUS,
      timestampModulus: COUNTER_MODULUS,
      txBytes: this.#sentBytes,
      txBytesModulus: COUNTER_MODULUS,
    };
    emitHops([hop], bytes, intAt);
    bytes[intAt + REMAINING_HOPS] = (bytes[intAt + REMAINING_HOPS] as number) - 1;
    growDatagram(bytes, HP_DOMAIN.hopLength);
  }
}

interface FrameWithInt {
  readonly bytes: Uint8Array;
  /** Offset of the shim of INT. */
  readonly intAt: number;
}
