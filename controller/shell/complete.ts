import type { NamedObject } from '../../common/p4runtime/name-index';
import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import { VERBS } from './command';

/** Names that the shell can complete. */
export interface Vocabulary {
  readonly switches: readonly string[];
  readonly program: P4InfoIndex;
}

/** Kinds of entities that `read` takes besides names. */
const READABLE = ['members', 'groups', 'multicast', 'clones'];

/**
 * Completes the last word of a line.
 * @returns the candidates, and the word that they replace.
 */
export function complete(line: string, words: Vocabulary): [string[], string] {
  const parts = line.trimStart().split(/\s+/);
  const last = /[^\s(,]*$/.exec(line)?.[0] ?? '';
  const found = candidates(parts, line, words).filter((each) => each.startsWith(last));
  return [[...new Set(found)].sort(), last];
}

function candidates(parts: readonly string[], line: string, words: Vocabulary): readonly string[] {
  const [verb = '', second] = parts;
  const { program } = words;
  const tables = shortNames(program.tables.all);
  if (second === undefined) return VERBS;
  if (parts.length === 2) {
    switch (verb) {
      case 'use':
        return words.switches;
      case 'read':
        return [
          ...tables,
          ...READABLE,
          ...[program.counters, program.meters, program.registers].flatMap(({ all }) =>
            shortNames(all),
          ),
        ];
      case 'actions':
      case 'insert':
      case 'modify':
      case 'delete':
      case 'default':
        return tables;
      default:
        return [];
    }
  }
  const table = program.tables.find(second);
  if (table === undefined) return [];
  const call = /([^\s=(]+)\([^)]*$/.exec(line)?.[1];
  if (call !== undefined) {
    const action = table.actions.all.find(({ name }) => shortName(name) === shortName(call));
    return action?.action.parameters.all.map(({ name }) => `${name}=`) ?? [];
  }
  const actions =
    verb === 'delete' ? [] : table.actions.all.map(({ name }) => `${shortName(name)}(`);
  const fields = verb === 'default' ? [] : table.matchFields.all.map(({ name }) => `${name}=`);
  return [...fields, ...actions];
}

const shortNames = (all: readonly NamedObject[]): readonly string[] =>
  all.map(({ name }) => shortName(name));

/** The last part of a full name, which the shell takes for it. */
const shortName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
