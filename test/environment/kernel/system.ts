import { Random } from '../../../common/random/random';
import { Descriptors } from './descriptors';
import { Faults } from './faults';
import { Interfaces } from './interfaces';
import { Machine, NS_PER_MS } from './machine';
import { Memory } from './memory';
import { Trace } from './trace';
import { PollLoop } from './waiting';

/** The kernel's own parts, as its calls need them. */
export interface SystemParts {
  readonly machine: Machine;
  readonly faults: Faults;
  readonly interfaces: Interfaces;
  readonly trace: Trace;
  /** The date, in ms since 1970. */
  wallMs(): number;
}

/** Some day. */
const BOOTED_MS = 1_760_000_000_000;
/** A process may be kept from its turn for so long, in ns. */
const LATE_NS = 60e6;

/** Seeds of the parts, so that a decision of one does not shift those of the others. */
const PURPOSES = { faults: 1, entropy: 2, scenario: 3 } as const;

/** A machine with its kernel: all that a seed decides. */
export class System implements SystemParts {
  readonly machine: Machine;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly memory = new Memory();
  readonly interfaces: Interfaces;
  readonly descriptors: Descriptors;
  readonly polling: PollLoop;
  /** Source of the random devices. */
  readonly entropy: Random;
  /** Source of the instants of events. */
  readonly scenario: Random;
  /** Offset by which somebody has set the date, in ms. */
  #dateMovedMs = 0;

  constructor(seed: number, print?: (line: string) => void) {
    const stream = (purpose: keyof typeof PURPOSES): Random =>
      new Random(seed * 16 + PURPOSES[purpose]);
    this.machine = new Machine(() =>
      this.faults.strikes('late-turn', 0.1) ? this.faults.some(LATE_NS) : 0,
    );
    this.faults = new Faults(stream('faults'), () => this.machine.now);
    this.entropy = stream('entropy');
    this.scenario = stream('scenario');
    this.trace = new Trace(() => this.machine.now, print);
    this.interfaces = new Interfaces(this.machine, this.faults, this.trace);
    this.descriptors = new Descriptors(this.faults);
    this.polling = new PollLoop(this.descriptors, this.machine);
  }

  wallMs(): number {
    return BOOTED_MS + this.#dateMovedMs + this.machine.now / NS_PER_MS;
  }

  moveDate(ms: number): void {
    this.trace.note('date', `moves by ${ms} ms`);
    this.faults.note('wall-jump');
    this.#dateMovedMs += ms;
  }
}
