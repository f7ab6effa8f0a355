import type { Duration, Instant } from '../../../common/units/units';
import { seconds } from '../../../common/units/units';
import { Fifo } from '../../nic/fifo';
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
  readonly flows: Map<number, IncomingFlow>;
  /** Those of them that have not finished. */
  open: number;
}

/** A flow that has finished, and when it is forgotten unless its sender is heard again. */
interface FinishedFlow {
  readonly source: number;
  readonly flowId: number;
  readonly flow: IncomingFlow;
  readonly until: Instant;
}

/**
 * The flows of a host by sender and id, bounded.
 *
 * A finished flow waits for a while: its sender repeats what it has not seen acknowledged, and must find who
 * answers. Then it is forgotten; while it waits, it takes no place from a flow that begins.
 */
export class FlowTable {
  readonly #timeWait: Duration;
  readonly #sources = new Map<number, SourceFlows>();
  /** The flow that finished first is first; one that was heard again since is looked at and put behind. */
  readonly #finished = new Fifo<FinishedFlow>();
  #size = 0;
  #open = 0;
  /** Flows that were asked for last. PERF: two maps take twice as long as one look at these. */
  readonly #knownSources = new Float64Array(KNOWN_FLOWS).fill(NaN);
  readonly #knownIds = new Float64Array(KNOWN_FLOWS);
  readonly #known = new Array<IncomingFlow | undefined>(KNOWN_FLOWS).fill(undefined);

  /** @param timeWait for so long after its sender was heard last a finished flow is remembered. */
  constructor(timeWait: Duration) {
    this.#timeWait = timeWait;
  }

  get size(): number {
    return this.#size;
  }

  get(source: number, flowId: number): IncomingFlow | undefined {
    const place = flowId % KNOWN_FLOWS;
    if (this.#knownSources[place] === source && this.#knownIds[place] === flowId) {
      return this.#known[place];
    }
    const flow = this.#sources.get(source)?.flows.get(flowId);
    if (flow === undefined) return undefined;
    this.#knownSources[place] = source;
    this.#knownIds[place] = flowId;
    this.#known[place] = flow;
    return flow;
  }

  /** Puts a flow in the place of an older one of the same id. Returns false if there is no room. */
  set(now: Instant, source: number, flowId: number, flow: IncomingFlow): boolean {
    this.#forgetFinished(now);
    const own = this.#sources.get(source) ?? { flows: new Map<number, IncomingFlow>(), open: 0 };
    const older = own.flows.get(flowId);
    const isInPlace = older?.isFinished === false;
    if (!isInPlace) {
      if (this.#open >= FLOWS_MAX || own.open >= FLOWS_PER_SOURCE_MAX) return false;
      own.open++;
      this.#open++;
    }
    if (older === undefined) this.#size++;
    own.flows.set(flowId, flow);
    this.#sources.set(source, own);
    this.#knownSources[flowId % KNOWN_FLOWS] = NaN;
    return true;
  }

  /** The last byte of a flow has come: it waits for repeats from now on. */
  finish(now: Instant, source: number, flowId: number): void {
    const own = this.#sources.get(source);
    const flow = own?.flows.get(flowId);
    if (own === undefined || flow === undefined) return;
    own.open--;
    this.#open--;
    this.#finished.push({ source, flowId, flow, until: now + this.#timeWait });
    this.#forgetFinished(now);
  }

  /** Forgets what has ended or has been silent for too long. */
  expire(now: Instant): void {
    this.#forgetFinished(now);
    for (const [source, own] of this.#sources) {
      for (const [flowId, flow] of own.flows) {
        if (flow.isFinished || now - flow.heardAt <= SILENT_FOR) continue;
        own.open--;
        this.#open--;
        this.#delete(source, own, flowId);
      }
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
      if (own?.flows.get(flowId) !== flow) continue;
      const heardUntil = flow.heardAt + this.#timeWait;
      if (!isFull && now < heardUntil) finished.push({ source, flowId, flow, until: heardUntil });
      else this.#delete(source, own, flowId);
    }
  }

  #delete(source: number, own: SourceFlows, flowId: number): void {
    own.flows.delete(flowId);
    this.#size--;
    this.#knownSources[flowId % KNOWN_FLOWS] = NaN;
    if (own.flows.size === 0) this.#sources.delete(source);
  }
}
