import { assert } from '../../../common/assert';
import type { Packet } from '../../../common/packet/packet';
import type { Duration, Instant } from '../../../common/units/units';
import { PS_PER_NS } from '../../../common/units/units';
import { BTH_TELEMETRY_REQUEST } from '../../../common/wire/roce/bth';
import { CCM_TAG_LENGTH } from '../../../common/wire/coordination/ccm-tag';
import { emitTelemetryRequest } from '../../../common/wire/roce/telemetry-messages';
import { TELEMETRY_REQUEST_LENGTH } from '../../../common/wire/roce/telemetry-messages';
import type {
  CongestionControl,
  CongestionControlFactory,
} from '../../algorithm/congestion-control';
import type { CoordinationEffect } from '../../coordination/flow-coordination';
import type { WindowRecord } from '../../../common/wire/hpcc/feedback-records';
import { NO_TELEMETRY } from '../../carrier/congestion-sample';
import { RemoteWindow } from '../../feedback/remote-window';
import type { CongestionMetrics } from '../../algorithm/congestion-control';
import type { FlowMetrics } from '../../host/agent';
import { FlowSender } from '../../transport/sending/sender';
import { NO_PROBES, TelemetryProbes } from '../../transport/sending/telemetry-probes';
import { CoordinatedPath } from './coordinated-path';
import type { Message, NewMessage, PacketPlace } from './message-log';
import { MessageLog } from './message-log';
import { wirePsn } from '../packets/connection-numbers';
import type { DataPath } from '../packets/peer-frames';
import { roceDataHeaderLength } from '../packets/peer-frames';
import type { QpContext } from './queue-pair';

/** Contents of an acknowledgement or a report, as {@link FlowSender} takes it. */
export type SenderAck = Parameters<FlowSender['handleAck']>[1];

const WORD_MODULUS = 0x1_0000_0000;

/** Form in which a packet of the stream leaves. */
export interface Departure {
  readonly place: PacketPlace;
  /** The peer shall acknowledge at once. */
  readonly ackRequest: boolean;
  readonly intHopLimit: number | undefined;
  /** Undefined unless switches coordinate. */
  readonly path: DataPath | undefined;
  /** Epoch of the window in force, where the receiver computes windows; else 0. */
  readonly windowEpoch: number;
}

export interface StreamOptions {
  /** Infinity: others notice what was lost. */
  readonly retransmissionTimeout: Duration;
  /** True if telemetry is wanted: requests for READ are too few to control. */
  readonly collects: boolean;
}

/**
 * The data that one end of a queue pair sends, under HPCC++: messages in the order in which they were
 * posted, with window, pacing and going back of {@link FlowSender}, and its requests for telemetry.
 */
export class DataStream {
  readonly log: MessageLog;
  readonly #context: QpContext;
  readonly #o: StreamOptions;
  #sender: FlowSender | undefined = undefined;
  #probes: TelemetryProbes | undefined = undefined;
  #coordination: CoordinatedPath | undefined = undefined;
  /** Undefined unless the receiver runs the algorithm. */
  #remote: RemoteWindow | undefined = undefined;
  /** Packets since the last one that asked for an acknowledgement. */
  #unasked = 0;
  /** PSN of the packet that was sent last, without wrap-around. */
  #lastPsn: number;

  constructor(context: QpContext, options: StreamOptions) {
    this.#context = context;
    this.#o = options;
    this.log = new MessageLog(context.config.mss, context.firstPsn);
    this.#lastPsn = context.firstPsn - 1;
  }

  /** Undefined before the first message. */
  get sender(): FlowSender | undefined {
    return this.#sender;
  }

  /** Probes of the stream; undefined if data collects telemetry, and before the first message. */
  get probes(): TelemetryProbes | undefined {
    return this.#probes;
  }

  /** @param psn of the first packet, where others count too. */
  post(now: Instant, message: NewMessage, psn?: number): Message {
    const posted = this.log.append(message, psn);
    if (this.#sender === undefined) this.#sender = this.#newSender(now, posted.units);
    else this.#sender.append(now, posted.units, false);
    return posted;
  }

  /** @param holdsData nothing but requests for telemetry may leave. */
  canSend(now: Instant, holdsData = false): boolean {
    const sender = this.#sender;
    if (sender === undefined) return false;
    return this.#wantsProbe(now) || (!holdsData && sender.canSend(now));
  }

  /** Time to call {@link handleWakeup} after `now`, or Infinity. */
  wakeupAfter(now: Instant): Instant {
    const at = this.#sender?.wakeupAfter(now) ?? Infinity;
    const probeAt = this.#probes?.probeAt(now) ?? Infinity;
    const deadline = this.#coordination?.deadline ?? Infinity;
    // A probe that is due already waits for the interface, not for the time.
    return Math.min(at, deadline, probeAt > now ? probeAt : Infinity);
  }

  handleWakeup(now: Instant): void {
    const sender = this.#sender;
    if (sender === undefined) return;
    sender.handleWakeup(now);
    this.#coordination?.handleWakeup(now, sender);
  }

  /** Returns false, having done nothing, if nothing of this was ever sent. */
  handleAck(now: Instant, ack: SenderAck): boolean {
    const sender = this.#sender;
    const probes = this.#probes;
    const { sample } = ack;
    const ofData = probes === undefined ? this.#asClock(ack) : { ...ack, sample: undefined };
    if (sender?.handleAck(now, ofData) !== true) return false;
    if (sample !== undefined) probes?.handleEcho(now, sample);
    this.#coordination?.moveWhenDrained(now, sender);
    return true;
  }

  /** Acknowledgements are the clock by which a receiver is silent that tells windows of what data brings. */
  #asClock(ack: SenderAck): SenderAck {
    const isClock = this.#remote !== undefined && this.#probes === undefined;
    return isClock && ack.sample === undefined ? { ...ack, sample: NO_TELEMETRY } : ack;
  }

  /** The receiver saw a mark of ECN. Returns false if no data was sent that could be marked. */
  handleMark(now: Instant): boolean {
    const sender = this.#sender;
    if (sender === undefined) return false;
    const { congestionControl } = sender;
    sender.handleControlChange(now, () => congestionControl.onCongestionNotification?.(now));
    const isHeard = congestionControl.onCongestionNotification !== undefined;
    if (this.#coordination === undefined) return isHeard;
    this.#coordination.handleMark(now, sender);
    return true;
  }

  /** The receiver's algorithm has found a window. Returns false if it runs here. */
  handleWindow(now: Instant, record: WindowRecord): boolean {
    const sender = this.#sender;
    if (this.#remote === undefined || record.windowBytes === 0) return false;
    sender?.handleWindow(now, record);
    return true;
  }

  handleCoordination(now: Instant, effect: CoordinationEffect): void {
    const sender = this.#sender;
    if (sender === undefined) return;
    this.#coordination?.handle(now, effect, { sender, isAsked: this.#unasked === 0 });
  }

  /** State of the stream in the terms of the other transport; undefined before the first message. */
  metrics(): FlowMetrics | undefined {
    const sender = this.#sender;
    if (sender === undefined) return undefined;
    const congestion = sender.congestionControl.metrics();
    const { counters: probes = NO_PROBES } = this.#probes ?? {};
    return { congestion, moves: this.#coordination?.moves ?? 0, ...sender.counters, ...probes };
  }

  congestion(): CongestionMetrics | undefined {
    return this.#sender?.congestionControl.metrics();
  }

  /** Nothing more will be sent, so that switches have nothing to say about it. */
  close(): void {
    this.#coordination?.close();
    this.#coordination = undefined;
  }

  /** The message of the next packet, if there is any to send. */
  nextMessage(): Message | undefined {
    const sender = this.#sender;
    if (sender === undefined || sender.nextSequence === sender.totalBytes) return undefined;
    return this.log.at(sender.nextSequence).message;
  }

  /** The frame that leaves now; only if {@link canSend}. */
  emit(now: Instant, write: (departure: Departure) => Packet): Packet {
    const sender = this.#sender;
    assert(sender !== undefined, 'a stream that can send has been posted to');
    if (this.#wantsProbe(now)) return this.#emitProbe(now);
    const { sequence, collects, isRetransmission } = sender.takeSegment(now);
    const place = this.log.at(sequence);
    const { message, index } = place;
    this.#lastPsn = Math.max(this.#lastPsn, message.psn + index);
    const coordination = this.#coordination;
    const path = coordination?.path;
    const isForced = isRetransmission || coordination?.isLeaving === true;
    const isNotified = collects && this.#context.config.feedback.returnBy === 'notification';
    const ackRequest = this.#asksForAck(sender, place, isNotified) || isForced;
    if (ackRequest || isNotified) {
      this.#unasked = 0;
      coordination?.onAsked(now, sender);
    }
    const intHopLimit = collects ? this.#context.config.intHopLimit : undefined;
    const windowEpoch = this.#remote?.epoch ?? 0;
    return write({ place, ackRequest, intHopLimit, path, windowEpoch });
  }

  /**
   * Coalescing is up to the sender, which knows its window: the last packet of a message and the one
   * that fills half of the window ask too, or nothing would come back. A notification acknowledges by
   * itself.
   */
  #asksForAck(sender: FlowSender, { message, index }: PacketPlace, isNotified: boolean): boolean {
    const { feedback, mss } = this.#context.config;
    const isLast = message.kind === 'read' || index === message.packets - 1;
    if (isNotified) return isLast;
    this.#unasked++;
    if (this.#unasked >= feedback.acknowledgeEvery) return true;
    return isLast || 2 * (this.#unasked + 1) * mss > sender.congestionControl.windowBytes;
  }

  #wantsProbe(now: Instant): boolean {
    const probes = this.#probes;
    return probes !== undefined && probes.probeAt(now) <= now;
  }

  #emitProbe(now: Instant): Packet {
    const { frames, config } = this.#context;
    const { intHopLimit } = config;
    const nanoseconds = Math.floor(now / PS_PER_NS);
    const body = new Uint8Array(TELEMETRY_REQUEST_LENGTH);
    const length = roceDataHeaderLength(config.carrier) + body.length;
    const high = Math.floor(nanoseconds / WORD_MODULUS);
    const transmitTime = { high, low: nanoseconds - high * WORD_MODULUS };
    const requestId = this.#probes?.takeProbe(now, length).id;
    assert(requestId !== undefined, 'a request is due only where probes ask');
    const epoch = (this.#remote?.epoch ?? 0) & 0xf;
    emitTelemetryRequest({ epoch, hopsMax: intHopLimit, requestId, transmitTime }, body, 0);
    const psn = wirePsn(this.#lastPsn);
    const path = this.#coordination?.path;
    return frames.emit({ opcode: BTH_TELEMETRY_REQUEST, psn, body, intHopLimit, path });
  }

  #newSender(now: Instant, units: number): FlowSender {
    const { config } = this.#context;
    const { mss, expectedHops, baseRtt, feedback, carrier } = config;
    const { collects } = this.#o;
    const byProbe = feedback.collectBy === 'probe';
    const options = {
      bytes: units,
      isOpen: true,
      startedAt: now,
      congestionControl: this.#newControl(),
      shape: this.log,
    };
    const sender = new FlowSender(options, {
      mss,
      headerLength: roceDataHeaderLength(carrier),
      hopLength: carrier.hopLength,
      expectedHops,
      baseRtt,
      retransmissionTimeout: this.#o.retransmissionTimeout,
      collectEvery: byProbe || !collects ? 0 : feedback.collectEvery,
      samplesPerWindow: feedback.samplesPerWindow,
      needsTelemetry: collects && config.signals.telemetry !== 'none',
      obeysReceiver: feedback.algorithmAt === 'receiver',
      plainSaving: carrier.headerLength - (this.#coordination === undefined ? 0 : CCM_TAG_LENGTH),
    });
    if (byProbe && collects) this.#probes = new TelemetryProbes({ sender }, baseRtt);
    return sender;
  }

  /** Requests for READ have no telemetry, and so no tag: switches do not coordinate them. */
  #newControl(): CongestionControl {
    const { config, newControl } = this.#context;
    if (!this.#o.collects) return newControl();
    const isRemote = config.feedback.algorithmAt === 'receiver';
    const make: CongestionControlFactory = isRemote
      ? (environment) => (this.#remote = new RemoteWindow(environment))
      : config.congestionControl;
    this.#coordination = this.#newCoordination();
    return newControl(this.#coordination?.control(make) ?? make);
  }

  #newCoordination(): CoordinatedPath | undefined {
    const { config, frames, senderId: id } = this.#context;
    const { coordination: host, intHopLimit: maxHops } = config;
    if (host === undefined) return undefined;
    const { destinationAddress, sourcePort } = frames.addressing;
    return new CoordinatedPath({ host, id, destinationAddress, sourcePort, maxHops });
  }
}
