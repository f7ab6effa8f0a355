import type { BitsPerSecond, Bytes, Instant } from '../../common/units/units';
import { serialisationTime } from '../../common/units/units';
import type { FlowHold } from '../../host-agent/host/agent';
import type { Cause } from '../result/flow-causes';
import { clipped } from './piece';
import type { Piece } from './piece';
import type { Journey } from './journey';
import type { NicTransmissions } from './nic-transmissions';

/** The state of the flow from an instant on. */
interface Sample {
  readonly at: Instant;
  readonly hold: FlowHold | undefined;
  /** Feedback that had just arrived then. */
  readonly feedback: Journey | undefined;
}

interface Departure {
  readonly at: Instant;
  /** When it had left, at the rate of the slowest link of its path. */
  readonly end: Instant;
  readonly isRetransmission: boolean;
}

export interface SenderScene {
  readonly host: string;
  /** Number of the flow. */
  readonly flow: number;
  readonly startsAt: () => Instant;
  /** Rate of the slowest link of the flow's path. */
  readonly slowest: BitsPerSecond;
  /** Packets that the host's interface has sent since the flow's last one. */
  readonly nic: NicTransmissions;
  /** True if switches may pause hosts. */
  readonly hasPauses: boolean;
  /** Why the flow's own control held it back for an interval: others that used its path, if there were. */
  readonly explain: (own: 'window' | 'pacing', from: Instant, to: Instant) => readonly Piece[];
}

/**
 * The time of a flow at its sender, from its start to the departure of each packet: what kept the packet
 * from leaving when the one before it had left.
 */
export class SenderTime {
  /** Pieces that meet, from the start of the flow to its last departure. */
  readonly pieces: Piece[] = [];
  readonly #o: SenderScene;
  #samples: Sample[] = [];
  #last: Departure | undefined;

  constructor(scene: SenderScene) {
    this.#o = scene;
  }

  /** Something has happened at the host. */
  sample(at: Instant, hold: FlowHold | undefined, feedback?: Journey): void {
    this.#samples.push({ at, hold, feedback });
  }

  depart(at: Instant, bytes: Bytes, isRetransmission: boolean): void {
    const last = this.#last;
    const from = last?.at ?? this.#o.startsAt();
    const heldFrom = last === undefined ? from : Math.min(at, last.end);
    if (last !== undefined && heldFrom > from) {
      const cause = last.isRetransmission ? 'retransmission' : 'serialisation';
      this.pieces.push({ cause, from, to: heldFrom, ...this.#place(cause) });
    }
    for (const piece of this.#held(heldFrom, at, isRetransmission)) this.pieces.push(piece);
    const end = at + serialisationTime(bytes, this.#o.slowest);
    this.#last = { at, end, isRetransmission };
    this.#samples = [];
  }

  /** Pieces of the time from when a packet could have left at the earliest until it left. */
  #held(from: Instant, to: Instant, isRetransmission: boolean): Piece[] {
    const pieces: Piece[] = [];
    for (let at = from, i = this.#sampleAt(from); at < to;) {
      const { hold } = this.#samples[i] ?? {};
      let next = i + 1;
      // A window that stays full is one piece, however often somebody looks.
      if (hold?.by === 'window') {
        while (this.#samples[next]?.hold?.by === 'window') next++;
      }
      const { at: end = to, feedback } = this.#samples[next] ?? {};
      const until = Math.min(to, Math.max(at, end));
      pieces.push(...this.#why(hold, feedback, { from: at, to: until, isRetransmission }));
      at = until;
      i = next;
    }
    return pieces;
  }

  /** The last sample that is not later; the first one, where all are. */
  #sampleAt(at: Instant): number {
    const later = this.#samples.findIndex((sample) => sample.at > at);
    return Math.max(0, (later < 0 ? this.#samples.length : later) - 1);
  }

  #why(
    hold: FlowHold | undefined,
    feedback: Journey | undefined,
    span: { readonly from: Instant; readonly to: Instant; readonly isRetransmission: boolean },
  ): readonly Piece[] {
    const { from, to, isRetransmission } = span;
    if (from >= to) return [];
    const whole = (cause: Cause): Piece[] => [{ cause, from, to, ...this.#place(cause) }];
    if (hold === undefined)
      return this.#last === undefined ? this.#byFirstTurn(from, to) : whole('other');
    if (hold.by === 'draining') return whole('draining');
    const isRecovery = isRetransmission || this.#last?.isRetransmission === true;
    if (hold.by === 'nothing-to-send')
      return whole(isRetransmission ? 'retransmission' : 'application');
    if (hold.by === 'window') {
      return isRecovery ? whole('retransmission') : this.#byWindow(feedback, from, to);
    }
    const ready = Math.min(to, Math.max(from, hold.pacedUntil));
    return [
      ...(ready === from ? [] : this.#byPacing(from, ready)),
      ...(ready === to ? [] : this.#byInterface(ready, to)),
    ];
  }

  /** Sending again takes as long as it is paced. */
  #byPacing(from: Instant, to: Instant): readonly Piece[] {
    if (this.#last?.isRetransmission !== true) return this.#o.explain('pacing', from, to);
    return [{ cause: 'retransmission', from, to, ...this.#place('retransmission') }];
  }

  /**
   * A window is full until feedback comes. What its round trip took beyond links, it took from the flow; for
   * the rest the window is too small, or others have the path.
   */
  #byWindow(feedback: Journey | undefined, from: Instant, to: Instant): readonly Piece[] {
    const { trigger } = feedback ?? {};
    const trip =
      feedback === undefined || trigger === undefined
        ? []
        : clipped([...trigger.data.pieces, ...trigger.pieces, ...feedback.pieces], from, to);
    const pieces: Piece[] = [];
    let at = from;
    const own = (until: Instant): void => {
      if (until > at) pieces.push(...this.#o.explain('window', at, until));
      at = Math.max(at, until);
    };
    for (const piece of trip) {
      const isInherent = piece.cause === 'serialisation' || piece.cause === 'propagation';
      if (isInherent && piece.isBacklog !== true) continue;
      own(piece.from);
      pieces.push(piece);
      at = piece.to;
    }
    own(to);
    return pieces;
  }

  /** Before its first packet nobody has looked at the flow: it waits for the interface, if that is busy. */
  #byFirstTurn(from: Instant, to: Instant): Piece[] {
    return this.#byInterface(from, to).map((piece): Piece => {
      const isIdle = piece.others === undefined && piece.cause === 'interface';
      return isIdle ? { cause: 'other', from: piece.from, to: piece.to } : piece;
    });
  }

  #byInterface(from: Instant, to: Instant): Piece[] {
    const { nic, host: at, flow: own, hasPauses } = this.#o;
    return nic.between(from, to).map(({ flow, ...span }) => {
      if (flow === undefined) return { cause: hasPauses ? 'pause' : 'interface', ...span, at };
      if (flow === own) return { cause: 'serialisation', ...span, at };
      return { cause: 'interface', ...span, at, others: new Map([[flow, span.to - span.from]]) };
    });
  }

  #place(cause: Cause): Pick<Piece, 'at' | 'way'> {
    return cause === 'other' ? {} : { at: this.#o.host };
  }
}
