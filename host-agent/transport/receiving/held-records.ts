import type { Bytes } from '../../../common/units/units';
import { accumulatedMax, emitAccumulated } from '../../../common/wire/hpcc/accumulated-records';
import { HPCC_FLAG_ACCUMULATED } from '../../../common/wire/hpcc/hpcc-transport';

/** What switches have written or a load ratio, and the flags that name them. */
export interface FeedbackRecord {
  readonly flag: number;
  readonly bytes: Uint8Array;
}

/**
 * Congestion records of packets that wait for a common acknowledgement. The latest are kept where not
 * all have room: counters of switches go on, so that a record that is left out costs a look at a queue.
 */
export class HeldRecords {
  readonly #room: Bytes;
  #records: FeedbackRecord[] = [];

  /** @param room bytes that an acknowledgement may have; 0: for the latest record only. */
  constructor(room: Bytes) {
    this.#room = room;
  }

  add({ flag, bytes }: FeedbackRecord): void {
    // Records of another length are of another path: what was before has nothing to say about it.
    const last = this.#records.at(-1);
    if (last !== undefined && (last.flag !== flag || last.bytes.length !== bytes.length)) {
      this.#records = [];
    }
    // The packet's bytes are not ours for longer than this call.
    this.#records.push({ flag, bytes: bytes.slice() });
    if (this.#records.length > accumulatedMax(bytes.length, this.#room)) this.#records.shift();
  }

  /** All of them in one; undefined if there are none. */
  take(): FeedbackRecord | undefined {
    const [first, ...others] = this.#records;
    this.#records = [];
    if (first === undefined || others.length === 0) return first;
    const bytes = emitAccumulated([first, ...others].map((record) => record.bytes));
    return { flag: first.flag | HPCC_FLAG_ACCUMULATED, bytes };
  }
}
