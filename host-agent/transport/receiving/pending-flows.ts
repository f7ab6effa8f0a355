import type { Bytes, Instant } from '../../../common/units/units';
import { seconds } from '../../../common/units/units';
import type { FlowToken } from '../../../common/wire/hpcc/hpcc-transport';
import { isSameToken } from '../../../common/wire/hpcc/hpcc-transport';
import type { Delivery } from '../../host/host-config';
import type { ReceivedFrame } from '../frames/received-frame';
import type { IncomingFlow } from './incoming-flow';

/** Flows whose sender has not shown yet that it receives at its address, in all and of one address. */
export const PENDING_MAX = 4096;
export const PENDING_PER_SOURCE_MAX = 1024;
/** Of one address and flow id, with different tokens: all but one are forged. */
const PENDING_PER_FLOW_MAX = 4;
/** Payload that waits for the confirmation of its flow, in all. */
const HELD_BYTES_MAX = 16 * 1024 * 1024;
/** Some round trips, and time for packets that are lost. */
const PENDING_FOR = seconds(3);

/** A flow that is received and acknowledged, and of which nothing is delivered yet. */
export interface PendingFlow {
  readonly flow: IncomingFlow;
  readonly source: number;
  readonly flowId: number;
  /** What its packets show. */
  readonly token: FlowToken;
  readonly since: Instant;
  readonly held: Delivery[];
  bytes: Bytes;
}

/** Flows before their confirmation, by sender and id: bounded, and forgotten soon. */
export class PendingFlows {
  readonly #flows = new Map<number, PendingFlow[]>();
  readonly #perSource = new Map<number, number>();
  #size = 0;
  #heldBytes = 0;

  get size(): number {
    return this.#size;
  }

  find({ sourceAddress, transport }: ReceivedFrame): PendingFlow | undefined {
    const { flowId, generation, token } = transport;
    return this.#flows
      .get(keyOf(sourceAddress, flowId))
      ?.find((each) => each.flow.generation === generation && isSameToken(each.token, token));
  }

  /** Of the same flow, whatever their packets show. */
  ofFlow({ sourceAddress, transport: { flowId, generation } }: ReceivedFrame): PendingFlow[] {
    const all = this.#flows.get(keyOf(sourceAddress, flowId)) ?? [];
    return all.filter(({ flow }) => flow.generation === generation);
  }

  hasRoom({ sourceAddress, transport: { flowId } }: ReceivedFrame): boolean {
    const own = this.#flows.get(keyOf(sourceAddress, flowId))?.length ?? 0;
    const ofSource = this.#perSource.get(sourceAddress) ?? 0;
    const isFull = this.#size >= PENDING_MAX || this.#heldBytes >= HELD_BYTES_MAX;
    return !isFull && own < PENDING_PER_FLOW_MAX && ofSource < PENDING_PER_SOURCE_MAX;
  }

  add(pending: PendingFlow): void {
    const { source, flowId } = pending;
    const key = keyOf(source, flowId);
    const own = this.#flows.get(key);
    if (own === undefined) this.#flows.set(key, [pending]);
    else own.push(pending);
    this.#perSource.set(source, (this.#perSource.get(source) ?? 0) + 1);
    this.#size++;
  }

  /** Keeps payload until its flow is confirmed; a copy of what is stored of it. */
  hold(pending: PendingFlow, deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      pending.held.push({ ...delivery, stored: delivery.stored.slice() });
      this.#heldBytes += delivery.stored.length;
    }
  }

  remove(pending: PendingFlow): void {
    const { source, flowId, held } = pending;
    const key = keyOf(source, flowId);
    const others = (this.#flows.get(key) ?? []).filter((each) => each !== pending);
    if (others.length > 0) this.#flows.set(key, others);
    else this.#flows.delete(key);
    const left = (this.#perSource.get(source) ?? 1) - 1;
    if (left > 0) this.#perSource.set(source, left);
    else this.#perSource.delete(source);
    this.#size--;
    for (const { stored } of held) this.#heldBytes -= stored.length;
  }

  /** Forgets flows that nobody has confirmed. */
  expire(now: Instant): void {
    for (const own of [...this.#flows.values()]) {
      for (const pending of own) if (now - pending.since > PENDING_FOR) this.remove(pending);
    }
  }
}

const keyOf = (source: number, flowId: number): number => source * 0x1_0000 + flowId;
