import { assert } from '../../../common/assert';
import { Names } from '../text/names';
import { RUNTIME } from '../runtime/runtime';
import type { Program } from '../../ir/nodes';
import type { Identifier } from '../text/code';

/** Names that generated functions use for their own values. */
const LOCAL = [
  'packet',
  'words',
  'numbers',
  'bigints',
  'valid',
  'counts',
  'bytes',
  'input',
  'offset',
  'end',
  'node',
  'state',
  'position',
  'call',
  'entry',
  'key',
  'visits',
  'out',
  'sum',
  'at',
  'widths',
  'meters',
  'valueSets',
  'calculations',
  'selectors',
  'objects',
  'random',
  'data',
  'view',
  'memory',
  'start',
  'runtime',
  'program',
  'program_state',
  'log',
  'dropPort',
  'undefined',
  'Math',
  'Number',
  'BigInt',
  'Uint8Array',
  'parse',
  'ingress',
  'egress',
  'deparse',
  'SwitchObjects',
  'NaN',
  'Infinity',
];

/** The name of an object of the program by its position among those of its kind. */
type NameOf = (index: number) => Identifier;

/** Names of everything that all functions of the text see. */
export interface GlobalNames {
  /** Names of other functions and blocks have to differ from these. */
  readonly names: Names;
  readonly header: NameOf;
  readonly table: NameOf;
  readonly register: NameOf;
  readonly counter: NameOf;
  /** The function that computes a calculation. */
  readonly calculation: NameOf;
  /** The function that computes the hash of an action selector, by its profile. */
  readonly selector: NameOf;
  /** Scratch for the key of a table. */
  readonly key: NameOf;
  /** The runtime data of a table's calls. */
  readonly data: NameOf;
  /** Names by the action's id. */
  readonly action: NameOf;
}

export function globalNames(program: Program): GlobalNames {
  const names = new Names([...LOCAL, ...Object.keys(RUNTIME)]);
  const named = (
    list: readonly { readonly name: string }[],
    say = (name: string): string => name,
    numberOf = (i: number): number => i,
  ): NameOf => {
    const found = new Map(list.map(({ name }, i) => [numberOf(i), names.unique(say(name))]));
    return (number) => {
      const name = found.get(number);
      assert(name !== undefined, `the program has an object ${number}`);
      return name;
    };
  };
  const { tables } = program;
  const actions = [...program.actions.values()];
  // The first keeps its name; the others get numbers.
  return {
    names,
    header: named(program.headers),
    table: named(tables),
    register: named(program.registers),
    counter: named(program.counters),
    calculation: named(program.calculations, (name) => `compute ${name}`),
    selector: named(program.actionProfiles, (name) => `select ${name}`),
    key: named(tables, (name) => `${name} key`),
    data: named(tables, (name) => `${name} data`),
    action: named(actions, undefined, (i) => actions[i]?.id ?? -1),
  };
}
