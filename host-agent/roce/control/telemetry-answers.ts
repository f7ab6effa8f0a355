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
import { NO_TELEMETRY } from '../../carrier/congestion-sample';
import { readInt } from '../../carrier/int-carrier';
import { emitWindowRecord, WINDOW_RECORD_LENGTH } from '../../../common/wire/hpcc/feedback-records';
import { ReceiverControl } from '../../feedback/receiver-control';
import { roundClock } from '../../feedback/round-clock';
import { wirePsn } from '../packets/connection-numbers';
import type { ControlSigner } from './control-signer';
import { LABEL_RESPONSE } from './control-signer';
import type { QpContext } from '../queue-pair/queue-pair';
import type { ReceivedPacket } from '../packets/received-packet';
import { LoadMeter } from '../../feedback/load-meter';
import type { CheckedRoceConfig } from '../queue-pair/roce-config';

/** Request id of a response that nobody has asked for: it reports READ data that has arrived. */
export const REPORT_ID = 0;

const ZERO = { high: 0, low: 0 } as const;
const UNSOLICITED = { epoch: 0, hopsMax: 0, requestId: REPORT_ID, transmitTime: ZERO } as const;
const NO_STACK = new Uint8Array(0);

/** Answers of the receiver of data: what the switches have said about the path of a packet. */
export class TelemetryAnswers {
  readonly #context: QpContext;
  readonly #signer: ControlSigner;
  readonly #choice: LinkChoice;
  /** The algorithm, where it runs at the receiver of data; made with the first request. */
  #control: ReceiverControl | undefined = undefined;
  #path = '';

  constructor(context: QpContext, signer: ControlSigner) {
    this.#context = context;
    this.#signer = signer;
    this.#choice = new LinkChoice(context.config);
  }

  /** The response to a request, whose PSN it repeats. */
  respond(now: Instant, packet: ReceivedPacket, frame: Packet, request: TelemetryRequest): void {
    const int = intOf(packet, frame);
    if (this.#context.config.feedback.algorithmAt === 'receiver') {
      this.#answerWithWindow(now, packet.bth.psn, { request, int });
      return;
    }
    const withStack = this.#context.config.responses === 'stack';
    this.#answer(now, packet.bth.psn, { request, int, withStack });
  }

  /** Says that all READ data up to `psn` has arrived, with the INT bytes that it brought. */
  report(now: Instant, psn: number, int: Uint8Array): void {
    this.#answer(now, wirePsn(psn), { request: UNSOLICITED, int, withStack: true });
  }

  #answer(now: Instant, psn: number, { request, int, withStack }: Answer): void {
    const links = int.length === 0 ? undefined : readInt(int, 0, int.length);
    const { telemetry: hops, isIncomplete } = links ?? NO_TELEMETRY;
    const stack = withStack && hops.length > 0 ? int : NO_STACK;
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
  #answerWithWindow(now: Instant, psn: number, { request, int }: Omit<Answer, 'withStack'>): void {
    const sample = readInt(int, 0, int.length) ?? NO_TELEMETRY;
    const { requestId, transmitTime, epoch: epochBits } = request;
    this.#control ??= this.#newControl();
    const told = this.#control.onData(now, { sample, epochBits, isUrgent: false }, 0);
    const length = told === undefined ? 0 : WINDOW_RECORD_LENGTH;
    const flags = told === undefined ? 0 : RESPONSE_FLAG_WINDOW;
    const body = new Uint8Array(TELEMETRY_RESPONSE_LENGTH + length);
    const named = { hopCount: 0, chosenHop: 0, ...fieldsOf(undefined) };
    emitTelemetryResponse({ ...named, flags, requestId, transmitTime }, body, 0);
    if (told !== undefined) emitWindowRecord(told, body, TELEMETRY_RESPONSE_LENGTH);
    const frame = { opcode: BTH_TELEMETRY_RESPONSE, psn, body };
    this.#context.answer(this.#signer.emit(LABEL_RESPONSE, frame));
  }

  #newControl(): ReceiverControl {
    const { congestionControl, linkRate, baseRtt, feedback } = this.#context.config;
    const rounds = roundClock(feedback.roundsEndBy, baseRtt);
    return new ReceiverControl(congestionControl({ linkRate, baseRtt }), baseRtt, rounds);
  }

  #isOtherPath(hops: readonly HopRecord[]): boolean {
    if (hops.length === 0) return false;
    const path = hops.map(({ switchId, portId }) => `${switchId}/${portId}`).join(' ');
    const isOther = this.#path !== '' && this.#path !== path;
    this.#path = path;
    return isOther;
  }
}

interface Answer {
  readonly request: TelemetryRequest;
  readonly int: Uint8Array;
  readonly withStack: boolean;
}

/** INT bytes of a packet as they were written on the way; empty where there are none. */
export const intOf = ({ intAt, intLength }: ReceivedPacket, { bytes }: Packet): Uint8Array =>
  bytes.subarray(intAt, intAt + intLength);

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
