import type { Packet } from '../../../common/packet/packet';
import type { Instant } from '../../../common/units/units';
import { BTH_CNP, BTH_LENGTH } from '../../../common/wire/roce/bth';
import { CNP_LENGTH } from '../../../common/wire/roce/cnp';
import { LABEL_NOTICE } from './control-signer';
import type { ControlSigner } from './control-signer';
import type { DataStream } from '../queue-pair/data-stream';
import type { FeedbackOutcome } from '../../host/host-events';
import type { QpContext } from '../queue-pair/queue-pair';
import type { ReceivedPacket } from '../packets/received-packet';

/**
 * Congestion notification packets (CNP, annex A17 of the InfiniBand architecture), both ends: the
 * receiver of data tells its sender of marks of ECN.
 *
 * One per base RTT is enough: a mark holds for two, so that one lost CNP does not end it.
 */
export class CongestionNotices {
  readonly #context: QpContext;
  readonly #signer: ControlSigner;
  #quietUntil: Instant = -Infinity;

  constructor(context: QpContext, signer: ControlSigner) {
    this.#context = context;
    this.#signer = signer;
  }

  /** A packet has arrived, with a mark or without. */
  onArrival(now: Instant, { isMarked }: ReceivedPacket): void {
    if (!isMarked || now < this.#quietUntil) return;
    this.#quietUntil = now + this.#context.config.baseRtt;
    const body = new Uint8Array(CNP_LENGTH - BTH_LENGTH);
    const frame = { opcode: BTH_CNP, psn: 0, body, becn: true };
    this.#context.answer(this.#signer.emit(LABEL_NOTICE, frame));
  }

  /** A CNP has arrived for what this end sends, which is nothing if `stream` is undefined. */
  handle(
    now: Instant,
    { packet, frame }: { readonly packet: ReceivedPacket; readonly frame: Packet },
    stream: DataStream | undefined,
  ): FeedbackOutcome {
    const body = this.#signer.verify(LABEL_NOTICE, packet, frame);
    if (typeof body === 'string') return body;
    return stream?.handleMark(now) === true ? 'taken' : 'unrequested';
  }
}
