import type { Packet } from '../../../common/packet/packet';
import type { HopRecord } from '../../../common/hop/hop';
import type { Bytes, Instant } from '../../../common/units/units';
import {
  emitLoadRatio,
  emitWindowRecord,
  LOAD_RATIO_LENGTH,
  WINDOW_RECORD_LENGTH,
} from '../../../common/wire/hpcc/feedback-records';
import type { WindowRecord } from '../../../common/wire/hpcc/feedback-records';
import {
  FLOW_TOKEN_LENGTH,
  HPCC_ACK,
  HPCC_EPOCH_SHIFT,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_FIN,
  HPCC_FLAG_HELD,
  HPCC_FLAG_MARKED,
  HPCC_FLAG_NACK,
  HPCC_FLAG_RATIO,
  HPCC_FLAG_REPEATED,
  HPCC_FLAG_RESPONSE,
  HPCC_FLAG_RETRANSMIT,
  HPCC_FLAG_SACK,
  HPCC_FLAG_SELECTIVE,
  HPCC_FLAG_TRIMMED,
  HPCC_TELEMETRY,
  HPCC_WINDOW,
} from '../../../common/wire/hpcc/hpcc-transport';
import type { FlowToken } from '../../../common/wire/hpcc/hpcc-transport';
import type { SackBlock } from '../../../common/wire/hpcc/selective-ack';
import { emitSelectiveAck, SELECTIVE_ACK_LENGTH } from '../../../common/wire/hpcc/selective-ack';
import { AUTH_TRAILER_LENGTH } from '../../../common/wire/security/message-mac';
import type { CongestionControl } from '../../algorithm/congestion-control';
import { acksAnswerProbes } from '../../feedback/feedback-plan';
import type { FlowMark } from '../../feedback/flow-count';
import { newFlowMark } from '../../feedback/flow-count';
import { LoadMeter } from '../../feedback/load-meter';
import type { ReceiverControl } from '../../feedback/receiver-control';
import { echoBytes } from '../../carrier/carrier';
import type { TelemetryReader } from '../../carrier/carrier';
import { dsFlagsAt } from '../../carrier/int-carrier';
import { NO_TELEMETRY } from '../../carrier/congestion-sample';
import type { FeedbackFrames } from './feedback-frames';
import type { FinishedFlow } from './finished-flow';
import type { CheckedHostConfig } from '../../host/host-config';
import { newReceiverControl } from '../../host/new-control';
import type { FeedbackRecord } from './held-records';
import { HeldRecords } from './held-records';
import { PATH_PROBES_FROM } from '../../path/path-selector';
import { reorderSpan } from '../recovery/loss-recovery';
import type { FrameTail } from '../frames/frame-memory';
import type { ReceivedFrame } from '../frames/received-frame';
import type { Reception } from './receiver';
import { FlowReceiver } from './receiver';
import type { AskedSegment } from './resend-room';
import type { CreditDemand } from './credit-schedule';
import { SelectiveReceiver } from './selective-receiver';

/** The count of flows is told again after so many base RTTs, in case it was lost. */
const COUNT_REPEAT_RTTS = 64;

/** One flow that a host receives: what it has received, and what it answers. */
export class IncomingFlow {
  readonly generation: number;
  readonly mark: FlowMark = newFlowMark();
  /** Time at which its sender was heard last. */
  heardAt: Instant = 0;
  /** End of its latest segment that has arrived. */
  latestEnd = 0;
  /** Credit that it wants and has got; undefined before it wants some. */
  demand: CreditDemand | undefined;
  /** Segments that it is to send when it is asked for them. */
  heldSegments = 0;
  /** Requests for segments that have not arrived. */
  readonly asked: AskedSegment[] = [];
  /** End of what is known to have left its sender, and whether that is all. */
  sentUpTo = 0;
  isAllSent = false;
  /** Token of its packets, the latest that was right. */
  token: FlowToken | undefined;
  readonly #config: CheckedHostConfig;
  #receiver: FlowReceiver | SelectiveReceiver;
  #frames: FeedbackFrames;
  /** All has been received: what comes again is answered, and nobody needs to be told more. */
  readonly #isRest: boolean;
  readonly #control: ReceiverControl | undefined;
  readonly #meter: LoadMeter | undefined;
  readonly #reader: TelemetryReader;
  /** PERF: the basic plan, without a look at the others. */
  readonly #isPlain: boolean;
  /** Notifications or windows that bring feedback acknowledge what has arrived. */
  readonly #areAcknowledgements: boolean;
  /** Packets in order that wait for a common acknowledgement, and the records they brought. */
  #held = 0;
  readonly #heldRecords: HeldRecords;
  #ackDeadline: Instant = Infinity;
  /** Data that has not been acknowledged yet came with a mark of ECN. */
  #isMarked = false;
  #toldFlows = 0;
  #toldFlowsAt: Instant = -Infinity;

  /** @param bytes of a flow that has been received whole already, where somebody repeats some of it. */
  constructor(
    config: CheckedHostConfig,
    frame: ReceivedFrame,
    frames: FeedbackFrames,
    bytes?: Bytes,
  ) {
    const { linkRate, baseRtt, feedback, intHopLimit } = config;
    this.#config = config;
    this.#reader = config.carrier.newReader(config.baseRtt);
    this.#receiver = new FlowReceiver(bytes);
    this.#frames = frames;
    this.generation = frame.transport.generation;
    this.token = frame.transport.token;
    // A digest or time tells of its own packet, and grows old while an acknowledgement waits.
    const { telemetry } = config.signals;
    const accumulates = telemetry === 'hops' || telemetry === 'responses';
    this.#heldRecords = new HeldRecords(accumulates ? config.mss - TRAILERS_MAX : 0);
    const { flowId: flow } = frame.transport;
    this.#isRest = bytes !== undefined;
    this.#control =
      feedback.algorithmAt === 'receiver' && !this.#isRest
        ? newReceiverControl(config, { flow, peerAddress: frame.sourceAddress })
        : undefined;
    this.#meter = feedback.hidesLinks
      ? new LoadMeter({ linkRate, baseRtt, maxHops: intHopLimit })
      : undefined;
    const { algorithmAt, returnBy, acknowledgeEvery, countsFlows } = feedback;
    this.#areAcknowledgements = returnBy === 'notification' || returnBy === 'window';
    const isUsual = returnBy !== 'notification' && !acksAnswerProbes(feedback);
    const isBasic = isUsual && acknowledgeEvery === 1 && !countsFlows;
    this.#isPlain = isBasic && algorithmAt === 'sender' && this.#meter === undefined;
  }

  /** Bytes received in order so far. */
  get expectedSequence(): number {
    return this.#receiver.expectedSequence;
  }

  /** The algorithm of the flow; undefined unless it runs here. */
  get control(): CongestionControl | undefined {
    return this.#control?.congestionControl;
  }

  /** True if the last byte of the flow has been received in order. */
  get isFinished(): boolean {
    return this.#receiver.isFinished;
  }

  /** The rest of the flow, for the time after its end. */
  rest(): FinishedFlow {
    const { generation, token, expectedSequence: bytes, heardAt } = this;
    const { state: feedback } = this.#frames;
    return { generation, token, bytes, feedback, metrics: this.control?.metrics(), heardAt };
  }

  /** Takes the bytes of a segment; {@link answer} says what to send for it. */
  receive({ transport }: ReceivedFrame, { bytes }: Packet): Reception {
    const { flags, sequence, length, bodyAt } = transport;
    const isLast = (flags & HPCC_FLAG_FIN) !== 0;
    if ((flags & HPCC_FLAG_SELECTIVE) !== 0) this.#followSender();
    const receiver = this.#receiver;
    if (receiver instanceof FlowReceiver) return receiver.handleData(sequence, length, isLast);
    return receiver.handleData(sequence, length, isLast, bytes.subarray(bodyAt, bodyAt + length));
  }

  /** Time at which the acknowledgement that is held back must leave, or Infinity. */
  get ackDeadline(): Instant {
    return this.#ackDeadline;
  }

  /** The sender has shown that it receives at its address. */
  confirm(): void {
    this.#frames.confirm();
  }

  /** The peer's frames may come over another next hop, or from another port, as those of a spray do. */
  follow(frame: ReceivedFrame): void {
    if (!this.#frames.follow(frame)) this.#frames = this.#frames.towards(frame);
  }

  /** True if {@link acknowledge} makes all that is to be sent for a segment now. */
  get isPlain(): boolean {
    return this.#isPlain && this.#frames.isPlain && this.#receiver instanceof FlowReceiver;
  }

  /** The acknowledgement of a segment; only if {@link isPlain}. PERF: the telemetry is copied once. */
  acknowledge(reception: Reception, frame: ReceivedFrame, { bytes }: Packet): Packet {
    const { telemetryAt: at, telemetryLength: length } = frame;
    const { carrier } = this.#config;
    if (carrier.shorten === undefined || length === 0) {
      ECHO.bytes = bytes;
      ECHO.at = at;
      ECHO.length = length;
    } else {
      ECHO.bytes = carrier.shorten(bytes, at, length);
      ECHO.at = 0;
      ECHO.length = ECHO.bytes.length;
    }
    const echo = length === 0 ? 0 : HPCC_FLAG_ECHO;
    const nack = reception.isNack ? HPCC_FLAG_NACK : 0;
    const mark = frame.isMarked ? HPCC_FLAG_MARKED : 0;
    return this.#frames.emitEcho(echo | nack | mark, reception.ackSequence, ECHO);
  }

  /** Makes the answer to a segment: nothing, an acknowledgement, or more. `flows` is 0 uncounted. */
  answer(
    now: Instant,
    { reception, frame, packet }: ReceivedSegment,
    flows: number,
  ): readonly Packet[] {
    this.#isMarked ||= frame.isMarked;
    if (this.#isPlain) return [this.#acknowledge(reception, this.#echoOf(frame, packet))];
    const answers: Packet[] = [];
    const record = this.#learn(now, { reception, frame, packet }, { flows, answers });
    this.#hold(now, record);
    // Notifications and windows acknowledge, too (draft-pan section 3, line 31), but have no place for a mark.
    const isTold = this.#areAcknowledgements && answers.length > 0 && !this.#isMarked;
    if (this.#needsAnswer(reception)) answers.push(this.#acknowledgeHeld(reception));
    else if (isTold) this.#holdNothing();
    else if (this.#held >= this.#config.feedback.acknowledgeEvery) {
      answers.push(this.#acknowledgeHeld(reception));
    }
    return answers;
  }

  /**
   * Asks for a segment of which a switch has left the header, and tells the telemetry that it brings.
   * @param isHeld the sender is to wait until {@link askNow}.
   */
  askAgain(frame: ReceivedFrame, packet: Packet, isHeld: boolean): Packet {
    const { sequence, flags } = frame.transport;
    const record = this.#echoOf(frame, packet);
    const repeated = (flags & HPCC_FLAG_RETRANSMIT) === 0 ? 0 : HPCC_FLAG_REPEATED;
    const held = isHeld ? HPCC_FLAG_HELD : 0;
    const notice = HPCC_FLAG_TRIMMED | held | repeated | (record?.flag ?? 0);
    return this.#frames.emit(HPCC_TELEMETRY, { flags: notice, sequence, body: record?.bytes });
  }

  /** A segment has left its sender, whatever came of it. */
  noteSent({ sequence, length, flags }: ReceivedFrame['transport']): void {
    this.sentUpTo = Math.max(this.sentUpTo, sequence + length);
    this.isAllSent ||= (flags & HPCC_FLAG_FIN) !== 0;
  }

  /** Has the flow wait with what it has not sent yet, until {@link giveTurn}. */
  askLater(): Packet {
    const { sentUpTo: sequence } = this;
    return this.#frames.emit(HPCC_TELEMETRY, { flags: HPCC_FLAG_HELD, sequence });
  }

  /** There is room for a segment of what the flow has not sent yet. */
  giveTurn(): Packet {
    const flags = HPCC_FLAG_HELD | HPCC_FLAG_REPEATED;
    return this.#frames.emit(HPCC_TELEMETRY, { flags, sequence: this.sentUpTo });
  }

  /** Asks for a trimmed segment that there is room for now. */
  askNow(sequence: number, isRepeated: boolean): Packet {
    const flags = HPCC_FLAG_TRIMMED | (isRepeated ? HPCC_FLAG_REPEATED : 0);
    return this.#frames.emit(HPCC_TELEMETRY, { flags, sequence });
  }

  /** Tells the credit that the flow has been granted so far. */
  grant({ grants, granted }: CreditDemand): Packet {
    const record = { epoch: grants, flows: 0, windowBytes: granted };
    return this.#tell(record, { ackSequence: this.expectedSequence, isNack: false, newBytes: 0 });
  }

  /** The acknowledgement that was held back for long enough. */
  handleWakeup(now: Instant): Packet | undefined {
    if (now < this.#ackDeadline) return undefined;
    const ackSequence = this.expectedSequence;
    return this.#acknowledgeHeld({ ackSequence, isNack: false, newBytes: 0 });
  }

  /**
   * The answer to a PROBE, back to where it came from. An algorithm that runs here keeps the telemetry:
   * its window, if there is one to tell, leaves first, so that the next probe is sent under it.
   */
  respond(
    now: Instant,
    { frame, packet }: Pick<ReceivedSegment, 'frame' | 'packet'>,
    flows: number,
  ): readonly Packet[] {
    const frames = this.#frames.isFor(frame) ? this.#frames : this.#frames.towards(frame);
    const { sequence } = frame.transport;
    if (this.#control !== undefined) {
      const { expectedSequence: ackSequence } = this;
      const reception = { ackSequence, isNack: false, newBytes: 0 };
      const told = this.#runAlgorithm(now, { reception, frame, packet }, flows);
      const response = frames.emit(HPCC_TELEMETRY, { flags: HPCC_FLAG_RESPONSE, sequence });
      return told === undefined ? [response] : [this.#tell(told, reception), response];
    }
    const record = this.#recordOf(now, frame, packet);
    if (record !== undefined && this.#acksAnswer(sequence)) {
      this.#heldRecords.add(record);
      // Without more data soon an acknowledgement of what has come already brings it.
      if (this.#ackDeadline === Infinity) {
        this.#ackDeadline = now + this.#config.feedback.acknowledgeDelay;
      }
      return NO_ANSWERS;
    }
    const flags = HPCC_FLAG_RESPONSE | (record?.flag ?? 0);
    return [frames.emit(HPCC_TELEMETRY, { flags, sequence, body: record?.bytes })];
  }

  /** True if acknowledgements answer a probe: one of the data, which is on its way. */
  #acksAnswer(id: number): boolean {
    const isUnderWay = this.expectedSequence > 0 && !this.isFinished;
    return isUnderWay && id < PATH_PROBES_FROM && acksAnswerProbes(this.#config.feedback);
  }

  /** A switch tells the receiver's algorithm about its link; returns the window to tell, if any. */
  handleSwitchResponse(now: Instant, hop: HopRecord, flows: number): Packet | undefined {
    const told = this.#control?.onSwitchResponse(now, hop, flows);
    if (told === undefined) return undefined;
    const ackSequence = this.expectedSequence;
    return this.#tell(told, { ackSequence, isNack: false, newBytes: 0 });
  }

  /** Puts what is not an acknowledgement into `answers`; returns what an acknowledgement brings. */
  #learn(
    now: Instant,
    { reception, frame, packet }: ReceivedSegment,
    { flows, answers }: { readonly flows: number; readonly answers: Packet[] },
  ): FeedbackRecord | undefined {
    if (this.#control !== undefined) {
      const told = this.#runAlgorithm(now, { reception, frame, packet }, flows);
      if (told !== undefined) answers.push(this.#tell(told, reception));
      return undefined;
    }
    if (!this.#isRest && this.#hasNewCount(now, flows)) {
      answers.push(this.#tell({ epoch: 0, flows, windowBytes: 0 }, reception));
    }
    const record = this.#recordOf(now, frame, packet);
    if (record === undefined || this.#config.feedback.returnBy !== 'notification') return record;
    const { flag, bytes } = record;
    const fields = { flags: flag, sequence: reception.ackSequence, body: bytes };
    answers.push(this.#frames.emit(HPCC_TELEMETRY, fields));
    return undefined;
  }

  #runAlgorithm(
    now: Instant,
    { reception, frame, packet }: ReceivedSegment,
    flows: number,
  ): WindowRecord | undefined {
    const isUrgent = reception.isNack || (this.isFinished && reception.newBytes > 0);
    if (frame.telemetryLength === 0) return undefined;
    const { telemetryAt, telemetryLength, transport } = frame;
    const sample = this.#read(frame, packet) ?? NO_TELEMETRY;
    const epochBits = transport.flags >>> HPCC_EPOCH_SHIFT;
    const dsFlags = dsFlagsAt(packet.bytes, telemetryAt, telemetryLength);
    return this.#control?.onData(now, { sample, epochBits, isUrgent, dsFlags }, flows);
  }

  #hasNewCount(now: Instant, flows: number): boolean {
    const { baseRtt } = this.#config;
    const age = now - this.#toldFlowsAt;
    if (flows === 0 || age < baseRtt) return false;
    if (flows === this.#toldFlows && age < COUNT_REPEAT_RTTS * baseRtt) return false;
    this.#toldFlows = flows;
    this.#toldFlowsAt = now;
    return true;
  }

  #tell(record: WindowRecord, { ackSequence }: Reception): Packet {
    const body = new Uint8Array(WINDOW_RECORD_LENGTH);
    emitWindowRecord(record, body, 0);
    return this.#frames.emit(HPCC_WINDOW, { flags: 0, sequence: ackSequence, body });
  }

  #recordOf(now: Instant, frame: ReceivedFrame, packet: Packet): FeedbackRecord | undefined {
    if (this.#config.feedback.algorithmAt === 'receiver') return undefined;
    if (this.#meter === undefined) return this.#echoOf(frame, packet);
    const links = this.#read(frame, packet);
    if (links?.kind !== 'links') return undefined;
    const load = this.#meter.measure(now, links.telemetry, links.isIncomplete);
    if (load === undefined) return undefined;
    const bytes = new Uint8Array(LOAD_RATIO_LENGTH);
    emitLoadRatio(load, bytes, 0);
    return { flag: HPCC_FLAG_RATIO, bytes };
  }

  #read({ telemetryAt, telemetryLength }: ReceivedFrame, { bytes }: Packet) {
    return this.#reader.read(bytes, telemetryAt, telemetryLength);
  }

  #echoOf(
    { telemetryAt, telemetryLength }: ReceivedFrame,
    { bytes }: Packet,
  ): FeedbackRecord | undefined {
    if (telemetryLength === 0) return undefined;
    const { carrier } = this.#config;
    return {
      flag: HPCC_FLAG_ECHO,
      bytes: echoBytes(carrier, bytes, telemetryAt, telemetryLength),
    };
  }

  #hold(now: Instant, record: FeedbackRecord | undefined): void {
    if (record !== undefined) this.#heldRecords.add(record);
    if (this.#held++ === 0) this.#ackDeadline = now + this.#config.feedback.acknowledgeDelay;
  }

  /** Whatever is not the next bytes in order is answered at once, as is the end of the flow. */
  #needsAnswer({ newBytes, isNack, released }: Reception): boolean {
    if (newBytes === 0 || isNack || this.isFinished) return true;
    return released !== undefined || this.#blocks().length > 0;
  }

  #holdNothing(): void {
    this.#held = 0;
    this.#ackDeadline = Infinity;
  }

  #acknowledgeHeld(reception: Reception): Packet {
    this.#holdNothing();
    return this.#acknowledge(reception, this.#heldRecords.take());
  }

  #acknowledge(reception: Reception, record: FeedbackRecord | undefined): Packet {
    const mark = this.#isMarked ? HPCC_FLAG_MARKED : 0;
    const flags = (record?.flag ?? 0) | (reception.isNack ? HPCC_FLAG_NACK : 0) | mark;
    this.#isMarked = false;
    const { ackSequence: sequence } = reception;
    const body = record?.bytes;
    const blocks = this.#blocks();
    if (blocks.length === 0) return this.#frames.emit(HPCC_ACK, { flags, sequence, body });
    const selective = { flags: flags | HPCC_FLAG_SACK, sequence };
    return this.#frames.emit(HPCC_ACK, { ...selective, body: withBlocks(blocks, sequence, body) });
  }

  /** Blocks of bytes beyond a gap. PERF: asked for every acknowledgement. */
  #blocks(): readonly SackBlock[] {
    const receiver = this.#receiver;
    return receiver instanceof FlowReceiver ? NO_BLOCKS : receiver.blocks;
  }

  /** All data of a flow says the same; a flow that began otherwise goes on as it began. */
  #followSender(): void {
    if (this.#receiver instanceof SelectiveReceiver || this.expectedSequence > 0) return;
    const { linkRate, baseRtt } = this.#config;
    this.#receiver = new SelectiveReceiver(reorderSpan(linkRate, baseRtt));
  }
}

/** A body of a record, if there is one, and a selective acknowledgement. */
function withBlocks(
  blocks: readonly SackBlock[],
  acknowledgement: number,
  record: Uint8Array = NO_RECORD,
): Uint8Array {
  const body = new Uint8Array(record.length + SELECTIVE_ACK_LENGTH);
  body.set(record);
  emitSelectiveAck(blocks, acknowledgement, body, record.length);
  return body;
}

/** Most bytes behind the records of an acknowledgement, which is no longer than data. */
const TRAILERS_MAX = SELECTIVE_ACK_LENGTH + FLOW_TOKEN_LENGTH + AUTH_TRAILER_LENGTH;

const NO_ANSWERS: readonly Packet[] = [];
const NO_RECORD = new Uint8Array(0);
/** PERF: filled in again for each acknowledgement. */
const ECHO: { -readonly [Name in keyof FrameTail]: FrameTail[Name] } = {
  bytes: NO_RECORD,
  at: 0,
  length: 0,
};
const NO_BLOCKS: readonly SackBlock[] = [];

export interface ReceivedSegment {
  readonly reception: Reception;
  readonly frame: ReceivedFrame;
  readonly packet: Packet;
}
