import { InputError } from '../../../common/errors';
import type { Operation } from '../collectives/collective';
import { CHAKRA_COLLECTIVES, NODE } from '../readers/chakra-nodes';
import { taskName } from '../tasks/trace';
import type { Task, Trace } from '../tasks/trace';
import { MessageWriter } from '../../../common/protobuf/message-writer';

export interface ChakraFiles {
  /** Contents of each rank's file. */
  readonly ranks: readonly Uint8Array[];
  /** Groups of ranks by name, which astra-sim reads from a JSON file. */
  readonly groups: Trace['groups'];
  /** Facts that Chakra has no words for, one sentence each. */
  readonly warnings: readonly string[];
}

/** Field numbers of Chakra's schema (et_def.proto). */
const FIELD = { id: 1, name: 2, type: 3, dataDependencies: 5, durationMicros: 7, attribute: 10 };
const ATTRIBUTE = { name: 1, int64: 9, bool: 27, text: 29 };
const VERSION = '0.0.4';

/**
 * A trace as execution traces of Chakra in protobuf, one for each rank.
 * @throws InputError for tasks that wait for the start of others, or for those of other ranks.
 */
export function chakraFiles(trace: Trace): ChakraFiles {
  const writer = new ChakraWriter(trace);
  trace.tasks.forEach((task, i) => writer.add(task, i));
  return { ranks: writer.files(), groups: trace.groups, warnings: writer.warnings() };
}

class ChakraWriter {
  readonly #trace: Trace;
  readonly #ranks: Buffer[][];
  readonly #streams = new Map<number, Set<string>>();
  #rounded = 0;
  #waits = 0;
  #channels = 0;
  #algorithms = 0;

  constructor(trace: Trace) {
    this.#trace = trace;
    this.#ranks = Array.from({ length: trace.ranks }, () => [metadata()]);
  }

  files(): Uint8Array[] {
    return this.#ranks.map((pieces) => new Uint8Array(Buffer.concat(pieces)));
  }

  warnings(): string[] {
    const together = [...this.#streams.values()].filter(({ size }) => size > 1).length;
    const told: [number, string][] = [
      [this.#rounded, 'durations are rounded to whole us'],
      [this.#waits, 'waits without computing are computations'],
      [this.#channels, 'messages of channels have flows of their own'],
      [this.#algorithms, 'collectives do not say by which algorithm they are done'],
      [together, 'ranks have more than one processor, which are one'],
    ];
    return told.flatMap(([count, what]) => (count > 0 ? [`in Chakra, ${count} ${what}`] : []));
  }

  add(task: Task, number: number): void {
    const { after = [], afterStart = [], rank } = task;
    const name = taskName(task, number);
    if (afterStart.length > 0) {
      throw new InputError(
        `${name} waits for the start of another task: Chakra has no word for it`,
      );
    }
    const foreign = after.find((each) => this.#trace.tasks[each]?.rank !== rank);
    if (foreign !== undefined) {
      const other = taskName(this.#trace.tasks[foreign] as Task, foreign);
      throw new InputError(`${name} waits for ${other}: Chakra has no word for it`);
    }
    const node = new MessageWriter();
    node.writeUint64(FIELD.id, number);
    node.writeString(FIELD.name, task.name ?? `task ${number}`);
    node.writeEnum(FIELD.type, typeOf(task));
    if (after.length > 0) node.writePackedUint64(FIELD.dataDependencies, [...after]);
    const attributes = this.#attributesOf(task, node);
    for (const [key, value] of Object.entries(attributes)) {
      node.writeBytes(FIELD.attribute, attribute(key, value));
    }
    this.#ranks[rank]?.push(delimited(node.getResultBuffer()));
  }

  #attributesOf(task: Task, node: MessageWriter): Record<string, number | string | boolean> {
    switch (task.do) {
      case 'compute':
      case 'wait': {
        if (task.do === 'wait') this.#waits++;
        const isOnProcessor = task.do === 'compute' && task.stream === 'cpu';
        if (task.do === 'compute' && !isOnProcessor) this.#note(task.rank, task.stream ?? '');
        if (!Number.isInteger(task.us)) this.#rounded++;
        node.writeUint64(FIELD.durationMicros, Math.round(task.us));
        return { is_cpu_op: isOnProcessor };
      }
      case 'send': {
        if (task.channel !== undefined) this.#channels++;
        const { rank, to, bytes, tag = 0 } = task;
        return { comm_src: rank, comm_dst: to, comm_size: bytes, comm_tag: tag };
      }
      case 'receive':
        return { comm_src: task.from, comm_dst: task.rank, comm_tag: task.tag ?? 0 };
      case 'collective': {
        if (task.algorithm !== undefined) this.#algorithms++;
        const { operation, root = 0, group } = task;
        return {
          is_cpu_op: false,
          comm_type: CHAKRA_COLLECTIVES.indexOf(operation),
          comm_size: this.#given(operation, task.bytes, group),
          root_rank: root,
          ...(group !== undefined && { pg_name: group }),
        };
      }
    }
  }

  /** Bytes that each rank gives, where a trace says what each has in the end. */
  #given(operation: Operation, bytes: number, group: string | undefined): number {
    if (operation !== 'all-gather') return bytes;
    const { groups, ranks } = this.#trace;
    return Math.ceil(bytes / (group === undefined ? ranks : (groups[group]?.length ?? 1)));
  }

  #note(rank: number, stream: string): void {
    const known = this.#streams.get(rank) ?? new Set();
    this.#streams.set(rank, known.add(stream));
  }
}

function typeOf(task: Task): number {
  switch (task.do) {
    case 'compute':
    case 'wait':
      return NODE.compute;
    case 'send':
      return NODE.send;
    case 'receive':
      return NODE.receive;
    case 'collective':
      return NODE.collective;
  }
}

function metadata(): Buffer {
  const writer = new MessageWriter();
  writer.writeString(1, VERSION);
  return delimited(writer.getResultBuffer());
}

function attribute(name: string, value: number | string | boolean): Uint8Array {
  const writer = new MessageWriter();
  writer.writeString(ATTRIBUTE.name, name);
  if (typeof value === 'number') writer.writeInt64(ATTRIBUTE.int64, value);
  else if (typeof value === 'string') writer.writeString(ATTRIBUTE.text, value);
  else writer.writeBool(ATTRIBUTE.bool, value);
  return writer.getResultBuffer();
}

/** A message behind its length, as a varint. */
function delimited(message: Uint8Array): Buffer {
  const length: number[] = [];
  for (let rest = message.length; ; rest >>>= 7) {
    length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 0x7f) break;
  }
  return Buffer.concat([Uint8Array.from(length), message]);
}
