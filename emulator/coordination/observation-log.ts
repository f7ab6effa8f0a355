import type { BitsPerSecond, Instant } from '../../common/units/units';
import type { CoordinationEventKind } from '../../host-agent/coordination/coordination-options';
import * as rows from './observation-rows';
import type { ObservationBatch } from './observation-rows';
import type { Forwarding, Observations, SeenNotification } from './observations';

const { ROW, WHATS } = rows;
/** Rows that are worth sending: half a megabyte. */
const BATCH_ROWS = 8192;
/** Room for the rows of a batch and, in most networks, of one window of virtual time more. */
const ROOM_ROWS = 2 * BATCH_ROWS;

/** Position of an event among all events of a run. */
export interface EventPlace {
  readonly now: Instant;
  /** Orders the events of an instant. */
  readonly rank: number;
}

/** Numbers of a row, besides the place of its event and what it is. */
interface RowValues {
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

  /** True if there are enough rows to be sent. */
  get isFull(): boolean {
    return this.#count >= BATCH_ROWS;
  }

  /** Takes the rows since the last call. */
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
    isObeyed: boolean,
  ): void {
    const detail = this.#keep(notification, isObeyed);
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

  /** Adds a notification to the batch; returns its index there and whether it is obeyed. */
  #keep(notification: SeenNotification, isObeyed = false): number {
    return rows.packFlagged(this.#notifications.push(notification) - 1, isObeyed);
  }

  #write(
    what: number,
    node: string,
    { flow = 0, packet = 0, detail = 0, at = 0 }: RowValues,
  ): void {
    if ((this.#count + 1) * ROW > this.#rows.length) this.#grow();
    const row = this.#count++ * ROW;
    const numbers = this.#rows;
    numbers[row + rows.TIME] = this.#place.now;
    numbers[row + rows.RANK] = this.#place.rank;
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
