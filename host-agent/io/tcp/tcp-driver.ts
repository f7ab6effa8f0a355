import type { Clock } from '../../../common/io/monotonic-clock';
import { Readiness } from '../../../common/io/net/readiness';
import { PS_PER_NS } from '../../../common/units/units';
import type { TcpControl } from '../../tcp/tcp-control';
import type { TcpPort } from './tcp-port';

/** Rounds before timers and servers of the process get their turn. */
const ROUNDS = 16;
/** While segments arrive they are looked at so often; the thread sleeps meanwhile. */
const LOOK_NS = 2_000_000;
/** With nothing to wait for, the driver still looks around now and then. */
const SLEEP_NS = 100_000_000;
/** Looks without any segment before connections count as quiet. */
const QUIET_LOOKS = 100;

export interface TcpDriverOptions {
  readonly clock: Clock;
  readonly control: TcpControl;
  readonly port: TcpPort;
  /** Everything that control has decided in a turn is to be done now. */
  readonly onTurn: () => void;
  /** Called once when it cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Drives the control of connections by the machine's clock. Telemetry is handled when it arrives;
 * the segments of connections, of which there may be thousands between two probes, every two
 * milliseconds in one go, so that no packet of a connection costs a wake-up.
 */
export class TcpDriver {
  readonly #o: TcpDriverOptions;
  /** For telemetry alone, and for whatever ends silence. */
  readonly #telemetry: Readiness;
  readonly #anything: Readiness;
  #quietLooks = QUIET_LOOKS;
  #isRunning = false;
  #isFinished = false;
  #onStopped: (() => void) | undefined;

  constructor(options: TcpDriverOptions) {
    this.#o = options;
    const { telemetryFd, segmentsFd } = options.port;
    this.#telemetry = new Readiness([telemetryFd]);
    this.#anything = new Readiness([telemetryFd, segmentsFd]);
  }

  start(): void {
    this.#isRunning = true;
    setImmediate(this.#turn);
  }

  /** Resolves when nothing more will happen. */
  stop(): Promise<void> {
    if (!this.#isRunning) {
      this.#finish();
      return Promise.resolve();
    }
    this.#isRunning = false;
    return new Promise((resolve) => {
      this.#onStopped = resolve;
      this.#anything.wake();
    });
  }

  readonly #turn = (): void => {
    if (!this.#isRunning) {
      this.#finish();
      return;
    }
    try {
      this.#work();
    } catch (error) {
      this.#isRunning = false;
      this.#finish();
      this.#o.onFailure(error);
      return;
    }
    if (this.#isQuiet) this.#anything.wait(this.#waitNs(SLEEP_NS), this.#turn);
    else setImmediate(this.#turn);
  };

  get #isQuiet(): boolean {
    return this.#quietLooks >= QUIET_LOOKS;
  }

  #work(): void {
    for (let round = 0; round < ROUNDS; round++) {
      if (this.#round() > 0) continue;
      if (this.#isQuiet) return;
      const waitNs = this.#waitNs(LOOK_NS);
      if (waitNs > 0) this.#telemetry.waitHere(waitNs);
    }
  }

  /** Handles what has arrived and what is due; returns how many frames of telemetry arrived. */
  #round(): number {
    const { clock, control, port, onTurn } = this.#o;
    const now = clock();
    const segments = port.drainSegments((frame) => control.handleSegment(now, frame));
    this.#quietLooks = segments > 0 ? 0 : this.#quietLooks + 1;
    const telemetry = port.drainTelemetry((frame) => control.handleTelemetry(clock(), frame));
    control.handleTimers(clock());
    port.flush();
    onTurn();
    return telemetry;
  }

  #waitNs(longest: number): number {
    const now = this.#o.clock();
    const due = (this.#o.control.nextAt(now) - now) / PS_PER_NS;
    return Math.max(0, Math.min(longest, due));
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#telemetry.close();
    this.#anything.close();
    this.#onStopped?.();
  }
}
