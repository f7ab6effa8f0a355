import type { Packet } from '../../common/packet/packet';
import type { Instant, PortNumber } from '../../common/units/units';
import { readUint32 } from '../../common/wire/bytes';
import type { CongestionEvent } from '../../host-agent/algorithm/congestion-control';
import type { CoordinationEvent } from '../../host-agent/coordination/coordination-options';
import { markedFlow, viewFrame } from './frame-view';
import type { FrameView } from './frame-view';
import { senderPort } from './observations';
import type { Observations, SeenNotification } from './observations';
import type { NotificationView } from './watches';

/** What the observer has to know of the network, or of the part of it that it looks at. */
export interface ObservedScene {
  /** Hosts and switches by address. */
  readonly nodeAt: ReadonlyMap<number, string>;
  /** Number of a flow in the scenario, by its sender's name and id there. */
  readonly numberOf: (sender: string, id: number) => number | undefined;
  /** Whether a switch's port has a link. */
  readonly hasLink: (node: string, port: PortNumber) => boolean;
  /** Whether a switch has sent this, by its code; absent where nobody holds the run to laws. */
  readonly isGenuine: ((view: NotificationView) => boolean) | undefined;
}

/**
 * Looks on while switches and hosts coordinate, and tells what packets and events mean; it changes
 * nothing. Each node is looked at for itself, so that several threads can share a run.
 */
export class CoordinationObserver {
  readonly #scene: ObservedScene;
  readonly #tell: Observations;
  /** PERF: laws ask for more than counters do. */
  readonly #isWatched: boolean;

  constructor(scene: ObservedScene, tell: Observations) {
    this.#scene = scene;
    this.#tell = tell;
    this.#isWatched = scene.isGenuine !== undefined;
  }

  hostSent(now: Instant, packet: Packet): void {
    const view = viewFrame(packet);
    if (view?.kind !== 'data') return;
    const flow = this.#flowOf(view);
    if (flow === undefined) return;
    const source = senderPort(view.source, view.sourcePort);
    this.#tell.dataSent(now, flow, source, view.tag.congestionControl);
  }

  /** Before the host sees it. */
  hostReceived(now: Instant, host: string, packet: Packet): void {
    const marked = markedFlow(packet);
    if (marked !== undefined) {
      const flow = this.#scene.numberOf(host, marked);
      if (flow !== undefined && this.#isWatched) this.#tell.markReceived(now, flow);
      return;
    }
    const view = viewFrame(packet);
    if (view?.kind === 'data' && this.#isWatched) this.#tell.dataReceived(packet.id ?? 0);
    if (view?.kind !== 'notification' || this.#scene.nodeAt.get(view.destination) !== host) return;
    const isHeeded = this.#scene.isGenuine?.(view) === true;
    this.#tell.notificationReceived(now, host, seen(view), isHeeded);
  }

  switchReceived(now: Instant, node: string, packet: Packet): void {
    const view = viewFrame(packet);
    if (view === undefined) return;
    if (view.kind === 'data') {
      const flow = this.#flowOf(view) ?? 0;
      if (flow > 0 || this.#isWatched) this.#tell.dataArrived(node, flow, packet.id ?? 0);
    } else if (this.#scene.nodeAt.get(view.destination) === node) {
      this.#tell.notificationReceived(now, node, seen(view), false);
    } else if (this.#isWatched) {
      this.#tell.notificationPassed(node, seen(view));
    }
  }

  switchTransmitted(now: Instant, node: string, port: PortNumber, packet: Packet): void {
    const view = viewFrame(packet);
    // Notifications pass a port without a link on their way out.
    if (view === undefined || !this.#scene.hasLink(node, port)) return;
    if (view.kind === 'data') {
      const flow = this.#flowOf(view);
      if (flow === undefined) return;
      const { tag } = view;
      this.#tell.dataForwarded(now, node, { flow, port, packet: packet.id ?? 0, tag });
    } else if (this.#scene.nodeAt.get(view.source) === node) {
      this.#tell.notificationSent(now, node, seen(view));
    }
  }

  /** A link or the controller has changed the routes. */
  routesChanged(): void {
    if (this.#isWatched) this.#tell.routesChanged();
  }

  coordinated(host: string, { kind, at, flow: id }: CoordinationEvent): void {
    const flow = this.#scene.numberOf(host, id);
    if (flow !== undefined) this.#tell.flowCoordinated(at, host, flow, kind);
  }

  controlled(host: string, id: number, event: CongestionEvent): void {
    const flow = this.#scene.numberOf(host, id);
    if (event.kind !== 'window-updated' || flow === undefined) return;
    this.#tell.rateChanged(event.now, host, flow, event.pacingRate);
  }

  flowBegan(now: Instant, flow: number): void {
    this.#tell.flowBegan(now, flow);
  }

  flowCompleted(at: Instant, flow: number): void {
    this.#tell.flowCompleted(at, flow);
  }

  #flowOf({ source, flowId }: DataView): number | undefined {
    return this.#scene.numberOf(this.#scene.nodeAt.get(source) ?? '', flowId);
  }
}

type DataView = Extract<FrameView, { kind: 'data' }>;

function seen({ notification, destination }: NotificationView): SeenNotification {
  const { type, senderNode, sequence, source, sourcePort } = notification;
  const subject = senderPort(readUint32(source, 0), sourcePort);
  return { type, senderNode, sequence, subject, destination };
}
