import { PS_PER_US } from '../../common/units/units';
import type { BitsPerSecond, Duration, Instant, PortNumber } from '../../common/units/units';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import type { CcmIndicators } from '../../common/wire/coordination/ccm-tag';
import { CCM_SOURCE_HOST } from '../../common/wire/coordination/ccm-tag';
import type { CoordinationEventKind } from '../../host-agent/coordination/coordination-options';
import type { CoordinationLogEntry, CoordinationRecord } from '../result/coordination-record';
import { FlowWatch } from './flow-watch';
import type { Traveller } from './loop-watch';
import type { Forwarding, Observations, SeenNotification } from './observations';
import type { OpenFlows } from './open-flows';
import type { CoordinationWatches } from './watches';

/** More lines than this do not make a run any clearer. */
const LOG_MAX = 20_000;

/** Properties of the network that the recorder uses. */
export interface CoordinationScene {
  readonly baseRtt: Duration;
  /** True if switches spray packets without the CC indicator. */
  readonly isSprayed: boolean;
  /** Hosts and switches by address. */
  readonly nodeAt: ReadonlyMap<number, string>;
  /** Switches by node id. */
  readonly switchOf: ReadonlyMap<number, string>;
  /** Name of the node that a switch's port leads to, and whether it is a host. */
  readonly behind: (
    node: string,
    port: PortNumber,
  ) => { readonly name: string; readonly isHost: boolean } | undefined;
  readonly flows: OpenFlows;
}

/** Counts the observations of a run's coordination, and leaves checks to others. */
export class CoordinationRecorder implements Observations {
  readonly #scene: CoordinationScene;
  readonly #flows = new Map<number, FlowWatch>();
  /** Flows by address and source port of the sender. */
  readonly #byPort = new Map<number, number>();
  readonly #log: CoordinationLogEntry[] = [];
  readonly #sent = { controlRequired: 0, controlReleased: 0, reroutingRequired: 0 };
  readonly #received = { controlRequired: 0, controlReleased: 0, reroutingRequired: 0 };
  #omitted = 0;
  #released = 0;
  #expired = 0;

  constructor(
    scene: CoordinationScene,
    private readonly watches: CoordinationWatches | undefined,
  ) {
    this.#scene = scene;
  }

  dataSent(at: Instant, flow: number, source: number, isControlled: boolean): void {
    this.#byPort.set(source, flow);
    this.watches?.control?.sent(at, flow, isControlled);
  }

  dataReceived(packet: number): void {
    this.watches?.loops.left({ kind: 'data', packet });
  }

  dataArrived(node: string, flow: number, packet: number): void {
    this.watches?.loops.arrived(node, { kind: 'data', packet });
    if (flow > 0) this.#watch(flow).onSwitchArrival(node, packet);
  }

  dataForwarded(at: Instant, node: string, { flow, port, packet, tag }: Forwarding): void {
    const watch = this.#watch(flow);
    if (this.#scene.behind(node, port)?.isHost === true) watch.onArrival(packet);
    for (const news of watch.onSwitchDeparture(node, packet, { port, tag, at })) {
      const { sighting, isNewPath, isNewTag } = news;
      const line = { atUs: sighting.at / PS_PER_US, node, flow };
      const detail = this.#tagText(sighting.tag);
      if (isNewTag) this.#note({ ...line, what: 'indicator', detail });
      const name = this.#scene.behind(node, sighting.port)?.name ?? '';
      if (isNewPath) this.#note({ ...line, what: 'path', detail: name });
    }
  }

  markReceived(at: Instant, flow: number): void {
    this.watches?.control?.marked(at, flow);
  }

  notificationSent(at: Instant, node: string, notification: SeenNotification): void {
    const { type, destination } = notification;
    this.#sent[COUNTER_OF[type]]++;
    const detail = `${type} to ${this.#scene.nodeAt.get(destination) ?? 'nobody'}`;
    const flow = this.#byPort.get(notification.subject) ?? 0;
    this.#note({ atUs: at / PS_PER_US, what: 'notification-sent', node, flow, detail });
  }

  notificationPassed(node: string, notification: SeenNotification): void {
    this.watches?.loops.arrived(node, travellerOf(notification));
  }

  notificationReceived(
    at: Instant,
    node: string,
    notification: SeenNotification,
    isObeyed: boolean,
  ): void {
    this.watches?.loops.left(travellerOf(notification));
    const { type, senderNode } = notification;
    this.#received[COUNTER_OF[type]]++;
    const flow = this.#byPort.get(notification.subject) ?? 0;
    const detail = `${type} from ${this.#scene.switchOf.get(senderNode) ?? 'nobody'}`;
    this.#note({ atUs: at / PS_PER_US, what: 'notification-received', node, flow, detail });
    if (flow > 0 && isObeyed) this.watches?.control?.notified(at, flow, notification);
  }

  routesChanged(): void {
    this.watches?.loops.routesChanged();
  }

  flowCoordinated(at: Instant, host: string, flow: number, kind: CoordinationEventKind): void {
    const watch = this.#watch(flow);
    if (kind === 'rerouted') watch.onSourceReroute();
    else watch.onTag(kind === 'tagged');
    if (kind === 'released') this.#released++;
    if (kind === 'expired') this.#expired++;
    if (kind === 'tagged') this.watches?.control?.tagged(at, flow);
    else if (kind !== 'rerouted') this.watches?.control?.freed(at, flow, kind);
    this.#note({ atUs: at / PS_PER_US, what: kind, node: host, flow, detail: '' });
  }

  rateChanged(at: Instant, host: string, flow: number, rate: BitsPerSecond): void {
    const { baseRtt, flows } = this.#scene;
    const fairRate = (): BitsPerSecond => flows.fairRate(flow, at);
    if (!this.#watch(flow).onRate(at, rate, { baseRtt, fairRate })) return;
    const detail = gigabits(rate);
    this.#note({ atUs: at / PS_PER_US, what: 'rate', node: host, flow, detail });
  }

  flowBegan(at: Instant, flow: number): void {
    this.#scene.flows.began(at, flow);
  }

  flowCompleted(at: Instant, flow: number): void {
    this.#scene.flows.completed(at, flow);
  }

  /** Pure: calling it twice gives equal results. */
  summary(mode: string, hosts: HostSummary): CoordinationRecord {
    const flows = [...this.#flows.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, watch]) => watch.record);
    const sum = (of: (flow: CoordinationRecord['flows'][number]) => number): number =>
      flows.reduce((total, flow) => total + of(flow), 0);
    // Lines come in the order of decisions, which is not always that of time.
    const log = [...this.#log].sort((a, b) => a.atUs - b.atUs);
    return {
      mode,
      packets: sum(({ packets }) => packets),
      reordered: sum(({ reordered }) => reordered),
      reroutes: sum(({ reroutes }) => reroutes),
      taggedReroutes: sum(({ taggedReroutes }) => taggedReroutes),
      sourceReroutes: sum(({ sourceReroutes }) => sourceReroutes),
      reductionsBelowFair: sum(({ reductionsBelowFair }) => reductionsBelowFair),
      sent: { ...this.#sent },
      received: { ...this.#received },
      tagged: sum(({ tagged }) => tagged),
      released: this.#released,
      expired: this.#expired,
      ...hosts,
      outdatedRequests: this.watches?.control?.outdatedRequests ?? 0,
      controlled: [...(this.watches?.control?.spans ?? [])],
      flows,
      log,
      logOmitted: this.#omitted,
    };
  }

  #tagText({ congestionControl, reroutingPoint }: CcmIndicators): string {
    const control = congestionControl ? 'CC set' : 'CC clear';
    return `${control}, AR ${this.#pointText(reroutingPoint)}`;
  }

  #pointText(point: number | undefined): string {
    if (point === undefined) return 'none';
    if (point === CCM_SOURCE_HOST) return 'source host';
    return this.#scene.switchOf.get(point) ?? String(point);
  }

  #watch(flow: number): FlowWatch {
    const known = this.#flows.get(flow);
    if (known !== undefined) return known;
    const fresh = new FlowWatch(flow, this.#scene.isSprayed);
    this.#flows.set(flow, fresh);
    return fresh;
  }

  #note(entry: CoordinationLogEntry): void {
    if (this.#log.length < LOG_MAX) this.#log.push(entry);
    else this.#omitted++;
  }
}

/** Counts that hosts keep themselves. */
type HostSummary = Pick<CoordinationRecord, 'marked' | 'taken' | 'refused' | 'faults'>;

const COUNTER_OF = {
  'control-required': 'controlRequired',
  'control-released': 'controlReleased',
  'rerouting-required': 'reroutingRequired',
} as const satisfies Readonly<Record<CcmNotification['type'], string>>;

const travellerOf = ({ senderNode: sender, sequence }: SeenNotification): Traveller => ({
  kind: 'notification',
  sender,
  sequence,
});

const gigabits = (rate: BitsPerSecond): string => `${(rate / 1e9).toFixed(2)} Gb/s`;
