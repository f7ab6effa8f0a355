import type { Packet } from '../../../common/packet/packet';
import type { Bytes, Duration, Instant, InstantCell } from '../../../common/units/units';
import type { CoordinationEffect } from '../../coordination/flow-coordination';
import type { CongestionMetrics } from '../../algorithm/congestion-control';
import type { FlowHold, FlowMetrics } from '../../host/agent';
import type { FlowSender } from '../../transport/sending/sender';
import { ackAeth, aethBody } from '../packets/extended-headers';
import type { ControlSigner } from '../control/control-signer';
import type { Departure, SenderAck } from '../queue-pair/data-stream';
import { DataStream } from '../queue-pair/data-stream';
import { extendPsn, wirePsn } from '../packets/connection-numbers';
import type { GrantedMemory } from './memory-region';
import type { Message } from '../queue-pair/message-log';
import { rcCode } from '../packets/opcodes';
import type { FeedbackOutcome } from '../../host/host-events';
import type { QpContext, QpSender } from '../queue-pair/queue-pair';
import type { PayloadWriter } from '../queue-pair/roce-config';

export interface ReadServerOptions {
  readonly context: QpContext;
  readonly signer: ControlSigner;
  readonly payload: PayloadWriter | undefined;
  /** Message sequence number to put into responses. */
  readonly msn: () => number;
  /** All responses have left at least once, so that later answers may follow. */
  readonly onServed: (now: Instant) => void;
}

/**
 * Sends what the other end READs, under HPCC++. READ responses have no acknowledgements in InfiniBand,
 * so the initiator reports what has arrived (telemetry responses without request), which opens the
 * window and brings telemetry. What was lost is sent again when the initiator asks again.
 *
 * A report that was lost would leave the window closed, so what nobody reports is sent again too, and
 * forgotten after some retries. What is asked for after that is executed anew.
 */
export class ReadServer implements QpSender {
  readonly #o: ReadServerOptions;
  #stream: DataStream;
  /** Index of the first packet of a message, after it was asked for again. */
  readonly #firstPackets = new Map<Message, number>();
  /** PSN behind the responses that have left, and behind all that were asked for. */
  #servedPsn = -Infinity;
  #endPsn = -Infinity;
  #retries = 0;

  constructor(options: ReadServerOptions) {
    this.#o = options;
    this.#stream = this.#newStream();
  }

  get flow(): number {
    return this.#o.context.flow;
  }

  get stream(): DataStream {
    return this.#stream;
  }

  /** READ operations that are not answered whole. */
  get unserved(): number {
    return this.#stream.log.pending.filter(({ psn, packets }) => psn + packets > this.#servedPsn)
      .length;
  }

  post(now: Instant, { offset, length }: GrantedMemory, psn: number): void {
    this.#stream.post(now, { kind: 'response', offset, length }, psn);
    this.#endPsn = Math.max(this.#endPsn, this.#stream.log.nextPsn);
  }

  /**
   * The initiator asks again, from `psn` on. It asks for the first READ that it misses something of:
   * what lies before has arrived, unless an earlier READ is unreported too.
   */
  askedAgain(now: Instant, psn: number, memory: GrantedMemory): void {
    const { sender, log } = this.#stream;
    const message = log.containing(psn);
    if (sender === undefined || message === undefined) {
      // An old request that the network has repeated: a report will say that all has arrived.
      if (log.pending.length === 0) this.post(now, memory, psn);
      return;
    }
    const sequence = log.sequenceAfter(psn - 1);
    const isSent = sequence < sender.nextSequence;
    if (!isSent || sequence < sender.acknowledgedSequence) return;
    const isFirst = log.pending[0] === message;
    const ackSequence = isFirst ? sequence : sender.acknowledgedSequence;
    if (isFirst) this.#firstPackets.set(message, psn - message.psn);
    this.#retries = 0;
    this.#stream.handleAck(now, { ackSequence, isNack: true });
  }

  /** Takes a report of progress that the initiator sends by itself. */
  handleReport(now: Instant, psn24: number, sample: SenderAck['sample']): FeedbackOutcome {
    const { sender, log } = this.#stream;
    if (sender === undefined) return 'late';
    const psn = extendPsn(psn24, log.pending[0]?.psn ?? log.nextPsn);
    if (psn >= this.#endPsn) return 'acknowledges-unsent';
    // Responses that arrived at an earlier execution are reported before they have left in this one.
    const ackSequence = Math.min(log.sequenceAfter(psn), sender.nextSequence);
    if (ackSequence > sender.acknowledgedSequence) this.#retries = 0;
    this.#stream.handleAck(now, { ackSequence, isNack: false, sample });
    this.#release(sender);
    return 'taken';
  }

  canSend(now: Instant): boolean {
    return this.#stream.canSend(now);
  }

  writeWakeup(now: Instant, into: InstantCell): void {
    into[0] = this.#stream.wakeupAfter(now);
  }

  handleWakeup(now: Instant): void {
    const { sender } = this.#stream;
    if (sender === undefined) return;
    const timeouts = sender.timeouts;
    this.#stream.handleWakeup(now);
    if (sender.timeouts === timeouts) return;
    this.#retries++;
    if (this.#retries > this.#o.context.config.retryCount) this.#forget(now);
  }

  handleStandstill(duration: Duration): void {
    this.#stream.sender?.handleStandstill(duration);
  }

  emit(now: Instant): Packet {
    return this.#stream.emit(now, (departure) => this.#write(now, departure));
  }

  congestion(): CongestionMetrics | undefined {
    return this.#stream.congestion();
  }

  metrics(): FlowMetrics | undefined {
    return this.#stream.metrics();
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

  /** Messages that are reported whole need not be kept. */
  #release(sender: FlowSender): void {
    for (const message of this.#stream.log.release(sender.acknowledgedSequence)) {
      this.#firstPackets.delete(message);
    }
  }

  /** The initiator has gone, or has all that it wants. */
  #forget(now: Instant): void {
    this.#stream.close();
    this.#stream = this.#newStream();
    this.#firstPackets.clear();
    this.#retries = 0;
    this.#o.onServed(now);
  }

  #newStream(): DataStream {
    const { context } = this.#o;
    const { retransmissionTimeout } = context.config;
    return new DataStream(context, { retransmissionTimeout, collects: true });
  }

  #write(now: Instant, { place, ackRequest, intHopLimit, path, windowEpoch }: Departure): Packet {
    const { context, msn } = this.#o;
    const { message, index, payloadLength } = place;
    const first = this.#firstPackets.get(message) ?? 0;
    // Packets before the one that was asked for again have been sent in their old place.
    const position = place.positionFrom(Math.min(first, index));
    const psn = message.psn + index;
    const isLast = index === message.packets - 1;
    const body = position === 'middle' ? NO_BODY : aethBody(ackAeth(msn()));
    const sequence = message.offset + index * context.config.mss;
    const packet = context.frames.emit({
      opcode: rcCode('read-response', position),
      psn: wirePsn(psn),
      ackRequest,
      body,
      payload: { length: payloadLength, stored: this.#stored(sequence, payloadLength) },
      intHopLimit,
      path,
      windowEpoch,
    });
    this.#servedPsn = Math.max(this.#servedPsn, psn + 1);
    if (isLast && this.unserved === 0) this.#o.onServed(now);
    return packet;
  }

  #stored(sequence: number, length: Bytes): Uint8Array | undefined {
    const { payload } = this.#o;
    if (payload === undefined) return undefined;
    const bytes = new Uint8Array(length);
    payload(sequence, bytes);
    return bytes;
  }
}

const NO_BODY = new Uint8Array(0);
