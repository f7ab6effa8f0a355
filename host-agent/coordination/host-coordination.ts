import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Instant } from '../../common/units/units';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import { CCM_SOURCE_HOST, dsFlagsOf } from '../../common/wire/coordination/ccm-tag';
import { WireFault } from '../../common/wire/fault';
import { PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { IPV4_LAYER } from '../carrier/network-layer';
import type { NetworkLayer } from '../carrier/network-layer';
import type { CoordinationEventKind, CoordinationPlan } from './coordination-options';
import type { CoordinationEffect } from './flow-coordination';
import { FlowCoordination } from './flow-coordination';
import { readNotificationFrame } from './notification-guard';
import { NotificationGuard } from './notification-guard';

/** Key by which a switch identifies a flow: its destination and its source port. */
export interface FlowKey {
  readonly destinationAddress: number;
  readonly sourcePort: number;
}

export interface CoordinationCounters {
  /** Genuine notifications for flows of this host, by type. */
  readonly controlRequired: number;
  readonly controlReleased: number;
  readonly reroutingRequired: number;
  /** CE marks on packets of flows that were free. */
  readonly marked: number;
  /** Genuine notifications without effect: out of date, or against the state of the flow. */
  readonly ignored: number;
  /** Releases because nobody had asked for as long as type 1 holds. */
  readonly expired: number;
  readonly reroutes: number;
  /** Requests after which a flow gave up other paths for a time, because none had helped. */
  readonly exhausted: number;
  readonly malformed: number;
  readonly unauthenticated: number;
  readonly replayed: number;
  /** Genuine ones for no running flow of this host. */
  readonly unknownFlow: number;
}

type Counters = { -readonly [Name in keyof CoordinationCounters]: CoordinationCounters[Name] };

type NotificationOutcome =
  | { readonly kind: 'not-a-notification' }
  | {
      readonly kind: 'refused';
      readonly reason: 'malformed' | 'unauthenticated' | 'replayed' | 'unknown-flow';
      readonly detail: string;
    }
  /** The flow's frames, window or path may be others from now on. */
  | { readonly kind: 'taken'; readonly flow: number; readonly effect: CoordinationEffect };

interface KnownFlow {
  readonly state: FlowCoordination;
  /** All that it has been known by. */
  readonly keys: number[];
}

/** Flows that a host has under coordination, and the notifications that it gets about them. */
export class HostCoordination {
  readonly #plan: CoordinationPlan;
  readonly #address: number;
  readonly #network: NetworkLayer;
  readonly #guard: NotificationGuard;
  readonly #flows = new Map<number, KnownFlow>();
  readonly #idByKey = new Map<number, number>();
  readonly #counters: Counters = {
    controlRequired: 0,
    controlReleased: 0,
    reroutingRequired: 0,
    marked: 0,
    ignored: 0,
    expired: 0,
    reroutes: 0,
    exhausted: 0,
    malformed: 0,
    unauthenticated: 0,
    replayed: 0,
    unknownFlow: 0,
  };

  /** @param network the version of IP that flows and notifications about them have. */
  constructor(plan: CoordinationPlan, address: number, network: NetworkLayer = IPV4_LAYER) {
    this.#plan = plan;
    this.#address = address;
    this.#network = network;
    this.#guard = new NotificationGuard(plan.keys, network);
  }

  get counters(): CoordinationCounters {
    return { ...this.#counters };
  }

  /** A flow begins, free. */
  open(id: number, key: FlowKey): FlowCoordination {
    const state = new FlowCoordination(this.#plan);
    this.#flows.set(id, { state, keys: [] });
    this.alias(id, key);
    return state;
  }

  /** The flow is also known by this key: notifications about its earlier path may be on the way. */
  alias(id: number, key: FlowKey): void {
    const flow = this.#flows.get(id);
    assert(flow !== undefined, 'only open flows get other keys');
    flow.keys.push(keyOf(key));
    this.#idByKey.set(keyOf(key), id);
  }

  close(id: number): void {
    const keys = this.#flows.get(id)?.keys ?? [];
    for (const key of keys) if (this.#idByKey.get(key) === id) this.#idByKey.delete(key);
    this.#flows.delete(id);
  }

  /** True if no other flow to the same destination uses the port. */
  isFree(key: FlowKey): boolean {
    return !this.#idByKey.has(keyOf(key));
  }

  /** DS flags of the flow's INT header: the coordination tag as a source host writes it. */
  dsFlags(flow: FlowCoordination): number {
    return dsFlagsOf({
      congestionControl: flow.isControlled,
      reroutingPoint: flow.offersRerouting ? CCM_SOURCE_HOST : undefined,
    });
  }

  /** Takes a frame that is none of the transport's. */
  handle(now: Instant, packet: Packet): NotificationOutcome {
    const frame = readNotificationFrame(packet, this.#address, this.#network);
    if (frame === undefined) return { kind: 'not-a-notification' };
    if (frame instanceof WireFault) {
      this.#counters.malformed++;
      return { kind: 'refused', reason: 'malformed', detail: frame.toString() };
    }
    const { notification, message, source } = frame;
    const path = { source, destination: this.#address };
    const refused = this.#guard.check(notification, message, path);
    if (refused !== undefined) {
      this.#counters[refused]++;
      return { kind: 'refused', reason: refused, detail: describe(notification) };
    }
    return this.#apply(now, notification);
  }

  /** The receiver saw a CE mark on a packet of the flow. Returns true if this changed the flow. */
  onMark(now: Instant, id: number): boolean {
    const state = this.#flows.get(id)?.state;
    if (state?.onMark(now) !== 'tagged') return false;
    this.#counters.marked++;
    this.#tell('tagged', now, id);
    return true;
  }

  /**
   * Returns true if the flow's tag has changed: the flow became free because nobody has asked for too
   * long, or takes other paths again.
   */
  expire(now: Instant, id: number): boolean {
    const state = this.#flows.get(id)?.state;
    const offers = state?.offerAgain(now) ?? false;
    if (state?.expire(now) !== true) return offers;
    this.#counters.expired++;
    this.#tell('expired', now, id);
    return true;
  }

  #apply(now: Instant, notification: CcmNotification): NotificationOutcome {
    const flow = this.#flowOf(notification);
    if (flow === undefined) {
      this.#counters.unknownFlow++;
      return { kind: 'refused', reason: 'unknown-flow', detail: describe(notification) };
    }
    this.#counters[COUNTER_OF[notification.type]]++;
    const state = this.#flows.get(flow)?.state;
    assert(state !== undefined, 'keys lead to open flows');
    const effect = this.#isForUs(notification) ? state.handle(now, notification) : 'ignored';
    this.#note(now, flow, effect);
    return { kind: 'taken', flow, effect };
  }

  #note(now: Instant, flow: number, effect: CoordinationEffect): void {
    switch (effect) {
      case 'tagged':
      case 'released':
        this.#tell(effect, now, flow);
        return;
      case 'reroute':
        this.#counters.reroutes++;
        this.#tell('rerouted', now, flow);
        return;
      case 'exhausted':
        this.#counters.exhausted++;
        return;
      case 'ignored':
        this.#counters.ignored++;
        return;
      case 'renewed':
        return;
    }
  }

  /** Type 3 names the point that it is for. */
  #isForUs({ type, reroutingPoint }: CcmNotification): boolean {
    if (type !== 'rerouting-required') return true;
    return reroutingPoint === CCM_SOURCE_HOST;
  }

  #flowOf(notification: CcmNotification): number | undefined {
    const { protocol, source, destination, sourcePort, anyPort } = notification;
    const { addressOf } = this.#network;
    const destinationAddress = addressOf(destination);
    const isOurs = addressOf(source) === this.#address && destinationAddress !== undefined;
    if (!isOurs || protocol !== PROTOCOL_UDP || anyPort) return undefined;
    return this.#idByKey.get(keyOf({ destinationAddress, sourcePort }));
  }

  #tell(kind: CoordinationEventKind, at: Instant, flow: number): void {
    this.#plan.observe?.({ kind, at, flow });
  }
}

const COUNTER_OF = {
  'control-required': 'controlRequired',
  'control-released': 'controlReleased',
  'rerouting-required': 'reroutingRequired',
} as const;

/** Below 2^48: 32 bits of address and 16 of port. */
const keyOf = ({ destinationAddress, sourcePort }: FlowKey): number =>
  destinationAddress * 0x10000 + sourcePort;

function describe({ type, senderNode, keyId, sourcePort }: CcmNotification): string {
  return `${type} of node ${senderNode} under key ${keyId} for source port ${sourcePort}`;
}
