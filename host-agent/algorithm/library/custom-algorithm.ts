import { InputError } from '../../../common/errors';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionControlFactory,
  FlowEnvironment,
  Loss,
} from '../congestion-control';
import type { Algorithm, AlgorithmTuning } from './algorithms';
import type { Constants } from './constants';
import { withChanges } from './constants';
import { withPlausibility } from './plausible-control';
import { checkModule, typeOf } from './custom-module';
import type { CustomCreate } from './custom-module';
import { BaseAlgorithm } from './base-algorithm';

/** One flow of it; what is absent is not called. */
export interface CustomControl {
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

/** Told when a call of somebody's code begins and ends. */
export interface WatchedCalls {
  begin(): void;
  end(): void;
}

/** Rules for calls of a file's code. */
export interface CallRules {
  /** Absent: nobody watches. */
  readonly watched?: WatchedCalls;
  /** True if the code gets copies of what it hears. */
  readonly copiesInput?: boolean;
}

const CALLS = [
  'onLoss',
  'onCongestionNotification',
  'onIdleRestart',
  'onBaseRtt',
  'onWakeup',
] as const;

/**
 * An algorithm from what a file exports.
 * @throws InputError naming the file and what it lacks; and later, from the calls of a flow, naming the
 *   file, the call, and what was wrong with it.
 */
export function customAlgorithm(
  file: string,
  exported: Readonly<Record<string, unknown>>,
  rules: CallRules = {},
): Algorithm {
  const { create, signals, constants, marking } = checkModule(file, exported);
  return {
    name: file,
    signals,
    constants,
    ...(signals.marks && { marking }),
    factory: (tuning: AlgorithmTuning) => {
      const values = withChanges(file, constants, tuning.constants);
      const guarded: CongestionControlFactory = (environment) =>
        new Guarded({ file, create, values, rules }, environment);
      return withPlausibility(guarded, tuning);
    },
  };
}

interface Source {
  readonly file: string;
  readonly create: CustomCreate;
  readonly values: Constants;
  readonly rules: CallRules;
}

/** Somebody's own control, whose every word is checked. */
class Guarded extends BaseAlgorithm implements CongestionControl {
  readonly retainsNoInput: boolean;
  readonly #file: string;
  readonly #watched: WatchedCalls | undefined;
  readonly #own: CustomControl;
  #window: Bytes = NaN;
  #rate: BitsPerSecond = NaN;

  constructor({ file, create, values, rules }: Source, environment: FlowEnvironment) {
    super(environment);
    this.#file = file;
    this.#watched = rules.watched;
    this.retainsNoInput = rules.copiesInput === true;
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
    const at = this.#try('wakeupAt', () => this.#own.wakeupAt ?? Infinity);
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

  /**
   * Reports a wake-up; the algorithm must move its next one behind `now`, or the flow would be woken for
   * ever.
   */
  onWakeup(now: Instant): void {
    this.#call('onWakeup', () => this.#own.onWakeup?.(now));
    if (this.wakeupAt <= now) this.#fail('onWakeup', `must move wakeupAt behind ${now}`);
  }

  #checkObject(own: unknown): CustomControl {
    if (typeof own !== 'object' || own === null) {
      return this.#fail('create', `must return an object, found ${typeOf(own)}`);
    }
    const given = own as Partial<CustomControl>;
    if (typeof given.onAck !== 'function') {
      return this.#fail('create', `must return an object with a function 'onAck'`);
    }
    for (const name of CALLS) {
      const found = given[name];
      if (found === undefined || typeof found === 'function') continue;
      this.#fail('create', `'${name}' must be a function, found ${typeOf(found)}`);
    }
    return own as CustomControl;
  }

  #call(name: string, call: () => unknown): void {
    const returned = this.#try(name, call);
    if (isPending(returned)) {
      returned.then(undefined, () => undefined);
      this.#fail(name, 'must be done when it returns, and returned a promise');
    }
    this.#read(name);
  }

  #try(name: string, call: () => unknown): unknown {
    this.#watched?.begin();
    try {
      return call();
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      return this.#fail(name, `threw: ${said}`);
    } finally {
      this.#watched?.end();
    }
  }

  #read(name: string): void {
    const window = this.#try('windowBytes', () => this.#own.windowBytes);
    const rate = this.#try('pacingRate', () => this.#own.pacingRate);
    this.#window = this.#checkPositive(name, 'windowBytes', window);
    this.#rate = Math.min(this.linkRate, this.#checkPositive(name, 'pacingRate', rate));
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

interface Pending {
  then(done: undefined, failed: () => void): unknown;
}

/** True if a call continues after it has returned, when nobody would notice its failure. */
const isPending = (returned: unknown): returned is Pending =>
  typeof (returned as { then?: unknown } | null | undefined)?.then === 'function';
