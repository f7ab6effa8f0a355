import type { Duration, Instant } from '../../../common/units/units';
import { seconds } from '../../../common/units/units';
import { Fifo } from '../../nic/fifo';
import type { FinishedFlow } from './finished-flow';
import type { IncomingFlow } from './incoming-flow';

/** Flows that a host receives and that have not finished, in all and of one sender. */
export const FLOWS_MAX = 32_768;
export const FLOWS_PER_SOURCE_MAX = 16_384;
/** Finished flows that are remembered; the oldest gives way to one more. */
export const FINISHED_MAX = 32_768;
/** Longest silence of a flow that has not finished. */
const SILENT_FOR = seconds(3600);

const KNOWN_FLOWS = 32;

/** The flows of one sender. */
interface SourceFlows {
  readonly open: Map<number, IncomingFlow>;
  readonly finished: Map<number, FinishedFlow>;
}

/** A flow that has finished, and when it is forgotten unless its sender is heard again. */
interface Remembered {
  readonly source: number;
  readonly flowId: number;
  readonly flow: FinishedFlow;
  readonly until: Instant;
}

/**
 * The flows of a host by sender and id, bounded.
 *
 * A finished flow waits for a while: its sender repeats what it has not seen acknowledged, and must find who
 * answers. Of what it was, only a rest is kept. Then it is forgotten; while it waits, it takes no place from a
 * flow that begins.
 */
export class FlowTable {
  readonly #timeWait: Duration;
  readonly #sources = new Map<number, SourceFlows>();
  /** The flow that finished first is first; one that was heard again since is looked at and put behind. */
  readonly #finished = new Fifo<Remembered>();
  #open = 0;
  /** Finished flows that are remembered. */
  #rests = 0;
  /** Flows that were asked for last. PERF: two maps take twice as long as one look at these. */
  readonly #knownSources = new Float64Array(KNOWN_FLOWS).fill(NaN);
  readonly #knownIds = new Float64Array(KNOWN_FLOWS);
  readonly #known = new Array<IncomingFlow | undefined>(KNOWN_FLOWS).fill(undefined);

  /** @param timeWait for so long after its sender was heard last a finished flow is remembered. */
  constructor(timeWait: Duration) {
    this.#timeWait = timeWait;
  }

  get size(): number {
    return this.#open + this.#rests;
  }

  /** A flow that has not finished. */
  get(source: number, flowId: number): IncomingFlow | undefined {
    const place = flowId % KNOWN_FLOWS;
    if (this.#knownSources[place] === source && this.#knownIds[place] === flowId) {
      return this.#known[place];
    }
    const flow = this.#sources.get(source)?.open.get(flowId);
    if (flow === undefined) return undefined;
    this.#knownSources[place] = source;
    this.#knownIds[place] = flowId;
    this.#known[place] = flow;
    return flow;
  }

  /** The rest of a flow that has finished. */
  finished(source: number, flowId: number): FinishedFlow | undefined {
    return this.#sources.get(source)?.finished.get(flowId);
  }

  /** Puts a flow in the place of an older one of the same id. Returns false if there is no room. */
  set(now: Instant, source: number, flowId: number, flow: IncomingFlow): boolean {
    this.#forgetFinished(now);
    const own = this.#sources.get(source) ?? newSource();
    if (!own.open.has(flowId)) {
      if (this.#open >= FLOWS_MAX || own.open.size >= FLOWS_PER_SOURCE_MAX) return false;
      this.#open++;
    }
    if (own.finished.delete(flowId)) this.#rests--;
    own.open.set(flowId, flow);
    this.#sources.set(source, own);
    this.#knownSources[flowId % KNOWN_FLOWS] = NaN;
    return true;
  }

  /** The last byte of a flow has come: what is left of it waits for repeats from now on. */
  finish(now: Instant, source: number, flowId: number): void {
    const own = this.#sources.get(source);
    const received = own?.open.get(flowId);
    if (own === undefined || received === undefined) return;
    const flow = received.rest();
    this.#deleteOpen(own, flowId);
    own.finished.set(flowId, flow);
    this.#rests++;
    this.#finished.push({ source, flowId, flow, until: now + this.#timeWait });
    this.#forgetFinished(now);
  }

  /** Forgets what has ended or has been silent for too long. */
  expire(now: Instant): void {
    this.#forgetFinished(now);
    for (const [source, own] of this.#sources) {
      for (const [flowId, flow] of own.open) {
        if (now - flow.heardAt > SILENT_FOR) this.#deleteOpen(own, flowId);
      }
      this.#deleteIfEmpty(source, own);
    }
  }

  #forgetFinished(now: Instant): void {
    const finished = this.#finished;
    for (let oldest = finished.peek(); oldest !== undefined; oldest = finished.peek()) {
      const { source, flowId, flow, until } = oldest;
      const isFull = finished.length > FINISHED_MAX;
      if (!isFull && now < until) return;
      finished.take();
      const own = this.#sources.get(source);
      // A newer flow has taken its id.
      if (own?.finished.get(flowId) !== flow) continue;
      const heardUntil = flow.heardAt + this.#timeWait;
      if (!isFull && now < heardUntil) {
        finished.push({ source, flowId, flow, until: heardUntil });
        continue;
      }
      own.finished.delete(flowId);
      this.#rests--;
      this.#deleteIfEmpty(source, own);
    }
  }

  #deleteOpen(own: SourceFlows, flowId: number): void {
    own.open.delete(flowId);
    this.#open--;
    this.#knownSources[flowId % KNOWN_FLOWS] = NaN;
  }

  #deleteIfEmpty(source: number, { open, finished }: SourceFlows): void {
    if (open.size + finished.size === 0) this.#sources.delete(source);
  }
}

const newSource = (): SourceFlows => ({
  open: new Map<number, IncomingFlow>(),
  finished: new Map<number, FinishedFlow>(),
});
