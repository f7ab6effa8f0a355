import { assert } from '../../../common/assert';
import type { Packet } from '../../../common/packet/packet';
import type { Bytes, Duration, Instant, InstantCell } from '../../../common/units/units';
import { AETH_LENGTH } from '../../../common/wire/roce/extended-headers';
import type { TelemetryReader } from '../../carrier/carrier';
import type { CoordinationEffect } from '../../coordination/flow-coordination';
import type { CongestionMetrics } from '../../algorithm/congestion-control';
import type { FlowHold, FlowMetrics } from '../../host/agent';
import { nakText, rnrTime, requestBody } from '../packets/extended-headers';
import { LABEL_ACKNOWLEDGE } from '../control/control-signer';
import type { ControlSigner } from '../control/control-signer';
import type { Departure, SenderAck } from '../queue-pair/data-stream';
import { DataStream } from '../queue-pair/data-stream';
import { extendPsn, wirePsn } from '../packets/connection-numbers';
import type { Message, NewMessage } from '../queue-pair/message-log';
import { rcCode } from '../packets/opcodes';
import { PendingReads } from './pending-reads';
import type { FeedbackOutcome } from '../../host/host-events';
import type { QpContext, QpSender } from '../queue-pair/queue-pair';
import { ReadReception } from './read-reception';
import type { ReceivedPacket } from '../packets/received-packet';
import type { PayloadWriter } from '../queue-pair/roce-config';
import type { TelemetryAnswers } from '../control/telemetry-answers';

type Acknowledge = Extract<ReceivedPacket['content'], { kind: 'acknowledge' }>;

/** Seven retries of "receiver not ready" stand for as many as it takes. */
const RNR_RETRIES_WITHOUT_END = 7;

export interface RequesterOptions {
  readonly context: QpContext;
  readonly signer: ControlSigner;
  readonly answers: TelemetryAnswers;
  /** True if data will be sent, so that telemetry is wanted. */
  readonly collects: boolean;
  /** Writes what the flow sends. */
  readonly payload: PayloadWriter | undefined;
  /** All messages are complete, and no more will follow. */
  readonly onCompleted: (now: Instant) => void;
  readonly onFailed: (now: Instant, reason: string) => void;
}

/**
 * The half of a queue pair that posts operations: sends WRITE, SEND and requests for READ, takes
 * acknowledgements and READ responses.
 *
 *     ready --RNR NAK--> waiting --timer--> ready
 *       |  \--NAK sequence error, timeout--> goes back and stays ready
 *       \--other NAK, too many retries--> failed
 */
export class Requester implements QpSender {
  readonly #o: RequesterOptions;
  readonly #stream: DataStream;
  readonly #reader: TelemetryReader;
  readonly #reads: PendingReads;
  readonly #reception: ReadReception;
  #isClosed = false;
  #hasEnded = false;
  /** Time until which the receiver is not to be tried again. */
  #waitsUntil: Instant | undefined = undefined;
  #retries = 0;
  #rnrRetries = 0;
  #completedBytes: Bytes = 0;

  constructor(options: RequesterOptions) {
    const { context, answers } = options;
    const { retransmissionTimeout, carrier, baseRtt } = context.config;
    this.#o = options;
    this.#reader = carrier.newReader(baseRtt);
    this.#stream = new DataStream(context, { retransmissionTimeout, collects: options.collects });
    this.#reads = new PendingReads(retransmissionTimeout);
    this.#reception = new ReadReception(context, this.#reads, answers);
  }

  get flow(): number {
    return this.#o.context.flow;
  }

  get stream(): DataStream {
    return this.#stream;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isOpen(): boolean {
    return !this.#isClosed && !this.#hasEnded;
  }

  /** `isLast`: the requester completes with this message. */
  post(now: Instant, message: NewMessage, isLast: boolean): void {
    assert(this.isOpen, 'messages are posted to an open queue pair');
    this.#stream.post(now, message);
    this.#isClosed = isLast;
  }

  canSend(now: Instant): boolean {
    if (this.#hasEnded || this.#waitsUntil !== undefined) return false;
    return this.#stream.canSend(now, this.#mustHold());
  }

  writeWakeup(now: Instant, into: InstantCell): void {
    const stream = this.#stream.wakeupAfter(now);
    const at = Math.min(stream, this.#reads.deadline, this.#waitsUntil ?? Infinity);
    into[0] = this.#hasEnded ? Infinity : at;
  }

  handleWakeup(now: Instant): void {
    const { sender } = this.#stream;
    if (this.#hasEnded || sender === undefined) return;
    if (this.#waitsUntil !== undefined && now >= this.#waitsUntil) {
      this.#waitsUntil = undefined;
      sender.resume(now);
    }
    const timeouts = sender.timeouts;
    this.#stream.handleWakeup(now);
    const readTimedOut = this.#reads.hasTimedOut(now);
    if (sender.timeouts === timeouts && !readTimedOut) return;
    this.#retries++;
    const { retryCount } = this.#o.context.config;
    if (this.#retries > retryCount) this.#fail(now, `no answer after ${retryCount} retries`);
    else if (readTimedOut) this.#reception.askAgain(now);
  }

  handleStandstill(duration: Duration): void {
    this.#stream.sender?.handleStandstill(duration);
    this.#reads.handleStandstill(duration);
  }

  emit(now: Instant): Packet {
    return this.#stream.emit(now, (departure) => this.#write(departure));
  }

  handleAcknowledge(
    now: Instant,
    packet: ReceivedPacket,
    { frame, content }: { readonly frame: Packet; readonly content: Acknowledge },
  ): FeedbackOutcome {
    const { bth } = packet;
    const body = this.#o.signer.verify(LABEL_ACKNOWLEDGE, packet, frame);
    if (typeof body === 'string') return body;
    const { sender, log } = this.#stream;
    if (sender === undefined) return 'acknowledges-unsent';
    if (this.#hasEnded) return 'late';
    const { aeth } = content;
    const isNack = aeth.kind !== 'ack';
    const psn = extendPsn(bth.psn, log.pending[0]?.psn ?? log.nextPsn) - (isNack ? 1 : 0);
    const echo = body.subarray(AETH_LENGTH);
    const sample = echo.length === 0 ? undefined : this.#reader.read(echo, 0, echo.length);
    const ackSequence = log.sequenceAfter(psn);
    const isUnsent = psn >= log.nextPsn || !this.#acknowledge(now, { ackSequence, isNack, sample });
    if (isUnsent) return 'acknowledges-unsent';
    if (this.#reads.onAcknowledged(now, psn)) this.#reception.askAgain(now);
    if (aeth.kind === 'nak' && aeth.value !== 0) this.#fail(now, nakText(aeth.value));
    else if (aeth.kind === 'rnr-nak') this.#waitForReceiver(now, aeth.value);
    this.#complete(now);
    return 'taken';
  }

  /** Takes a notification of the target, which acknowledges everything up to its PSN. */
  handleReport(now: Instant, psn24: number, sample: SenderAck['sample']): FeedbackOutcome {
    const { log } = this.#stream;
    const psn = extendPsn(psn24, log.pending[0]?.psn ?? log.nextPsn);
    const isSent = this.#stream.sender !== undefined && psn < log.nextPsn;
    const ack = { ackSequence: log.sequenceAfter(psn), isNack: false, sample };
    if (!isSent || !this.#acknowledge(now, ack)) return 'acknowledges-unsent';
    if (this.#reads.onAcknowledged(now, psn)) this.#reception.askAgain(now);
    this.#complete(now);
    return 'taken';
  }

  /** Returns false for a response to nothing that was asked. */
  handleReadResponse(now: Instant, packet: ReceivedPacket, frame: Packet): boolean {
    const accepted = this.#reception.handle(now, packet, frame);
    if (accepted === 'unrequested') return false;
    if (accepted === 'nothing-new') return true;
    // A response acknowledges its request and all that was sent before it.
    const ackSequence = this.#stream.log.sequenceAfter(accepted.psn);
    this.#acknowledge(now, { ackSequence, isNack: false });
    this.#stream.sender?.notePeerAtWork(now);
    this.#retries = 0;
    this.#complete(now);
    return true;
  }

  congestion(): CongestionMetrics | undefined {
    return this.#stream.congestion();
  }

  metrics(): FlowMetrics | undefined {
    const { log } = this.#stream;
    const metrics = this.#stream.metrics();
    if (metrics === undefined) return undefined;
    const { bytes, repeats } = this.#reception;
    const retransmitted = metrics.segmentsRetransmitted + repeats;
    const [first] = log.pending;
    if (first?.kind === 'read' || bytes > 0) {
      // A READ has fetched these bytes: the progress of the flow is the target's.
      const progress = { acknowledgedBytes: bytes, sentBytesMax: bytes, inflightBytes: 0 };
      return { ...metrics, ...progress, segmentsRetransmitted: retransmitted };
    }
    return metrics;
  }

  get hold(): FlowHold | undefined {
    return this.#stream.sender?.hold;
  }

  handleCoordination(now: Instant, effect: CoordinationEffect): void {
    this.#stream.handleCoordination(now, effect);
  }

  close(): void {
    this.#stream.close();
  }

  get completedBytes(): Bytes {
    return this.#completedBytes;
  }

  /** True if the next READ must wait: only so many may wait for their responses. */
  #mustHold(): boolean {
    if (this.#reads.count < this.#o.context.config.readsOutstanding) return false;
    const next = this.#stream.nextMessage();
    return next?.kind === 'read' && !this.#reads.isPending(next);
  }

  #acknowledge(now: Instant, ack: SenderAck): boolean {
    const { sender } = this.#stream;
    assert(sender !== undefined, 'only what was sent is acknowledged');
    const before = sender.acknowledgedSequence;
    const isTaken = this.#stream.handleAck(now, ack);
    if (sender.acknowledgedSequence > before) this.#retries = this.#rnrRetries = 0;
    return isTaken;
  }

  #waitForReceiver(now: Instant, code: number): void {
    const { rnrRetryCount } = this.#o.context.config;
    this.#rnrRetries++;
    const isBounded = rnrRetryCount < RNR_RETRIES_WITHOUT_END;
    if (isBounded && this.#rnrRetries > rnrRetryCount) {
      this.#fail(now, `receiver not ready after ${rnrRetryCount} retries`);
      return;
    }
    this.#stream.sender?.drain();
    this.#waitsUntil = now + rnrTime(code);
  }

  #complete(now: Instant): void {
    const { sender, log } = this.#stream;
    if (sender === undefined || this.#hasEnded) return;
    const done = log.release(sender.acknowledgedSequence, (message) => this.#isAnswered(message));
    for (const { length } of done) this.#completedBytes += length;
    if (!this.#isClosed || log.pending.length > 0) return;
    this.#hasEnded = true;
    this.#o.onCompleted(now);
  }

  #isAnswered(message: Message): boolean {
    return message.kind !== 'read' || !this.#reads.isPending(message);
  }

  #fail(now: Instant, reason: string): void {
    this.#hasEnded = true;
    this.#o.onFailed(now, reason);
  }

  #write({ place, ackRequest, intHopLimit, path, windowEpoch }: Departure): Packet {
    const { frames, remoteKey, config } = this.#o.context;
    const { message, index, payloadLength } = place;
    const { kind, offset, length, immediate } = message;
    const psn = wirePsn(message.psn + index);
    const memory = { address: offset, remoteKey, length };
    if (kind === 'read') {
      this.#reads.onSent(message);
      return frames.emit({
        opcode: rcCode('read-request', 'only'),
        psn,
        body: requestBody(memory, undefined),
        intHopLimit,
      });
    }
    assert(kind !== 'response', 'the initiator sends no responses');
    const position = place.positionFrom(0);
    const isLast = position === 'last' || position === 'only';
    const hasMemory = kind === 'write' && (position === 'first' || position === 'only');
    const ownImmediate = isLast ? immediate : undefined;
    const sequence = offset + index * config.mss;
    return frames.emit({
      opcode: rcCode(kind, position, ownImmediate !== undefined),
      psn,
      ackRequest,
      body: requestBody(hasMemory ? memory : undefined, ownImmediate),
      payload: { length: payloadLength, stored: this.#stored(sequence, payloadLength) },
      intHopLimit,
      path,
      windowEpoch,
      isTrimmable: config.trimming === true,
    });
  }

  #stored(sequence: number, length: Bytes): Uint8Array | undefined {
    const { payload } = this.#o;
    if (payload === undefined) return undefined;
    const bytes = new Uint8Array(length);
    payload(sequence, bytes);
    return bytes;
  }
}
