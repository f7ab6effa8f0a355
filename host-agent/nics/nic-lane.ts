import type { Packet } from '../../common/packet/packet';
import { serialisationTime } from '../../common/units/units';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import type { CongestionMetrics } from '../algorithm/congestion-control';
import type { CoordinationCounters } from '../coordination/host-coordination';
import type { Agent, FlowHold, FlowMetrics } from '../host/agent';
import type { FlowSpec } from '../host/host-config';
import type { HostCounters, HostEvent } from '../host/host-events';
import { Fifo } from '../nic/fifo';

/** Frames of other interfaces that wait here at most. */
const TAKEN_MAX = 1024;

export interface NicLaneOptions {
  /** The agent of the flows that leave by this interface. */
  readonly inner: Agent;
  readonly linkRate: BitsPerSecond;
  /** The agent that a frame is for that has arrived here. */
  readonly agentOf: (packet: Packet) => Agent;
  /** Has another interface take a frame that cannot leave here; false where it leaves here. */
  readonly reroute: (packet: Packet) => boolean;
}

/**
 * One interface of a host with several, as its driver sees it: hands arriving frames to the agents
 * that they are for, and frames without a way from here to other interfaces, whose own frames wait meanwhile.
 */
export class NicLane implements Agent {
  readonly #o: NicLaneOptions;
  /** Frames of other interfaces whose own way is gone. */
  readonly #taken = new Fifo<Packet>();
  /** The agent goes on at the rate of its own link while its frames leave elsewhere. */
  #heldUntil: Instant | undefined;

  constructor(options: NicLaneOptions) {
    this.#o = options;
  }

  /**
   * Sends a frame of another interface before those of its own; the driver is to be woken. False where too many
   * wait, as for a link that is slower than the other one: the frame is lost with the link that is gone.
   */
  take(packet: Packet): boolean {
    if (this.#taken.length >= TAKEN_MAX) return false;
    this.#taken.push(packet);
    return true;
  }

  handlePacket(now: Instant, packet: Packet): void {
    this.#o.agentOf(packet).handlePacket(now, packet);
  }

  pollTransmit(now: Instant): Packet | undefined {
    if (!this.#taken.isEmpty) return this.#taken.take();
    if (this.#heldUntil !== undefined && now < this.#heldUntil) return undefined;
    this.#heldUntil = undefined;
    const packet = this.#o.inner.pollTransmit(now);
    if (packet === undefined || !this.#o.reroute(packet)) return packet;
    this.#heldUntil = now + serialisationTime(packet.length, this.#o.linkRate);
    return undefined;
  }

  pollWakeup(): Instant | undefined {
    if (!this.#taken.isEmpty) return 0;
    return this.#heldUntil ?? this.#o.inner.pollWakeup();
  }

  handleWakeup(now: Instant): void {
    const own = this.#o.inner.pollWakeup();
    if (own !== undefined && own <= now) this.#o.inner.handleWakeup(now);
  }

  handleStandstill(duration: Duration): void {
    this.#o.inner.handleStandstill(duration);
  }

  startFlow(now: Instant, spec: FlowSpec): void {
    this.#o.inner.startFlow(now, spec);
  }

  appendToFlow(now: Instant, id: number, more: { bytes: Bytes; isLast: boolean }): void {
    this.#o.inner.appendToFlow(now, id, more);
  }

  pollEvent(): HostEvent | undefined {
    return this.#o.inner.pollEvent();
  }

  flowMetrics(id: number): FlowMetrics | undefined {
    return this.#o.inner.flowMetrics(id);
  }

  senderMetrics(id: number): CongestionMetrics | undefined {
    return this.#o.inner.senderMetrics(id);
  }

  receiverMetrics(sourceAddress: number, flow: number): CongestionMetrics | undefined {
    return this.#o.inner.receiverMetrics(sourceAddress, flow);
  }

  windowLeft(id: number): Bytes | undefined {
    return this.#o.inner.windowLeft(id);
  }

  flowHold(id: number): FlowHold | undefined {
    return this.#o.inner.flowHold(id);
  }

  counters(): HostCounters {
    return this.#o.inner.counters();
  }

  coordination(): CoordinationCounters | undefined {
    return this.#o.inner.coordination();
  }
}
