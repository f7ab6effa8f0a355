import type { Packet } from '../../common/packet/packet';
import { PS_PER_US, serialisationTime } from '../../common/units/units';
import type { BitsPerSecond, Bytes, Duration, Instant, PortNumber } from '../../common/units/units';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';
import type { RecordedFlow } from '../record/recorder';
import type { RunObserver } from '../record/run-observer';
import type { FlowCauses } from '../result/flow-causes';
import { CauseSums } from './cause-sums';
import { flowPacket } from './flow-frames';
import type { FlowFramesScene, FlowPacket } from './flow-frames';
import { Journey } from './journey';
import { NicTransmissions } from './nic-transmissions';
import { PathUse } from './path-use';
import { clipped } from './piece';
import type { Piece } from './piece';
import { ReadRequest } from './read-request';
import { SenderTime } from './sender-time';
import { Transmissions } from './transmissions';

/** The flow that is looked at. */
export interface CausedFlow extends RecordedFlow {
  readonly source: string;
  readonly idealTime: Duration;
}

export interface CauseScene extends FlowFramesScene {
  readonly flow: CausedFlow;
  /** Rate of the slowest link of its path. */
  readonly slowest: BitsPerSecond;
  readonly baseRtt: Duration;
  /** True if the receiver begins the flow, and has it when the last data has come (READ). */
  readonly isRead: boolean;
  /** True if ports may be paused. */
  readonly hasPauses: boolean;
  /** True if nobody needs more of the run than this. */
  readonly endsRun: boolean;
}

/** A switch that has packets of the flow, with what its ports have sent since the first of them came. */
interface WatchedSwitch {
  readonly ports: Map<PortNumber, Transmissions>;
  /** When each packet of the flow came that is inside, by its id. */
  readonly inside: Map<number, Instant>;
}

/** An arrival of data at the receiver that no feedback has answered. */
interface Arrival {
  readonly data: Journey;
  /** Bytes of the flow that had been delivered then. */
  readonly delivered: Bytes;
}

/**
 * Follows one flow through a run, and divides its completion time by cause. Backwards from the last
 * acknowledgement, each instant has been spent on one thing: the way of that acknowledgement, what its
 * receiver did, the way of the data that it answers, and before that the sender, packet by packet. So the
 * parts are all of the time, whatever the network does. A flow by READ ends with the arrival of its last
 * data, and begins with the way of the request.
 */
export class CauseObserver implements RunObserver {
  readonly #o: CauseScene;
  readonly #path: PathUse;
  /** Packets that the interfaces of both hosts have sent of late. */
  readonly #sendingNic = new NicTransmissions();
  readonly #receivingNic = new NicTransmissions();
  readonly #sender: SenderTime;
  /** Flow of each packet on its way; null: none. */
  readonly #flowOf = new Map<number, number | null>();
  /** Packets of the flow that are on their way. */
  readonly #travelling = new Map<number, Journey>();
  readonly #switches = new Map<SwitchNode, WatchedSwitch>();
  #arrivals: Arrival[] = [];
  #answered: Journey | undefined;
  #handling: Journey | undefined;
  #lastFeedback: Journey | undefined;
  readonly #request: ReadRequest | undefined;
  /** The last data that has delivered something, and what had been delivered then. */
  #lastData: Arrival | undefined;
  #retransmitted = 0;
  #startsAt: Instant | undefined;
  #found: FlowCauses | undefined;

  constructor(scene: CauseScene) {
    this.#o = scene;
    this.#path = new PathUse(scene.baseRtt);
    const { flow, slowest, hasPauses, isRead } = scene;
    if (isRead) this.#request = new ReadRequest(flow.receiver.name, this.#receivingNic);
    const host = flow.sender.name;
    this.#sender = new SenderTime({
      host,
      flow: flow.number,
      startsAt: () => this.#request?.arrivedAt ?? this.#startsAt ?? flow.startsAt,
      slowest,
      nic: this.#sendingNic,
      hasPauses,
      explain: (own, from, to) => this.#path.explain(own, host, from, to),
    });
  }

  /** Undefined unless the flow has completed. */
  get causes(): FlowCauses | undefined {
    return this.#found;
  }

  hasSeenEnough(): boolean {
    return this.#o.endsRun && this.#found !== undefined;
  }

  flowBegan(now: Instant, flow: number): void {
    if (flow === this.#o.flow.number) this.#startsAt = now;
  }

  hostSent(host: HostNode, packet: Packet, start: Instant, port: PortNumber): void {
    const { flow } = this.#o;
    const read = flowPacket(host.name, packet, this.#o);
    const number = read?.flow ?? null;
    if (packet.id !== undefined) this.#flowOf.set(packet.id, number);
    const isSender = host === flow.sender;
    if (!isSender && host !== flow.receiver) return;
    const end = start + serialisationTime(packet.length, host.linkRate);
    const nic = isSender ? this.#sendingNic : this.#receivingNic;
    if (read !== undefined && number === flow.number && this.#isRunning) {
      nic.leavesAt(port);
      this.#ownSent(host, packet, { start, read });
    }
    if (!this.#isRunning) nic.forgetBefore(start);
    nic.add(port, { start, end, flow: number });
    if (isSender && this.#isRunning) this.#sender.sample(start, host.agent.flowHold(flow.id));
  }

  switchReceived(node: SwitchNode, packet: Packet, now: Instant): void {
    const own = this.#own(packet);
    if (own === undefined) return;
    own.arrive(now);
    const watched = this.#watched(node);
    watched.inside.set(packet.id as number, now);
  }

  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void {
    const channel = node.channel(port);
    if (channel === undefined) return;
    const number = packet.id === undefined ? null : (this.#flowOf.get(packet.id) ?? null);
    const isOwnFlow = number === this.#o.flow.number;
    const own = this.#own(packet);
    const watched = this.#watched(node);
    const sent = watched.ports.get(port) ?? new Transmissions();
    watched.ports.set(port, sent);
    const arrivedAt = own && watched.inside.get(packet.id as number);
    if (own !== undefined && arrivedAt !== undefined) {
      own.wait(
        this.#waited(sent, { from: arrivedAt, to: start }, { at: channel.name, way: own.way }),
      );
      own.leave(start, { bytes: packet.length, rate: channel.rate, name: channel.name });
      watched.inside.delete(packet.id as number);
      if (own.way === 'data') this.#path.add(node, port, start);
    }
    if (watched.inside.size === 0) sent.forgetBefore(start);
    sent.add({ start, end: start + serialisationTime(packet.length, channel.rate), flow: number });
    const other = isOwnFlow ? undefined : number;
    this.#path.sent(node, port, { start, bytes: packet.length, other });
  }

  hostReceived(host: HostNode, packet: Packet, now: Instant): void {
    if (packet.id !== undefined) this.#flowOf.delete(packet.id);
    const own = this.#own(packet);
    this.#handling = own;
    if (own === undefined) return;
    this.#travelling.delete(packet.id as number);
    own.arrive(now);
    own.receivedAt = now;
    if (host === this.#o.flow.sender && own.way === 'acknowledgement') this.#lastFeedback = own;
  }

  hostHandled(host: HostNode, _packet: Packet, now: Instant): void {
    const { flow } = this.#o;
    const own = this.#handling;
    if (host === flow.receiver && own?.way === 'data') {
      const arrival = { data: own, delivered: flow.deliveredBytes };
      this.#arrivals.push(arrival);
      if (arrival.delivered > (this.#lastData?.delivered ?? 0)) this.#lastData = arrival;
    }
    if (host !== flow.sender || !this.#isRunning) return;
    if (own?.way === 'request') this.#request?.arrived(own, now);
    this.#sender.sample(now, host.agent.flowHold(flow.id), own);
  }

  flowCompleted(at: Instant, number: number): void {
    if (number !== this.#o.flow.number) return;
    const { flow } = this.#o;
    const from = this.#startsAt ?? flow.startsAt;
    const sums = new CauseSums(from, at);
    let reached = from;
    for (const piece of clipped(this.#critical(), from, at)) {
      if (piece.from > reached) sums.add({ cause: 'other', from: reached, to: piece.from });
      for (const part of clipped([piece], Math.max(reached, from), at)) sums.add(part);
      reached = Math.max(reached, piece.to);
    }
    if (reached < at) sums.add({ cause: 'other', from: reached, to: at });
    this.#found = {
      flow: number,
      source: flow.source,
      destination: flow.destination,
      startUs: from / PS_PER_US,
      fctUs: (at - from) / PS_PER_US,
      idealFctUs: flow.idealTime / PS_PER_US,
      slowdown: (at - from) / flow.idealTime,
      parts: sums.parts(),
    };
  }

  #watched(node: SwitchNode): WatchedSwitch {
    const watched: WatchedSwitch = this.#switches.get(node) ?? {
      ports: new Map(),
      inside: new Map(),
    };
    this.#switches.set(node, watched);
    return watched;
  }

  get #isRunning(): boolean {
    return this.#startsAt !== undefined && this.#found === undefined;
  }

  #own({ id }: Packet): Journey | undefined {
    return id === undefined ? undefined : this.#travelling.get(id);
  }

  /** A packet of the flow leaves one of its hosts. */
  #ownSent(
    host: HostNode,
    packet: Packet,
    { start, read }: { readonly start: Instant; readonly read: FlowPacket },
  ): void {
    const { flow } = this.#o;
    const isForward = read.purpose === 'data' || read.purpose === 'probe';
    if (packet.id === undefined || (host === flow.sender) !== isForward) return;
    const journey =
      read.purpose === 'request'
        ? this.#request?.sent(start, this.#startsAt ?? flow.startsAt)
        : new Journey(isForward ? 'data' : 'acknowledgement', start);
    if (journey === undefined) return;
    journey.leave(start, { bytes: packet.length, rate: host.linkRate, name: host.name });
    this.#travelling.set(packet.id, journey);
    if (journey.way === 'request') return;
    if (!isForward) {
      journey.trigger = this.#triggerOf(read.acknowledges, start);
      return;
    }
    if (read.purpose !== 'data') return;
    const { segmentsRetransmitted = 0 } = host.agent.flowMetrics(flow.id) ?? {};
    this.#sender.depart(start, packet.length, segmentsRetransmitted > this.#retransmitted);
    this.#retransmitted = segmentsRetransmitted;
    this.#sendingNic.forgetBefore(start);
  }

  /** The data that feedback answers: the first whose arrival has delivered what it acknowledges. */
  #triggerOf(acknowledges: number | undefined, sentAt: Instant): Journey['trigger'] {
    const enough = this.#arrivals.findIndex(
      ({ delivered }) => acknowledges !== undefined && delivered >= acknowledges,
    );
    const index = enough < 0 ? this.#arrivals.length - 1 : enough;
    const data = this.#arrivals[index]?.data ?? this.#answered;
    if (data?.receivedAt === undefined) return undefined;
    this.#arrivals = this.#arrivals.slice(index + 1);
    this.#answered = data;
    const { receiver, number } = this.#o.flow;
    const pieces = this.#receivingNic.between(data.receivedAt, sentAt).map(({ flow, ...span }) => ({
      cause: 'receiver' as const,
      ...span,
      at: receiver.name,
      ...(flow !== undefined &&
        flow !== number && { others: new Map([[flow, span.to - span.from]]) }),
    }));
    this.#receivingNic.forgetBefore(this.#arrivals[0]?.data.receivedAt ?? sentAt);
    return { data, pieces };
  }

  /** The wait of a packet of the flow in a switch, by what its port sent. */
  #waited(
    sent: Transmissions,
    { from, to }: { readonly from: Instant; readonly to: Instant },
    place: Pick<Piece, 'at' | 'way'>,
  ): Piece[] {
    return sent.between(from, to).map(({ flow, ...span }): Piece => {
      if (flow === undefined)
        return { cause: this.#o.hasPauses ? 'pause' : 'other', ...span, ...place };
      if (flow === this.#o.flow.number) {
        return { cause: 'serialisation', ...span, ...place, isBacklog: true };
      }
      return { cause: 'queue', ...span, ...place, others: new Map([[flow, span.to - span.from]]) };
    });
  }

  /** The pieces that the completion of the flow had to wait for, in order. */
  #critical(): readonly Piece[] {
    if (this.#request !== undefined) return this.#criticalOfRead(this.#request);
    const feedback = this.#lastFeedback;
    const { trigger } = feedback ?? {};
    if (feedback === undefined || trigger === undefined) return this.#sender.pieces;
    return [
      ...clipped(this.#sender.pieces, 0, trigger.data.sentAt),
      ...trigger.data.pieces,
      ...trigger.pieces,
      ...feedback.pieces,
    ];
  }
  #criticalOfRead({ pieces }: ReadRequest): readonly Piece[] {
    const { data } = this.#lastData ?? {};
    if (data === undefined) return [...pieces, ...this.#sender.pieces];
    return [...pieces, ...clipped(this.#sender.pieces, 0, data.sentAt), ...data.pieces];
  }
}
