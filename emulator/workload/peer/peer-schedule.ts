import { assert } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { ORIGIN, PS_PER_SECOND } from '../../../common/units/units';
import type { Connection } from '../connection';
import type { DueMessage, OfferedMessage, Span } from '../message-schedule';
import type { PassingFlow, PassingSchedule } from '../passing-schedule';
import type { Peer, PeerMessage } from './peer';

/** Ranks of a peer, on hosts. */
export interface PeerRanks {
  /** Host of each rank. */
  readonly hosts: readonly string[];
  /** Links between ranks of one host. */
  readonly local: { readonly rate: BitsPerSecond; readonly delay: Duration };
}

/** More flows than memory is for. */
const FIRST_WAKE = 2 ** 30;

interface Sent {
  readonly message: PeerMessage;
  readonly connection: Connection;
  hasArrived: boolean;
}

/**
 * Sends what a peer says when it says so, each message as a flow of its own, and tells it what has arrived. Ranks of one
 * host reach each other beside the network.
 */
export class PeerSchedule implements PassingSchedule {
  readonly firstWake = FIRST_WAKE;
  readonly #peer: Peer;
  readonly #ranks: PeerRanks;
  readonly #flows = new Map<number, Sent>();
  /** Ids of messages that have not arrived. */
  readonly #ids = new Set<number>();
  /** Ids of messages inside of hosts by the number of the wake-up at which they arrive. */
  readonly #local = new Map<number, number>();
  /** When each rank has sent what it sends inside its host. */
  readonly #free = new Map<number, Instant>();
  #count = 0;
  #bytes = 0;
  #locals = 0;
  #wakeAt: Instant | undefined = ORIGIN;
  #isOpen = true;

  constructor(peer: Peer, ranks: PeerRanks) {
    this.#peer = peer;
    this.#ranks = ranks;
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  get isOpen(): boolean {
    return this.#isOpen || this.#local.size > 0;
  }

  start(): DueMessage[] {
    return [this.#wakeUp(ORIGIN, FIRST_WAKE)];
  }

  connection(index: number): Connection {
    return this.#flow(index).connection;
  }

  offer(_now: Instant, index: number): OfferedMessage {
    return { bytes: bytesOf(this.#flow(index).message), isFirst: true, isLast: true, due: [] };
  }

  nextArrival(index: number): Bytes {
    const flow = this.#flows.get(index);
    return flow === undefined || flow.hasArrived ? Infinity : bytesOf(flow.message);
  }

  delivered(now: Instant, index: number): DueMessage[] {
    const flow = this.#flow(index);
    flow.hasArrived = true;
    return this.#tell(now, [flow.message.id]);
  }

  /** @throws InputError where the flow was given up: its receiver would wait for ever. */
  close(index: number): void {
    const flow = this.#flow(index);
    this.#flows.delete(index);
    if (flow.hasArrived) return;
    const { id, from, to } = flow.message;
    throw new InputError(`message ${id} from rank ${from} to rank ${to} was given up`);
  }

  wake(now: Instant, number: number): DueMessage[] {
    const local = this.#local.get(number);
    if (local !== undefined) {
      this.#local.delete(number);
      return this.#tell(now, [local]);
    }
    // What has arrived in between may have changed when the peer wants to be woken.
    return this.#isOpen && this.#wakeAt === now ? this.#tell(now, []) : [];
  }

  *rest(): Iterable<PassingFlow> {
    // What a peer would have sent is not known.
  }

  workloadSpan(): Span {
    return { from: undefined, to: undefined };
  }

  /** @throws InputError for messages that cannot be sent, and where nothing would ever happen again. */
  #tell(now: Instant, arrived: readonly number[]): DueMessage[] {
    for (const id of arrived) this.#ids.delete(id);
    // What arrives behind the end, nobody waits for.
    if (!this.#isOpen) return [];
    const { messages, wakeAt, isEnd } = this.#peer.exchange({ now, arrived });
    this.#isOpen = !isEnd;
    const due = messages.map((message) => this.#send(now, message));
    if (wakeAt !== undefined) {
      if (wakeAt < now)
        throw new InputError(`the peer wants to be woken at ${wakeAt} ps, before ${now}`);
      due.push(this.#wakeUp(wakeAt, FIRST_WAKE));
    }
    this.#wakeAt = wakeAt;
    if (this.#isOpen && wakeAt === undefined && this.#ids.size === 0) {
      throw new InputError('nothing is on its way or due, and the ranks of the peer are not done');
    }
    return due;
  }

  #send(now: Instant, message: PeerMessage): DueMessage {
    const { id, from, to } = message;
    const hosts = [from, to].map((rank) => this.#ranks.hosts[rank]);
    const [source, destination] = hosts;
    if (source === undefined || destination === undefined) {
      const most = this.#ranks.hosts.length - 1;
      throw new InputError(`message ${id} from rank ${from} to rank ${to}: ranks are 0 to ${most}`);
    }
    if (this.#ids.size === this.#ids.add(id).size) {
      throw new InputError(`message ${id} has the id of one that has not arrived`);
    }
    if (source === destination) return this.#sendInside(now, message);
    const index = this.#count++;
    const bytes = bytesOf(message);
    this.#bytes += bytes;
    const messages = [{ bytes, startUs: 0, after: [], delayUs: 0 }];
    const connection = { from: source, to: destination, messages };
    this.#flows.set(index, { message, connection, hasArrived: false });
    return { connection: index, at: now };
  }

  #sendInside(now: Instant, message: PeerMessage): DueMessage {
    const { rate, delay } = this.#ranks.local;
    const from = Math.max(now, this.#free.get(message.from) ?? ORIGIN);
    const sent = from + Math.round((bytesOf(message) * 8 * PS_PER_SECOND) / rate);
    this.#free.set(message.from, sent);
    const number = FIRST_WAKE + ++this.#locals;
    this.#local.set(number, message.id);
    return this.#wakeUp(sent + delay, number);
  }

  #wakeUp(at: Instant, connection: number): DueMessage {
    return { connection, at, wakes: this.#ranks.hosts[0] as string };
  }

  #flow(index: number): Sent {
    const flow = this.#flows.get(index);
    assert(flow !== undefined, `flow ${index} was sent by the peer and has not ended`);
    return flow;
  }
}

const bytesOf = ({ bytes }: PeerMessage): Bytes => Math.max(1, bytes);
