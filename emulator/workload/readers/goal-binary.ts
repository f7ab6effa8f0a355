import { InputError } from '../../../common/errors';
import type { TraceInput } from '../tasks/trace';
import { TASKS_MAX } from '../tasks/trace';
import { taskOf } from './goal-operation';
import type { GoalOperation } from './goal-operation';
import { onlyFile, refuseBytes } from './reader';
import type { TraceFile, TraceReader } from './reader';

/**
 * GOAL as LogGOPSim's `txt2bin` and ATLAHS write it (Parser.hpp, little endian): a cookie, the number of ranks,
 * a table of where each rank's part begins and ends, and in each part the operations with those that wait for them.
 */
export const GOAL_BINARY: TraceReader = {
  format: 'GOAL (binary)',
  recognises: (files) =>
    files.length === 1 && COOKIES.has(cookieOf((files[0] as TraceFile).bytes) ?? 0n),
  read: (files, options) => {
    const file = onlyFile(files, 'GOAL');
    refuseBytes(options, file);
    if (cookieOf(file.bytes) === USED_COOKIE) {
      throw new InputError(
        `${file.name}: LogGOPSim has used the schedule up (--save-mem): write it again by txt2bin`,
      );
    }
    return { trace: new GoalFile(file).trace(), warnings: [] };
  },
};

const COOKIE = 4223n;
/** Cookie of a schedule that was run with `--save-mem`, which destroys it. */
const USED_COOKIE = 2342n;
const COOKIES: ReadonlySet<bigint> = new Set([COOKIE, USED_COOKIE]);
const COOKIE_BYTES = 8;

const cookieOf = ({ buffer, byteOffset, length }: Uint8Array): bigint | undefined =>
  length < COOKIE_BYTES ? undefined : new DataView(buffer, byteOffset).getBigUint64(0, true);

/** Offsets behind the cookie, from where the table's places count. */
const TABLE = { ranks: 0, places: 6, bytesPerRank: 16 } as const;
/** Offsets in a rank's part, and in each of its operations. */
const PART = { operations: 0, roots: 4, rootPlaces: 8 } as const;
const OPERATION = {
  kind: 4,
  peer: 5,
  size: 9,
  tag: 17,
  cpu: 21,
  nic: 22,
  waiting: 23,
  firstWaiting: 27,
  waitingForStart: 31,
  firstWaitingForStart: 35,
  bytes: 39,
} as const;
const WORD = 4;

const KINDS: Readonly<Record<number, GoalOperation['kind']>> = { 1: 'send', 2: 'recv', 3: 'calc' };

class GoalFile {
  readonly #name: string;
  readonly #view: DataView;
  readonly #ranks: number;
  readonly #tasks: TraceInput['tasks'] = [];

  constructor({ name, bytes }: TraceFile) {
    this.#name = name;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset + COOKIE_BYTES, bytes.length - 8);
    this.#ranks = this.#word(TABLE.ranks, 'the number of ranks');
  }

  trace(): TraceInput {
    for (let rank = 0; rank < this.#ranks; rank++) {
      const place = TABLE.places + rank * TABLE.bytesPerRank;
      this.#part(rank, this.#long(place, `where rank ${rank} begins`));
    }
    if (this.#tasks.length === 0) throw new InputError(`${this.#name}: there are no tasks`);
    return { ranks: this.#ranks, tasks: this.#tasks };
  }

  #part(rank: number, start: number): void {
    const what = `rank ${rank}`;
    const count = this.#word(start + PART.operations, what);
    const roots = this.#word(start + PART.roots, what);
    const first = start + PART.rootPlaces + roots * WORD;
    const appendix = first + count * OPERATION.bytes;
    if (appendix > this.#view.byteLength) this.#cut(what);
    const base = this.#tasks.length;
    if (base + count > TASKS_MAX) {
      throw new InputError(`${this.#name}: there are more than ${TASKS_MAX} operations`);
    }
    for (let i = 0; i < count; i++) {
      this.#tasks.push(this.#operation(rank, i, first + i * OPERATION.bytes));
    }
    for (let i = 0; i < count; i++) {
      const word = (offset: number): number =>
        this.#word(first + i * OPERATION.bytes + offset, what);
      const waiting = (many: number, from: number): TraceInput['tasks'] =>
        this.#places(appendix + word(from) * WORD, word(many), { what, count }).map(
          (place) => this.#tasks[base + place] as TraceInput['tasks'][number],
        );
      for (const each of waiting(OPERATION.waiting, OPERATION.firstWaiting)) {
        (each.after ??= []).push(base + i);
      }
      for (const each of waiting(OPERATION.waitingForStart, OPERATION.firstWaitingForStart)) {
        (each.afterStart ??= []).push(base + i);
      }
    }
  }

  #operation(rank: number, number: number, at: number): TraceInput['tasks'][number] {
    const where = `rank ${rank}: operation ${number}`;
    const kind = KINDS[this.#view.getUint8(at + OPERATION.kind)];
    const fail = (message: string): never => {
      throw new InputError(`${this.#name}: ${where}: ${message}`);
    };
    if (kind === undefined) {
      return fail(`wanted the type 1, 2 or 3, found ${this.#view.getUint8(at + OPERATION.kind)}`);
    }
    const operation: GoalOperation = {
      kind,
      rank,
      name: `operation ${number}`,
      size: this.#long(at + OPERATION.size, where),
      // Signed: any rank, or any tag, is -1.
      peer: this.#view.getInt32(at + OPERATION.peer, true),
      tag: this.#view.getInt32(at + OPERATION.tag, true),
      cpu: this.#view.getUint8(at + OPERATION.cpu),
      nic: this.#view.getUint8(at + OPERATION.nic),
    };
    return taskOf(operation, this.#ranks, fail);
  }

  /** Operations named by a row of the appendix. */
  #places(at: number, many: number, { what, count }: { what: string; count: number }): number[] {
    if (many > count) {
      throw new InputError(`${this.#name}: ${what}: ${many} of ${count} operations wait for one`);
    }
    return Array.from({ length: many }, (_, i) => {
      const place = this.#word(at + i * WORD, what);
      if (place < count) return place;
      throw new InputError(`${this.#name}: ${what}: there is no operation ${place}`);
    });
  }

  #word(at: number, what: string): number {
    if (at + WORD > this.#view.byteLength) this.#cut(what);
    return this.#view.getUint32(at, true);
  }

  #long(at: number, what: string): number {
    if (at + 2 * WORD > this.#view.byteLength) this.#cut(what);
    const value = Number(this.#view.getBigUint64(at, true));
    if (Number.isSafeInteger(value)) return value;
    throw new InputError(`${this.#name}: ${what}: ${value} is too large a number`);
  }

  #cut(what: string): never {
    throw new InputError(`${this.#name}: the file ends before ${what} does`);
  }
}
