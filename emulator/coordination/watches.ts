import { bothWays } from '../../common/topology/topology';
import { serialisationTime } from '../../common/units/units';
import type { Bytes, Duration } from '../../common/units/units';
import { ccmMac } from '../../common/wire/coordination/ccm-notification';
import { macsAreEqual } from '../../common/wire/security/message-mac';
import { IPV4_LAYER, IPV6_LAYER } from '../../host-agent/carrier/network-layer';
import { checkCoordination } from '../../host-agent/coordination/coordination-options';
import type { CoordinationOptions } from '../../host-agent/coordination/coordination-options';
import type { SwitchKeys } from '../../host-agent/feedback/switch-keys';
import type { NetworkPlan } from '../network/plan';
import { ControlWatch } from './control-watch';
import type { FrameView } from './frame-view';
import { LoopWatch } from './loop-watch';

export type NotificationView = Extract<FrameView, { kind: 'notification' }>;

/** Laws of coordination that a run is held to. */
export interface CoordinationWatches {
  readonly loops: LoopWatch;
  /** Present only where hosts coordinate, over the transport whose frames observers can read. */
  readonly control: ControlWatch | undefined;
}

export interface WatchOptions {
  readonly plan: NetworkPlan;
  /** Coordination of the hosts; undefined if they do not take part. */
  readonly hosts: CoordinationOptions | undefined;
  readonly framing: string;
  readonly baseRtt: Duration;
  /** Length of the largest frame. */
  readonly frameBytes: Bytes;
  /** Called for each broken law. */
  readonly report: (text: string) => void;
  /** True if all bytes of a flow, by its number, have arrived. */
  readonly isOver: (flow: number) => boolean;
}

export function coordinationWatches(options: WatchOptions): CoordinationWatches {
  const { hosts, report } = options;
  return {
    loops: new LoopWatch(report),
    control: hosts === undefined ? undefined : controlWatch(hosts, options),
  };
}

function controlWatch(hosts: CoordinationOptions, options: WatchOptions): ControlWatch | undefined {
  const { plan, baseRtt, frameBytes, framing, report, isOver } = options;
  if (framing === 'rocev2') return undefined;
  const { holdTime, markTime } = checkCoordination(hosts, baseRtt);
  const isHost = new Set(plan.topology.hosts.map(({ name }) => name));
  const rates = plan.links
    .filter(({ a, b }) => isHost.has(a.node) || isHost.has(b.node))
    .flatMap((link) => bothWays(link))
    .map(({ rate }) => rate);
  const frameTime = serialisationTime(frameBytes, Math.min(...rates));
  return new ControlWatch({ holdTime, markTime, frameTime }, report, isOver);
}

/** True if the notification's code is that of a switch. */
export function hasRightCode(
  keys: SwitchKeys,
  { source, destination, notification, covered }: NotificationView,
): boolean {
  const key = keys.key(notification.keyId, notification.senderNode);
  if (key === undefined) return false;
  const { addressBytes } = notification.source.length === 4 ? IPV4_LAYER : IPV6_LAYER;
  const outer = { source: addressBytes(source), destination: addressBytes(destination) };
  return macsAreEqual(ccmMac(key, { ...outer, hmac: keys.hmac }, covered), notification.mac);
}
