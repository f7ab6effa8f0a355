import type { Packet } from '../../common/packet/packet';
import type { Duration, Instant } from '../../common/units/units';
import { gigabitsPerSecond, serialisationTime } from '../../common/units/units';
import type { Agent } from '../../host-agent/host/agent';
import type { HostEvent } from '../../host-agent/host/host-events';

export type Side = 0 | 1;

/** Methods of a host that the driver calls. */
export type PairEnd = Pick<
  Agent,
  'handlePacket' | 'handleWakeup' | 'pollTransmit' | 'pollWakeup' | 'pollEvent'
>;

export interface PairOptions {
  /** One-way delay in ps. */
  readonly delay: Duration;
  /** Changes a frame sent by `from`, or loses it (undefined). */
  readonly network?: (
    from: Side,
    packet: Packet,
    now: Instant,
  ) => Packet | undefined | readonly Delayed[];
  /** Instants before the next due one at which to wake the hosts early. */
  readonly earlyWakeups?: (now: Instant, due: Instant) => readonly Instant[];
}

/** A packet that the network delivers later than the others, or besides them. */
export interface Delayed {
  readonly packet: Packet;
  readonly by: Duration;
}

export interface Sent {
  readonly from: Side;
  readonly at: Instant;
  readonly packet: Packet;
}

const RATE = gigabitsPerSecond(100);

/** Two hosts on a 100 Gb/s link in virtual time: advances to the earliest thing that is due. */
export class PairDriver {
  readonly sent: Sent[] = [];
  readonly events: [HostEvent[], HostEvent[]] = [[], []];
  now: Instant = 0;
  readonly #busyUntil: [Instant, Instant] = [0, 0];
  #arrivals: { readonly at: Instant; readonly to: Side; readonly packet: Packet }[] = [];

  constructor(
    readonly hosts: readonly [PairEnd, PairEnd],
    readonly options: PairOptions,
  ) {}

  /** Runs until nothing is due or `end` is reached; returns whether nothing is due. */
  run(end: Instant): boolean {
    for (const side of SIDES) this.#service(side);
    for (;;) {
      const due = this.#nextDue();
      if (due === undefined) return true;
      if (due > end) return false;
      for (const early of this.options.earlyWakeups?.(this.now, due) ?? []) this.#wake(early);
      this.#wake(due);
    }
  }

  #wake(at: Instant): void {
    this.now = at;
    const arrived = this.#arrivals.filter((arrival) => arrival.at <= at);
    this.#arrivals = this.#arrivals.filter((arrival) => arrival.at > at);
    arrived.sort((a, b) => a.at - b.at);
    for (const { to, packet } of arrived) this.hosts[to].handlePacket(at, packet);
    for (const side of SIDES) {
      this.hosts[side].handleWakeup(at);
      this.#service(side);
    }
  }

  #service(side: Side): void {
    const host = this.hosts[side];
    if (this.#busyUntil[side] <= this.now) {
      const packet = host.pollTransmit(this.now);
      if (packet !== undefined) this.#send(side, packet);
    }
    for (let event = host.pollEvent(); event !== undefined; event = host.pollEvent()) {
      this.events[side].push(event);
    }
  }

  #send(from: Side, packet: Packet): void {
    this.sent.push({ from, at: this.now, packet });
    this.#busyUntil[from] = this.now + serialisationTime(packet.length, RATE);
    const network = this.options.network;
    const delivered = network === undefined ? packet : network(from, packet, this.now);
    if (delivered === undefined) return;
    const at = this.#busyUntil[from] + this.options.delay;
    const copies = 'bytes' in delivered ? [{ packet: delivered, by: 0 }] : delivered;
    for (const copy of copies) {
      this.#arrivals.push({ at: at + copy.by, to: from === 0 ? 1 : 0, packet: copy.packet });
    }
  }

  /** The interface becoming idle counts as due: a frame may be waiting for it. */
  #nextDue(): Instant | undefined {
    const due = this.#arrivals.map((arrival) => arrival.at);
    for (const side of SIDES) {
      const wakeup = this.hosts[side].pollWakeup();
      if (wakeup !== undefined) due.push(wakeup);
      if (this.#busyUntil[side] > this.now) due.push(this.#busyUntil[side]);
    }
    return due.length === 0 ? undefined : Math.min(...due);
  }
}

const SIDES: readonly Side[] = [0, 1];
