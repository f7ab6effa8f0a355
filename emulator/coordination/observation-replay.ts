import { assert } from '../../common/assert';
import type { Instant } from '../../common/units/units';
import * as rows from './observation-rows';
import type { ObservationBatch } from './observation-rows';
import type { Observations, SeenNotification } from './observations';

const { ROW, WHATS } = rows;

export interface ReplayOptions {
  readonly parts: number;
  /** All nodes of the network, as those who wrote the batches number them. */
  readonly nodes: readonly string[];
  /** Receiver of the observations. */
  readonly to: Observations;
  /** Called with the time of each observation, before it. */
  readonly advance: (now: Instant) => void;
}

/** A batch that is read row by row. */
interface Reader extends ObservationBatch {
  next: number;
}

/**
 * Replays the observations of a run's parts as if one thread had made them. Every part sends a
 * batch in each round, of the same span of virtual time, so that nothing waits for a part with few
 * observations.
 */
export class ObservationReplay {
  readonly #o: ReplayOptions;
  /** Batches of each part that have not been replayed, in the order of rounds. */
  readonly #waiting: ObservationBatch[][];

  constructor(options: ReplayOptions) {
    this.#o = options;
    this.#waiting = Array.from({ length: options.parts }, () => []);
  }

  /** Adds a batch; returns the number of rounds that this completed, which have been replayed. */
  add(part: number, batch: ObservationBatch): number {
    this.#waiting[part]?.push(batch);
    let rounds = 0;
    while (this.#waiting.every(({ length }) => length > 0)) {
      this.#tellRound(this.#waiting.map((batches) => batches.shift() as ObservationBatch));
      rounds++;
    }
    return rounds;
  }

  /**
   * Each batch is in the order of its part's events, so that the first row that is left over of all is
   * the next one of the run. Equal places are those of what every part does, like failures of links.
   */
  #tellRound(batches: readonly ObservationBatch[]): void {
    let readers = batches.map((batch): Reader => ({ ...batch, next: 0 }));
    for (;;) {
      readers = readers.filter(({ next, count }) => next < count);
      const [first, ...others] = readers;
      if (first === undefined) return;
      const reader = others.reduce((least, one) => (isBefore(one, least) ? one : least), first);
      // PERF: the first reader often stays first for some rows.
      const rest = readers.filter((one) => one !== reader);
      do this.#replay(reader);
      while (reader.next < reader.count && rest.every((one) => isBefore(reader, one)));
    }
  }

  #replay(reader: Reader): void {
    const { rows: numbers, notifications } = reader;
    const row = reader.next++ * ROW;
    this.#o.advance(numbers[row + rows.TIME] as number);
    const code = numbers[row + rows.WHAT] as number;
    const what = code % WHATS;
    const node = this.#o.nodes[(code - what) / WHATS] ?? '';
    const place = { at: numbers[row + rows.AT] as number, node };
    const flow = numbers[row + rows.FLOW] as number;
    const packet = numbers[row + rows.PACKET] as number;
    const detail = numbers[row + rows.DETAIL] as number;
    if (what <= rows.DATA_FORWARDED) this.#tellData(what, place, { flow, packet, detail });
    else if (isOfNotification(what)) this.#tellNotification(what, place, { detail, notifications });
    else this.#notifyFlow(what, place, { flow, packet, detail });
  }

  #tellData(what: number, { at, node }: Place, { flow, packet, detail }: Numbers): void {
    const { to } = this.#o;
    if (what === rows.DATA_SENT) {
      const { value, flag } = rows.unpackFlagged(detail);
      to.dataSent(at, flow, value, flag);
    } else if (what === rows.DATA_RECEIVED) {
      to.dataReceived(packet);
    } else if (what === rows.DATA_ARRIVED) {
      to.dataArrived(node, flow, packet);
    } else {
      to.dataForwarded(at, node, { flow, packet, ...rows.unpackForwarding(detail) });
    }
  }

  #tellNotification(what: number, { at, node }: Place, { detail, notifications }: Kept): void {
    const { to } = this.#o;
    const { value, flag } = rows.unpackFlagged(detail);
    const notification = notifications[value];
    assert(notification !== undefined, `notification ${value} is one of its batch`);
    if (what === rows.NOTIFICATION_SENT) to.notificationSent(at, node, notification);
    else if (what === rows.NOTIFICATION_PASSED) to.notificationPassed(node, notification);
    else to.notificationReceived(at, node, notification, flag);
  }

  #notifyFlow(what: number, { at, node }: Place, { flow, detail }: Numbers): void {
    const { to } = this.#o;
    const kind = rows.EVENT_KINDS[detail];
    if (what === rows.MARK_RECEIVED) to.markReceived(at, flow);
    else if (what === rows.ROUTES_CHANGED) to.routesChanged();
    else if (what === rows.RATE_CHANGED) to.rateChanged(at, node, flow, detail);
    else if (what === rows.FLOW_BEGAN) to.flowBegan(at, flow);
    else if (what === rows.FLOW_COMPLETED) to.flowCompleted(at, flow);
    else if (kind !== undefined) to.flowCoordinated(at, node, flow, kind);
  }
}

interface Place {
  readonly at: Instant;
  readonly node: string;
}

interface Numbers {
  readonly flow: number;
  readonly packet: number;
  readonly detail: number;
}

interface Kept {
  readonly detail: number;
  readonly notifications: readonly SeenNotification[];
}

const isOfNotification = (what: number): boolean =>
  what >= rows.NOTIFICATION_SENT && what <= rows.NOTIFICATION_RECEIVED;

/** True if the next row of `a` comes before that of `b`. */
function isBefore(a: Reader, b: Reader): boolean {
  const [i, j] = [a.next * ROW, b.next * ROW];
  for (const column of [rows.TIME, rows.RANK]) {
    const [one, other] = [a.rows[i + column] as number, b.rows[j + column] as number];
    if (one !== other) return one < other;
  }
  return false;
}
