import type { Packet } from '../../common/packet/packet';
import type { Duration, Instant, PortNumber } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import { afterIpIn, dscpIn } from '../../common/wire/ip/plain-frame';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { INT_DSCP, readNewestHop } from '../../common/wire/int/int-md';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';
import type {
  TracedHop,
  TracedMoment,
  TracedPacket,
  TracedVerdict,
  WrittenHop,
} from '../result/packet-story';
import { DepartureReasons } from './departure-reasons';
import { flowFrame } from './flow-frame';
import type { FlowFrame } from './flow-frame';
import type { RunObserver } from './run-observer';
import { VerdictTrace } from './verdict-trace';
import type { TraceScene } from './verdict-trace';

export interface TraceWindow {
  readonly from: Instant;
  readonly to: Instant;
  /** Number of the only flow to trace, in the scenario. */
  readonly flow?: number | undefined;
  /** Packets to keep. */
  readonly packetsMax: number;
  /** For how long packets are followed after the window, so that their answers are seen. */
  readonly linger: Duration;
}

/** Telemetry before the window that the first one in it is compared with. */
const LEAD: Duration = 200 * PS_PER_US;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Open = Writable<Omit<TracedPacket, 'hops'>> & { readonly hops: Writable<TracedHop>[] };

/** Follows the packets of a window of time hop by hop, and what algorithms made of their telemetry. */
export class PacketTrace implements RunObserver {
  readonly #window: TraceWindow;
  readonly #scene: TraceScene;
  readonly #packets = new Map<number, Open>();
  readonly #verdicts: VerdictTrace;
  readonly #reasons = new DepartureReasons();
  /** The latest verdict of a flow, until its next data packet is known. */
  readonly #waiting = new Map<number, Open>();
  #now: Instant = 0;
  #omitted = 0;

  constructor(window: TraceWindow, scene: TraceScene) {
    this.#window = window;
    this.#scene = scene;
    this.#verdicts = new VerdictTrace(scene);
  }

  hasSeenEnough(): boolean {
    return this.#now > this.#window.to + this.#window.linger;
  }

  moment(): TracedMoment {
    const { from, to } = this.#window;
    return {
      fromUs: from / PS_PER_US,
      toUs: to / PS_PER_US,
      packets: [...this.#packets.values()],
      omitted: this.#omitted,
    };
  }

  hostSent(host: HostNode, packet: Packet, start: Instant, port: PortNumber): void {
    this.#now = start;
    if (start < this.#window.from - LEAD) return;
    const frame = flowFrame(packet, this.#scene.reading);
    const flow = frame === undefined ? undefined : this.#flowOf(host, frame);
    const metrics = frame?.purpose === 'data' ? host.agent.flowMetrics(frame.flow) : undefined;
    const reason =
      metrics === undefined || frame === undefined
        ? undefined
        : this.#reasons.sent(host, { frame, packet, start, metrics });
    if (start < this.#window.from || start > this.#window.to) return;
    if (packet.id === undefined || !this.#isWanted(flow)) return;
    if (this.#packets.size >= this.#window.packetsMax) {
      this.#omitted++;
      return;
    }
    const opened: Open = {
      id: packet.id,
      purpose: frame?.purpose ?? 'other',
      flow: flow ?? null,
      from: host.name,
      ...(host.portCount > 1 && { fromPort: port }),
      to: frame === undefined ? '' : (this.#scene.hostAt(frame.destination) ?? ''),
      sequence: frame?.sequence ?? null,
      bytes: packet.length,
      sentUs: start / PS_PER_US,
      ...(reason !== undefined && { reason }),
      hops: [],
      receivedUs: null,
    };
    this.#packets.set(packet.id, opened);
    if (opened.purpose === 'data' && flow !== undefined) this.#isNext(flow, opened.id);
  }

  switchReceived(node: SwitchNode, packet: Packet, now: Instant): void {
    const traced = this.#known(packet);
    const hop = { node: node.name, arrivedUs: now / PS_PER_US };
    traced?.hops.push({ ...hop, leftUs: null, port: null, wrote: null });
  }

  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void {
    const hop = this.#known(packet)?.hops.findLast((each) => each.node === node.name);
    if (hop === undefined || hop.leftUs !== null) return;
    hop.leftUs = start / PS_PER_US;
    hop.port = port;
    hop.wrote = writtenHop(packet, this.#scene.nodeId(node.name));
  }

  hostReceived(host: HostNode, packet: Packet, now: Instant, port: PortNumber): void {
    this.#now = now;
    const traced = this.#known(packet);
    if (traced !== undefined) {
      traced.receivedUs = now / PS_PER_US;
      if (host.portCount > 1) traced.toPort = port;
    }
    if (now < this.#window.from - LEAD) return;
    const frame = flowFrame(packet, this.#scene.reading);
    if (frame?.sample === undefined) return;
    this.#verdicts.before(host, frame);
  }

  hostHandled(host: HostNode, packet: Packet, now: Instant): void {
    if (now < this.#window.from - LEAD) return;
    const frame = flowFrame(packet, this.#scene.reading);
    if (frame?.sample === undefined) return;
    const verdict = this.#verdicts.after(host, frame, now);
    if (verdict === undefined) return;
    this.#reasons.learnt(host, frame.flow, { ...verdict, now });
    const traced = this.#known(packet);
    if (traced === undefined) return;
    const of = this.#answered(traced, frame);
    const told: TracedVerdict = { ...verdict, of, next: null };
    traced.verdict = told;
    // A window of the receiver is still on its way when the sender's next packet leaves.
    const isHere = this.#scene.reading.controlsAtReceiver !== true;
    if (isHere && traced.flow !== null) this.#waiting.set(traced.flow, traced);
  }

  #known({ id }: Packet): Open | undefined {
    return id === undefined ? undefined : this.#packets.get(id);
  }

  #flowOf(host: HostNode, { purpose, flow, destination }: FlowFrame): number | undefined {
    const isForward = purpose === 'data' || purpose === 'probe';
    return this.#scene.flowNumber(isForward ? host.name : this.#scene.hostAt(destination), flow);
  }

  #isWanted(flow: number | undefined): boolean {
    return this.#window.flow === undefined || this.#window.flow === flow;
  }

  /** The data packet whose telemetry an acknowledgement echoes: the latest one before its sequence. */
  #answered({ flow }: Open, { sequence, sample }: FlowFrame): number | null {
    const telemetry = sample?.kind === 'links' ? sample.telemetry : [];
    const last = telemetry.at(-1);
    const found = [...this.#packets.values()].findLast(
      (each) =>
        each.flow === flow &&
        each.purpose !== 'acknowledgement' &&
        (last === undefined
          ? each.purpose === 'data' && (each.sequence ?? 0) < sequence
          : each.hops.at(-1)?.wrote?.timestampNs === last.timestamp),
    );
    return found?.id ?? null;
  }

  #isNext(flow: number, id: number): void {
    const told = this.#waiting.get(flow);
    this.#waiting.delete(flow);
    if (told?.verdict !== undefined) told.verdict = { ...told.verdict, next: id };
  }
}

/** The block that this switch pushed, if it did: the newest one comes first. */
function writtenHop({ bytes }: Packet, nodeId: number | undefined): WrittenHop | null {
  if (dscpIn(bytes) !== INT_DSCP) return null;
  const hop = readNewestHop(bytes, afterIpIn(bytes) + UDP_LENGTH);
  if (hop === undefined || hop.switchId !== nodeId) return null;
  return {
    switchId: hop.switchId,
    portId: hop.portId,
    timestampNs: hop.timestamp,
    txBytes: hop.txBytes,
    queueBytes: hop.queueBytes,
    capacityGbps: hop.capacity / 1e9,
  };
}
