import type { Packet } from '../../../common/packet/packet';
import type { Instant } from '../../../common/units/units';
import { BTH_TELEMETRY_RESPONSE } from '../../../common/wire/roce/bth';
import type { TelemetryRequest } from '../../../common/wire/roce/telemetry-messages';
import { emitTelemetryResponse } from '../../../common/wire/roce/telemetry-messages';
import { RESPONSE_FLAG_HOP_MISSING } from '../../../common/wire/roce/telemetry-messages';
import { RESPONSE_FLAG_PATH_CHANGED } from '../../../common/wire/roce/telemetry-messages';
import { RESPONSE_FLAG_WINDOW } from '../../../common/wire/roce/telemetry-messages';
import { RESPONSE_FLAG_STACK } from '../../../common/wire/roce/telemetry-messages';
import { TELEMETRY_RESPONSE_LENGTH } from '../../../common/wire/roce/telemetry-messages';
import type { HopRecord } from '../../../common/hop/hop';
import type { CongestionControl } from '../../algorithm/congestion-control';
import type { TelemetryReader } from '../../carrier/carrier';
import type { CongestionSample } from '../../carrier/congestion-sample';
import { dsFlagsAt } from '../../carrier/int-carrier';
import { NO_TELEMETRY } from '../../carrier/congestion-sample';
import type { WindowRecord } from '../../../common/wire/hpcc/feedback-records';
import { emitWindowRecord, WINDOW_RECORD_LENGTH } from '../../../common/wire/hpcc/feedback-records';
import { acksAnswerProbes } from '../../feedback/feedback-plan';
import type { ReceiverControl } from '../../feedback/receiver-control';
import { newReceiverControl } from '../../host/new-control';
import { wirePsn } from '../packets/connection-numbers';
import type { ControlSigner } from './control-signer';
import { LABEL_RESPONSE } from './control-signer';
import type { QpContext } from '../queue-pair/queue-pair';
import type { ReceivedPacket } from '../packets/received-packet';
import { LoadMeter } from '../../feedback/load-meter';
import type { CheckedRoceConfig } from '../queue-pair/roce-config';

/** Request id of a response that no request has asked for: it reports data that has arrived. */
export const REPORT_ID = 0;

const ZERO = { high: 0, low: 0 } as const;
const UNSOLICITED = { epoch: 0, hopsMax: 0, requestId: REPORT_ID, transmitTime: ZERO } as const;
const NO_STACK = new Uint8Array(0);

/** Answers of the receiver of data: what the switches have said about the path of a packet. */
export class TelemetryAnswers {
  readonly #context: QpContext;
  readonly #signer: ControlSigner;
  readonly #reader: TelemetryReader;
  readonly #choice: LinkChoice;
  /** True if responses bring all links. */
  readonly #showsAll: boolean;
  /** The algorithm, where it runs at the receiver of data; made with the first request. */
  #control: ReceiverControl | undefined = undefined;
  #path = '';
  /** Telemetry of a request that an acknowledgement or report shall bring back. */
  #held = NO_STACK;

  constructor(context: QpContext, signer: ControlSigner) {
    this.#context = context;
    this.#signer = signer;
    const { carrier, baseRtt, responses } = context.config;
    this.#reader = carrier.newReader(baseRtt);
    // Counters of short records are too short for the fields that name one link.
    this.#showsAll = responses === 'stack' || carrier.shows !== 'named-links';
    this.#choice = new LinkChoice(context.config);
  }

  /** The algorithm; undefined unless it runs here. */
  get control(): CongestionControl | undefined {
    return this.#control?.congestionControl;
  }

  /** The response to a request, whose PSN it repeats. */
  respond(now: Instant, packet: ReceivedPacket, frame: Packet, request: TelemetryRequest): void {
    const telemetry = telemetryOf(packet, frame);
    if (telemetry.length > 0 && acksAnswerProbes(this.#context.config.feedback)) {
      this.#held = telemetry.slice();
      return;
    }
    if (this.#context.config.feedback.algorithmAt === 'receiver') {
      this.#answerWithWindow(now, packet.bth.psn, { request, telemetry });
      return;
    }
    this.#answer(now, packet.bth.psn, { request, telemetry, withStack: this.#showsAll });
  }

  /** Telemetry that the next acknowledgement brings back; empty where there is none. */
  takeHeld(): Uint8Array {
    const held = this.#held;
    this.#held = NO_STACK;
    return held;
  }

  /**
   * Says that all data up to `psn` has arrived, where that is asked for, and what follows from the telemetry
   * of the latest packet: its records as a notification, or a window of the algorithm that runs here.
   */
  report(now: Instant, psn: number, { telemetry, isAsked, ...mark }: ArrivedData): void {
    const { algorithmAt, returnBy } = this.#context.config.feedback;
    const hasTelemetry = telemetry.length > 0;
    const request = UNSOLICITED;
    if (algorithmAt === 'receiver' && hasTelemetry) {
      const told = this.#runAlgorithm(now, telemetry, mark);
      if (told !== undefined || isAsked) this.#tell(wirePsn(psn), request, told);
    } else if (isAsked || (hasTelemetry && returnBy === 'notification')) {
      const told = hasTelemetry ? telemetry : this.takeHeld();
      this.#answer(now, wirePsn(psn), { request, telemetry: told, withStack: true });
    }
  }

  #answer(now: Instant, psn: number, { request, telemetry, withStack }: Answer): void {
    const { telemetry: hops, isIncomplete } = this.#read(telemetry);
    const stack = withStack && hops.length > 0 ? telemetry : NO_STACK;
    const chosenHop = hops.length === 0 ? 0 : this.#choice.choose(now, hops, isIncomplete);
    const flags =
      (stack.length > 0 ? RESPONSE_FLAG_STACK : 0) |
      (this.#isOtherPath(hops) ? RESPONSE_FLAG_PATH_CHANGED : 0) |
      (isIncomplete ? RESPONSE_FLAG_HOP_MISSING : 0);
    const { requestId, transmitTime } = request;
    const body = new Uint8Array(TELEMETRY_RESPONSE_LENGTH + stack.length);
    const told = { hopCount: hops.length, chosenHop, flags, requestId, transmitTime };
    emitTelemetryResponse({ ...told, ...fieldsOf(hops[chosenHop]) }, body, 0);
    body.set(stack, TELEMETRY_RESPONSE_LENGTH);
    const frame = { opcode: BTH_TELEMETRY_RESPONSE, psn, body };
    this.#context.answer(this.#signer.emit(LABEL_RESPONSE, frame));
  }

  /** The telemetry stays here; without a new window the response says only that it is one. */
  #answerWithWindow(
    now: Instant,
    psn: number,
    { request, telemetry }: Omit<Answer, 'withStack'>,
  ): void {
    const told = this.#runAlgorithm(now, telemetry, { epochBits: request.epoch, isUrgent: false });
    this.#tell(psn, request, told);
  }

  #runAlgorithm(
    now: Instant,
    telemetry: Uint8Array,
    { epochBits, isUrgent }: DataMark,
  ): WindowRecord | undefined {
    const sample = this.#read(telemetry);
    this.#control ??= this.#newControl();
    const dsFlags = dsFlagsAt(telemetry, 0, telemetry.length);
    return this.#control.onData(now, { sample, epochBits, isUrgent, dsFlags }, 0);
  }

  #tell(psn: number, request: TelemetryRequest, told: WindowRecord | undefined): void {
    const { requestId, transmitTime } = request;
    const length = told === undefined ? 0 : WINDOW_RECORD_LENGTH;
    const flags = told === undefined ? 0 : RESPONSE_FLAG_WINDOW;
    const body = new Uint8Array(TELEMETRY_RESPONSE_LENGTH + length);
    const named = { hopCount: 0, chosenHop: 0, ...fieldsOf(undefined) };
    emitTelemetryResponse({ ...named, flags, requestId, transmitTime }, body, 0);
    if (told !== undefined) emitWindowRecord(told, body, TELEMETRY_RESPONSE_LENGTH);
    const frame = { opcode: BTH_TELEMETRY_RESPONSE, psn, body };
    this.#context.answer(this.#signer.emit(LABEL_RESPONSE, frame));
  }

  #read(telemetry: Uint8Array): LinksSample {
    if (telemetry.length === 0) return NO_TELEMETRY;
    const sample = this.#reader.read(telemetry, 0, telemetry.length);
    return sample?.kind === 'links' ? sample : NO_TELEMETRY;
  }

  #newControl(): ReceiverControl {
    const { config, flow, frames } = this.#context;
    return newReceiverControl(config, { flow, peerAddress: frames.addressing.destinationAddress });
  }

  #isOtherPath(hops: readonly HopRecord[]): boolean {
    if (hops.length === 0) return false;
    const path = hops.map(({ switchId, portId }) => `${switchId}/${portId}`).join(' ');
    const isOther = this.#path !== '' && this.#path !== path;
    this.#path = path;
    return isOther;
  }
}

/** Facts of a data packet that the algorithm at the receiver needs. */
interface DataMark {
  /** Last four bits of the epoch of the window that it was sent under. */
  readonly epochBits: number;
  /** A gap was found, or the flow has ended: the sender shall not wait for the round. */
  readonly isUrgent: boolean;
}

/** A data packet that is reported. */
export interface ArrivedData extends DataMark {
  /** As {@link telemetryOf} gives it. */
  readonly telemetry: Uint8Array;
  /** The sender waits for a report, with telemetry or without. */
  readonly isAsked: boolean;
}

type LinksSample = Extract<CongestionSample, { kind: 'links' }>;

interface Answer {
  readonly request: TelemetryRequest;
  /** As {@link telemetryOf} gives it. */
  readonly telemetry: Uint8Array;
  readonly withStack: boolean;
}

/** Telemetry of a packet as it was written on the way; empty where there is none. */
export const telemetryOf = (
  { telemetryAt, telemetryLength }: ReceivedPacket,
  { bytes }: Packet,
): Uint8Array => bytes.subarray(telemetryAt, telemetryAt + telemetryLength);

/** A response without links has zeros in place of one. */
function fieldsOf(hop: HopRecord | undefined) {
  const word = (value: number) => ({
    high: Math.floor(value / 0x1_0000_0000),
    low: value % 0x1_0000_0000,
  });
  return {
    nodeId: hop?.switchId ?? 0,
    portId: hop?.portId ?? 0,
    queueId: hop?.queueId ?? 0,
    timestamp: word(hop?.timestamp ?? 0),
    txBytes: word(hop?.txBytes ?? 0),
    queueBytes: hop?.queueBytes ?? 0,
    capacityMbps: Math.round((hop?.capacity ?? 0) / 1e6),
  };
}

/** Finds the link of a path that a response names: the one with most in flight. */
export class LinkChoice {
  readonly #meter: LoadMeter;

  constructor({ linkRate, baseRtt, intHopLimit }: CheckedRoceConfig) {
    this.#meter = new LoadMeter({ linkRate, baseRtt, maxHops: intHopLimit });
  }

  /**
   * The position of the link in the path, and whether the path is another one than before. Without
   * anything to compare with, the longest queue counts, by the time that it takes to send it.
   */
  choose(now: Instant, hops: readonly HopRecord[], isIncomplete: boolean): number {
    const load = this.#meter.measure(now, hops, isIncomplete);
    if (load !== undefined && load.link >= 0) return load.link;
    const waits = hops.map(({ queueBytes, capacity }) => queueBytes / capacity);
    return Math.max(0, waits.indexOf(Math.max(...waits)));
  }
}
