import type { BitsPerSecond, Instant } from '../../common/units/units';
import type { CoordinationEventKind } from '../../host-agent/coordination/coordination-options';
import * as rows from './observation-rows';
import type { ObservationBatch } from './observation-rows';
import type { Forwarding, Observations, SeenNotification } from './observations';

const { ROW, WHATS } = rows;
/** Rows that are worth sending: half a megabyte. */
const BATCH_ROWS = 8192;
/** What a window of virtual time may add to them, in most networks. */
const ROOM_ROWS = 2 * BATCH_ROWS;

/** Where an event is among all events of a run. */
export interface EventPlace {
  readonly now: Instant;
  readonly stamp: Instant;
  readonly order: number;
}

/** Numbers of a row, besides the place of its event and what it is. */
interface Told {
  readonly flow?: number;
  readonly packet?: number;
  readonly detail?: number;
  readonly at?: Instant;
}

/**
 * Writes down what a part of a run observes, each with the place of the event that showed it, for who
 * puts the parts together.
 */
export class ObservationLog implements Observations {
  readonly #place: EventPlace;
  readonly #numbers: ReadonlyMap<string, number>;
  #rows = new Float64Array(ROOM_ROWS * ROW);
  #count = 0;
  #notifications: SeenNotification[] = [];

  /**
   * @param place of the event that is handled now
   * @param nodes all of the network, in the order that the reader has them in
   */
  constructor(place: EventPlace, nodes: readonly string[]) {
    this.#place = place;
    this.#numbers = new Map(nodes.map((name, i) => [name, i]));
  }

  /** Whether there is enough to be sent. */
  get isFull(): boolean {
    return this.#count >= BATCH_ROWS;
  }

  /** What there is since the last time. */
  take(): ObservationBatch {
    const batch = { rows: this.#rows, count: this.#count, notifications: this.#notifications };
    this.#rows = new Float64Array(ROOM_ROWS * ROW);
    this.#count = 0;
    this.#notifications = [];
    return batch;
  }

  dataSent(at: Instant, flow: number, source: number, isControlled: boolean): void {
    this.#write(rows.DATA_SENT, '', { at, flow, detail: rows.packFlagged(source, isControlled) });
  }

  dataReceived(packet: number): void {
    this.#write(rows.DATA_RECEIVED, '', { packet });
  }

  dataArrived(node: string, flow: number, packet: number): void {
    this.#write(rows.DATA_ARRIVED, node, { flow, packet });
  }

  dataForwarded(at: Instant, node: string, { flow, port, packet, tag }: Forwarding): void {
    const detail = rows.packForwarding(port, tag);
    this.#write(rows.DATA_FORWARDED, node, { at, flow, packet, detail });
  }

  markReceived(at: Instant, flow: number): void {
    this.#write(rows.MARK_RECEIVED, '', { at, flow });
  }

  notificationSent(at: Instant, node: string, notification: SeenNotification): void {
    this.#write(rows.NOTIFICATION_SENT, node, { at, detail: this.#keep(notification) });
  }

  notificationPassed(node: string, notification: SeenNotification): void {
    this.#write(rows.NOTIFICATION_PASSED, node, { detail: this.#keep(notification) });
  }

  notificationReceived(
    at: Instant,
    node: string,
    notification: SeenNotification,
    isHeeded: boolean,
  ): void {
    const detail = this.#keep(notification, isHeeded);
    this.#write(rows.NOTIFICATION_RECEIVED, node, { at, detail });
  }

  routesChanged(): void {
    this.#write(rows.ROUTES_CHANGED, '', {});
  }

  flowCoordinated(at: Instant, host: string, flow: number, kind: CoordinationEventKind): void {
    const detail = rows.EVENT_KINDS.indexOf(kind);
    this.#write(rows.FLOW_COORDINATED, host, { at, flow, detail });
  }

  rateChanged(at: Instant, host: string, flow: number, rate: BitsPerSecond): void {
    this.#write(rows.RATE_CHANGED, host, { at, flow, detail: rate });
  }

  flowBegan(at: Instant, flow: number): void {
    this.#write(rows.FLOW_BEGAN, '', { at, flow });
  }

  flowCompleted(at: Instant, flow: number): void {
    this.#write(rows.FLOW_COMPLETED, '', { at, flow });
  }

  /** Where it is among those of the batch, and whether it is heeded. */
  #keep(notification: SeenNotification, isHeeded = false): number {
    return rows.packFlagged(this.#notifications.push(notification) - 1, isHeeded);
  }

  #write(what: number, node: string, { flow = 0, packet = 0, detail = 0, at = 0 }: Told): void {
    if ((this.#count + 1) * ROW > this.#rows.length) this.#grow();
    const row = this.#count++ * ROW;
    const numbers = this.#rows;
    numbers[row + rows.TIME] = this.#place.now;
    numbers[row + rows.STAMP] = this.#place.stamp;
    numbers[row + rows.ORDER] = this.#place.order;
    numbers[row + rows.WHAT] = (this.#numbers.get(node) ?? 0) * WHATS + what;
    numbers[row + rows.FLOW] = flow;
    numbers[row + rows.PACKET] = packet;
    numbers[row + rows.DETAIL] = detail;
    numbers[row + rows.AT] = at;
  }

  #grow(): void {
    const wider = new Float64Array(2 * this.#rows.length);
    wider.set(this.#rows);
    this.#rows = wider;
  }
}
