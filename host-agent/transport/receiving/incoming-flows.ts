import type { Packet } from '../../../common/packet/packet';
import type { Bytes, Instant } from '../../../common/units/units';
import { PS_PER_SECOND, seconds } from '../../../common/units/units';
import type { FlowToken } from '../../../common/wire/hpcc/hpcc-transport';
import {
  HPCC_FLAG_RETRANSMIT,
  HPCC_TELEMETRY,
  isSameToken,
} from '../../../common/wire/hpcc/hpcc-transport';
import { parsePathShim, PATH_SHIM_LENGTH } from '../../../common/wire/hpcc/path-shim';
import { WireFault } from '../../../common/wire/fault';
import { readSwitchResponse, SEQUENCE_KIND_HPCC } from '../../../common/wire/hpcc/feedback-records';
import type { CongestionMetrics } from '../../algorithm/congestion-control';
import type { AuthRejection } from '../../feedback/feedback-auth';
import { FlowCount } from '../../feedback/flow-count';
import { FeedbackFrames } from './feedback-frames';
import { Fifo } from '../../nic/fifo';
import { answerRefusal } from '../../host/answer-refusal';
import { FrameOutput } from '../frames/frame-output';
import type { CheckedHostConfig, HostConfig } from '../../host/host-config';
import type { HostLedger } from '../../host/host';
import { BACKOFF_MAX } from '../recovery/retransmission-timer';
import { CreditSchedule } from './credit-schedule';
import type { FinishedFlow } from './finished-flow';
import { FlowTable } from './flow-table';
import { IncomingFlow } from './incoming-flow';
import type { ReceivedSegment } from './incoming-flow';
import type { PendingFlow } from './pending-flows';
import { PendingFlows } from './pending-flows';
import type { ReceivedFrame } from '../frames/received-frame';
import { AskedWindow } from './asked-window';
import { ResendSchedule } from './resend-schedule';
import { ResendsAtOnce } from './resends-at-once';
import type { ResendRoom, WantedSegment } from './resend-room';
import type { KeptBytes, Reception } from './receiver';
import { ReorderingMeter } from './reordering-meter';

/** Reason why a packet belongs to no flow that is received. */
export type FlowRefusal = 'old-generation' | 'unconfirmed' | 'too-many-flows';

/** Which of the flows of one id a flow is. */
type Generation = Pick<FinishedFlow, 'generation'>;

/** A flow, and where it waits for its confirmation if it does. */
interface Found {
  readonly flow: IncomingFlow;
  readonly pending?: PendingFlow | undefined;
}

/** A segment that waits for room on the link, and whether its sender had sent it again. */
interface HeldSegment extends WantedSegment {
  readonly flow: IncomingFlow;
  readonly isRepeated: boolean;
}

/**
 * All flows that a host receives.
 *
 * A finished flow is remembered for a while, because the sender may miss the last acknowledgement and
 * repeat itself. With tokens, a flow is received and acknowledged from its first packet on, and delivered
 * from the packet on that shows the cookie of its sender's address.
 */
export class IncomingFlows {
  readonly #config: CheckedHostConfig;
  readonly #output: FrameOutput;
  readonly #ledger: HostLedger;
  readonly #flows: FlowTable;
  readonly #pending = new PendingFlows();
  readonly #pendingBytesMax: Bytes;
  #sweepAt: Instant = Infinity;
  readonly #credits: CreditSchedule<IncomingFlow>;
  readonly #answers: Fifo<Packet>;
  /** Room on the link for what was trimmed, and the segments that wait for it. */
  readonly #resends: ResendRoom<HeldSegment>;
  /** Flows that hold an acknowledgement back; all wait equally long, so the oldest is first. */
  readonly #holding = new Fifo<{ readonly flow: IncomingFlow; readonly deadline: Instant }>();
  readonly #count: FlowCount | undefined;
  readonly #reordering: ReorderingMeter;
  readonly #deliverTo: HostConfig['deliver'];
  /** PERF: filled in again for each packet of a flow that is known. */
  readonly #confirmed: { flow: IncomingFlow | undefined; readonly pending: undefined } = {
    flow: undefined,
    pending: undefined,
  };

  /** @param answers takes what leaves before data. */
  constructor(config: CheckedHostConfig, answers: Fifo<Packet>, ledger: HostLedger) {
    this.#config = config;
    this.#deliverTo = config.deliver;
    this.#answers = answers;
    this.#output = new FrameOutput({ memory: config.memory, routes: config.sourceRoutes });
    this.#ledger = ledger;
    this.#resends = newResendRoom(config);
    this.#credits = new CreditSchedule(config.linkRate, config.baseRtt);
    this.#reordering = new ReorderingMeter(ledger.counts);
    const { retransmissionTimeout } = config;
    this.#flows = new FlowTable(
      Math.max(TIME_WAIT_MIN, TIME_WAIT_TIMEOUTS * retransmissionTimeout),
    );
    const roundTrip = (config.linkRate / 8) * (config.baseRtt / PS_PER_SECOND);
    this.#pendingBytesMax = Math.max(PENDING_BYTES_MIN, PENDING_RTTS * roundTrip);
    this.#count = config.feedback.countsFlows ? new FlowCount(config.baseRtt) : undefined;
  }

  /** Metrics of a flow's algorithm, where it runs here. */
  metricsOf(sourceAddress: number, flow: number): CongestionMetrics | undefined {
    const open = this.#flows.get(sourceAddress, flow);
    if (open !== undefined) return open.control?.metrics();
    return this.#flows.finished(sourceAddress, flow)?.metrics;
  }

  /** Returns why the data was refused, if it was. */
  handleData(now: Instant, frame: ReceivedFrame, packet: Packet): FlowRefusal | undefined {
    const known = this.#known(frame);
    if (known !== undefined) {
      this.#confirmed.flow = known;
      this.#receive(now, this.#confirmed as Found, frame, packet);
      return undefined;
    }
    const found = this.#find(now, frame);
    if (typeof found === 'string') return found;
    const { flow, pending } = found;
    if (pending !== undefined && flow.expectedSequence > this.#pendingBytesMax)
      return 'unconfirmed';
    this.#receive(now, found, frame, packet);
    return undefined;
  }

  /** The header of data that was cut: asks for the data again. Returns why it was refused, if it was. */
  handleTrimmed(now: Instant, frame: ReceivedFrame, packet: Packet): FlowRefusal | undefined {
    const found = this.#find(now, frame);
    if (typeof found === 'string') return found;
    const { flow } = found;
    flow.follow(frame);
    flow.heardAt = now;
    const { bodyAt, length, sequence } = frame.transport;
    this.#resends.noteArrived?.(flow.asked, sequence);
    flow.noteSent(frame.transport);
    const wanted = creditTargetOf(frame, packet);
    if (wanted !== undefined && found.pending === undefined) {
      this.#credits.want(now, flow, { target: wanted, headers: bodyAt, segment: length });
      this.#credits.wantAgain(now, flow, length);
    }
    const isRepeated = (frame.transport.flags & HPCC_FLAG_RETRANSMIT) !== 0;
    const bytes = bodyAt + length;
    const segment = { flow, sequence, bytes, isTurn: false, isRepeated, tries: 0 };
    // Credit is room on the link already.
    const isHeld = wanted === undefined && this.#resends.hold(now, bytes, segment);
    if (isHeld) flow.heldSegments++;
    else if (wanted === undefined) this.#resends.noteAsked?.(now, flow.asked, segment, sequence);
    this.#answers.push(flow.askAgain(frame, packet, isHeld));
    return undefined;
  }

  #receive(now: Instant, { flow, pending }: Found, frame: ReceivedFrame, packet: Packet): void {
    flow.follow(frame);
    flow.heardAt = now;
    const wasFinished = flow.isFinished;
    if (!wasFinished) this.#count?.onPacket(now, flow.mark);
    const { sequence, length, flags } = frame.transport;
    this.#reordering.note(flow, sequence + length, (flags & HPCC_FLAG_RETRANSMIT) !== 0);
    const wanted = pending === undefined ? creditTargetOf(frame, packet) : undefined;
    if (wanted !== undefined) {
      const headers = frame.transport.bodyAt;
      this.#credits.want(now, flow, { target: wanted, headers, segment: length });
    }
    this.#resends.noteArrived?.(flow.asked, sequence);
    const reception = flow.receive(frame, packet);
    flow.noteSent(frame.transport);
    if (pending === undefined) this.#giveTurn(now, flow, frame.transport.bodyAt + length);
    if (flow.isPlain) this.#answers.push(flow.acknowledge(reception, frame, packet));
    else this.#answer(now, flow, { reception, frame, packet });
    if (reception.newBytes > 0) this.#take(reception, frame, packet, pending);
    if (flow.isFinished) this.#resends.noteFinished?.(flow.asked);
    if (pending === undefined && flow.isFinished && !wasFinished)
      this.#noteFinished(now, flow, frame);
  }

  /**
   * While trimmed segments wait for room, what comes next of the flow waits behind them, in place of a header of it.
   */
  #giveTurn(now: Instant, flow: IncomingFlow, bytes: Bytes): void {
    if (this.#config.signals.turns !== true || flow.heldSegments > 0 || flow.isAllSent) return;
    if (!this.#resends.isBusy(now)) return;
    const { sentUpTo: sequence } = flow;
    const turn = { flow, sequence, bytes, isTurn: true, isRepeated: false, tries: 0 };
    if (!this.#resends.hold(now, bytes, turn)) return;
    flow.heldSegments++;
    this.#answers.push(flow.askLater());
  }

  #answer(now: Instant, flow: IncomingFlow, segment: ReceivedSegment): void {
    const flows = this.#count?.count(now) ?? 0;
    for (const answer of flow.answer(now, segment, flows)) this.#answers.push(answer);
    this.#noteHeld(flow);
  }

  /** Returns why the probe was refused, if it was. */
  handleProbe(now: Instant, frame: ReceivedFrame, packet: Packet): FlowRefusal | undefined {
    const found = this.#find(now, frame);
    if (typeof found === 'string') return found;
    found.flow.heardAt = now;
    const flows = this.#count?.count(now) ?? 0;
    for (const answer of found.flow.respond(now, { frame, packet }, flows)) {
      this.#answers.push(answer);
    }
    this.#noteHeld(found.flow);
    return undefined;
  }

  /**
   * Takes a switch's response for the receiver of a flow. `unrequested` if nobody here has asked: no such
   * flow, or no algorithm that could use it.
   */
  handleSwitchResponse(
    now: Instant,
    frame: ReceivedFrame,
    packet: Packet,
  ): 'taken' | 'unrequested' | AuthRejection {
    const { feedback } = this.#config;
    const { flowId, generation } = frame.transport;
    const flow = this.#any(frame.sourceAddress, flowId);
    const isAsked = feedback.asksSwitches && feedback.algorithmAt === 'receiver';
    const { sequenceKind, hop } = readSwitchResponse(packet.bytes, frame.transport.bodyAt);
    if (!isAsked || sequenceKind !== SEQUENCE_KIND_HPCC) return 'unrequested';
    if (flow?.generation !== generation) return 'unrequested';
    const refused = answerRefusal(this.#config, frame, packet);
    if (refused !== undefined) return refused;
    if (!(flow instanceof IncomingFlow)) return 'taken';
    const answer = flow.handleSwitchResponse(now, hop, this.#count?.count(now) ?? 0);
    if (answer !== undefined) this.#answers.push(answer);
    return 'taken';
  }

  /** Releases acknowledgements that were held back for long enough. */
  handleWakeup(now: Instant): void {
    if (now >= this.#sweepAt) this.#sweep(now);
    this.#askHeld(now);
    this.#grantCredit(now);
    for (let oldest = this.#oldestHeld(); oldest !== undefined; oldest = this.#oldestHeld()) {
      if (oldest.deadline > now) return;
      const ack = oldest.flow.handleWakeup(now);
      if (ack !== undefined) this.#answers.push(ack);
    }
  }

  /** Time to call {@link handleWakeup}, or Infinity. */
  get wakeupAt(): Instant {
    // PERF: with a time that is worked out, each look would cost an object.
    const nextAt = Math.min(this.#resends.nextAt, this.#credits.nextAt);
    if (this.#holding.isEmpty && nextAt === Infinity && this.#sweepAt === Infinity) return Infinity;
    return Math.min(this.#oldestHeld()?.deadline ?? Infinity, nextAt, this.#sweepAt);
  }

  #grantCredit(now: Instant): void {
    for (let flow = this.#credits.take(now); flow !== undefined; flow = this.#credits.take(now)) {
      if (flow.demand !== undefined) this.#answers.push(flow.grant(flow.demand));
    }
  }

  /** Asks for trimmed segments whose turn has come. */
  #askHeld(now: Instant): void {
    for (let held = this.#resends.take(now); held !== undefined; held = this.#resends.take(now)) {
      const { flow, isTurn, isRepeated, bytes, tries } = held;
      if (tries === 0) flow.heldSegments--;
      if (!isTurn && tries === 0) this.#giveTurn(now, flow, bytes);
      if (flow.isFinished || (isTurn && flow.isAllSent)) continue;
      const sequence = isTurn ? flow.sentUpTo : held.sequence;
      this.#resends.noteAsked?.(now, flow.asked, held, sequence);
      this.#answers.push(isTurn ? flow.giveTurn() : flow.askNow(sequence, isRepeated));
    }
  }

  #noteHeld(flow: IncomingFlow): void {
    const deadline = flow.ackDeadline;
    if (deadline !== Infinity) this.#holding.push({ flow, deadline });
  }

  /** Entries whose acknowledgement has left, or that another packet repeated, are passed over. */
  #oldestHeld() {
    for (;;) {
      const oldest = this.#holding.peek();
      if (oldest === undefined || oldest.flow.ackDeadline === oldest.deadline) return oldest;
      this.#holding.take();
    }
  }

  /** The flow of a packet that needs no further look. PERF: nearly all. */
  #known({ sourceAddress, transport }: ReceivedFrame): IncomingFlow | undefined {
    const { flowId, generation, token } = transport;
    const known = this.#flows.get(sourceAddress, flowId);
    return known?.generation === generation && isOf(known, token) ? known : undefined;
  }

  #any(source: number, flowId: number): IncomingFlow | FinishedFlow | undefined {
    return this.#flows.get(source, flowId) ?? this.#flows.finished(source, flowId);
  }

  /** The flow of a packet, a new one if it begins one, or why there is none. */
  #find(now: Instant, frame: ReceivedFrame): Found | FlowRefusal {
    const { sourceAddress, transport } = frame;
    const { flowId, generation, token } = transport;
    const known = this.#any(sourceAddress, flowId);
    if (known?.generation === generation && isOf(known, token)) return this.#of(now, frame, known);
    const { tokens } = this.#config;
    if (tokens === undefined) return this.#begin(now, frame, known);
    if (token === undefined) return 'unconfirmed';
    const pending = this.#pending.find(frame);
    if (pending !== undefined) return { flow: pending.flow, pending };
    const destinationAddress = this.#config.address;
    const name = { sourceAddress, destinationAddress, flowId, generation };
    for (const opened of this.#pending.ofFlow(frame)) {
      const isMeant = tokens.isProof(token, { ...name, nonce: opened.token });
      if (isMeant) return this.#confirm(now, frame, opened);
    }
    if (tokens.isProof(token, { ...name, nonce: undefined })) {
      if (known?.generation !== generation) return this.#begin(now, frame, known);
      known.token = token;
      return this.#of(now, frame, known);
    }
    return this.#open(now, frame, { known, cookie: tokens.cookieFor(sourceAddress) });
  }

  /** A flow that is known; one that has finished, as far as its answers need it. */
  #of(now: Instant, frame: ReceivedFrame, known: IncomingFlow | FinishedFlow): Found {
    if (known instanceof IncomingFlow) return { flow: known };
    known.heardAt = now;
    const frames = new FeedbackFrames(this.#config, this.#output, frame, known.feedback);
    return { flow: new IncomingFlow(this.#config, frame, frames, known.bytes) };
  }

  #begin(now: Instant, frame: ReceivedFrame, known: Generation | undefined): Found | FlowRefusal {
    const { sourceAddress, transport } = frame;
    if (known !== undefined && !isNewer(transport.generation, known.generation)) {
      return 'old-generation';
    }
    const frames = new FeedbackFrames(this.#config, this.#output, frame);
    const fresh = new IncomingFlow(this.#config, frame, frames);
    fresh.heardAt = now;
    const isTaken = this.#flows.set(now, sourceAddress, transport.flowId, fresh);
    this.#scheduleSweep(now);
    return isTaken ? { flow: fresh } : 'too-many-flows';
  }

  /** The sender of a flow has shown that the cookie has arrived where its packets come from. */
  #confirm(now: Instant, frame: ReceivedFrame, opened: PendingFlow): Found | FlowRefusal {
    const { source, flowId, flow } = opened;
    const known = this.#any(source, flowId);
    for (const each of this.#pending.ofFlow(frame)) this.#pending.remove(each);
    if (known !== undefined && !isNewer(flow.generation, known.generation)) return 'old-generation';
    if (!this.#flows.set(now, source, flowId, flow)) return 'too-many-flows';
    flow.token = frame.transport.token;
    flow.confirm();
    this.#ledger.counts.bytesDelivered += opened.bytes;
    for (const delivery of opened.held) this.#deliverTo?.(delivery);
    if (flow.isFinished) this.#noteFinished(now, flow, frame);
    return { flow };
  }

  /** A flow of somebody who may or may not be where its packets say. */
  #open(
    now: Instant,
    frame: ReceivedFrame,
    { known, cookie }: { readonly known: Generation | undefined; readonly cookie: FlowToken },
  ): Found | FlowRefusal {
    const { sourceAddress: source, transport } = frame;
    const { flowId, generation, token } = transport;
    if (token === undefined) return 'unconfirmed';
    if (known !== undefined && !isNewer(generation, known.generation)) return 'old-generation';
    const frames = new FeedbackFrames(this.#config, this.#output, frame, {
      signed: 0,
      token,
      cookie,
    });
    if (!this.#pending.hasRoom(frame)) {
      // A genuine sender gets its cookie all the same, and needs no room when it comes back with it.
      this.#answers.push(frames.emit(HPCC_TELEMETRY, { flags: 0, sequence: 0 }));
      return 'unconfirmed';
    }
    const flow = new IncomingFlow(this.#config, frame, frames);
    const pending = { flow, source, flowId, token, since: now, held: [], bytes: 0 };
    this.#pending.add(pending);
    this.#scheduleSweep(now);
    return { flow, pending };
  }

  /** Schedules the next sweep, only where there are strangers: elsewhere nothing needs to wake for it. */
  #scheduleSweep(now: Instant): void {
    if (this.#config.tokens === undefined || this.#sweepAt !== Infinity) return;
    this.#sweepAt = now + SWEEP_INTERVAL;
  }

  #sweep(now: Instant): void {
    this.#pending.expire(now);
    this.#flows.expire(now);
    this.#sweepAt = Infinity;
    if (this.#pending.size + this.#flows.size > 0) this.#scheduleSweep(now);
  }

  /**
   * PERF: an object that is made here only and seldom is not made where each packet passes: once an address
   * has another representation than the first had, V8 never accepts again what it has optimized there, and
   * goes on trying as long as packets come.
   */
  #noteFinished(
    now: Instant,
    { expectedSequence: bytes }: IncomingFlow,
    frame: ReceivedFrame,
  ): void {
    const { sourceAddress, transport } = frame;
    this.#flows.finish(now, sourceAddress, transport.flowId);
    const received = { flow: transport.flowId, sourceAddress, receivedAt: now, bytes };
    this.#ledger.emit({ kind: 'flow-received', ...received });
  }

  /** New bytes are delivered, or wait until their flow is confirmed. */
  #take(
    { ackSequence, newBytes, released = NOTHING }: Reception,
    frame: ReceivedFrame,
    packet: Packet,
    pending: PendingFlow | undefined,
  ): void {
    const end = released[0]?.sequence ?? ackSequence;
    const bytes = newBytes + ackSequence - end;
    if (pending === undefined) this.#ledger.counts.bytesDelivered += bytes;
    else pending.bytes += bytes;
    const deliver = this.#deliverTo;
    if (deliver === undefined) return;
    const { sourceAddress } = frame;
    const { flowId: flow, bodyAt, length } = frame.transport;
    const stored = storedPart(packet.bytes, bodyAt + length, newBytes);
    const first = { sourceAddress, flow, sequence: end - newBytes, length: newBytes, stored };
    if (pending === undefined && released === NOTHING) {
      deliver(first);
      return;
    }
    const all = [first, ...released.map((kept) => ({ sourceAddress, flow, ...kept }))];
    if (pending === undefined) all.forEach(deliver);
    else this.#pending.hold(pending, all);
  }
}

/** Receivers who give turns ask by a window; others promise room by the clock, unless they ask at once. */
function newResendRoom(config: CheckedHostConfig): ResendRoom<HeldSegment> {
  const { linkRate, baseRtt, signals, resends } = config;
  if (signals.turns === true) return new AskedWindow(linkRate, baseRtt);
  return resends === 'at-once' ? new ResendsAtOnce() : new ResendSchedule(linkRate, baseRtt);
}

/** Credit that the shim of a packet says its flow wants. PERF: nearly all have no shim. */
function creditTargetOf(frame: ReceivedFrame, { bytes }: Packet): Bytes | undefined {
  if (frame.telemetryLength !== PATH_SHIM_LENGTH) return undefined;
  const shim = parsePathShim(bytes, frame.telemetryAt);
  return shim instanceof WireFault ? undefined : shim.creditTarget;
}

/** The last `length` bytes before `end`, as far as they are stored. PERF: none are in virtual time. */
const storedPart = (bytes: Uint8Array, end: number, length: Bytes): Uint8Array =>
  end - length >= bytes.length ? NO_BYTES : bytes.subarray(end - length, end);

const NO_BYTES = new Uint8Array(0);
const NOTHING: readonly KeptBytes[] = [];
/** Interval between looks for flows that have ended, or that nobody has confirmed. */
const SWEEP_INTERVAL = seconds(1);
/**
 * A finished flow is remembered for twice the longest pause between two repeats of a sender, whose timeouts
 * double up to 64 times the first; other hosts may have longer ones.
 */
const TIME_WAIT_TIMEOUTS = 2 * BACKOFF_MAX;
const TIME_WAIT_MIN = seconds(60);
const PENDING_BYTES_MIN = 256 * 1024;
/** Round trips at full rate of which the data may wait for the confirmation. */
const PENDING_RTTS = 4;

const isOf = ({ token: own }: Pick<FinishedFlow, 'token'>, token: FlowToken | undefined): boolean =>
  own === undefined ? token === undefined : isSameToken(own, token);

/** Serial arithmetic (RFC 1982) on 16 bits; equal numbers are not newer. */
function isNewer(a: number, b: number): boolean {
  const ahead = (a - b) & 0xffff;
  return ahead !== 0 && ahead < 0x8000;
}
