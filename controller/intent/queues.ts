import type { Attachment } from '../../common/topology/topology';
import type { SwitchSpec } from '../document/network';
import type { PortDocument } from '../document/schema';

/** Rate and depth of a queue; a value that is absent stays as it is. */
export interface QueueSetting {
  readonly port: number;
  /** One of a port's several queues; all of them when absent. */
  readonly priority?: number;
  readonly packetsPerSecond?: number;
  readonly depthPackets?: number;
}

/**
 * The queues of a switch, by port: each is emptied at the rate of its link, the same that
 * telemetry reports, counted in packets of the switch's packet size.
 */
export function queueSettings(spec: SwitchSpec, ports: readonly Attachment[]): QueueSetting[] {
  const { document, packetBytes } = spec;
  return ports.flatMap(({ port, link }) => {
    const own = document.ports.find((each) => each.port === port);
    const enforced = own?.enforceRate ?? document.queues?.enforceRate ?? true;
    const rate = enforced ? packetsPerSecond(link.rate, packetBytes) : undefined;
    const depth = own?.depthPackets ?? document.queues?.depthPackets;
    const whole = setting(port, rate, depth);
    return [...(whole === undefined ? [] : [whole]), ...prioritySettings(own, rate)];
  });
}

/** Packets of `packetBytes` that a link of `rate` carries in a second, at least one. */
function packetsPerSecond(rate: number, packetBytes: number): number {
  return Math.max(1, Math.round(rate / (8 * packetBytes)));
}

function setting(
  port: number,
  rate: number | undefined,
  depth: number | undefined,
): QueueSetting | undefined {
  if (rate === undefined && depth === undefined) return undefined;
  return {
    port,
    ...(rate !== undefined && { packetsPerSecond: rate }),
    ...(depth !== undefined && { depthPackets: depth }),
  };
}

/** Several queues of a port, which share its link. */
function prioritySettings(
  port: PortDocument | undefined,
  rate: number | undefined,
): readonly QueueSetting[] {
  return (port?.priorities ?? []).flatMap(({ priority, share, depthPackets }) => {
    const own = share === undefined || rate === undefined ? undefined : share * rate;
    const found = setting(port?.port ?? 0, own && Math.max(1, Math.round(own)), depthPackets);
    return found === undefined ? [] : [{ ...found, priority }];
  });
}
