import { assert } from '../../../common/assert';
import type { HopRecord } from '../../../common/hop/hop';
import type { Bytes, Duration, Instant } from '../../../common/units/units';
import type { WindowRecord } from '../../../common/wire/hpcc/feedback-records';
import type { SackBlock } from '../../../common/wire/hpcc/selective-ack';
import { HP_DOMAIN } from '../../../common/wire/int/int-md';
import type { AckKind, CongestionControl, Credit, Loss } from '../../algorithm/congestion-control';
import type { CongestionSample } from '../../carrier/congestion-sample';
import type { FlowHold } from '../../host/agent';
import { ControlWatch } from './control-watch';
import { elapsedSince } from './departure';
import { Pacer } from './pacer';
import { newTelemetrySpacing } from './telemetry-spacing';
import { SegmentTimes } from './segment-times';
import type { TelemetrySpacing } from './telemetry-spacing';
import { Turns } from './turns';
import { BACKOFF_MAX, RetransmissionTimer } from '../recovery/retransmission-timer';
import { Scoreboard } from '../recovery/scoreboard';
import { ACKNOWLEDGEMENT, noAcknowledgement, SEGMENT } from './sender-options';
import type {
  FlowSenderOptions,
  Segment,
  SegmentShape,
  SenderAck,
  SenderSettings,
} from './sender-options';

/** Bytes that the acknowledgement at hand has shown to have arrived. PERF: not in each of many flows. */
let arrivedBytes: Bytes | undefined = undefined;

/** A header in place of the segment at `sequence` has arrived. */
export interface TrimNotice {
  readonly sequence: number;
  /** It was sent again. */
  readonly isRepeated: boolean;
  /** The receiver asks for it later, with another notice. */
  readonly isHeld: boolean;
}

/** Base RTTs with nothing in flight after which telemetry is out of date. */
const IDLE_RTTS = 3;

/**
 * Sending side of one flow: which bytes may leave and when. Sequences count payload bytes.
 *
 *     0 .......... sndUna ............. sndNxt ............ maxSent ........... total
 *     acknowledged |     in flight      |   to send again    |    never sent     |
 *
 * sndNxt is below maxSent only after going back. A sender that repeats single segments never goes
 * back; its scoreboard knows which of those in flight have arrived or are lost. A segment may leave
 * while bytes in flight are **below** the window, which may so be exceeded by less than one segment, as
 * in the published simulator; with nothing in flight one may always leave, however small the window.
 */
export class FlowSender {
  /** PERF: one object for many flows, which stays in the processor's caches. */
  #o: SenderSettings;
  readonly #control: CongestionControl;
  readonly #credit: Credit | undefined;
  readonly #shape: SegmentShape | undefined;
  readonly #pacer: Pacer;
  readonly #timer: RetransmissionTimer;
  /** Scoreboard of a sender that repeats single segments; undefined under go-back-N. */
  readonly #board: Scoreboard | undefined;
  #total: Bytes;
  #isOpen: boolean;
  #sndUna = 0;
  #sndNxt = 0;
  #maxSent = 0;
  #isOutrun = false;
  /** Start of the time with nothing in flight and nothing to send. */
  #idleSince: Instant | undefined = undefined;
  /** Bytes that the switches of the path add to a packet: R is a rate of the bottleneck, behind them. */
  #telemetryLength: Bytes;
  #latestTelemetry: readonly HopRecord[] = [];
  /** Time since which the window has been open, as far as it is. */
  #openSince: Instant = NaN;
  #segments = 0;
  readonly #spacing: TelemetrySpacing;
  readonly #startedAt: Instant;
  /** PERF: made when the flow first hears of its packets; never where it is not to react to telemetry. */
  #watch: ControlWatch | undefined = undefined;
  /** Nothing new leaves until everything in flight is acknowledged. */
  #isDraining = false;
  /** True if the acknowledgement that is being processed echoes a mark (ECN). */
  #isMarked = false;
  readonly #times: SegmentTimes | undefined;
  /** Round trip that the acknowledgement at hand has shown. */
  #measuredRtt: Duration | undefined = undefined;
  #hasToldLoss = false;
  /** PERF: made when the receiver first has the flow wait, or asks for a segment. */
  #turns: Turns | undefined = undefined;
  /** Instant at which the receiver's last window or credit came. */
  #heardAt: Instant = NaN;
  #segmentsRetransmitted = 0;
  #timeouts = 0;
  #nacks = 0;

  constructor(options: FlowSenderOptions, settings: SenderSettings) {
    assert(options.bytes > 0, 'a flow has at least one byte');
    this.#o = settings;
    this.#control = options.congestionControl;
    this.#credit = options.congestionControl.credit;
    this.#shape = options.shape;
    this.#total = options.bytes;
    this.#isOpen = options.isOpen;
    this.#openSince = options.startedAt;
    this.#telemetryLength = settings.expectedHops * this.#hopLength();
    this.#startedAt = this.#heardAt = options.startedAt;
    this.#spacing = newTelemetrySpacing(settings);
    this.#times = settings.timesSegments === true ? new SegmentTimes() : undefined;
    this.#pacer = new Pacer(options.congestionControl.pacingRate);
    this.#timer = new RetransmissionTimer(settings.retransmissionTimeout);
    const { baseRtt, reorderSpan } = settings;
    this.#board =
      reorderSpan === undefined
        ? undefined
        : new Scoreboard(baseRtt, reorderSpan, options.onSegmentLost);
  }

  get isComplete(): boolean {
    return !this.#isOpen && this.#sndUna === this.#total;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get totalBytes(): Bytes {
    return this.#total;
  }

  get congestionControl(): CongestionControl {
    return this.#control;
  }

  get nextSequence(): number {
    return this.#sndNxt;
  }

  get segmentsSent(): number {
    return this.#segments;
  }

  get timeouts(): number {
    return this.#timeouts;
  }

  /** The records of a whole path that came last, of a flow whose reader does not lend them. */
  get latestTelemetry(): readonly HopRecord[] {
    return this.#latestTelemetry;
  }

  /** True if the byte at `sequence` has ever left. */
  hasSent(sequence: number): boolean {
    return sequence < this.#maxSent;
  }

  /** The first sequence that is not acknowledged. */
  get acknowledgedSequence(): number {
    return this.#sndUna;
  }

  get counters() {
    return {
      acknowledgedBytes: this.#sndUna,
      inflightBytes: this.inflightBytes,
      sentBytesMax: this.#maxSent,
      uncontrolledTime: this.#watch?.total ?? 0,
      segmentsRetransmitted: this.#segmentsRetransmitted,
      timeouts: this.#timeouts,
      nacks: this.#nacks,
    };
  }

  get hold(): FlowHold {
    const pacedUntil = this.#pacer.nextStart;
    if (this.#isWindowOpen()) return { by: 'pacing', pacedUntil };
    const hasAllSent = this.#sndNxt === this.#total && this.#board?.hasLost !== true;
    if (hasAllSent) return { by: 'nothing-to-send', pacedUntil };
    return { by: this.#isDraining ? 'draining' : 'window', pacedUntil };
  }

  /** More bytes of an open flow; `isLast` closes it. */
  append(now: Instant, bytes: Bytes, isLast: boolean): void {
    assert(this.#isOpen && bytes > 0, 'bytes are appended to an open flow');
    this.#total += bytes;
    this.#isOpen = !isLast;
    this.#openSince = now;
    const idleSince = this.#idleSince;
    this.#idleSince = undefined;
    if (idleSince !== undefined && now - idleSince > IDLE_RTTS * this.#o.baseRtt) {
      this.#control.onIdleRestart(now);
    }
  }

  /** True if a segment may start now. PERF: no allocation. */
  canSend(now: Instant): boolean {
    if (this.#turns?.isAsked === true && !this.#isDraining && this.#hasSegment()) return true;
    return this.#isWindowOpen() && this.#pacer.nextStart <= now;
  }

  /** Something else of the flow leaves, in a frame of `length` bytes that collects telemetry. */
  charge(length: Bytes): void {
    this.#pacer.charge(length + this.#telemetryLength);
  }

  /** The next segment starts now; only if {@link canSend}. Valid until the next one is taken. */
  takeSegment(now: Instant): Segment {
    assert(this.canSend(now), 'a segment is taken only when one may leave');
    const board = this.#board;
    if (board?.hasLost === true) {
      const { sequence, length } = board.sendAgain(now);
      return this.#takeBytes(now, sequence, length);
    }
    const sequence = this.#sndNxt;
    const length = this.#shape?.lengthAt(sequence) ?? Math.min(this.#o.mss, this.#total - sequence);
    this.#sndNxt = sequence + length;
    board?.send(now, sequence, length);
    this.#turns?.noteNew(sequence + length);
    return this.#takeBytes(now, sequence, length);
  }

  #takeBytes(now: Instant, sequence: number, length: Bytes): Segment {
    const end = sequence + length;
    const isRetransmission = sequence < this.#maxSent;
    if (isRetransmission) this.#segmentsRetransmitted++;
    if (end > this.#maxSent) this.#maxSent = end;
    // The window does not count for what the receiver has asked for, nor does telemetry.
    const isFree = this.#turns?.take(!isRetransmission) !== true;
    const segment = this.#segments++;
    const collects = isFree && this.#spacing.collects(segment, this.#control.windowBytes);
    this.#credit?.spend(length);
    const telemetry = collects ? this.#telemetryLength : 0 - (this.#o.plainSaving ?? 0);
    const added = telemetry + (this.#shape?.extraAt(sequence) ?? 0);
    const readyAt = Math.max(this.#pacer.nextStart, this.#openSince);
    this.#pacer.onSend(now, this.#o.headerLength + length + added, readyAt);
    this.#timer.onSend(now);
    this.#times?.onSend(now, end, isRetransmission);
    const isLast = !this.#isOpen && end === this.#total;
    SEGMENT.sequence = sequence;
    SEGMENT.length = length;
    SEGMENT.isLast = isLast;
    SEGMENT.isRetransmission = isRetransmission;
    SEGMENT.collects = collects;
    return SEGMENT;
  }

  /** Credit that the flow wants from its start on, as the packet that leaves tells its receiver; undefined: a window counts. */
  get creditTarget(): Bytes | undefined {
    const again = (this.#board?.lostSegments ?? 0) * this.#o.mss;
    return this.#credit?.target(this.#total - this.#sndNxt + again);
  }

  /** Returns false, having done nothing, if the acknowledgement is of bytes never sent. */
  handleAck(now: Instant, ack: SenderAck): boolean {
    if (ack.ackSequence > this.#maxSent) return false;
    const board = this.#board;
    if (ack.blocks !== undefined && !this.#haveLeft(ack.blocks)) return false;
    const wasOpen = this.#isWindowOpen();
    this.#watching()?.noteAck(now);
    // The round of what is acknowledged ends with the latest packet.
    for (const sample of ack.earlier ?? NO_SAMPLES) this.#learn(now, this.#learntUpTo(), sample);
    const before = board?.arrivedBytes ?? this.#sndUna;
    if (board !== undefined) this.#mark(now, board, ack);
    this.#turns?.noteArrival(this.#learntUpTo());
    this.#acknowledge(now, ack.ackSequence);
    if (ack.isNack && ack.ackSequence === this.#sndUna) this.#handleNack(now);
    const learnt = board === undefined ? ack.ackSequence : this.#learntUpTo();
    if (ack.sample !== undefined) {
      this.#isMarked = ack.isMarked === true;
      this.#measuredRtt = this.#times?.onAck(now, ack.ackSequence, this.#o.baseRtt);
      arrivedBytes = (board?.arrivedBytes ?? this.#sndUna) - before;
      this.#learn(now, learnt, ack.sample);
      arrivedBytes = undefined;
      this.#isMarked = false;
      this.#measuredRtt = undefined;
    }
    this.#noteWindow(now, wasOpen);
    return true;
  }

  /**
   * Sequence up to which feedback counts: bytes that have arrived beyond a gap left as late as those that
   * an acknowledgement in order is for.
   */
  #learntUpTo(): number {
    return this.#board?.arrivedUpTo ?? this.#sndUna;
  }

  /** Telemetry about bytes that it does not acknowledge. Returns false for bytes never sent. */
  handleNotification(now: Instant, ackSequence: number, sample: CongestionSample): boolean {
    if (ackSequence > this.#maxSent) return false;
    const wasOpen = this.#isWindowOpen();
    this.#learn(now, ackSequence, sample);
    this.#noteWindow(now, wasOpen);
    return true;
  }

  /**
   * A switch has cut a segment to its header, or its receiver asks for it now.
   * @returns false for bytes that were never sent, or where single segments are not repeated.
   */
  handleTrimmed(
    now: Instant,
    { sequence, isRepeated, isHeld }: TrimNotice,
    sample: CongestionSample | undefined,
  ): boolean {
    const board = this.#board;
    if (board === undefined || sequence > this.#maxSent) return false;
    const wasOpen = this.#isWindowOpen();
    this.#watch?.noteAck(now);
    if (!isHeld && board.release(sequence)) {
      this.#timer.onProgress(now, true);
      if (this.#o.takesTurns === true) {
        (this.#turns ??= new Turns()).askAgain();
        this.#watching()?.noteControl(now);
      }
    } else if (isHeld ? board.hold(now, sequence, isRepeated) : board.lose(sequence, isRepeated)) {
      this.#nacks++;
      this.#timer.onProgress(now, true);
      // Nothing new leaves while it waits.
      if (isHeld) this.#watching()?.noteControl(now);
      const nextSequence = this.#maxSent;
      this.#control.onLoss?.({ kind: 'trim', sequence, nextSequence, now });
      // What was trimmed is no gap besides.
      this.#hasToldLoss = true;
    }
    // Headers pass queues by, so that their own time tells nothing of these.
    const isTold =
      sample?.kind === 'links' && (sample.telemetry.length > 0 || sample.load !== undefined);
    if (isTold) this.#learn(now, this.#learntUpTo(), sample);
    this.#noteWindow(now, wasOpen);
    return true;
  }

  /**
   * The receiver has others send first: nothing new leaves until it asks for that.
   * @param sequence end of what it has seen of the flow.
   */
  awaitTurn(now: Instant, sequence: number): void {
    if (this.#sndNxt === this.#total) return;
    if (!(this.#turns ??= new Turns()).wait(now, sequence)) return;
    this.#watching()?.noteControl(now);
    this.#timer.onProgress(now, true);
  }

  /**
   * The turn has come of what has not left yet.
   * @param sequence as in {@link awaitTurn}.
   */
  takeTurn(now: Instant, sequence: number): void {
    if (this.#sndNxt === this.#total) return;
    const wasOpen = this.#isWindowOpen();
    if ((this.#turns ??= new Turns()).give(sequence)) this.#timer.onProgress(now, true);
    this.#watching()?.noteControl(now);
    this.#noteWindow(now, wasOpen);
  }

  handleSample(now: Instant, sample: CongestionSample, endsRound: boolean): void {
    const wasOpen = this.#isWindowOpen();
    this.#learn(now, this.#sndUna, sample, endsRound);
    this.#noteWindow(now, wasOpen);
  }

  /** True if nothing is in flight, so that the next packet can overtake nothing. */
  get isDrained(): boolean {
    return this.inflightBytes === 0;
  }

  drain(): void {
    this.#isDraining = true;
  }

  resume(now: Instant): void {
    this.#isDraining = false;
    this.#openSince = now;
  }

  /** The receiver's algorithm has found a window. Returns false if a later one is in force. */
  handleWindow(now: Instant, record: WindowRecord): boolean {
    const wasOpen = this.#isWindowOpen();
    const isNew = this.#control.onWindow?.(now, record) === true;
    if (isNew) this.#watching()?.noteControl(now);
    if (isNew) this.#heardAt = now;
    this.#noteWindow(now, wasOpen);
    return isNew;
  }

  /** Something happens that may open the window or change the rate. */
  handleControlChange(now: Instant, change: () => void): void {
    const wasOpen = this.#isWindowOpen();
    change();
    this.#noteWindow(now, wasOpen);
  }

  /** T was measured, or has changed. */
  handleBaseRtt(now: Instant, baseRtt: Duration): void {
    this.#o = { ...this.#o, baseRtt };
    this.#timer.allowFor(baseRtt);
    this.#watch?.onBaseRtt(baseRtt);
    this.#board?.onBaseRtt(baseRtt);
    this.handleControlChange(now, () => this.#control.onBaseRtt?.(baseRtt));
  }

  /** The peer is at work on what was sent, though it has acknowledged nothing new. */
  notePeerAtWork(now: Instant): void {
    this.#timer.onProgress(now, this.#isOutstanding());
  }

  handleStandstill(duration: Duration): void {
    this.#board?.handleStandstill(duration);
    this.#timer.handleStandstill(duration);
  }

  /** Does what is due by now; does nothing when woken early. */
  handleWakeup(now: Instant): void {
    const board = this.#board;
    if (board !== undefined && board.deadline <= now) {
      this.handleControlChange(now, () => this.#detectLosses(now, board));
    }
    if ((this.#control.wakeupAt ?? Infinity) <= now) {
      this.handleControlChange(now, () => this.#control.onWakeup?.(now));
    }
    if (board?.hasHeld === true && this.#waitsFor(now, board.heldAt)) return;
    const { isWaiting, toldAt } = this.#turns ?? NO_TURNS;
    if (isWaiting && this.#waitsFor(now, toldAt)) return;
    if (this.#credit?.isOwed === true && this.#waitsFor(now, this.#heardAt)) return;
    if (!this.#timer.hasFired(now)) return;
    this.#timeouts++;
    this.#tellLoss(now, 'timeout');
    this.#goBack(now);
    this.#openSince = now;
    // Nothing was heard of the path for longer than an idle flow may wait.
    if (this.#o.retransmissionTimeout >= IDLE_RTTS * this.#o.baseRtt) {
      this.#control.onIdleRestart(now);
    }
  }

  /**
   * The next instant after `now` at which the flow may have something to do, or Infinity. A segment
   * that may leave already needs no wake-up: it waits for the interface, not for the time.
   */
  wakeupAfter(now: Instant): Instant {
    const lossAt = this.#board?.deadline ?? Infinity;
    const controlAt = this.#control.wakeupAt ?? Infinity;
    const deadline = Math.min(this.#timer.deadline, lossAt, controlAt);
    const { nextStart } = this.#pacer;
    if (nextStart > now && nextStart < deadline && this.#isWindowOpen()) return nextStart;
    return deadline;
  }

  /**
   * The congestion control learns snd_nxt after going back, as in the published simulator, and must
   * not let the end of its round follow it back; nor end one with each byte that left before.
   */
  #learn(now: Instant, ackSequence: number, sample: CongestionSample, endsRound?: boolean): void {
    const nextSequence = this.#isOutrun ? this.#maxSent : this.#sndNxt;
    if (sample.kind === 'load') {
      const { ratio, intervalNs } = sample;
      const report = { ackSequence, nextSequence, now, endsRound, ratio, intervalNs };
      this.#noteControl(now, this.#control.onLoad(report));
      return;
    }
    const { telemetry, isIncomplete, isOneLink, load, sentAtNs } = sample;
    if (telemetry.length > 0) this.#telemetryLength = telemetry.length * this.#hopLength();
    if (telemetry.length > 0 && !isIncomplete) this.#latestTelemetry = telemetry;
    const ack = this.#control.retainsNoInput === true ? ACKNOWLEDGEMENT : noAcknowledgement();
    ack.ackSequence = ackSequence;
    ack.nextSequence = nextSequence;
    ack.now = now;
    ack.endsRound = endsRound;
    ack.telemetry = telemetry;
    ack.isIncomplete = isIncomplete;
    ack.isOneLink = isOneLink;
    ack.isMarked = this.#isMarked;
    ack.rtt = sentAtNs === undefined ? this.#measuredRtt : elapsedSince(sentAtNs, now);
    ack.arrivedBytes = arrivedBytes;
    ack.load = load;
    this.#noteControl(now, this.#control.onAck(ack));
  }

  /** Bytes of a record of telemetry. PERF: no getter, as the engine calls private ones by its runtime. */
  #hopLength(): Bytes {
    return this.#o.hopLength ?? HP_DOMAIN.hopLength;
  }

  #watching(): ControlWatch | undefined {
    const { needsTelemetry, baseRtt, collectEvery = 1 } = this.#o;
    if (needsTelemetry !== true) return undefined;
    return (this.#watch ??= new ControlWatch(this.#startedAt, baseRtt, collectEvery));
  }

  /** Windows of a receiver come by {@link handleWindow}; what its sender does meanwhile is no control. */
  #noteControl(now: Instant, kind: AckKind): void {
    const hasReacted = kind !== 'ignored' && this.#o.obeysReceiver !== true;
    if (hasReacted || this.#control.ignoresFeedback === true) this.#watching()?.noteControl(now);
  }

  /** A segment that could not leave before `now` has no credit for the time before. */
  #noteWindow(now: Instant, wasOpen: boolean): void {
    if (!wasOpen || this.#pacer.nextStart > now) this.#openSince = now;
    this.#pacer.setRate(this.#control.pacingRate);
  }

  #isWindowOpen(): boolean {
    if (this.#isDraining || !this.#hasSegment()) return false;
    if (this.#credit !== undefined) return this.#credit.bytes > 0;
    const inflight = this.inflightBytes;
    return inflight === 0 || inflight < this.#control.windowBytes;
  }

  /** A receiver, heard last at `since`, may have others send first; the timer goes on as if it had backed off. */
  #waitsFor(now: Instant, since: Instant): boolean {
    const { deadline } = this.#timer;
    if (now < deadline) return true;
    const patience = BACKOFF_MAX * this.#o.retransmissionTimeout;
    if (now - since >= patience) return false;
    this.#timer.onProgress(now, true);
    return true;
  }

  #hasSegment(): boolean {
    const board = this.#board;
    if (board === undefined) return this.#sndNxt !== this.#total;
    if (board.hasLost) return true;
    const turns = this.#turns;
    const mayBegin = turns?.isWaiting === true ? turns.hasTurn : !board.hasHeld;
    return mayBegin && this.#sndNxt !== this.#total && board.hasRoom;
  }

  /** True if the receiver is to be heard: of what is in flight, or of a turn. */
  #isOutstanding(): boolean {
    return this.#sndNxt > this.#sndUna || this.#turns?.isWaiting === true;
  }

  get inflightBytes(): Bytes {
    const board = this.#board;
    return board === undefined ? this.#sndNxt - this.#sndUna : board.inflightBytes;
  }

  /** True if all bytes of the blocks have ever left, and single segments are repeated here if there are any. */
  #haveLeft(blocks: readonly SackBlock[]): boolean {
    const hasBoard = this.#board !== undefined;
    return blocks.every(({ to }) => hasBoard && to <= this.#maxSent);
  }

  /** Updates the scoreboard by the blocks of an acknowledgement. */
  #mark(now: Instant, board: Scoreboard, { ackSequence, blocks }: SenderAck): void {
    let isProgress = board.acknowledge(now, ackSequence);
    for (const block of blocks ?? []) isProgress = board.acknowledgeBlock(now, block) || isProgress;
    this.#detectLosses(now, board);
    if (isProgress) this.#timer.onProgress(now, true);
  }

  #acknowledge(now: Instant, ackSequence: number): void {
    if (ackSequence <= this.#sndUna) return;
    this.#sndUna = ackSequence;
    // Bytes that were sent before going back may be acknowledged after it, and outrun those that are sent
    // again.
    if (this.#sndNxt < ackSequence) this.#isOutrun = true;
    this.#sndNxt = Math.max(this.#sndNxt, ackSequence);
    this.#timer.onProgress(now, this.#isOutstanding());
    if (this.#sndUna === this.#total) this.#idleSince = now;
  }

  #handleNack(now: Instant): void {
    if (this.#sndNxt === this.#sndUna) return;
    this.#nacks++;
    this.#tellLoss(now, 'gap');
    this.#goBack(now);
    this.#timer.stop();
  }

  #tellLoss(now: Instant, kind: Loss['kind']): void {
    const [sequence, nextSequence] = [this.#sndUna, Math.max(this.#sndNxt, this.#maxSent)];
    this.#control.onLoss?.({ kind, sequence, nextSequence, now });
  }

  /** Segments that are lost together count once, until all of them have left again. */
  #detectLosses(now: Instant, board: Scoreboard): void {
    board.detectLosses(now);
    if (board.hasLost && !this.#hasToldLoss) this.#tellLoss(now, 'gap');
    this.#hasToldLoss = board.hasLost;
  }

  /** Sends all that is in flight again: from the acknowledgement on, or what has not arrived. */
  #goBack(now: Instant): void {
    this.#isOutrun = false;
    this.#turns?.forget();
    if (this.#board === undefined) this.#sndNxt = this.#sndUna;
    else this.#board.loseAll(now);
  }
}

const NO_TURNS = { isWaiting: false, toldAt: 0 };
const NO_SAMPLES: readonly CongestionSample[] = [];
