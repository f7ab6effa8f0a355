import type { Duration, Instant } from '../common/units/units';
import { FlowScheduler } from '../host-agent/nic/flow-scheduler';
import type { ScheduledFlow } from '../host-agent/nic/flow-scheduler';

/** Rates of neighbouring flows differ by up to this factor. */
const WEIGHTS = 4;

/** A flow that is nothing but an instant to send at; all share one array. */
class PacedFlow implements ScheduledFlow {
  constructor(
    readonly index: number,
    readonly starts: Float64Array,
  ) {}

  canSend(now: Instant): boolean {
    return (this.starts[this.index] as number) <= now;
  }

  wakeupAfter(): Instant {
    return this.starts[this.index] as number;
  }

  handleWakeup(): void {
    // Nothing is due beside the packet.
  }
}

/** A scheduler of many flows without anything around it, in virtual time. */
export class SchedulerLoad {
  readonly #scheduler = new FlowScheduler<PacedFlow>();
  readonly #starts: Float64Array;
  readonly #spacings: Float64Array;
  readonly #perPacket: Duration;
  #now: Instant = 0;

  /** @param perPacket how far apart the packets of all flows together are. */
  constructor(flows: number, perPacket: Duration) {
    const mean = (WEIGHTS + 1) / 2;
    this.#perPacket = Math.floor(perPacket);
    this.#spacings = Float64Array.from({ length: flows }, (_, i) =>
      Math.floor((flows * perPacket * mean) / (1 + (i % WEIGHTS))),
    );
    this.#starts = this.#spacings.map((spacing, i) => Math.floor((spacing * i) / flows));
    for (let i = 0; i < flows; i++) this.#scheduler.add(0, new PacedFlow(i, this.#starts));
  }

  run(packets: number): void {
    for (let count = 0; count < packets;) {
      const flow = this.#scheduler.take(this.#now);
      if (flow === undefined) {
        this.#now = this.#scheduler.wakeupAfter(this.#now);
        continue;
      }
      count++;
      const { index } = flow;
      const spacing = this.#spacings[index] as number;
      this.#starts[index] = (this.#starts[index] as number) + spacing;
      this.#scheduler.update(this.#now, flow);
      this.#now += this.#perPacket * 0.95;
    }
  }
}
