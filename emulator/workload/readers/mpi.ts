import { InputError } from '../../../common/errors';
import type { Operation } from '../collectives/collective';
import type { TraceInput } from '../tasks/trace';
import { filesByRank, headOf, refuseBytes, textOf } from './reader';
import type { TraceFile, TraceReader } from './reader';

/**
 * MPI traces of liballprof, which Schedgen makes GOAL of: a file for each rank, a call a line with the instants
 * between which it lasted, in us. What passes between two calls is computed.
 */
export const MPI: TraceReader = {
  format: 'MPI trace (liballprof)',
  recognises: ([first]) => first !== undefined && /^MPI_\w+:[^\n]*:/m.test(headOf(first)),
  read: (files, options) => {
    refuseBytes(options, files[0] as TraceFile);
    const ranked = filesByRank(files);
    const reading = new MpiTrace(ranked.length);
    ranked.forEach((file, rank) => reading.add(file, rank));
    return { trace: reading.trace(), warnings: reading.warnings() };
  },
};

/** Calls with which a rank neither sends nor waits for others: time between calls, as computing is. */
const LOCAL =
  /^MPI_(?:Init|Init_thread|Finalize|Comm_\w+|Get_\w+|Type_\w+|Cart_\w+|Cart\w*|Dims_create|Wtime|Wtick|Address|Op_\w+|Group_\w+|Attr_\w+|Errhandler_\w+|Initialized|Finalized|Keyval_\w+|Buffer_\w+|Pcontrol)$/;

/** Fields of messages, from the call's name on: `count`, `datatype`, peer and `tag` follow the buffer. */
const MESSAGES: Readonly<Record<string, 'send' | 'receive'>> = {
  MPI_Send: 'send',
  MPI_Rsend: 'send',
  MPI_Ssend: 'send',
  MPI_Bsend: 'send',
  MPI_Isend: 'send',
  MPI_Irsend: 'send',
  MPI_Issend: 'send',
  MPI_Recv: 'receive',
  MPI_Irecv: 'receive',
};
/** Place of the request, behind the communicator. */
const REQUEST = 8;

interface CollectiveCall {
  readonly operation: Operation;
  /** Places of the count, which the datatype follows, the root and the communicator. */
  readonly count?: number;
  readonly root?: number;
  readonly communicator: number;
  /** True where the count is for each rank. */
  readonly isPerRank?: true;
}

const COLLECTIVE_CALLS: Readonly<Record<string, CollectiveCall>> = {
  MPI_Barrier: { operation: 'barrier', communicator: 2 },
  MPI_Bcast: { operation: 'broadcast', count: 3, root: 5, communicator: 6 },
  MPI_Allreduce: { operation: 'all-reduce', count: 4, communicator: 7 },
  MPI_Reduce: { operation: 'reduce', count: 4, root: 7, communicator: 8 },
  MPI_Allgather: { operation: 'all-gather', count: 3, communicator: 8, isPerRank: true },
  MPI_Alltoall: { operation: 'all-to-all', count: 3, communicator: 8, isPerRank: true },
  MPI_Gather: { operation: 'gather', count: 3, root: 8, communicator: 9, isPerRank: true },
  MPI_Scatter: { operation: 'scatter', count: 3, root: 8, communicator: 9, isPerRank: true },
};

type Tasks = TraceInput['tasks'];

/** A call of a rank. */
interface Call {
  readonly rank: number;
  readonly where: string;
  readonly name: string;
  /** Name, instant, arguments, instant. */
  readonly fields: readonly string[];
}

class MpiTrace {
  readonly #ranks: number;
  readonly #tasks: Tasks = [];
  /** Tasks that the rank's next one waits for. */
  #before: number[] = [];
  /** Tasks of messages that go on, by the address of their request. */
  #requests = new Map<number, number>();

  #renumbered = 0;

  constructor(ranks: number) {
    this.#ranks = ranks;
  }

  warnings(): string[] {
    const count = this.#renumbered;
    return count === 0
      ? []
      : [
          `${count} collectives have other numbers of ranks than the files; those of the files count`,
        ];
  }

  trace(): TraceInput {
    return { ranks: this.#ranks, tasks: this.#tasks };
  }

  add(file: TraceFile, rank: number): void {
    this.#before = [];
    this.#requests = new Map();
    let until: number | undefined;
    textOf(file)
      .split('\n')
      .forEach((text, i) => {
        const line = text.trim();
        if (line === '' || line.startsWith('#')) return;
        const fields = line.split(':');
        const [name = ''] = fields;
        const call: Call = { rank, where: `${file.name}:${i + 1}`, name, fields };
        if (LOCAL.test(name)) {
          // The clock begins with the first call.
          until ??= instant(fields.at(-1));
          return;
        }
        const [start, end] = [instant(fields[1]), instant(fields.at(-1))];
        if (start === undefined || end === undefined) {
          throw new InputError(
            `${call.where}: wanted MPI_CALL:start:arguments:end, found '${line}'`,
          );
        }
        this.#compute(call, start - (until ?? start));
        until = end;
        this.#call(call);
      });
  }

  #compute({ rank, where }: Call, us: number): void {
    if (us <= 0) return;
    const task = { do: 'compute' as const, rank, name: `before ${place(where)}`, us };
    this.#before = [this.#push({ ...task, after: this.#before })];
  }

  #call(call: Call): void {
    const { name, fields, rank } = call;
    const message = MESSAGES[name];
    const collective = COLLECTIVE_CALLS[name];
    if (message !== undefined) {
      const task = this.#message(call, message, 3);
      if (name.startsWith('MPI_I')) this.#requests.set(whole(call, REQUEST), task);
      else this.#before = [task];
    } else if (collective !== undefined) {
      this.#before = [this.#collective(call, collective)];
    } else if (name === 'MPI_Sendrecv') {
      this.#before = [this.#message(call, 'send', 3), this.#message(call, 'receive', 8)];
    } else if (name === 'MPI_Wait') {
      this.#wait([whole(call, 2)]);
    } else if (name === 'MPI_Waitall') {
      const [count, first] = [whole(call, 2), whole(call, 3)];
      this.#wait(this.#requestsFrom(first, count));
    } else {
      throw new InputError(
        `${call.where}: ${name || fields.join(':')} of rank ${rank} is not offered`,
      );
    }
  }

  /** Requests of an array, whose elements have 4 bytes or 8. */
  #requestsFrom(first: number, count: number): number[] {
    const open = (size: number): number[] =>
      Array.from({ length: count }, (_, i) => first + i * size).filter((at) =>
        this.#requests.has(at),
      );
    const [short, long] = [open(4), open(8)];
    return long.length >= short.length ? long : short;
  }

  /** Those that are done, or were never there, are passed over, as MPI_REQUEST_NULL is. */
  #wait(requests: readonly number[]): void {
    for (const request of requests) {
      const task = this.#requests.get(request);
      if (task !== undefined) this.#before.push(task);
      this.#requests.delete(request);
    }
  }

  #message(call: Call, kind: 'send' | 'receive', count: number): number {
    const { rank, where } = call;
    const name = place(where);
    const [peer, tag] = [whole(call, count + 2), whole(call, count + 3)];
    const isBoth = call.name === 'MPI_Sendrecv';
    if (!this.#isWorld(call, isBoth ? 12 : count + 4)) {
      throw new InputError(`${where}: the communicator does not number rank ${rank} so`);
    }
    const after = this.#before;
    if (peer < 0 || tag < 0) {
      throw new InputError(`${where}: messages of any rank or none, or any tag, are not offered`);
    }
    if (peer >= this.#ranks) {
      throw new InputError(`${where}: rank ${peer} is none of ${this.#ranks} ranks`);
    }
    if (peer === rank) throw new InputError(`${where}: rank ${rank} sends to itself`);
    const common = { rank, name, tag, after };
    if (kind === 'receive') return this.#push({ do: 'receive', from: peer, ...common });
    return this.#push({ do: 'send', to: peer, bytes: bytesAt(call, count), ...common });
  }

  #collective(call: Call, given: CollectiveCall): number {
    const { operation, count, root, communicator, isPerRank } = given;
    if (!this.#isWorld(call, communicator)) this.#renumbered++;
    const bytes = count === undefined ? 0 : bytesAt(call, count);
    return this.#push({
      do: 'collective',
      rank: call.rank,
      name: place(call.where),
      operation,
      bytes: isPerRank === true ? bytes * this.#ranks : bytes,
      root: root === undefined ? 0 : whole(call, root),
      after: this.#before,
    });
  }

  /**
   * True if the communicator numbers the rank as the files do.
   * @throws InputError for one of some ranks, since traces do not say which.
   */
  #isWorld({ rank, where, fields }: Call, at: number): boolean {
    const [, own, size] = (fields[at] ?? '').split(',').map(Number);
    if (size === this.#ranks) return own === rank;
    throw new InputError(
      `${where}: wanted a communicator of all ${this.#ranks} ranks, found ${fields[at] ?? 'nothing'}`,
    );
  }

  #push(task: Tasks[number]): number {
    this.#tasks.push(task);
    return this.#tasks.length - 1;
  }
}

/** The line of a call. */
const place = (where: string): string => `line ${where.slice(where.lastIndexOf(':') + 1)}`;

function instant(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function whole({ fields, where }: Call, at: number): number {
  const text = fields[at];
  if (text !== undefined && /^-?\d{1,15}$/.test(text)) return Number(text);
  throw new InputError(
    `${where}: wanted a whole number as field ${at + 1}, found ${text ?? 'nothing'}`,
  );
}

/** A count times the size of the datatype behind it: `11,8,8` is number, size and extent. */
function bytesAt(call: Call, count: number): number {
  const size = /^\d+,(\d+)(?:,-?\d+)?$/.exec(call.fields[count + 1] ?? '')?.[1];
  if (size !== undefined) return whole(call, count) * Number(size);
  throw new InputError(
    `${call.where}: wanted a datatype as field ${count + 2}, found ${call.fields[count + 1] ?? 'nothing'}`,
  );
}
