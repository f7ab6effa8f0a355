import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import { byteTime } from '../../common/units/units';
import type {
  BitsPerSecond,
  Duration,
  Instant,
  InstantCell,
  PortNumber,
} from '../../common/units/units';
import type { Agent } from '../../host-agent/host/agent';
import type { HostEvent } from '../../host-agent/host/host-events';
import { identified } from '../../switch/executor/packet-pool';
import type { PacketPool } from '../../switch/executor/packet-pool';
import type { EventQueue, EventTarget } from '../kernel/event-queue';
import type { ObserversOf } from '../kernel/observer-list';
import type { Channel, Node } from '../network/channel';

/** Above the number of any host. */
const ID_STEP = 2 ** 17;

export interface HostObserver {
  /** A host puts a frame on its link, whichever host and frame it is. */
  frameSent(frame: Packet): void;
  /** The host put `packet` on the link of a port. Packets have ids only where somebody sees them here. */
  hostSent(host: HostNode, packet: Packet, start: Instant, port: PortNumber): void;
  /** A packet arrived at a port of the host, which has not seen it yet. */
  hostReceived(host: HostNode, packet: Packet, now: Instant, port: PortNumber): void;
  /** The host has looked at it, and has sent nothing since. */
  hostHandled(host: HostNode, packet: Packet, now: Instant): void;
  hostEvent(host: HostNode, event: HostEvent): void;
}

export interface HostEnvironment {
  /** Its number among the hosts of the network. */
  readonly number: number;
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
  readonly #queue: EventQueue;
  readonly #source: number;
  readonly #seeFrames: readonly Pick<HostObserver, 'frameSent'>[];
  readonly #seeSent: readonly Pick<HostObserver, 'hostSent'>[];
  readonly #seeReceived: readonly Pick<HostObserver, 'hostReceived'>[];
  readonly #seeHandled: readonly Pick<HostObserver, 'hostHandled'>[];
  readonly #seeEvents: readonly Pick<HostObserver, 'hostEvent'>[];
  readonly #packets: PacketPool | undefined;
  #channel: Channel | undefined;
  /** PERF: a division takes as long as many other steps. */
  #byteTime: Duration = 0;
  /** When the NIC is free again. PERF: an instant in a field would be an object of its own. */
  readonly #busyUntil: InstantCell = new Float64Array(1);
  /** Packets of all hosts have different ids, whatever the others send. */
  #nextId: number;

  constructor(
    readonly name: string,
    readonly agent: Agent,
    { number, queue, observers, packets }: HostEnvironment,
  ) {
    this.#queue = queue;
    this.#seeFrames = observers.of('frameSent');
    this.#seeSent = observers.of('hostSent');
    this.#seeReceived = observers.of('hostReceived');
    this.#seeHandled = observers.of('hostHandled');
    this.#seeEvents = observers.of('hostEvent');
    this.#packets = packets;
    this.#source = queue.newSource();
    queue.bind(this.#source, this, 0);
    assert(number < ID_STEP, `a network has at most ${ID_STEP} hosts`);
    this.#nextId = number;
  }

  attach(channel: Channel): void {
    assert(this.#channel === undefined, `host ${this.name} has one link only`);
    this.#channel = channel;
    this.#byteTime = byteTime(channel.rate);
  }

  /** Ports from 1 on, each with a link. */
  get portCount(): number {
    return 1;
  }

  get linkRate(): BitsPerSecond {
    assert(this.#channel !== undefined, `host ${this.name} has a link`);
    return this.#channel.rate;
  }

  receive(now: Instant, port: PortNumber, packet: Packet): void {
    for (const each of this.#seeReceived) each.hostReceived(this, packet, now, port);
    this.agent.handlePacket(now, this.#packets?.opened(packet) ?? packet);
    for (const each of this.#seeHandled) each.hostHandled(this, packet, now);
    this.pump(now);
  }

  /** The agent wants to be woken, or the NIC is free again. */
  handleEvent(now: Instant): void {
    // PERF: waking early changes nothing, and costs less than the question whether it is early.
    this.agent.handleWakeup(now);
    this.pump(now);
  }

  /** Sends if the NIC is free and the agent has a packet, and schedules the next event. */
  pump(now: Instant): void {
    if (now >= (this.#busyUntil[0] as number)) {
      const packet = this.agent.pollTransmit(now);
      if (packet !== undefined) this.#transmit(now, packet);
    }
    this.#drainEvents();
    this.#schedule(now);
  }

  /**
   * While the NIC is busy there is nothing to wake for, and when it is free again only if the agent may
   * have something to send then.
   */
  #schedule(now: Instant): void {
    const queue = this.#queue;
    const busyUntil = this.#busyUntil[0] as number;
    const isBusy = now < busyUntil;
    if (isBusy && queue.isDueAt(this.#source, this.#busyUntil)) return;
    const { due } = queue;
    if (isBusy && this.agent.mayTransmit?.(this.#busyUntil) !== false) due[0] = busyUntil;
    else {
      this.#writeWakeup(due);
      due[0] = Math.max(due[0] as number, isBusy ? busyUntil : -Infinity, now);
    }
    if (due[0] === Infinity) queue.cancel(this.#source);
    else if (!queue.isDueAt(this.#source, due)) queue.setToDue(this.#source);
  }

  /** Writes when the agent has something to do, of which nothing is due now; or Infinity. */
  #writeWakeup(into: InstantCell): void {
    const { agent } = this;
    if (agent.writeWakeup === undefined) into[0] = agent.pollWakeup() ?? Infinity;
    else agent.writeWakeup(into);
  }

  #transmit(now: Instant, packet: Packet): void {
    const channel = this.#channel;
    assert(channel !== undefined, 'a host that sends has a link');
    this.#busyUntil[0] = now + Math.ceil(packet.length * this.#byteTime);
    const sent = this.#seeSent.length === 0 ? packet : this.#named(packet);
    const seen = this.#packets?.opened(sent) ?? sent;
    for (const each of this.#seeFrames) each.frameSent(seen);
    channel.send(sent, now, this.#busyUntil);
    for (const each of this.#seeSent) each.hostSent(this, seen, now, channel.from.port);
  }

  /** The id lets observers follow the packet; agents and switches do not look at it. */
  #named(packet: Packet): Packet {
    const id = this.#nextId;
    this.#nextId += ID_STEP;
    return this.#packets?.named(packet, id) ?? identified(packet, id);
  }

  #drainEvents(): void {
    for (;;) {
      const event = this.agent.pollEvent();
      if (event === undefined) return;
      for (const each of this.#seeEvents) each.hostEvent(this, event);
    }
  }
}
