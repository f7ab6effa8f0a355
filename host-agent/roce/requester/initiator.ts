import type { Packet } from '../../../common/packet/packet';
import type { Bytes, Instant } from '../../../common/units/units';
import type { CongestionControl } from '../../algorithm/congestion-control';
import { CongestionNotices } from '../control/congestion-notices';
import { ControlSigner } from '../control/control-signer';
import type { FeedbackOutcome } from '../../host/host-events';
import type { QpContext } from '../queue-pair/queue-pair';
import type { ReceivedPacket } from '../packets/received-packet';
import { Requester } from './requester';
import type { CheckedRoceConfig, PayloadWriter } from '../queue-pair/roce-config';
import type { RoceOperation } from '../../settings/settings';
import { TelemetryAnswers } from '../control/telemetry-answers';
import type { ReportHandler } from '../control/telemetry-intake';
import { TelemetryIntake } from '../control/telemetry-intake';

export interface InitiatorOptions {
  readonly context: QpContext;
  readonly operation: RoceOperation;
  readonly payload: PayloadWriter | undefined;
  readonly startedAt: Instant;
  readonly onCompleted: (now: Instant) => void;
  readonly onFailed: (now: Instant, reason: string) => void;
}

/** The end of a connection that posts the operations of one flow. */
export class Initiator {
  readonly requester: Requester;
  readonly operation: RoceOperation;
  readonly startedAt: Instant;
  readonly peerAddress: number;
  readonly #context: QpContext;
  readonly #answers: TelemetryAnswers;
  readonly #intake: TelemetryIntake;
  readonly #notices: CongestionNotices;
  /** Undefined unless notifications or windows of data acknowledge it. */
  readonly #onReport: ReportHandler | undefined;
  #postedBytes: Bytes = 0;

  constructor(options: InitiatorOptions) {
    const { context, operation, startedAt } = options;
    const signer = new ControlSigner(context.config.keyRing, context.frames);
    this.operation = operation;
    this.startedAt = startedAt;
    this.peerAddress = context.frames.addressing.destinationAddress;
    this.#context = context;
    this.#answers = new TelemetryAnswers(context, signer);
    this.#intake = new TelemetryIntake(signer, context.config);
    this.#notices = new CongestionNotices(context, signer);
    if (isReported(context.config)) {
      this.#onReport = (now, psn, sample) => this.requester.handleReport(now, psn, sample);
    }
    this.requester = new Requester({
      ...options,
      signer,
      answers: this.#answers,
      collects: operation !== 'read',
    });
  }

  /** The algorithm of the data that arrives; undefined unless it runs here. */
  get control(): CongestionControl | undefined {
    return this.#answers.control;
  }

  /** Bytes of all operations that were posted. */
  get postedBytes(): Bytes {
    return this.#postedBytes;
  }

  /**
   * Posts `bytes` as one or more messages. The last message of a flow tells so by immediate data, but
   * for READ, whose target need not know.
   */
  post(now: Instant, bytes: Bytes, isLast: boolean): void {
    const { messageBytes } = this.#context.config;
    const kind = this.operation;
    for (let rest = bytes; rest > 0;) {
      const length = Math.min(rest, messageBytes);
      rest -= length;
      const isFinal = isLast && rest === 0;
      const immediate = isFinal && kind !== 'read' ? this.#context.flow : undefined;
      const message = { kind, length, offset: this.#postedBytes, immediate };
      this.#postedBytes += length;
      this.requester.post(now, message, isFinal);
    }
  }

  handle(now: Instant, packet: ReceivedPacket, frame: Packet): FeedbackOutcome {
    const { content } = packet;
    this.#notices.onArrival(now, packet);
    switch (content.kind) {
      case 'acknowledge':
        return this.requester.handleAcknowledge(now, packet, { frame, content });
      case 'read-response':
        return this.requester.handleReadResponse(now, packet, frame) ? 'taken' : 'unrequested';
      case 'telemetry-request':
        this.#answers.respond(now, packet, frame, content.request);
        return 'taken';
      case 'telemetry-response':
        if (this.requester.hasEnded) return 'late';
        return this.#intake.handle(now, { packet, frame }, this.requester.stream, this.#onReport);
      case 'congestion-notice':
        if (this.requester.hasEnded) return 'late';
        return this.#notices.handle(now, { packet, frame }, this.requester.stream);
      case 'send':
      case 'write':
      case 'read-request':
      case 'unsupported':
        return 'unrequested';
    }
  }
}

const isReported = ({ feedback: { collectBy, returnBy } }: CheckedRoceConfig): boolean =>
  collectBy === 'data' && (returnBy === 'notification' || returnBy === 'window');
