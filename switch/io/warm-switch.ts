import { optimiseFromNow } from '../../common/io/loop/optimising';
import type { PipelineControl } from '../control/table-control';
import { Turns } from '../server/turns/turns';
import { warmUp } from '../warming/warm-up';
import { LiveDevice } from './live-device';
import type { SwitchFlags } from './flags/switch-flags';
import type { CompiledTexts } from '../codegen/compile';
import type { LiveSwitch } from './live/live-switch';
import type { Log } from '../../common/io/log';

/** Time after which a switch is looked at again that waits for quiet, in ms. Each time that packets came it is twice as long. */
const QUIET_MS = 100;
/** A switch that is not quiet for so long is left to its packets. */
const QUIET_MAX_MS = 1600;
/** Frames after which a switch has compiled what it needs by itself. */
const FRAMES_MANY = 1000;

/** Programs that have been warmed up, by the code that switches of this process share. */
const WARM = new WeakMap<CompiledTexts, Set<string>>();

export interface WarmedParts {
  readonly flags: SwitchFlags;
  readonly live: LiveSwitch;
  readonly device: LiveDevice;
  readonly log: Log;
  readonly compiled: CompiledTexts | undefined;
}

/**
 * Warms a switch up once its tables have been filled, before traffic comes: from the first entry of a program on it
 * looks now and then, and acts when nothing was written and nothing received between two looks. Then it looks no more,
 * nor when packets keep coming: they have the code compiled, and each look would cost as much as some of them.
 */
export class SwitchWarming {
  readonly #parts: WarmedParts;
  readonly #turns = new Turns();
  /** The program that was seen to, and what was there at the last look. */
  #warmed = '';
  #entries = 0;
  #received = 0;
  #quietMs = QUIET_MS;
  #isOver = false;
  #soon: NodeJS.Timeout | undefined;

  constructor(parts: WarmedParts) {
    this.#parts = parts;
    if (parts.device.pipeline !== undefined) this.#begin();
    parts.device.onProgram = () => this.#begin();
  }

  #begin(): void {
    this.#quietMs = QUIET_MS;
    this.#lookSoon();
  }

  #lookSoon(): void {
    if (this.#isOver) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#look();
    }, this.#quietMs);
  }

  #look(): void {
    const { json, pipeline } = this.#parts.device;
    if (pipeline === undefined || json === this.#warmed) return;
    const entries = entriesOf(pipeline);
    if (entries === 0) {
      for (const table of pipeline.tables.values()) table.onFirstEntry = () => this.#begin();
      return;
    }
    const received = this.#countReceived();
    const isWritten = entries !== this.#entries;
    const isUsed = received !== this.#received;
    this.#entries = entries;
    this.#received = received;
    if (!isWritten && isUsed) this.#quietMs *= 2;
    const isLeft = received >= FRAMES_MANY || this.#quietMs > QUIET_MAX_MS;
    if (!isLeft && (isWritten || isUsed)) {
      this.#lookSoon();
      return;
    }
    this.#warmed = json;
    optimiseFromNow();
    if (!isLeft && !this.#isWarm(json)) void this.#warmUp(json, pipeline);
  }

  /** Leaves what has been begun. */
  stop(): void {
    this.#parts.device.onProgram = () => undefined;
    clearTimeout(this.#soon);
    this.#isOver = true;
  }

  #countReceived(): number {
    return this.#parts.live.counters().reduce((sum, port) => sum + port.received, 0);
  }

  /** True if another switch of the process has warmed this program up; marks it as warm. */
  #isWarm(json: string): boolean {
    const { compiled } = this.#parts;
    if (compiled === undefined) return false;
    const known = WARM.get(compiled) ?? new Set();
    WARM.set(compiled, known);
    const isKnown = known.has(json);
    known.add(json);
    return isKnown;
  }

  /** In slices between packets, until the switch is stopped or has become warm by packets of its own. */
  async #warmUp(json: string, pipeline: PipelineControl): Promise<void> {
    const { flags, live, log, compiled } = this.#parts;
    const ports = [...live.ports.keys()];
    const clock = (): number => performance.now();
    const begin = clock();
    try {
      const createDevice = (output: ConstructorParameters<typeof LiveDevice>[1]['output']) =>
        new LiveDevice(flags, { output }, compiled);
      const copies = compiled === undefined ? 1 : 2;
      const work = warmUp({ json, pipeline, ports, copies, createDevice, clock });
      for (;;) {
        const step = work.next();
        if (step.done === true) {
          const milliseconds = Math.round(clock() - begin);
          log.info({ frames: step.value, milliseconds }, 'Code is compiled');
          return;
        }
        if (!this.#turns.isOver) continue;
        await this.#turns.next();
        if (this.#isOver || this.#countReceived() >= FRAMES_MANY) return;
      }
    } catch (error) {
      // A program that fails by itself, as by a false assertion, fails when traffic comes.
      log.debug({ reason: String(error) }, 'Warming up has failed');
    }
  }
}

function entriesOf({ tables }: PipelineControl): number {
  let count = 0;
  for (const table of tables.values()) if (!table.isFixed) count += table.entryCount;
  return count;
}
