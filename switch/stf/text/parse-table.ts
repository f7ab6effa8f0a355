import type { ActionText, Command, MatchValue, NamedMatch } from './statements';
import type { TokenReader } from './token-reader';

/** `add NAME [PRIO] (KEY:VALUE)+ ACTION [= ID]` */
export function parseAdd(reader: TokenReader): Command {
  const table = reader.name('the name of a table');
  const priority = reader.peek()?.kind === 'number' ? reader.index('a priority') : undefined;
  const matches: NamedMatch[] = [];
  do {
    const name = reader.name('a match KEY:VALUE');
    reader.symbol(':');
    matches.push({ name, value: parseMatchValue(reader) });
  } while (reader.peek(1)?.text === ':');
  const action = parseAction(reader);
  const id = reader.takes('=') ? reader.name('a name for the entry').replace(/^\$/, '') : undefined;
  return { kind: 'add', table, priority, matches, action, id };
}

/** `remove all`, or our own `remove ID` for the entry that was added as `= ID`. */
export function parseRemove(reader: TokenReader): Command {
  const name = reader.name("'all' or the name of an entry");
  if (name.toLowerCase() === 'all') return { kind: 'remove-all' };
  return { kind: 'remove', id: name.replace(/^\$/, '') };
}

/** `VALUE`, `VALUE/LENGTH`, and our own `VALUE&&&MASK` and `LOW..HIGH`. */
export function parseMatchValue(reader: TokenReader): MatchValue {
  const value = reader.literal('a value');
  if (reader.takes('/')) {
    return { kind: 'prefix', value, length: reader.literal('a prefix length') };
  }
  if (reader.takes('&&&')) return { kind: 'masked', value, mask: reader.literal('a mask') };
  if (reader.takes('..')) {
    return { kind: 'range', low: value, high: reader.literal('the end of a range') };
  }
  return { kind: 'literal', value };
}

/** `NAME ( [ARG:VALUE {, ARG:VALUE}] )` */
export function parseAction(reader: TokenReader): ActionText {
  const name = reader.name('an action NAME(ARG:VALUE, ...)');
  reader.symbol('(');
  const found: ActionText['arguments'][number][] = [];
  while (!reader.takes(')')) {
    if (found.length > 0) reader.symbol(',');
    const argument = reader.name('an argument ARG:VALUE');
    reader.symbol(':');
    found.push({ name: argument, value: reader.literal('a value') });
  }
  return { name, arguments: found };
}
