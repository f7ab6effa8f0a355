import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';
import { PS_PER_SECOND, PS_PER_US } from '../../../common/units/units';
import { connectionName } from '../../tcp/connection-key';
import type { TcpSample } from '../../tcp/tcp-settings';

const BUFFER_CHARACTERS = 65_536;

/** A file with one line of JSON per sample of telemetry. */
export class SampleTrace {
  readonly #path: string;
  readonly #fd: number;
  readonly #origin: number;
  #text = '';

  /**
   * Replaces the file if there is one.
   * @param origin Unix time in seconds at instant 0.
   * @throws InputError when it cannot be written.
   */
  constructor(path: string, origin: number) {
    this.#path = path;
    this.#origin = origin;
    this.#fd = this.#guarded(() => fs.openSync(path, 'w'));
  }

  /** @throws InputError when the disk refuses what waits. */
  add(sample: TcpSample): void {
    this.#text += traceLine(sample, this.#origin);
    if (this.#text.length >= BUFFER_CHARACTERS) this.#write();
  }

  close(): void {
    try {
      this.#write();
    } finally {
      fs.closeSync(this.#fd);
    }
  }

  #write(): void {
    const text = this.#text;
    this.#text = '';
    this.#guarded(() => fs.writeFileSync(this.#fd, text));
  }

  #guarded<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw new InputError(`--trace ${this.#path} cannot be written: ${(error as Error).message}`);
    }
  }
}

/** Unix time in seconds, other times in us, rates in bits/s, everything else in bytes. */
function traceLine(sample: TcpSample, origin: number): string {
  const { now, connection, role, rtt, queueBytes, queueDelay, hops, windowBytes, rate } = sample;
  const line = {
    t: Number((origin + now / PS_PER_SECOND).toFixed(6)),
    flow: connectionName(connection),
    role,
    windowBytes: windowBytes === undefined ? null : Math.round(windowBytes),
    rateBps: rate === undefined ? null : Math.round(rate),
    queueBytes,
    queueDelayUs: Number((queueDelay / PS_PER_US).toFixed(1)),
    rttUs: Number((rtt / PS_PER_US).toFixed(1)),
    hops,
  };
  return JSON.stringify(line) + '\n';
}
