import type { Instant } from '../../../common/units/units';
import type { CongestionControlFactory } from '../../algorithm/congestion-control';
import type { CoordinationEffect, FlowCoordination } from '../../coordination/flow-coordination';
import { FlowGate } from '../../coordination/gated-control';
import type { FlowKey, HostCoordination } from '../../coordination/host-coordination';
import type { FlowSender } from '../../transport/sending/sender';
import type { DataPath } from '../packets/peer-frames';

export interface CoordinatedPathOptions {
  readonly host: HostCoordination;
  /** Unique among all that the host sends. */
  readonly id: number;
  readonly destinationAddress: number;
  /** Switches that may write into a packet. */
  readonly maxHops: number;
  /** The source port to have if it is free. */
  readonly sourcePort: number;
}

/**
 * Requests of switches for the data of one queue pair, and the path that the data takes.
 *
 * Switches know the data by addresses and source port alone, since the queue pair number lies behind
 * the telemetry: so no other data of this host to the same destination has the port.
 *
 *     staying --type 3--> leaving --all in flight is asked for--> draining --nothing in flight--> staying
 */
export class CoordinatedPath {
  readonly #o: CoordinatedPathOptions;
  readonly #state: FlowCoordination;
  #index: number;
  #moves = 0;
  /** The source port to go on from, once nothing is in flight. */
  #next: number | undefined = undefined;
  #isDraining = false;
  #path: DataPath;
  readonly #gate: FlowGate;

  constructor(options: CoordinatedPathOptions) {
    this.#o = options;
    this.#index = this.#freeIndex(0) ?? 0;
    const key = this.#keyOf(this.#index);
    this.#state = options.host.open(options.id, key);
    this.#gate = new FlowGate(options.maxHops, () => this.#state.isControlled);
    this.#path = this.#pathFrom(key.sourcePort);
  }

  get path(): DataPath {
    return this.#path;
  }

  /** Puts the gate before a control, which then acts while switches want it. */
  control(make: CongestionControlFactory): CongestionControlFactory {
    return this.#gate.before(make);
  }

  /** Changes of path so far. */
  get moves(): number {
    return this.#moves;
  }

  /** Time to call {@link handleWakeup}, or Infinity. */
  get deadline(): Instant {
    return this.#state.deadline;
  }

  /** The next packet shall ask for an acknowledgement, or what is in flight would stay so. */
  get isLeaving(): boolean {
    return this.#next !== undefined && !this.#isDraining;
  }

  /** The receiver has told of a mark of ECN. */
  handleMark(now: Instant, sender: FlowSender): void {
    if (this.#o.host.onMark(now, this.#o.id)) this.#followTag(now, sender);
  }

  /** A switch has said what it wants. `isAsked`: all in flight will be acknowledged. */
  handle(
    now: Instant,
    effect: CoordinationEffect,
    { sender, isAsked }: { readonly sender: FlowSender; readonly isAsked: boolean },
  ): void {
    if (effect === 'tagged' || effect === 'released') this.#followTag(now, sender);
    if (effect === 'exhausted') this.#path = this.#pathFrom(this.#path.sourcePort);
    if (effect !== 'reroute' || this.#next !== undefined) return;
    this.#next = this.#freeIndex(this.#index + 1);
    if (isAsked) this.onAsked(now, sender);
  }

  /** All that is in flight has been asked for. */
  onAsked(now: Instant, sender: FlowSender): void {
    if (!this.isLeaving) return;
    this.#isDraining = true;
    sender.drain();
    this.moveWhenDrained(now, sender);
  }

  /** With packets in flight on the old path, those on a lighter one would overtake them. */
  moveWhenDrained(now: Instant, sender: FlowSender): void {
    const index = this.#next;
    if (index === undefined || !sender.isDrained) return;
    this.#next = undefined;
    this.#isDraining = false;
    this.#index = index;
    this.#moves++;
    const key = this.#keyOf(index);
    this.#o.host.alias(this.#o.id, key);
    this.#path = this.#pathFrom(key.sourcePort);
    sender.resume(now);
  }

  handleWakeup(now: Instant, sender: FlowSender): void {
    this.moveWhenDrained(now, sender);
    if (this.#o.host.expire(now, this.#o.id)) this.#followTag(now, sender);
  }

  close(): void {
    this.#o.host.close(this.#o.id);
  }

  /** The CC indicator and the congestion control go together. */
  #followTag(now: Instant, sender: FlowSender): void {
    sender.handleControlChange(now, () => this.#gate.onChange(now));
    this.#path = this.#pathFrom(this.#path.sourcePort);
  }

  #pathFrom(sourcePort: number): DataPath {
    return { sourcePort, dsFlags: this.#o.host.dsFlags(this.#state) };
  }

  /** The first from `from` on whose port no other data to the destination has. */
  #freeIndex(from: number): number | undefined {
    for (let index = from; index < from + TRIES; index++) {
      if (this.#o.host.isFree(this.#keyOf(index))) return index;
    }
    return undefined;
  }

  /** Source ports that follow each other, within the dynamic ports but for the wanted one. */
  #keyOf(index: number): FlowKey {
    const { destinationAddress, sourcePort } = this.#o;
    if (index === 0) return { destinationAddress, sourcePort };
    const shifted = DYNAMIC_PORTS + ((sourcePort + PORT_STRIDE * index) % DYNAMIC_PORT_COUNT);
    return { destinationAddress, sourcePort: shifted };
  }
}

/** The dynamic ports of RFC 6335. */
const DYNAMIC_PORTS = 49152;
const DYNAMIC_PORT_COUNT = 16384;
/** Odd, so that the ports of neighbouring flows differ in many bits. */
const PORT_STRIDE = 4099;
/** Ports that are tried. */
const TRIES = 64;
