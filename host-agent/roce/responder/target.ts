import type { Packet } from '../../../common/packet/packet';
import type { Instant } from '../../../common/units/units';
import type { CongestionControl } from '../../algorithm/congestion-control';
import { CongestionNotices } from '../control/congestion-notices';
import { ControlSigner } from '../control/control-signer';
import type { FeedbackOutcome } from '../../host/host-events';
import type { QpContext } from '../queue-pair/queue-pair';
import { ReadServer } from './read-server';
import type { ReceivedPacket } from '../packets/received-packet';
import { Responder } from './responder';
import { TelemetryAnswers } from '../control/telemetry-answers';
import { TelemetryIntake } from '../control/telemetry-intake';

export interface TargetOptions {
  readonly context: QpContext;
  readonly qpn: number;
  /** Time at which its first packet came. */
  readonly now: Instant;
  /** A READ has arrived, so data will leave. */
  readonly onReading: (now: Instant, server: ReadServer) => void;
  /** The last message of the flow is complete; `end` counts its bytes. */
  readonly onReceived: (now: Instant, end: number) => void;
}

/** The end of a connection that executes the operations of one flow. */
export class Target {
  readonly qpn: number;
  readonly #context: QpContext;
  readonly #responder: Responder;
  readonly #answers: TelemetryAnswers;
  readonly #intake: TelemetryIntake;
  readonly #notices: CongestionNotices;
  /** Time at which the initiator was heard last. */
  #heardAt: Instant;
  #now: Instant = 0;
  #server: ReadServer | undefined = undefined;
  #hasReceivedAll = false;

  constructor(options: TargetOptions) {
    const { context, qpn, onReceived } = options;
    const { flow, config, remoteKey, frames } = context;
    const signer = new ControlSigner(config.keyRing, frames);
    this.qpn = qpn;
    this.#heardAt = options.now;
    this.#context = context;
    this.#answers = new TelemetryAnswers(context, signer);
    this.#intake = new TelemetryIntake(signer, context.config);
    this.#notices = new CongestionNotices(context, signer);
    const access = { write: true, read: true };
    const region = { key: remoteKey, base: 0, length: config.regionBytes, access };
    this.#responder = new Responder({
      context,
      signer,
      answers: this.#answers,
      region,
      reads: () => this.#startReads(signer, options.onReading),
      isReceiveReady: (now) => config.isReceiveReady?.(flow, now) ?? true,
      onImmediate: (now, end) => {
        this.#hasReceivedAll = true;
        onReceived(now, end);
      },
    });
  }

  /** The algorithm of the data that arrives; undefined unless it runs here. */
  get control(): CongestionControl | undefined {
    return this.#answers.control;
  }

  get server(): ReadServer | undefined {
    return this.#server;
  }

  /** The PSN of the next request, without wrap-around. */
  get expectedPsn(): number {
    return this.#responder.expectedPsn;
  }

  /** True if the flow has been received whole, or all that was read of it so far has arrived. */
  get isIdle(): boolean {
    return this.#hasReceivedAll || this.#server?.stream.log.pending.length === 0;
  }

  isSilentFor(now: Instant, duration: number): boolean {
    return now - this.#heardAt > duration;
  }

  handle(now: Instant, packet: ReceivedPacket, frame: Packet): FeedbackOutcome {
    this.#now = this.#heardAt = now;
    this.#context.frames.follow({ mac: packet.sourceMac, port: packet.sourcePort });
    const { content } = packet;
    this.#notices.onArrival(now, packet);
    switch (content.kind) {
      case 'send':
      case 'write':
      case 'read-request':
      case 'unsupported':
        if (packet.isTrimmed) this.#responder.handleTrimmed(now, packet, frame);
        else this.#responder.handle(now, packet, frame);
        return 'taken';
      case 'telemetry-request':
        this.#answers.respond(now, packet, frame, content.request);
        return 'taken';
      case 'telemetry-response':
        return this.#intake.handle(
          now,
          { packet, frame },
          this.#server?.stream,
          (at, psn, sample) => this.#server?.handleReport(at, psn, sample) ?? 'unrequested',
        );
      case 'congestion-notice':
        return this.#notices.handle(now, { packet, frame }, this.#server?.stream);
      case 'acknowledge':
      case 'read-response':
        return 'unrequested';
    }
  }

  #startReads(signer: ControlSigner, onReading: TargetOptions['onReading']): ReadServer {
    const { flow, config } = this.#context;
    const server = new ReadServer({
      context: this.#context,
      signer,
      payload: config.readSource?.(flow),
      msn: () => this.#responder.msn,
      onServed: () => this.#responder.releaseAnswer(),
    });
    this.#server = server;
    onReading(this.#now, server);
    return server;
  }
}
