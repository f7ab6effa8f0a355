import { PS_PER_US } from '../../common/units/units';
import type { Duration, Instant } from '../../common/units/units';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import { word64Difference } from '../../common/wire/bytes';
import type { Word64 } from '../../common/wire/bytes';
import type { ControlSpan } from '../result/coordination-record';

/** Times for which a flow stays under control, by cause. */
export interface ControlTimes {
  /** Time after a type 1. */
  readonly holdTime: Duration;
  /** Time after an echo of a CE mark. */
  readonly markTime: Duration;
  /** Allowed lateness of a host: it acts between two frames. */
  readonly frameTime: Duration;
}

type Notice = Pick<CcmNotification, 'type' | 'senderNode' | 'sequence'>;

/** The last word of a switch about a flow, which is the one with the highest number. */
interface Word {
  readonly sequence: Word64;
  /** Arrival of the latest type 1; undefined for a type 2. */
  readonly requestedAt: Instant | undefined;
}

interface WatchedFlow {
  readonly words: Map<number, Word>;
  markedAt: Instant;
  /** That it is in. */
  span: { -readonly [Name in keyof ControlSpan]: ControlSpan[Name] } | undefined;
}

/**
 * Computes from the frames alone which flows hosts must have under control, why, and until when. A
 * host that does otherwise breaks a law.
 */
export class ControlWatch {
  readonly spans: ControlSpan[] = [];
  /** Type 1 that came after a later type 2 of the same switch, and so had nothing to say. */
  outdatedRequests = 0;
  readonly #flows = new Map<number, WatchedFlow>();

  constructor(
    private readonly times: ControlTimes,
    private readonly report: (text: string) => void,
    /** True if all bytes of the flow have arrived, so that it is watched no more. */
    private readonly isOver: (flow: number) => boolean,
  ) {}

  /** A genuine notification for the flow has reached its host, or comes once more. */
  notified(now: Instant, flow: number, { type, senderNode, sequence }: Notice): void {
    if (type === 'rerouting-required') return;
    this.#checkTime(now, flow);
    const { words } = this.#flow(flow);
    const last = words.get(senderNode);
    const isRequest = type === 'control-required';
    if (last !== undefined && word64Difference(sequence, last.sequence) <= 0) {
      if (isRequest && last.requestedAt === undefined) this.outdatedRequests++;
      return;
    }
    words.set(senderNode, { sequence, requestedAt: isRequest ? now : undefined });
    if (!this.isOver(flow)) noteCauses(this.#flow(flow));
  }

  /** The echo of a CE mark has reached the flow's host. */
  marked(now: Instant, flow: number): void {
    this.#checkTime(now, flow);
    this.#flow(flow).markedAt = now;
    if (!this.isOver(flow)) noteCauses(this.#flow(flow));
  }

  /** The host says that the flow is under control from now on. */
  tagged(now: Instant, number: number): void {
    const flow = this.#flow(number);
    const isRequested = requestedAt(flow) === now;
    if (!isRequested && flow.markedAt !== now)
      this.#reportBroken(now, number, 'tagged without a cause');
    flow.span = {
      flow: number,
      fromUs: now / PS_PER_US,
      toUs: null,
      cause: isRequested ? 'type 1' : 'CE',
      end: 'open',
      lastRequestUs: null,
      lastMarkUs: null,
    };
    noteCauses(flow);
    this.spans.push(flow.span);
  }

  /** The host says that the flow is free from now on. */
  freed(now: Instant, number: number, end: 'released' | 'expired'): void {
    const flow = this.#flow(number);
    const until = this.#until(flow);
    if (until > now) this.#reportBroken(now, number, `${end} before its time, ${until} ps`);
    if (now > until + this.times.frameTime && end === 'expired') {
      this.#reportBroken(now, number, `expired after its time, ${until} ps`);
    }
    if (flow.span === undefined) return;
    flow.span.toUs = now / PS_PER_US;
    flow.span.end = end;
    noteCauses(flow);
    flow.span = undefined;
  }

  /** A packet of the flow leaves its host with this CC indicator. */
  sent(now: Instant, number: number, isTagged: boolean): void {
    const flow = this.#flow(number);
    const until = this.#until(flow);
    if (isTagged && now > until + this.times.frameTime) {
      this.#reportBroken(now, number, `sends with CC set, which was due until ${until} ps`);
    }
    if (!isTagged && now < until) {
      this.#reportBroken(
        now,
        number,
        `sends with CC clear, and is under control until ${until} ps`,
      );
    }
  }

  /** A flow must not be under control for longer than its causes last. */
  #checkTime(now: Instant, number: number): void {
    const flow = this.#flow(number);
    const until = this.#until(flow);
    if (flow.span === undefined || now <= until + this.times.frameTime) return;
    if (!this.isOver(number))
      this.#reportBroken(now, number, `is under control, until ${until} ps`);
  }

  /** End of control of the flow: the latest of all causes. */
  #until(flow: WatchedFlow): Instant {
    const { holdTime, markTime } = this.times;
    return Math.max(requestedAt(flow) + holdTime, flow.markedAt + markTime);
  }

  #flow(number: number): WatchedFlow {
    const known = this.#flows.get(number);
    if (known !== undefined) return known;
    const fresh: WatchedFlow = {
      words: new Map(),
      markedAt: -Infinity,
      span: undefined,
    };
    this.#flows.set(number, fresh);
    return fresh;
  }

  #reportBroken(now: Instant, flow: number, what: string): void {
    this.report(`${now} ps: flow ${flow} ${what}`);
  }
}

/** When the last type 1 came of a switch that has not released the flow since. */
function requestedAt({ words }: WatchedFlow): Instant {
  let latest = -Infinity;
  for (const word of words.values()) latest = Math.max(latest, word.requestedAt ?? -Infinity);
  return latest;
}

/** Records the latest cause that keeps the flow under control; null for causes that do not. */
function noteCauses(flow: WatchedFlow): void {
  const { span, markedAt } = flow;
  if (span === undefined) return;
  const lastRequest = requestedAt(flow);
  span.lastRequestUs = lastRequest === -Infinity ? null : lastRequest / PS_PER_US;
  span.lastMarkUs = markedAt === -Infinity ? null : markedAt / PS_PER_US;
}
