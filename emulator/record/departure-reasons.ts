import type { Packet } from '../../common/packet/packet';
import type { Instant } from '../../common/units/units';
import { PS_PER_US, serialisationTime } from '../../common/units/units';
import type { FlowMetrics } from '../../host-agent/host/agent';
import type { HostNode } from '../node/host-node';
import type { ControlState } from '../result/packet-story';
import type { FlowFrame } from './flow-frame';

interface Departure {
  readonly frame: FlowFrame;
  readonly packet: Packet;
  readonly start: Instant;
  /** Metrics after the packet was taken. */
  readonly metrics: FlowMetrics;
}

interface FlowPast {
  start: Instant;
  bytes: number;
  sentBytesMax: number;
  /** When an acknowledgement opened a window that had been closed. */
  openedAt: Instant;
}

/** Why each data packet left when it did: what held it back until then. */
export class DepartureReasons {
  readonly #flows = new Map<string, FlowPast>();
  /** End of what each host sent last. */
  readonly #busyUntil = new Map<HostNode, Instant>();

  sent(host: HostNode, departure: Departure): string {
    const { frame, packet, start, metrics } = departure;
    const key = `${host.name} ${frame.flow}`;
    const past = this.#flows.get(key);
    const reason = past === undefined ? 'nothing held it back' : this.#why(host, departure, past);
    this.#flows.set(key, {
      start,
      bytes: packet.length,
      sentBytesMax: metrics.sentBytesMax,
      openedAt: past?.openedAt ?? -1,
    });
    this.#busyUntil.set(host, start + serialisationTime(packet.length, host.linkRate));
    return reason;
  }

  /** An acknowledgement has changed what the flow may do. */
  learnt(
    host: HostNode,
    flow: number,
    told: { readonly before: ControlState; readonly after: ControlState; readonly now: Instant },
  ): void {
    const past = this.#flows.get(`${host.name} ${flow}`);
    if (past !== undefined && !isOpen(told.before) && isOpen(told.after)) past.openedAt = told.now;
  }

  #why(host: HostNode, { frame, start, metrics }: Departure, past: FlowPast): string {
    const gap = start - past.start;
    const { pacingRate, windowBytes } = metrics.congestion;
    const rate = `${digits(pacingRate / 1e9)} Gb/s`;
    const since = `${digits(gap / PS_PER_US)} us after the one before`;
    if (frame.sequence < past.sentBytesMax) return `it was sent again: lost, or thought to be`;
    if (past.openedAt > past.start && start - past.openedAt < gap / 100 + 1) {
      return `the window: an acknowledgement had just brought bytes in flight below W = ${digits(windowBytes)} B`;
    }
    const spacing = serialisationTime(past.bytes, pacingRate);
    if (gap <= serialisationTime(past.bytes, host.linkRate) * 1.01) {
      return `the interface: the packet before had just left it, at the rate of the link`;
    }
    if ((this.#busyUntil.get(host) ?? -1) === start && gap > spacing * 1.5) {
      return `the interface: it was busy with other flows, ${since}`;
    }
    return `pacing: ${past.bytes} B and their telemetry at R = ${rate} take that long, ${since}`;
  }
}

const isOpen = ({ inflightBytes, windowBytes }: ControlState): boolean =>
  inflightBytes === null || inflightBytes === 0 || inflightBytes < windowBytes;

const digits = (value: number): string => String(Number(value.toPrecision(4)));
