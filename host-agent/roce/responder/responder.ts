import { unreachable } from '../../../common/assert';
import type { Packet } from '../../../common/packet/packet';
import type { Instant } from '../../../common/units/units';
import type { Aeth, Reth } from '../../../common/wire/roce/extended-headers';
import type { NakReason } from '../packets/extended-headers';
import { ackAeth, aethBody, NAK_CODES } from '../packets/extended-headers';
import { LABEL_ACKNOWLEDGE } from '../control/control-signer';
import type { ControlSigner } from '../control/control-signer';
import { extendPsn, wirePsn } from '../packets/connection-numbers';
import type { InboundMessage } from './inbound-message';
import { admit } from './inbound-message';
import type { MemoryRegion } from './memory-region';
import { grantMemory } from './memory-region';
import { packetCount, rcCode } from '../packets/opcodes';
import type { QpContext } from '../queue-pair/queue-pair';
import type { ReadServer } from './read-server';
import type { ReceivedPacket } from '../packets/received-packet';
import { payloadOf } from '../packets/received-packet';
import type { DataRequest } from '../packets/roce-packet';
import { telemetryOf } from '../control/telemetry-answers';
import type { ArrivedData, TelemetryAnswers } from '../control/telemetry-answers';

export interface ResponderOptions {
  readonly context: QpContext;
  readonly signer: ControlSigner;
  readonly answers: TelemetryAnswers;
  readonly region: MemoryRegion;
  /** Made when the first READ arrives. */
  readonly reads: () => ReadServer;
  readonly isReceiveReady: (now: Instant) => boolean;
  /** A message with immediate data is complete; `end` is the offset behind its last byte. */
  readonly onImmediate: (now: Instant, end: number) => void;
}

/** Decision about a request in order. */
type Verdict =
  | { readonly kind: 'accepted'; readonly psns: number }
  | { readonly kind: 'refused'; readonly reason: NakReason }
  | { readonly kind: 'not-ready' };

/** An answer that must not overtake READ responses. */
interface HeldAnswer {
  readonly psn: number;
  readonly aeth: Omit<Aeth, 'msn'>;
  readonly telemetry: Uint8Array;
}

/**
 * The half of a queue pair that executes requests (InfiniBand architecture, volume 1, section 9.7.4):
 *
 *     expected PSN --+--> in order: execute; acknowledge when asked to
 *                    +--> before: WRITE, SEND acknowledged again, READ executed again
 *                    +--> beyond: NAK once, until the expected one arrives or the other end has
 *                                 gone back and the expected one was lost again; so is a header
 *                                 of the expected one, whose payload a switch has cut off
 *
 * A request that cannot be executed is the last one: NAK, and silence from then on.
 */
export class Responder {
  readonly #o: ResponderOptions;
  #expected: number;
  #msn = 0;
  #message: InboundMessage | undefined = undefined;
  #sendOffset = 0;
  /** PSN of the last packet beyond the present gap. */
  #lastBeyond: number | undefined = undefined;
  /** True after an RNR NAK, when the packets that follow it are expected to be out of order. */
  #isAskingLater = false;
  #hasFailed = false;
  #held: HeldAnswer | undefined = undefined;
  #reads: ReadServer | undefined = undefined;
  /** PSN up to which the other end may be told that all has arrived: not before READ responses have left. */
  #told: number;
  /** True if acknowledgements bring telemetry back. */
  readonly #echoes: boolean;

  constructor(options: ResponderOptions) {
    this.#o = options;
    this.#expected = options.context.firstPsn;
    this.#told = this.#expected - 1;
    const { returnBy } = options.context.config.feedback;
    this.#echoes = returnBy !== 'notification' && returnBy !== 'window';
  }

  get msn(): number {
    return this.#msn;
  }

  /** The PSN of the next request, without wrap-around. */
  get expectedPsn(): number {
    return this.#expected;
  }

  handle(now: Instant, packet: ReceivedPacket, frame: Packet): void {
    this.#take(now, packet, { frame, isTrimmed: false });
  }

  /** The header of data that a switch has cut: a gap that begins there, so that the other end goes back at once. */
  handleTrimmed(now: Instant, packet: ReceivedPacket, frame: Packet): void {
    this.#take(now, packet, { frame, isTrimmed: true });
  }

  #take(
    now: Instant,
    packet: ReceivedPacket,
    { frame, isTrimmed }: { readonly frame: Packet; readonly isTrimmed: boolean },
  ): void {
    if (this.#hasFailed) return;
    const psn = extendPsn(packet.bth.psn, this.#expected);
    const arrived = telemetryOf(packet, frame);
    const telemetry = this.#echoes ? arrived : NO_TELEMETRY;
    let isUrgent = false;
    if (psn < this.#expected) this.#handleAgain(now, packet, { psn, telemetry });
    else if (isTrimmed || psn > this.#expected) isUrgent = this.#handleGap(psn, telemetry);
    else {
      isUrgent = 'immediate' in packet.content && packet.content.immediate !== undefined;
      this.#handleNext(now, packet, { frame, telemetry });
    }
    this.#report(now, packet, { telemetry: arrived, isUrgent });
  }

  /** Notifications and windows acknowledge too, and must not overtake READ responses. */
  #report(
    now: Instant,
    { content, bth }: ReceivedPacket,
    arrived: Pick<ArrivedData, 'telemetry' | 'isUrgent'>,
  ): void {
    if (this.#hasFailed || (content.kind !== 'send' && content.kind !== 'write')) return;
    if ((this.#reads?.unserved ?? 0) === 0) this.#told = this.#expected - 1;
    const mark = { epochBits: bth.windowEpoch, isAsked: false };
    this.#o.answers.report(now, this.#told, { ...arrived, ...mark });
  }

  /** All READ responses have left: now what follows them may. */
  releaseAnswer(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#send(held);
  }

  /** Returns true if the packet has shown a gap. */
  #handleGap(psn: number, telemetry: Uint8Array): boolean {
    if (this.#isAskingLater) return false;
    const last = this.#lastBeyond;
    this.#lastBeyond = psn;
    if (last !== undefined && psn > last) return false;
    this.#refuse('psn-sequence-error', telemetry);
    return true;
  }

  #handleAgain(
    now: Instant,
    { content }: ReceivedPacket,
    { psn, telemetry }: { readonly psn: number; readonly telemetry: Uint8Array },
  ): void {
    if (content.kind === 'read-request') this.#readAgain(now, psn, content.reth);
    else this.#answer({ psn: this.#expected - 1, aeth: ackAeth(0), telemetry });
  }

  #handleNext(
    now: Instant,
    packet: ReceivedPacket,
    { frame, telemetry }: { readonly frame: Packet; readonly telemetry: Uint8Array },
  ): void {
    this.#lastBeyond = undefined;
    this.#isAskingLater = false;
    const verdict = this.#execute(now, packet, frame);
    switch (verdict.kind) {
      case 'accepted': {
        const psn = this.#expected;
        this.#expected += verdict.psns;
        const isRead = packet.content.kind === 'read-request';
        if (packet.bth.ackRequest && !isRead) this.#answer({ psn, aeth: ackAeth(0), telemetry });
        return;
      }
      case 'refused':
        this.#hasFailed = true;
        this.#refuse(verdict.reason, telemetry);
        return;
      case 'not-ready': {
        this.#isAskingLater = true;
        const value = this.#o.context.config.rnrTimer;
        this.#answer({ psn: this.#expected, aeth: { kind: 'rnr-nak', value }, telemetry });
        return;
      }
      default:
        unreachable(verdict);
    }
  }

  #execute(now: Instant, packet: ReceivedPacket, frame: Packet): Verdict {
    const { content } = packet;
    switch (content.kind) {
      case 'send':
      case 'write':
        return this.#store(now, content, { packet, frame });
      case 'read-request':
        return this.#read(now, content.reth);
      case 'unsupported':
      case 'read-response':
      case 'acknowledge':
      case 'telemetry-request':
      case 'telemetry-response':
      case 'congestion-notice':
        return INVALID;
    }
  }

  #store(
    now: Instant,
    request: DataRequest,
    { packet, frame }: { readonly packet: ReceivedPacket; readonly frame: Packet },
  ): Verdict {
    const { context, region, isReceiveReady, onImmediate } = this.#o;
    const rules = { mtu: context.config.mss, region, sendOffset: this.#sendOffset };
    const admission = admit(this.#message, request, rules);
    if (admission.kind === 'refused') return admission;
    const begins = request.position === 'first' || request.position === 'only';
    const takesBuffer = request.kind === 'send' ? begins : request.immediate !== undefined;
    if (takesBuffer && !isReceiveReady(now)) return { kind: 'not-ready' };
    const payload = payloadOf(packet, frame);
    const end = admission.offset + payload.length;
    this.#message = admission.next;
    if (request.kind === 'send') this.#sendOffset = end;
    if (payload.length > 0) context.deliver({ offset: admission.offset, ...payload });
    if (admission.next === undefined) this.#msn++;
    if (request.immediate !== undefined) onImmediate(now, end);
    return ONE;
  }

  #read(now: Instant, reth: Reth): Verdict {
    const { context, region, reads } = this.#o;
    const { mss, readsOutstanding } = context.config;
    if (this.#message !== undefined) return INVALID;
    const granted = grantMemory(region, reth, 'read');
    if (granted === undefined) return { kind: 'refused', reason: 'remote-access-error' };
    this.#reads ??= reads();
    if (this.#reads.unserved >= readsOutstanding) return INVALID;
    this.#reads.post(now, granted, this.#expected);
    this.#msn++;
    return { kind: 'accepted', psns: packetCount(granted.length, mss) };
  }

  #readAgain(now: Instant, psn: number, reth: Reth): void {
    const granted = grantMemory(this.#o.region, reth, 'read');
    if (granted !== undefined) this.#reads?.askedAgain(now, psn, granted);
  }

  #refuse(reason: NakReason, telemetry: Uint8Array): void {
    this.#answer({
      psn: this.#expected,
      aeth: { kind: 'nak', value: NAK_CODES[reason] },
      telemetry,
    });
  }

  /** Answers keep the order of PSNs, so they wait for READ responses; the latest says it all. */
  #answer(answer: HeldAnswer): void {
    // The bytes of telemetry are lent, for this call.
    if ((this.#reads?.unserved ?? 0) > 0)
      this.#held = { ...answer, telemetry: answer.telemetry.slice() };
    else this.#send(answer);
  }

  #send({ psn, aeth, telemetry }: HeldAnswer): void {
    const { context, signer, answers } = this.#o;
    const echo = telemetry.length > 0 ? telemetry : answers.takeHeld();
    const body = aethBody({ ...aeth, msn: this.#msn }, echo);
    const opcode = rcCode('acknowledge', 'only');
    context.answer(signer.emit(LABEL_ACKNOWLEDGE, { opcode, psn: wirePsn(psn), body }));
  }
}

const NO_TELEMETRY = new Uint8Array(0);
const INVALID: Verdict = { kind: 'refused', reason: 'invalid-request' };
const ONE: Verdict = { kind: 'accepted', psns: 1 };
