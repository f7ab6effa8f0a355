import { InputError } from '../../../common/errors';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  FlowEnvironment,
  Loss,
} from '../congestion-control';
import type { Signals } from '../signals';
import type { Algorithm, AlgorithmTuning, MarkingThresholds } from './algorithms';
import type { Constants } from './constants';
import { withChanges } from './constants';
import { Steered } from './steered';

/**
 * What somebody's own file exports (docs/own-algorithm.md). Times are in ps, rates in bits/s, windows in
 * payload bytes.
 */
export interface OwnModule {
  readonly create: (flow: FlowEnvironment, constants: Constants) => OwnControl;
  /** Default: records of all hops, no marks, no timestamps. */
  readonly signals?: Partial<Signals>;
  readonly constants?: Constants;
  readonly marking?: MarkingThresholds;
}

/** One flow of it; what is absent is not called. */
export interface OwnControl {
  readonly windowBytes: Bytes;
  readonly pacingRate: BitsPerSecond;
  readonly onAck: (ack: Acknowledgement) => unknown;
  readonly onLoss?: (loss: Loss) => void;
  readonly onCongestionNotification?: (now: Instant) => void;
  readonly onIdleRestart?: (now: Instant) => void;
  readonly onBaseRtt?: (baseRtt: Duration) => void;
  readonly wakeupAt?: Instant;
  readonly onWakeup?: (now: Instant) => void;
}

const CALLS = [
  'onLoss',
  'onCongestionNotification',
  'onIdleRestart',
  'onBaseRtt',
  'onWakeup',
] as const;
const MARKING: MarkingThresholds = { minBytes: 300_000, maxBytes: 300_000, maxProbability: 1 };

/**
 * An algorithm from what a file exports.
 * @throws InputError naming the file and what it lacks; and later, from the calls of a flow, naming the
 *   file, the call, and what was wrong with it.
 */
export function ownAlgorithm(file: string, exported: Readonly<Record<string, unknown>>): Algorithm {
  const { create, signals = {}, constants = {}, marking } = exported as Partial<OwnModule>;
  if (typeof create !== 'function') {
    throw new InputError(`${file}: wanted an exported function 'create', found ${typeOf(create)}`);
  }
  const known = checkSignals(file, signals);
  return {
    name: file,
    signals: known,
    constants,
    ...(known.marks && { marking: marking ?? MARKING }),
    factory: ({ constants: changes }: AlgorithmTuning) => {
      const values = withChanges(file, constants, changes);
      return (environment) => new Guarded({ file, create, values }, environment);
    },
  };
}

function checkSignals(file: string, signals: Partial<Signals>): Signals {
  const { telemetry = 'hops', marks = false, timestamps = false } = signals;
  if (!['hops', 'digest', 'none'].includes(telemetry)) {
    const wanted = "signals.telemetry 'hops', 'digest' or 'none'";
    throw new InputError(`${file}: wanted ${wanted}, found ${telemetry as string}`);
  }
  if (typeof marks !== 'boolean' || typeof timestamps !== 'boolean') {
    throw new InputError(`${file}: wanted signals.marks and signals.timestamps true or false`);
  }
  if (telemetry === 'hops' && timestamps) {
    throw new InputError(`${file}: signals.timestamps needs signals.telemetry 'digest' or 'none'`);
  }
  return { telemetry, marks, timestamps };
}

interface Source {
  readonly file: string;
  readonly create: OwnModule['create'];
  readonly values: Constants;
}

/** Somebody's own control, whose every word is checked. */
class Guarded extends Steered implements CongestionControl {
  readonly #file: string;
  readonly #own: OwnControl;
  #window: Bytes = NaN;
  #rate: BitsPerSecond = NaN;

  constructor({ file, create, values }: Source, environment: FlowEnvironment) {
    super(environment);
    this.#file = file;
    const { linkRate, baseRtt, segmentBytes } = this;
    const own: unknown = this.#try('create', () =>
      create({ linkRate, baseRtt, segmentBytes }, values),
    );
    this.#own = this.#checkObject(own);
    this.#read('create');
  }

  get windowBytes(): Bytes {
    return this.#window;
  }

  get pacingRate(): BitsPerSecond {
    return this.#rate;
  }

  get wakeupAt(): Instant {
    const at = this.#own.wakeupAt ?? Infinity;
    return typeof at === 'number' && !Number.isNaN(at)
      ? at
      : this.#fail('wakeupAt', `must be a number of ps, found ${String(at)}`);
  }

  protected learn(ack: Acknowledgement): AckKind {
    this.#call('onAck', () => this.#own.onAck(ack));
    return 'update';
  }

  onLoss(loss: Loss): void {
    this.#call('onLoss', () => this.#own.onLoss?.(loss));
  }

  onCongestionNotification(now: Instant): void {
    this.#call('onCongestionNotification', () => this.#own.onCongestionNotification?.(now));
  }

  override onIdleRestart(now = 0): void {
    this.#call('onIdleRestart', () => this.#own.onIdleRestart?.(now));
  }

  override onBaseRtt(baseRtt: Duration): void {
    super.onBaseRtt(baseRtt);
    this.#call('onBaseRtt', () => this.#own.onBaseRtt?.(baseRtt));
  }

  /** What has come must be done, or the flow would be woken for ever. */
  onWakeup(now: Instant): void {
    this.#call('onWakeup', () => this.#own.onWakeup?.(now));
    if (this.wakeupAt <= now) this.#fail('onWakeup', `must move wakeupAt behind ${now}`);
  }

  #checkObject(own: unknown): OwnControl {
    if (typeof own !== 'object' || own === null) {
      return this.#fail('create', `must return an object, found ${typeOf(own)}`);
    }
    const given = own as Partial<OwnControl>;
    if (typeof given.onAck !== 'function') {
      return this.#fail('create', `must return an object with a function 'onAck'`);
    }
    for (const name of CALLS) {
      const found = given[name];
      if (found === undefined || typeof found === 'function') continue;
      this.#fail('create', `'${name}' must be a function, found ${typeOf(found)}`);
    }
    return own as OwnControl;
  }

  #call(name: string, call: () => unknown): void {
    this.#try(name, call);
    this.#read(name);
  }

  #try(name: string, call: () => unknown): unknown {
    try {
      return call();
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      return this.#fail(name, `threw: ${said}`);
    }
  }

  #read(name: string): void {
    const { windowBytes, pacingRate } = this.#own;
    this.#window = this.#checkPositive(name, 'windowBytes', windowBytes);
    this.#rate = Math.min(this.linkRate, this.#checkPositive(name, 'pacingRate', pacingRate));
  }

  #checkPositive(name: string, what: string, value: unknown): number {
    if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
    const found = typeof value === 'number' ? String(value) : typeOf(value);
    return this.#fail(name, `left ${what} at ${found}; it must be a finite number above 0`);
  }

  #fail(name: string, problem: string): never {
    throw new InputError(`${this.#file}: ${name} ${problem}`);
  }
}

const typeOf = (value: unknown): string => (value === undefined ? 'nothing' : typeof value);
