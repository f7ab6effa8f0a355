import type { Bytes } from '../../../common/units/units';
import { AccumulatedRecords } from '../../../common/wire/hpcc/accumulated-records';
import { HPCC_FLAG_ACCUMULATED } from '../../../common/wire/hpcc/hpcc-transport';

/** Telemetry of switches or a load ratio, and the flags that name it. */
export interface FeedbackRecord {
  readonly flag: number;
  readonly bytes: Uint8Array;
}

/**
 * Congestion records of packets that wait for a common acknowledgement. The latest are kept where not
 * all have room: counters of switches go on, so that a record that is left out costs a look at a queue.
 */
export class HeldRecords {
  readonly #records: AccumulatedRecords;
  #flag = 0;

  /** @param room bytes that an acknowledgement may have; 0: for the latest record only. */
  constructor(room: Bytes) {
    this.#records = new AccumulatedRecords(room);
  }

  /** The record's bytes are copied: they are not ours for longer than this call. */
  add({ flag, bytes }: FeedbackRecord): void {
    // Records of another kind or length are of another path: what was before has nothing to say about it.
    if (flag !== this.#flag) this.#records.clear();
    this.#flag = flag;
    this.#records.add(bytes);
  }

  /** All of them in one, which is valid until the next is added; undefined if there are none. */
  take(): FeedbackRecord | undefined {
    const { count } = this.#records;
    if (count === 0) return undefined;
    const bytes = this.#records.emit();
    this.#records.clear();
    return { flag: count === 1 ? this.#flag : this.#flag | HPCC_FLAG_ACCUMULATED, bytes };
  }
}
