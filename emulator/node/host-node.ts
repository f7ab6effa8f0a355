import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import { serialisationTime } from '../../common/units/units';
import type { BitsPerSecond, Instant, PortNumber } from '../../common/units/units';
import type { Agent } from '../../host-agent/host/agent';
import type { HostEvent } from '../../host-agent/host/host-events';
import { identified } from '../../switch/executor/packet-pool';
import type { PacketPool } from '../../switch/executor/packet-pool';
import type { EventQueue, EventTarget } from '../kernel/event-queue';
import type { ObserversOf } from '../kernel/observer-list';
import type { Channel, Node } from '../network/channel';

const NIC_FREE = 0;
const WAKE = 1;
/** Cells of a host's instants: its link is busy until then, and it wakes then. */
const BUSY_UNTIL = 0;
const WAKE_AT = 1;
/** Above the number of any host. */
const ID_STEP = 2 ** 17;

export interface HostObserver {
  /** The host put `packet` on its link. */
  hostSent(host: HostNode, packet: Packet, start: Instant): void;
  /** A packet arrived at the host, which has not seen it yet. */
  hostReceived(host: HostNode, packet: Packet, now: Instant): void;
  /** The host has looked at it, and has sent nothing since. */
  hostHandled(host: HostNode, packet: Packet, now: Instant): void;
  hostEvent(host: HostNode, event: HostEvent): void;
}

export interface HostEnvironment {
  readonly queue: EventQueue;
  readonly observers: ObserversOf<HostObserver>;
  /** Whose memory packets use; absent where somebody keeps packets. */
  readonly packets?: PacketPool | undefined;
}

/**
 * Drives a host agent by virtual time: one NIC that serialises one packet at a time and takes the
 * next one from the agent whenever it is free. The agent decides what to send; nothing queues here.
 */
export class HostNode implements Node, EventTarget {
  readonly source: number;
  private readonly queue: EventQueue;
  readonly #seeSent: readonly Pick<HostObserver, 'hostSent'>[];
  readonly #seeReceived: readonly Pick<HostObserver, 'hostReceived'>[];
  readonly #seeHandled: readonly Pick<HostObserver, 'hostHandled'>[];
  readonly #seeEvents: readonly Pick<HostObserver, 'hostEvent'>[];
  readonly #packets: PacketPool | undefined;
  #channel: Channel | undefined;
  /** PERF: instants in fields would be objects of their own. */
  readonly #times = Float64Array.of(0, Infinity);
  /**
   * The place of the event that says that the NIC is free. It is scheduled only if the agent may have
   * something to send then: nothing would come of it otherwise.
   */
  readonly #freeKey = { stamp: NaN, order: NaN };
  #isFreeScheduled = true;
  /** Packets of all hosts have different ids, whatever the others send. */
  #nextId: number;

  constructor(
    readonly name: string,
    readonly agent: Agent,
    { queue, observers, packets }: HostEnvironment,
  ) {
    this.queue = queue;
    this.#seeSent = observers.of('hostSent');
    this.#seeReceived = observers.of('hostReceived');
    this.#seeHandled = observers.of('hostHandled');
    this.#seeEvents = observers.of('hostEvent');
    this.#packets = packets;
    this.source = queue.newSource();
    this.#nextId = this.source;
  }

  attach(channel: Channel): void {
    assert(this.#channel === undefined, `host ${this.name} has one link only`);
    this.#channel = channel;
  }

  get linkRate(): BitsPerSecond {
    assert(this.#channel !== undefined, `host ${this.name} has a link`);
    return this.#channel.rate;
  }

  receive(now: Instant, _port: PortNumber, packet: Packet): void {
    for (const each of this.#seeReceived) each.hostReceived(this, packet, now);
    this.agent.handlePacket(now, packet);
    for (const each of this.#seeHandled) each.hostHandled(this, packet, now);
    this.pump(now);
  }

  handleEvent(now: Instant, what: number): void {
    if (what === WAKE) {
      // A later wish was replaced by an earlier one, whose event has come already.
      if (now !== this.#times[WAKE_AT]) return;
      this.#times[WAKE_AT] = Infinity;
      this.agent.handleWakeup(now);
    }
    this.pump(now);
  }

  /** Sends if the NIC is free and the agent has a packet; otherwise schedules a wake-up. */
  pump(now: Instant): void {
    if (now >= (this.#times[BUSY_UNTIL] as number)) {
      const packet = this.agent.pollTransmit(now);
      if (packet !== undefined) this.#transmit(now, packet);
    }
    this.#drainEvents();
    this.#scheduleWakeup(now);
    if (!this.#isFreeScheduled) this.#scheduleFree(now);
  }

  #scheduleFree(now: Instant): void {
    const busyUntil = this.#times[BUSY_UNTIL] as number;
    if (now >= busyUntil || this.agent.mayTransmit?.(busyUntil) === false) return;
    this.#isFreeScheduled = true;
    this.queue.scheduleIn(this.#freeKey, busyUntil, this, NIC_FREE);
  }

  #transmit(now: Instant, packet: Packet): void {
    const channel = this.#channel;
    assert(channel !== undefined, 'a host that sends has a link');
    const end = now + serialisationTime(packet.length, channel.rate);
    this.#times[BUSY_UNTIL] = end;
    // The id lets observers follow the packet; agents and switches do not look at it.
    const id = this.#nextId;
    this.#nextId += ID_STEP;
    const traced = this.#packets?.named(packet, id) ?? identified(packet, id);
    channel.send(traced, now, end);
    for (const each of this.#seeSent) each.hostSent(this, traced, now);
    this.#freeKey.stamp = now;
    this.#freeKey.order = this.queue.orderOf(this);
    this.#isFreeScheduled = false;
  }

  #drainEvents(): void {
    for (;;) {
      const event = this.agent.pollEvent();
      if (event === undefined) return;
      for (const each of this.#seeEvents) each.hostEvent(this, event);
    }
  }

  /** One pending wake-up is enough: an early one only polls again. */
  #scheduleWakeup(now: Instant): void {
    const wanted = this.agent.pollWakeup();
    const times = this.#times;
    if (wanted === undefined || wanted >= (times[WAKE_AT] as number)) return;
    // A busy NIC polls when it becomes free, so waking before that is idle work.
    const at = Math.max(wanted, now, times[BUSY_UNTIL] as number);
    if (at >= (times[WAKE_AT] as number)) return;
    times[WAKE_AT] = at;
    this.queue.schedule(at, this, WAKE);
  }
}
