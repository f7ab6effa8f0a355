import type { Instant } from '../../../common/units/units';
import { seconds } from '../../../common/units/units';
import type { IncomingFlow } from './incoming-flow';

/** Flows that a host receives or remembers, in all and of one sender. */
export const FLOWS_MAX = 32_768;
export const FLOWS_PER_SOURCE_MAX = 16_384;
/** How long a finished flow is remembered, whose sender may have missed the last acknowledgement. */
const FINISHED_FOR = seconds(60);
/** How long a flow may be silent that has not finished. */
const SILENT_FOR = seconds(3600);
/** Oldest flows that are looked at for one that has finished when there is no room. */
const LOOKED_AT = 64;

const KNOWN_FLOWS = 32;

/** The flows of a host by sender and id, bounded, the oldest first. */
export class FlowTable {
  readonly #flows = new Map<number, IncomingFlow>();
  readonly #perSource = new Map<number, number>();
  /** Flows that were asked for last. PERF: a map of numbers beyond 31 bits takes ten times as long. */
  readonly #knownKeys = new Float64Array(KNOWN_FLOWS).fill(NaN);
  readonly #known = new Array<IncomingFlow | undefined>(KNOWN_FLOWS).fill(undefined);

  get size(): number {
    return this.#flows.size;
  }

  get(source: number, flowId: number): IncomingFlow | undefined {
    const key = keyOf(source, flowId);
    const place = flowId % KNOWN_FLOWS;
    if (this.#knownKeys[place] === key) return this.#known[place];
    const flow = this.#flows.get(key);
    if (flow === undefined) return undefined;
    this.#knownKeys[place] = key;
    this.#known[place] = flow;
    return flow;
  }

  /** Puts a flow in the place of an older one of the same id. Returns false if there is no room. */
  set(source: number, flowId: number, flow: IncomingFlow): boolean {
    const key = keyOf(source, flowId);
    if (!this.#flows.has(key)) {
      if (this.#flows.size >= FLOWS_MAX) this.#forgetFinished();
      const own = this.#perSource.get(source) ?? 0;
      if (this.#flows.size >= FLOWS_MAX || own >= FLOWS_PER_SOURCE_MAX) return false;
      this.#perSource.set(source, own + 1);
    }
    this.#flows.set(key, flow);
    this.#knownKeys.fill(NaN);
    return true;
  }

  /** Forgets what has ended or has been silent for too long. */
  expire(now: Instant): void {
    for (const [key, flow] of this.#flows) {
      const age = now - flow.heardAt;
      if (age > (flow.isFinished ? FINISHED_FOR : SILENT_FOR)) this.#delete(key);
    }
  }

  #forgetFinished(): void {
    let looked = 0;
    for (const [key, flow] of this.#flows) {
      if (flow.isFinished) {
        this.#delete(key);
        return;
      }
      if (++looked === LOOKED_AT) return;
    }
  }

  #delete(key: number): void {
    this.#flows.delete(key);
    this.#knownKeys.fill(NaN);
    const source = Math.floor(key / FLOW_IDS);
    const left = (this.#perSource.get(source) ?? 1) - 1;
    if (left > 0) this.#perSource.set(source, left);
    else this.#perSource.delete(source);
  }
}

const FLOW_IDS = 0x1_0000;

/** Below 2^48: 32 bits of address and 16 of flow id. */
const keyOf = (source: number, flowId: number): number => source * FLOW_IDS + flowId;
