import * as fs from 'node:fs';
import { InputError } from '../../common/errors';
import { nanoseconds } from '../../common/units/units';
import type { Simulation } from '../simulation/simulation';
import { Tracer } from '../trace/tracer';
import type { TraceOptions } from '../trace/tracer';

/** Bytes that are gathered before they are written. */
const CHUNK = 1 << 20;

/**
 * A file that a trace streams to, so that its length is bounded by the disk and by `maxBytes`, not by
 * memory. What comes behind the limit is left out.
 */
export class TraceFile {
  readonly #file: string;
  readonly #fd: number;
  readonly #maxBytes: number;
  readonly #chunk = Buffer.alloc(CHUNK);
  #used = 0;
  #bytes = 0;
  #isFull = false;

  /** @throws InputError when the file cannot be written. */
  constructor(file: string, maxBytes: number) {
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#fd = this.#guarded(() => fs.openSync(file, 'w'));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** True if something was left out. */
  get isFull(): boolean {
    return this.#isFull;
  }

  readonly write = (bytes: Uint8Array): void => {
    if (this.#isFull || this.#bytes + bytes.length > this.#maxBytes) {
      this.#isFull = true;
      return;
    }
    if (this.#used + bytes.length > CHUNK) this.#flush();
    this.#bytes += bytes.length;
    if (bytes.length > CHUNK) {
      this.#guarded(() => fs.writeSync(this.#fd, bytes));
      return;
    }
    this.#chunk.set(bytes, this.#used);
    this.#used += bytes.length;
  };

  close(): void {
    this.#flush();
    fs.closeSync(this.#fd);
  }

  #flush(): void {
    const part = this.#chunk.subarray(0, this.#used);
    this.#guarded(() => fs.writeSync(this.#fd, part));
    this.#used = 0;
  }

  #guarded<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw new InputError(`cannot write the trace ${this.#file}: ${(error as Error).message}`);
    }
  }
}

/** Traces a run, as its observer. */
export function tracerOf(simulation: Simulation, options: TraceOptions): Tracer {
  const { time, runner, ports, network, baseRtt, scenario, hostFrames: frames } = simulation;
  const interval = nanoseconds(scenario.record.flowIntervalNs);
  const hosts = network.hosts.values();
  const scene = {
    queue: time.observers,
    flows: runner.flows,
    ports,
    hosts,
    interval,
    baseRtt,
    frames,
  };
  return new Tracer(scene, options);
}
