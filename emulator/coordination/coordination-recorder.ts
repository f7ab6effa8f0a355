import type { Packet } from '../../common/packet/packet';
import { PS_PER_US } from '../../common/units/units';
import type { BitsPerSecond, Duration, Instant, PortNumber } from '../../common/units/units';
import { readUint32 } from '../../common/wire/bytes';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import type { CcmIndicators } from '../../common/wire/coordination/ccm-tag';
import { CCM_SOURCE_HOST } from '../../common/wire/coordination/ccm-tag';
import type { CongestionEvent } from '../../host-agent/algorithm/congestion-control';
import type { CoordinationEvent } from '../../host-agent/coordination/coordination-options';
import type { CoordinationLogEntry, CoordinationRecord } from '../result/coordination-record';
import { FlowWatch } from './flow-watch';
import { markedFlow, viewFrame } from './frame-view';
import type { FrameView } from './frame-view';
import type { Traveller } from './loop-watch';
import type { CoordinationWatches, NotificationView } from './watches';

/** More lines than this do not make a run any clearer. */
const LOG_MAX = 20_000;

/** What the recorder has to know of the network. */
export interface CoordinationScene {
  readonly baseRtt: Duration;
  /** Whether switches spray packets without the CC indicator. */
  readonly isSprayed: boolean;
  /** Hosts and switches by address. */
  readonly nodeAt: ReadonlyMap<number, string>;
  /** Switches by node id. */
  readonly switchOf: ReadonlyMap<number, string>;
  /** Number of a flow in the scenario, by its sender's name and id there. */
  readonly numberOf: (sender: string, id: number) => number | undefined;
  /** Name of the node that a switch's port leads to, and whether it is a host. */
  readonly behind: (
    node: string,
    port: PortNumber,
  ) => { readonly name: string; readonly isHost: boolean } | undefined;
  /** What an oracle would give the flow now, beside all others that have begun and not ended. */
  readonly fairRate: (flow: number, now: Instant) => BitsPerSecond;
}

/**
 * Looks on while switches and hosts coordinate, counts, and leaves it to others to judge; it changes
 * nothing.
 */
export class CoordinationRecorder {
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

  hostSent(now: Instant, packet: Packet): void {
    const view = viewFrame(packet);
    if (view?.kind !== 'data') return;
    const flow = this.#flowOf(view);
    if (flow === undefined) return;
    this.#byPort.set(portKey(view.source, view.sourcePort), flow);
    this.watches?.control?.sent(now, flow, view.tag.congestionControl);
  }

  /** Before the host sees it. */
  hostReceived(now: Instant, host: string, packet: Packet): void {
    const marked = markedFlow(packet);
    if (marked !== undefined) {
      const flow = this.#scene.numberOf(host, marked);
      if (flow !== undefined) this.watches?.control?.marked(now, flow);
      return;
    }
    const view = viewFrame(packet);
    if (view?.kind === 'data') this.watches?.loops.left(travellerOf(view, packet));
    if (view?.kind !== 'notification' || this.#scene.nodeAt.get(view.destination) !== host) return;
    this.watches?.loops.left(travellerOf(view, packet));
    this.#receive(now, host, view);
    const { notification } = view;
    const flow = this.#subject(view);
    if (flow === undefined || this.watches?.isGenuine(view) !== true) return;
    this.watches.control?.notified(now, flow, notification);
  }

  switchReceived(now: Instant, node: string, packet: Packet): void {
    const view = viewFrame(packet);
    if (view === undefined) return;
    if (view.kind === 'notification' && this.#scene.nodeAt.get(view.destination) === node) {
      this.watches?.loops.left(travellerOf(view, packet));
      this.#receive(now, node, view);
      return;
    }
    this.watches?.loops.arrived(node, travellerOf(view, packet));
    if (view.kind === 'notification') return;
    const flow = this.#flowOf(view);
    if (flow !== undefined) this.#watch(flow).onSwitchArrival(node, packet.id ?? 0);
  }

  switchTransmitted(now: Instant, node: string, port: PortNumber, packet: Packet): void {
    const view = viewFrame(packet);
    const next = this.#scene.behind(node, port);
    // Notifications pass a port without a link on their way out.
    if (view === undefined || next === undefined) return;
    if (view.kind === 'data') {
      this.#forwarded(now, node, { view, port, packet: packet.id ?? 0, next });
      return;
    }
    if (this.#scene.nodeAt.get(view.source) === node) this.#send(now, node, view);
  }

  /** A link or the controller has changed the routes. */
  routesChanged(): void {
    this.watches?.loops.routesChanged();
  }

  coordinated(host: string, { kind, at, flow: id }: CoordinationEvent): void {
    const flow = this.#scene.numberOf(host, id);
    if (flow === undefined) return;
    const watch = this.#watch(flow);
    if (kind === 'rerouted') watch.onSourceReroute();
    else watch.onTag(kind === 'tagged');
    if (kind === 'released') this.#released++;
    if (kind === 'expired') this.#expired++;
    if (kind === 'tagged') this.watches?.control?.tagged(at, flow);
    else if (kind !== 'rerouted') this.watches?.control?.freed(at, flow, kind);
    this.#note({ atUs: at / PS_PER_US, what: kind, node: host, flow, detail: '' });
  }

  controlled(host: string, id: number, event: CongestionEvent): void {
    const flow = this.#scene.numberOf(host, id);
    if (event.kind !== 'window-updated' || flow === undefined) return;
    const { now, pacingRate } = event;
    const fairRate = (): BitsPerSecond => this.#scene.fairRate(flow, now);
    const { baseRtt } = this.#scene;
    if (!this.#watch(flow).onRate(now, pacingRate, { baseRtt, fairRate })) return;
    const detail = gigabits(pacingRate);
    this.#note({ atUs: now / PS_PER_US, what: 'rate', node: host, flow, detail });
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

  #forwarded(now: Instant, node: string, seen: Forwarded): void {
    const flow = this.#flowOf(seen.view);
    if (flow === undefined) return;
    const { port, packet, next } = seen;
    const { tag } = seen.view;
    const watch = this.#watch(flow);
    if (next.isHost) watch.onArrival(packet);
    for (const news of watch.onSwitchDeparture(node, packet, { port, tag, at: now })) {
      const { sighting, isNewPath, isNewTag } = news;
      const line = { atUs: sighting.at / PS_PER_US, node, flow };
      const detail = this.#tagText(sighting.tag);
      if (isNewTag) this.#note({ ...line, what: 'indicator', detail });
      const name = this.#scene.behind(node, sighting.port)?.name ?? '';
      if (isNewPath) this.#note({ ...line, what: 'path', detail: name });
    }
  }

  #send(now: Instant, node: string, view: NotificationView): void {
    this.#sent[COUNTER_OF[view.notification.type]]++;
    this.#noteMessage(now, node, { view, what: 'notification-sent' });
  }

  #receive(now: Instant, node: string, view: NotificationView): void {
    this.#received[COUNTER_OF[view.notification.type]]++;
    this.#noteMessage(now, node, { view, what: 'notification-received' });
  }

  #noteMessage(
    now: Instant,
    node: string,
    {
      view,
      what,
    }: {
      readonly view: NotificationView;
      readonly what: 'notification-sent' | 'notification-received';
    },
  ): void {
    const { notification, destination } = view;
    const flow = this.#subject(view) ?? 0;
    const peer =
      what === 'notification-sent'
        ? `to ${this.#scene.nodeAt.get(destination) ?? 'nobody'}`
        : `from ${this.#scene.switchOf.get(notification.senderNode) ?? 'nobody'}`;
    const detail = `${notification.type} ${peer}`;
    this.#note({ atUs: now / PS_PER_US, what, node, flow, detail });
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

  #flowOf({ source, flowId }: DataView): number | undefined {
    return this.#scene.numberOf(this.#scene.nodeAt.get(source) ?? '', flowId);
  }

  /** The flow that a notification is about. */
  #subject({ notification }: NotificationView): number | undefined {
    const source = readUint32(notification.source, 0);
    return this.#byPort.get(portKey(source, notification.sourcePort));
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

type DataView = Extract<FrameView, { kind: 'data' }>;

/** What hosts say themselves of a run. */
type HostSummary = Pick<CoordinationRecord, 'marked' | 'taken' | 'refused' | 'faults'>;

interface Forwarded {
  readonly view: DataView;
  readonly port: PortNumber;
  readonly packet: number;
  readonly next: { readonly name: string; readonly isHost: boolean };
}

const COUNTER_OF = {
  'control-required': 'controlRequired',
  'control-released': 'controlReleased',
  'rerouting-required': 'reroutingRequired',
} as const satisfies Readonly<Record<CcmNotification['type'], string>>;

function travellerOf(view: FrameView, packet: Packet): Traveller {
  if (view.kind === 'data') return { kind: 'data', packet: packet.id ?? 0 };
  const { senderNode: sender, sequence } = view.notification;
  return { kind: 'notification', sender, sequence };
}

/** Below 2^48: 32 bits of address and 16 of port. */
const portKey = (address: number, port: number): number => address * 0x10000 + port;

const gigabits = (rate: BitsPerSecond): string => `${(rate / 1e9).toFixed(2)} Gb/s`;
