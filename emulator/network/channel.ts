import type { Packet } from '../../common/packet/packet';
import type { Random } from '../../common/random/random';
import { serialisationTime } from '../../common/units/units';
import type {
  BitsPerSecond,
  Bytes,
  Duration,
  Instant,
  InstantCell,
  PortNumber,
} from '../../common/units/units';
import type { PacketPool } from '../../switch/executor/packet-pool';
import type { EventQueue, EventTarget } from '../kernel/event-queue';
import type { LinkRow } from './link-rows';
import { PacketsOnTheWay } from './packets-on-the-way';
import type { TelemetryForger } from './telemetry-forger';
import type { NotificationFaults } from './notification-faults';

/** Something with ports that packets arrive at. */
export interface Node {
  readonly name: string;
  /** The last bit of `packet` arrives at `port`. */
  receive(now: Instant, port: PortNumber, packet: Packet): void;
}

export interface ChannelEnd {
  readonly node: Node;
  readonly port: PortNumber;
}

/** Takes packets to the part of the network where their channel ends. */
export interface ChannelExit {
  /** The packet arrives at `at`; its bytes are the caller's again afterwards. */
  send(channel: Channel, at: Instant, packet: Packet): void;
}

export interface ChannelOptions {
  /** The queue of the node at its end. */
  readonly queue: EventQueue;
  readonly source: number;
  readonly from: ChannelEnd;
  readonly to: ChannelEnd;
  readonly ledger: LinkRow;
  readonly rate: BitsPerSecond;
  readonly delay: Duration;
  /** Probability that a packet is lost on the way, from 0 to 1. */
  readonly lossRate: number;
  readonly random: Random;
  /** Forges telemetry at the beginning of the link. */
  readonly forger?: TelemetryForger | undefined;
  /** Faults of notifications at the end of the link. */
  readonly faults?: NotificationFaults | undefined;
  /** Gets packets that end here; absent where packets are kept. */
  readonly packets?: PacketPool | undefined;
  /** True if packets end where they arrive, since the node keeps none. Default false. */
  readonly endsPackets?: boolean;
  /** Takes packets whose receiving node is run elsewhere. */
  readonly exit?: ChannelExit | undefined;
}

const NEVER: Instant = -1;

/** `node:port->node:port`. */
export const nameOf = ({ from, to }: Pick<ChannelOptions, 'from' | 'to'>): string =>
  `${from.node.name}:${from.port}->${to.node.name}:${to.port}`;

/**
 * One direction of a link: packets arrive one propagation delay after their last bit left, in the
 * order in which they were sent. The sender serialises; a channel only carries.
 */
export class Channel implements EventTarget {
  readonly from: ChannelEnd;
  readonly to: ChannelEnd;
  readonly rate: BitsPerSecond;
  readonly delay: Duration;
  readonly forger: TelemetryForger | undefined;
  readonly faults: NotificationFaults | undefined;
  readonly ledger: LinkRow;
  /** Probability that a packet is lost on the way, from 0 to 1. */
  lossRate: number;
  readonly #queue: EventQueue;
  readonly #source: number;
  readonly #onTheWay = new PacketsOnTheWay();
  readonly #random: Random;
  readonly #packets: PacketPool | undefined;
  readonly #endsPackets: boolean;
  readonly #exit: ChannelExit | undefined;
  #isUp = true;
  /** When the link failed last. */
  #failedAt: Instant = NEVER;

  constructor(options: ChannelOptions) {
    this.from = options.from;
    this.to = options.to;
    this.ledger = options.ledger;
    this.rate = options.rate;
    this.delay = options.delay;
    this.#queue = options.queue;
    this.#source = options.source;
    options.queue.bind(this.#source, this, 0);
    this.lossRate = options.lossRate;
    this.#random = options.random;
    this.#packets = options.packets;
    this.#endsPackets = options.endsPackets ?? false;
    this.#exit = options.exit;
    this.forger = options.forger;
    this.faults = options.faults;
  }

  get name(): string {
    return nameOf(this);
  }

  /** Takes a packet whose transmission lasts from `start` to `end`. */
  send(packet: Packet, start: Instant, end: InstantCell): void {
    if (this.forger === undefined) this.#disturb(packet, start, end);
    else for (const each of this.forger.pass(start, packet)) this.#disturb(each, start, end);
  }

  #disturb(packet: Packet, start: Instant, end: InstantCell): void {
    const at = end[0] as number;
    const copies = this.faults?.pass(at + this.delay, packet);
    if (copies === undefined) this.#carry(packet, start, end);
    else
      for (const { packet: copy, by } of copies) this.#carry(copy, start, Float64Array.of(at + by));
  }

  #carry(packet: Packet, start: Instant, end: InstantCell): void {
    this.ledger.noteSent(packet.length, start, end);
    if (!this.#isUp || (this.lossRate > 0 && this.#random.uniform() < this.lossRate)) {
      this.#lose(packet);
      return;
    }
    if (this.#exit === undefined) {
      this.#queue.due[0] = (end[0] as number) + this.delay;
      this.#enterAtDue(packet);
    } else this.#leave(this.#exit, (end[0] as number) + this.delay, packet);
  }

  /** A packet, perhaps of another part of the network, will arrive at `at`. */
  enter(at: Instant, packet: Packet): void {
    this.#queue.due[0] = at;
    this.#enterAtDue(packet);
  }

  #enterAtDue(packet: Packet): void {
    const queue = this.#queue;
    if (this.#onTheWay.add(packet, queue.due)) queue.setToDue(this.#source);
  }

  get bytesOnTheWay(): Bytes {
    return this.#onTheWay.bytes;
  }

  #leave(exit: ChannelExit, at: Instant, packet: Packet): void {
    exit.send(this, at, packet);
    this.#packets?.give(packet);
  }

  handleEvent(now: Instant): void {
    const packets = this.#onTheWay;
    const packet = packets.take();
    if (!packets.isEmpty) {
      this.#queue.due[0] = packets.firstArrival;
      this.#queue.setToDue(this.#source);
    }
    if (this.#failedAt !== NEVER && this.#wasOnTheWay(now, packet)) {
      this.#lose(packet);
      return;
    }
    this.ledger.noteDelivered(packet.length);
    this.to.node.receive(now, this.to.port, packet);
    if (this.#endsPackets) this.#packets?.give(packet);
  }

  /** The link fails, which takes everything with it that is on its way, or comes back. */
  setUp(now: Instant, up: boolean): void {
    if (this.#isUp && !up) this.#failedAt = now;
    this.#isUp = up;
  }

  /** True if a packet that would arrive now had left, or begun to leave, when the link failed. */
  #wasOnTheWay(now: Instant, packet: Packet): boolean {
    return now - this.delay - serialisationTime(packet.length, this.rate) <= this.#failedAt;
  }

  #lose(packet: Packet): void {
    this.ledger.noteLost(packet.length);
    this.#packets?.give(packet);
  }
}
