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
/** Most pending flows of one address and flow id, with different tokens: all but one are forged. */
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
  /** Token of its packets. */
  readonly token: FlowToken;
  readonly since: Instant;
  readonly held: Delivery[];
  bytes: Bytes;
}

/** The flows of one address. */
interface SourceFlows {
  readonly byId: Map<number, PendingFlow[]>;
  count: number;
}

/** Flows before their confirmation, by sender and id: bounded, and forgotten soon. */
export class PendingFlows {
  readonly #sources = new Map<number, SourceFlows>();
  #size = 0;
  #heldBytes = 0;

  get size(): number {
    return this.#size;
  }

  find({ sourceAddress, transport }: ReceivedFrame): PendingFlow | undefined {
    const { flowId, generation, token } = transport;
    return this.#sources
      .get(sourceAddress)
      ?.byId.get(flowId)
      ?.find((each) => each.flow.generation === generation && isSameToken(each.token, token));
  }

  /** Returns the pending flows of the same id and generation, whatever their tokens. */
  ofFlow({ sourceAddress, transport: { flowId, generation } }: ReceivedFrame): PendingFlow[] {
    const all = this.#sources.get(sourceAddress)?.byId.get(flowId) ?? [];
    return all.filter(({ flow }) => flow.generation === generation);
  }

  hasRoom({ sourceAddress, transport: { flowId } }: ReceivedFrame): boolean {
    const source = this.#sources.get(sourceAddress);
    const own = source?.byId.get(flowId)?.length ?? 0;
    const ofSource = source?.count ?? 0;
    const isFull = this.#size >= PENDING_MAX || this.#heldBytes >= HELD_BYTES_MAX;
    return !isFull && own < PENDING_PER_FLOW_MAX && ofSource < PENDING_PER_SOURCE_MAX;
  }

  add(pending: PendingFlow): void {
    const { source, flowId } = pending;
    const flows = this.#sources.get(source) ?? { byId: new Map<number, PendingFlow[]>(), count: 0 };
    flows.byId.set(flowId, [...(flows.byId.get(flowId) ?? []), pending]);
    flows.count++;
    this.#sources.set(source, flows);
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
    const flows = this.#sources.get(source);
    if (flows === undefined) return;
    const others = (flows.byId.get(flowId) ?? []).filter((each) => each !== pending);
    if (others.length > 0) flows.byId.set(flowId, others);
    else flows.byId.delete(flowId);
    if (--flows.count === 0) this.#sources.delete(source);
    this.#size--;
    for (const { stored } of held) this.#heldBytes -= stored.length;
  }

  /** Forgets flows that nobody has confirmed. */
  expire(now: Instant): void {
    const all = [...this.#sources.values()].flatMap(({ byId }) => [...byId.values()].flat());
    for (const pending of all) if (now - pending.since > PENDING_FOR) this.remove(pending);
  }
}
