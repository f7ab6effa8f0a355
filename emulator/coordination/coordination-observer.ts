import type { Packet } from '../../common/packet/packet';
import type { Instant, PortNumber } from '../../common/units/units';
import { readUint32 } from '../../common/wire/bytes';
import type { CongestionEvent } from '../../host-agent/algorithm/congestion-control';
import type { CoordinationEvent } from '../../host-agent/coordination/coordination-options';
import { markedFlow, viewFrame } from './frame-view';
import type { FrameView } from './frame-view';
import type { RunObserver } from '../record/run-observer';
import { senderPort } from './observations';
import type { Observations, SeenNotification } from './observations';
import type { NotificationView } from './watches';

/** A host or switch. */
interface Named {
  readonly name: string;
}

/** Facts of the network that the observer needs, or of the part of it that it looks at. */
export interface ObservedScene {
  /** Hosts and switches by address. */
  readonly nodeAt: ReadonlyMap<number, string>;
  /** Number of a flow in the scenario, by its sender's name and id there. */
  readonly numberOf: (sender: string, id: number) => number | undefined;
  /** True if a switch's port has a link. */
  readonly hasLink: (node: string, port: PortNumber) => boolean;
  /** True if the notification's code is that of a switch; absent where the run is not checked. */
  readonly isGenuine: ((view: NotificationView) => boolean) | undefined;
}

/**
 * Translates packets and events of coordinating switches and hosts into {@link Observations}; it
 * changes nothing. Each node is observed for itself, so that several threads can share a run.
 */
export class CoordinationObserver implements RunObserver {
  readonly #scene: ObservedScene;
  readonly #to: Observations;
  /** PERF: laws ask for more than counters do. */
  readonly #isWatched: boolean;

  constructor(scene: ObservedScene, to: Observations) {
    this.#scene = scene;
    this.#to = to;
    this.#isWatched = scene.isGenuine !== undefined;
  }

  hostSent(_host: Named, packet: Packet, now: Instant): void {
    const view = viewFrame(packet);
    if (view?.kind !== 'data') return;
    const flow = this.#flowOf(view);
    if (flow === undefined) return;
    const source = senderPort(view.source, view.sourcePort);
    this.#to.dataSent(now, flow, source, view.tag.congestionControl);
  }

  /** Before the host sees it. */
  hostReceived({ name: host }: Named, packet: Packet, now: Instant): void {
    const marked = markedFlow(packet);
    if (marked !== undefined) {
      const flow = this.#scene.numberOf(host, marked);
      if (flow !== undefined && this.#isWatched) this.#to.markReceived(now, flow);
      return;
    }
    const view = viewFrame(packet);
    if (view?.kind === 'data' && this.#isWatched) this.#to.dataReceived(packet.id ?? 0);
    if (view?.kind !== 'notification' || this.#scene.nodeAt.get(view.destination) !== host) return;
    const isHeeded = this.#scene.isGenuine?.(view) === true;
    this.#to.notificationReceived(now, host, seen(view), isHeeded);
  }

  switchReceived({ name: node }: Named, packet: Packet, now: Instant): void {
    const view = viewFrame(packet);
    if (view === undefined) return;
    if (view.kind === 'data') {
      const flow = this.#flowOf(view) ?? 0;
      if (flow > 0 || this.#isWatched) this.#to.dataArrived(node, flow, packet.id ?? 0);
    } else if (this.#scene.nodeAt.get(view.destination) === node) {
      this.#to.notificationReceived(now, node, seen(view), false);
    } else if (this.#isWatched) {
      this.#to.notificationPassed(node, seen(view));
    }
  }

  switchTransmitted({ name: node }: Named, now: Instant, port: PortNumber, packet: Packet): void {
    const view = viewFrame(packet);
    // Notifications pass a port without a link on their way out.
    if (view === undefined || !this.#scene.hasLink(node, port)) return;
    if (view.kind === 'data') {
      const flow = this.#flowOf(view);
      if (flow === undefined) return;
      const { tag } = view;
      this.#to.dataForwarded(now, node, { flow, port, packet: packet.id ?? 0, tag });
    } else if (this.#scene.nodeAt.get(view.source) === node) {
      this.#to.notificationSent(now, node, seen(view));
    }
  }

  /** A link or the controller has changed the routes. */
  routesChanged(): void {
    if (this.#isWatched) this.#to.routesChanged();
  }

  coordinated(host: string, { kind, at, flow: id }: CoordinationEvent): void {
    const flow = this.#scene.numberOf(host, id);
    if (flow !== undefined) this.#to.flowCoordinated(at, host, flow, kind);
  }

  controlled(host: string, id: number, event: CongestionEvent): void {
    const flow = this.#scene.numberOf(host, id);
    if (event.kind !== 'window-updated' || flow === undefined) return;
    this.#to.rateChanged(event.now, host, flow, event.pacingRate);
  }

  flowBegan(now: Instant, flow: number): void {
    this.#to.flowBegan(now, flow);
  }

  flowCompleted(at: Instant, flow: number): void {
    this.#to.flowCompleted(at, flow);
  }

  #flowOf({ source, flowId }: DataView): number | undefined {
    return this.#scene.numberOf(this.#scene.nodeAt.get(source) ?? '', flowId);
  }
}

type DataView = Extract<FrameView, { kind: 'data' }>;

function seen({ notification, destination }: NotificationView): SeenNotification {
  const { type, senderNode, sequence, source, sourcePort } = notification;
  // Of a mapped IPv6 address the IPv4 address in it.
  const subject = senderPort(readUint32(source, source.length - 4), sourcePort);
  return { type, senderNode, sequence, subject, destination };
}
