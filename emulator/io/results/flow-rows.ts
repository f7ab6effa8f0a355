import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../../common/errors';
import { FLOWS_FILE, flowHeading, flowLine } from '../../result/csv';
import type { FlowRecord } from '../../result/result';
import type { FlowSink } from '../../simulation/simulation';

/** Characters that are written at once. */
const PIECE = 65_536;

/** Writes `flows.csv` of a run that does not hold its flows, a row for each as it ends. The file appears whole or not at all. */
export class FlowRows implements FlowSink {
  readonly name = FLOWS_FILE;
  readonly #file: string;
  readonly #partial: string;
  #descriptor: number | undefined;
  #waiting = flowHeading();

  /** @param folder must be there when the first flow ends. */
  constructor(folder: string) {
    this.#file = path.join(folder, FLOWS_FILE);
    this.#partial = `${this.#file}.${crypto.randomUUID().slice(0, 8)}.partial`;
  }

  /** @throws InputError when the file cannot be written. */
  add(flow: FlowRecord): void {
    this.#waiting += flowLine(flow);
    if (this.#waiting.length >= PIECE) this.#guarded(() => this.#flush());
  }

  /** The run has ended. Does nothing where no flow was added. @throws InputError when the file cannot be written. */
  close(): void {
    if (this.#descriptor === undefined && this.#waiting === flowHeading()) return;
    this.#guarded(() => {
      this.#flush();
      fs.closeSync(this.#descriptor as number);
      this.#descriptor = undefined;
      fs.renameSync(this.#partial, this.#file);
    });
  }

  /** The run has failed: nothing is left. */
  discard(): void {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
    fs.rmSync(this.#partial, { force: true });
  }

  #flush(): void {
    this.#descriptor ??= fs.openSync(this.#partial, 'w');
    fs.writeFileSync(this.#descriptor, this.#waiting);
    this.#waiting = '';
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      throw new InputError(`cannot write ${this.#file}: ${(error as Error).message}`);
    }
  }
}

/**
 * Runs with rows of flows that go to `folder`; when the run fails, none are left.
 * @throws InputError when they cannot be written, and what the run throws.
 */
export async function withFlowRows<T>(
  folder: string,
  run: (rows: FlowRows) => Promise<T>,
): Promise<T> {
  const rows = new FlowRows(folder);
  try {
    const result = await run(rows);
    rows.close();
    return result;
  } catch (error) {
    rows.discard();
    throw error;
  }
}
