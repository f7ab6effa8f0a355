import { findTable } from '../program/outline';
import type { ProgramOutline } from '../program/outline';
import { VERBS } from './command';

/** What the shell can complete. */
export interface Vocabulary {
  readonly switches: readonly string[];
  readonly program: ProgramOutline;
  /** Counters, meters and registers. */
  readonly arrays: readonly string[];
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
  const tables = words.program.tables.map(({ name }) => shortName(name));
  if (second === undefined) return VERBS;
  if (parts.length === 2) {
    switch (verb) {
      case 'use':
        return words.switches;
      case 'read':
        return [...tables, ...READABLE, ...words.arrays.map(shortName)];
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
  const table = findTable(words.program, second);
  if (table === undefined) return [];
  const call = /([^\s=(]+)\([^)]*$/.exec(line)?.[1];
  if (call !== undefined) {
    const action = table.actions.find(({ name }) => shortName(name) === shortName(call));
    return action?.parameters.map((each) => `${each}=`) ?? [];
  }
  const actions = verb === 'delete' ? [] : table.actions.map(({ name }) => `${shortName(name)}(`);
  const fields = verb === 'default' ? [] : table.fields.map(({ name }) => `${name}=`);
  return [...fields, ...actions];
}

/** The last part of a full name, which the shell takes for it. */
export const shortName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
