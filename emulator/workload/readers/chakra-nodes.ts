import { InputError } from '../../../common/errors';
import type { Operation } from '../collectives/collective';
import type { TraceInput } from '../tasks/trace';

/** Kinds of nodes of Chakra execution traces. */
export const NODE = {
  metadata: 1,
  memoryLoad: 2,
  memoryStore: 3,
  compute: 4,
  send: 5,
  receive: 6,
  collective: 7,
} as const;

/** Their names in JSON. */
export const NODE_NAMES: Readonly<Record<string, number>> = {
  INVALID_NODE: 0,
  METADATA_NODE: 1,
  MEM_LOAD_NODE: 2,
  MEM_STORE_NODE: 3,
  COMP_NODE: 4,
  COMM_SEND_NODE: 5,
  COMM_RECV_NODE: 6,
  COMM_COLL_NODE: 7,
};

/** Operations by the number that Chakra has for them. */
export const CHAKRA_COLLECTIVES: readonly Operation[] = [
  'all-reduce',
  'reduce',
  'all-gather',
  'gather',
  'scatter',
  'broadcast',
  'all-to-all',
  'reduce-scatter',
  'reduce-scatter',
  'barrier',
];

export type AttributeValue = number | string | boolean | readonly boolean[];

/** A node of a rank's trace, whichever way it was written. */
export interface ChakraNode {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  /** Nodes that must be done: data that it needs, and who has called it. */
  readonly dataDependencies: readonly number[];
  readonly controlDependencies: readonly number[];
  readonly durationUs: number;
  /** Text of the inputs, in which nodes of metadata have groups of ranks. */
  readonly inputs: string;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
}

/** The trace of a rank. */
export interface RankNodes {
  readonly file: string;
  readonly rank: number;
  readonly nodes: readonly ChakraNode[];
}

type TaskInput = TraceInput['tasks'][number];

/**
 * The traces of all ranks as one.
 * @param given groups of ranks by name, beyond those that the traces define
 */
export function chakraTrace(
  ranks: readonly RankNodes[],
  given: Readonly<Record<string, readonly number[]>>,
): { readonly trace: TraceInput; readonly warnings: readonly string[] } {
  const reading = new ChakraReading(ranks, given);
  for (const each of ranks) reading.add(each);
  return { trace: reading.trace(), warnings: reading.warnings() };
}

class ChakraReading {
  readonly #ranks: number;
  readonly #tasks: TaskInput[] = [];
  readonly #groups = new Map<string, readonly number[]>();
  #timeless = 0;
  #lengthless = 0;

  constructor(ranks: readonly RankNodes[], given: Readonly<Record<string, readonly number[]>>) {
    this.#ranks = ranks.length;
    for (const [name, members] of Object.entries(given)) this.#groups.set(name, members);
    for (const { nodes } of ranks) {
      for (const node of nodes) if (node.type === NODE.metadata) this.#define(node);
    }
  }

  trace(): TraceInput {
    const used = new Set(
      this.#tasks.map((task) => (task.do === 'collective' ? task.group : undefined)),
    );
    const groups = Object.fromEntries(
      [...this.#groups].flatMap(([name, ranks]) => (used.has(name) ? [[name, [...ranks]]] : [])),
    );
    return { ranks: this.#ranks, groups, tasks: this.#tasks };
  }

  warnings(): string[] {
    return [
      ...(this.#timeless > 0
        ? [`${this.#timeless} computations have operations but no duration, and take no time here`]
        : []),
      ...(this.#lengthless > 0
        ? [`${this.#lengthless} collectives have no length, and only take their duration`]
        : []),
    ];
  }

  add({ file, rank, nodes }: RankNodes): void {
    const first = this.#tasks.length;
    const places = new Map<number, number>();
    nodes.forEach(({ id }, i) => {
      if (places.has(id)) throw new InputError(`${file}: node ${id} appears twice`);
      places.set(id, first + i);
    });
    // As Chakra's own feeder does; a caller is done behind what it calls.
    const hasData = nodes.some(({ dataDependencies }) => dataDependencies.length > 0);
    for (const node of nodes) {
      const needed = hasData ? node.dataDependencies : node.controlDependencies;
      const where = `${file}: node ${node.id} (${node.name})`;
      const after = [...new Set(needed)].map((id) => {
        const place = places.get(id);
        if (place === undefined)
          throw new InputError(`${where} depends on node ${id}, which is not there`);
        return place;
      });
      this.#tasks.push(this.#task(node, { rank, where, after }));
    }
  }

  #task(
    node: ChakraNode,
    { rank, where, after }: { rank: number; where: string; after: number[] },
  ): TaskInput {
    const { name, type, durationUs, attributes } = node;
    const common = { rank, name, after };
    const number = (key: string, fallback?: number): number => {
      const value = attributes.get(key) ?? fallback;
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
      throw new InputError(
        `${where}: wanted a whole number as ${key}, found ${String(value ?? 'nothing')}`,
      );
    };
    const onProcessor = attributes.get('is_cpu_op') === true;
    if (type === NODE.send) {
      const [to, bytes, tag] = [number('comm_dst'), number('comm_size'), number('comm_tag', 0)];
      if (number('comm_src', rank) !== rank)
        throw new InputError(`${where}: rank ${rank} is not its comm_src`);
      return { do: 'send', ...common, to, bytes, tag };
    }
    if (type === NODE.receive) {
      return { do: 'receive', ...common, from: number('comm_src'), tag: number('comm_tag', 0) };
    }
    if (type === NODE.collective && !onProcessor && attributes.has('comm_size')) {
      return this.#collective(node, common, { where, number });
    }
    if (type === NODE.collective) this.#lengthless++;
    if (type === NODE.compute && durationUs === 0 && attributes.has('num_ops')) this.#timeless++;
    return { do: 'compute', ...common, us: durationUs, stream: onProcessor ? 'cpu' : 'gpu' };
  }

  #collective(
    { attributes }: ChakraNode,
    common: { rank: number; name: string; after: number[] },
    { where, number }: { where: string; number: (key: string, fallback?: number) => number },
  ): TaskInput {
    const operation = CHAKRA_COLLECTIVES[number('comm_type', 0)];
    if (operation === undefined) {
      throw new InputError(`${where}: comm_type ${number('comm_type')} is no collective`);
    }
    const group = this.#groupOf(attributes, where);
    const members = group === undefined ? this.#ranks : (this.#groups.get(group)?.length ?? 1);
    // Chakra says what each rank gives; nccl-tests, what each rank has in the end.
    const bytes = number('comm_size') * (operation === 'all-gather' ? members : 1);
    const root = number('root_rank', 0);
    return {
      do: 'collective',
      ...common,
      operation,
      bytes,
      root,
      ...(group !== undefined && { group }),
    };
  }

  #groupOf(attributes: ReadonlyMap<string, AttributeValue>, where: string): string | undefined {
    const dimensions = attributes.get('involved_dim');
    if (Array.isArray(dimensions) && dimensions.includes(false)) {
      throw new InputError(
        `${where}: involved_dim leaves dimensions out, which a network has no names for: give pg_name and groups`,
      );
    }
    const name = String(attributes.get('pg_name') ?? '');
    if (name === '') return undefined;
    if (this.#groups.has(name)) return name;
    // The group of all ranks needs no definition.
    if (name === '0' || name === 'default_pg') return undefined;
    throw new InputError(
      `${where}: nothing says who is in group ${name}: add a JSON file of groups`,
    );
  }

  /** Groups as PyTorch writes them into metadata. */
  #define({ inputs, name }: ChakraNode): void {
    if (!inputs.includes('pg_name')) return;
    const begin = inputs.indexOf('[{');
    const end = inputs.lastIndexOf('}]');
    let groups: unknown;
    try {
      groups = JSON.parse(inputs.slice(begin, end + 2));
    } catch {
      throw new InputError(`node ${name}: its groups of ranks are no JSON`);
    }
    for (const each of groups as readonly { pg_name?: unknown; ranks?: unknown }[]) {
      const members = Array.isArray(each.ranks) ? (each.ranks as number[]) : [];
      const isOfAll = members.length === 0;
      const ranks = isOfAll ? Array.from({ length: this.#ranks }, (_, rank) => rank) : members;
      this.#groups.set(String(each.pg_name), ranks);
    }
  }
}
