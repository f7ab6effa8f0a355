import { status as Status } from '@grpc/grpc-js';
import type { Metadata } from '@grpc/grpc-js';
import type { PartialStatusObject } from '@grpc/grpc-js/build/src/call-interface';
import type { Faults } from '../kernel/faults';
import type { Machine } from '../kernel/machine';
import type { Process } from '../kernel/process';

/** Delay of one message, in ns. */
const DELAY_NS = 100_000;
const JITTER_NS = 400_000;
const SLOW_NS = 80e6;
/** A controller that stops reading does so for up to so long, in ns. */
const STALL_NS = 500e6;

/** One end of a call, as the wire hands messages over. */
export interface CallEnd {
  opened(metadata: Metadata): void;
  received(message: Buffer): void;
  halfClosed(): void;
  /** The call has ended: with a status of the server, or because the connection or the client left. */
  ended(status: PartialStatusObject): void;
}

/** The processes at both ends of a connection. */
export type Ends = Readonly<Record<'server' | 'client', Process | undefined>>;

/**
 * A connection between a controller and a switch: messages of all its calls arrive in order, late, or
 * never again. A connection that is half open has lost its other end without a word.
 */
export class Wire {
  isOpen = true;
  isHalfOpen = false;
  /** Nothing is handed to the controller before. */
  #stalledUntil = 0;
  readonly #arrivals = { server: 0, client: 0 };
  readonly #ends = { server: new Set<CallEnd>(), client: new Set<CallEnd>() };

  readonly machine: Machine;
  readonly faults: Faults;

  constructor(
    { machine, faults }: { readonly machine: Machine; readonly faults: Faults },
    private readonly processes: Ends,
    /** Time after which a server notices that nobody is there, in ns. */
    private readonly noticeNs: number,
    private readonly note: (what: string) => void,
  ) {
    this.machine = machine;
    this.faults = faults;
  }

  get isStalled(): boolean {
    return this.#stalledUntil > this.machine.now;
  }

  get stalledForNs(): number {
    return Math.max(0, this.#stalledUntil - this.machine.now);
  }

  /** An end of a call hears of what becomes of the connection. @returns what ends that. */
  enter(side: 'server' | 'client', end: CallEnd): () => void {
    this.#ends[side].add(end);
    return () => void this.#ends[side].delete(end);
  }

  /** Does something at the other end, after all that was sent before. */
  send(to: 'server' | 'client', act: () => void): void {
    if (!this.isOpen || this.isHalfOpen) return;
    const { machine, faults } = this;
    if (faults.strikes('connection-lost', 0.05)) {
      this.lose();
      return;
    }
    if (faults.strikes('half-open', 0.02)) {
      this.halve();
      return;
    }
    if (faults.strikes('stalled-reader', 0.1)) {
      this.note('the controller stops reading');
      this.#stalledUntil = machine.now + faults.some(STALL_NS);
    }
    const slow = faults.strikes('slow-connection', 0.3) ? faults.some(SLOW_NS) : 0;
    const wanted = machine.now + DELAY_NS + faults.some(JITTER_NS) + slow;
    const at = Math.max(wanted, this.#arrivals[to]);
    this.#arrivals[to] = at;
    const arrive = (): void => {
      if (this.isOpen && !this.isHalfOpen) act();
    };
    machine.taskIn(at - machine.now, arrive, this.processes[to]);
  }

  /** Both ends hear of it, unless the other one has gone without a word. */
  lose(details = 'the connection was lost'): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.note(details);
    this.#tell('client', Status.UNAVAILABLE, details);
    if (!this.isHalfOpen) this.#tell('server', Status.CANCELLED, details);
  }

  /** Nobody hears of it; a server that probes its connections does in the end. */
  halve(): void {
    if (!this.isOpen || this.isHalfOpen) return;
    this.isHalfOpen = true;
    this.note('the connection is half open');
    this.machine.interruptIn(this.noticeNs, () => {
      this.#tell('server', Status.CANCELLED, 'no answer to a probe');
    });
  }

  #tell(side: 'server' | 'client', code: Status, details: string): void {
    for (const end of this.#ends[side]) {
      this.machine.taskIn(0, () => end.ended({ code, details }), this.processes[side]);
    }
    this.#ends[side].clear();
  }
}
