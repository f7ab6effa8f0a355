import { assert } from '../../../common/assert';
import { Identifier } from '../text/code';
import { Names } from '../text/names';
import { RUNTIME } from '../runtime/runtime';
import type { Action, Program } from '../../ir/nodes';

/** Names that generated functions use for their own values. */
const LOCAL = [
  ...['packet', 'words', 'numbers', 'bigints', 'valid', 'counts', 'bytes', 'offset'],
  ...['node', 'state', 'position', 'call', 'entry', 'key', 'visits', 'out', 'sum', 'at'],
  ...['widths', 'meters', 'valueSets', 'random', 'data', 'view', 'memory', 'start'],
  ...['runtime', 'program', 'program_state', 'log', 'dropPort', 'undefined', 'Math', 'Number'],
  ...['BigInt', 'Uint8Array', 'parse', 'ingress', 'egress', 'deparse', 'NaN', 'Infinity'],
];

/** Names of everything that all functions of the text see. */
export class GlobalNames {
  /** Names of other functions and blocks have to differ from these. */
  readonly names: Names;
  readonly #headers: readonly Identifier[];
  readonly #actions: ReadonlyMap<number, Identifier>;
  readonly #tables: readonly Identifier[];
  readonly #applies: readonly Identifier[];
  readonly #registers: readonly Identifier[];
  readonly #counters: readonly Identifier[];
  readonly #calculations: readonly Identifier[];
  readonly #selectors: readonly Identifier[];
  readonly #keys: readonly Identifier[];
  readonly #data: readonly Identifier[];

  constructor(program: Program) {
    const names = new Names([...LOCAL, ...Object.keys(RUNTIME)]);
    const unique = ({ name }: { readonly name: string }): Identifier => names.unique(name);
    this.names = names;
    this.#headers = program.headers.map(unique);
    this.#tables = program.tables.map(unique);
    this.#applies = program.tables.map(({ name }) => names.unique(`apply ${name}`));
    this.#registers = program.registers.map(unique);
    this.#counters = program.counters.map(unique);
    this.#calculations = program.calculations.map(({ name }) => names.unique(`compute ${name}`));
    this.#selectors = program.actionProfiles.map(({ name }) => names.unique(`select ${name}`));
    this.#keys = program.tables.map(({ name }) => names.unique(`${name} key`));
    this.#data = program.tables.map(({ name }) => names.unique(`${name} data`));
    const actions = [...program.actions.values()];
    this.#actions = new Map(actions.map((action: Action) => [action.id, unique(action)]));
  }

  header(index: number): Identifier {
    return member(this.#headers, index);
  }

  action(id: number): Identifier {
    const name = this.#actions.get(id);
    assert(name !== undefined, `the program has an action ${id}`);
    return name;
  }

  table(index: number): Identifier {
    return member(this.#tables, index);
  }

  /** The function that applies a table. */
  apply(index: number): Identifier {
    return member(this.#applies, index);
  }

  register(index: number): Identifier {
    return member(this.#registers, index);
  }

  counter(index: number): Identifier {
    return member(this.#counters, index);
  }

  /** The function that computes a calculation. */
  calculation(index: number): Identifier {
    return member(this.#calculations, index);
  }

  /** The function that computes the hash of an action selector. */
  selector(profile: number): Identifier {
    return member(this.#selectors, profile);
  }

  /** Scratch for the key of a table. */
  key(table: number): Identifier {
    return member(this.#keys, table);
  }

  /** The runtime data of a table's calls. */
  data(table: number): Identifier {
    return member(this.#data, table);
  }

  runtime(name: string): Identifier {
    return new Identifier(name);
  }
}

function member(list: readonly Identifier[], index: number): Identifier {
  const name = list[index];
  assert(name !== undefined, `the program has an object ${index}`);
  return name;
}
