import type { Packet } from '../../../common/packet/packet';
import type { Bytes, Instant } from '../../../common/units/units';
import { extendPsn, wirePsn } from '../packets/connection-numbers';
import { rcCode } from '../packets/opcodes';
import type { Message } from '../queue-pair/message-log';
import type { PendingReads } from './pending-reads';
import type { QpContext } from '../queue-pair/queue-pair';
import type { ReceivedPacket } from '../packets/received-packet';
import { payloadOf } from '../packets/received-packet';
import { requestBody } from '../packets/extended-headers';
import type { TelemetryAnswers } from '../control/telemetry-answers';
import { telemetryOf } from '../control/telemetry-answers';

/** Outcome of a response; `psn` has no wrap-around. */
export type ReceptionOutcome = { readonly psn: number } | 'nothing-new' | 'unrequested';

/** A response that is reported where that is asked for, or where its telemetry is worth it. */
interface Arrival {
  readonly packet: ReceivedPacket;
  readonly frame: Packet;
  readonly isAsked?: boolean;
  /** It has shown a gap. */
  readonly isUrgent?: boolean;
}

/** Takes READ responses, reports them to their sender, and asks for what is missing. */
export class ReadReception {
  readonly #context: QpContext;
  readonly #reads: PendingReads;
  readonly #answers: TelemetryAnswers;
  #bytes: Bytes = 0;
  /** PSN of the last response that was new, without wrap-around. */
  #lastPsn: number | undefined = undefined;
  #repeats = 0;

  constructor(context: QpContext, reads: PendingReads, answers: TelemetryAnswers) {
    this.#context = context;
    this.#reads = reads;
    this.#answers = answers;
  }

  /** Bytes that have been read so far. */
  get bytes(): Bytes {
    return this.#bytes;
  }

  /** Number of requests that were repeated. */
  get repeats(): number {
    return this.#repeats;
  }

  handle(now: Instant, packet: ReceivedPacket, frame: Packet): ReceptionOutcome {
    const { content, bth } = packet;
    const expected = this.#reads.expectedPsn;
    if (content.kind !== 'read-response') return 'unrequested';
    if (expected === undefined) return this.#handleLate(now, packet, frame);
    const psn = extendPsn(bth.psn, expected);
    if (psn === expected && !this.#fits(packet, psn)) return 'nothing-new';
    const verdict = this.#reads.accept(now, psn);
    switch (verdict.kind) {
      case 'unrequested':
        return 'unrequested';
      case 'beyond':
        this.#report(now, expected - 1, { packet, frame, isUrgent: verdict.asksAgain });
        if (verdict.asksAgain) this.askAgain(now);
        return 'nothing-new';
      case 'again':
        // The report may have been lost.
        this.#report(now, expected - 1, { packet, frame, isAsked: bth.ackRequest });
        return 'nothing-new';
      case 'next':
        this.#take(now, verdict, { packet, frame, psn });
        return { psn };
    }
  }

  /** Asks for the rest of the READ that something is missing of. */
  askAgain(now: Instant): void {
    const rest = this.#reads.takeRest(now);
    if (rest === undefined) return;
    this.#repeats++;
    const { frames, config, remoteKey, answer } = this.#context;
    const { message, done } = rest;
    const skipped = done * config.mss;
    const length = message.length - skipped;
    const memory = { address: message.offset + skipped, remoteKey, length };
    const opcode = rcCode('read-request', 'only');
    const psn = wirePsn(message.psn + done);
    answer(frames.emit({ opcode, psn, body: requestBody(memory, undefined) }));
  }

  #report(now: Instant, psn: number, arrived: Arrival): void {
    const { packet, frame, isAsked = false, isUrgent = false } = arrived;
    const epochBits = packet.bth.windowEpoch;
    const telemetry = telemetryOf(packet, frame);
    this.#answers.report(now, psn, { telemetry, epochBits, isAsked, isUrgent });
  }

  /** All has arrived, which the target seems not to have heard. */
  #handleLate(now: Instant, packet: ReceivedPacket, frame: Packet): ReceptionOutcome {
    const last = this.#lastPsn;
    if (last === undefined || extendPsn(packet.bth.psn, last) > last) return 'unrequested';
    this.#report(now, last, { packet, frame, isAsked: packet.bth.ackRequest });
    return 'nothing-new';
  }

  #take(
    now: Instant,
    { message, index }: { readonly message: Message; readonly index: number },
    { packet, frame, psn }: { packet: ReceivedPacket; frame: Packet; psn: number },
  ): void {
    const { deliver, config } = this.#context;
    const payload = payloadOf(packet, frame);
    this.#bytes += payload.length;
    this.#lastPsn = psn;
    if (payload.length > 0) deliver({ offset: message.offset + index * config.mss, ...payload });
    const isLast = index === message.packets - 1;
    const isAsked = isLast || packet.bth.ackRequest;
    this.#report(now, psn, { packet, frame, isAsked });
  }

  /**
   * True if a response has the length that its place requires. Its position in the message is not checked,
   * but for the end: packets that are sent again begin with a first packet.
   */
  #fits({ content }: ReceivedPacket, psn: number): boolean {
    const message = this.#reads.first;
    if (content.kind !== 'read-response' || message === undefined) return false;
    const { mss } = this.#context.config;
    const index = psn - message.psn;
    const isLast = index === message.packets - 1;
    const isEnd = content.position === 'last' || content.position === 'only';
    const length = isLast ? message.length - index * mss : mss;
    return isLast === isEnd && content.payloadLength === length;
  }
}
