import { InputError } from '../../common/errors';
import type { ActionByName, EntryAction } from '../entities/action';
import type { DefaultEntry, TableEntry } from '../entities/table-entry';

/** A parsed line of the shell. */
export type ShellCommand =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'help' | 'switches' | 'tables' | 'plan' | 'apply' }
  | { readonly kind: 'use'; readonly switch: string }
  | { readonly kind: 'actions'; readonly table: string }
  | { readonly kind: 'read'; readonly object: string }
  | { readonly kind: 'insert' | 'modify' | 'delete'; readonly entity: TableEntry }
  | { readonly kind: 'default'; readonly entity: DefaultEntry };

/** Words that begin a line. */
export const VERBS = [
  'help',
  'switches',
  'use',
  'tables',
  'actions',
  'read',
  'insert',
  'modify',
  'delete',
  'default',
  'plan',
  'apply',
] as const;

export const HELP = `switches                 the switches; the one in use is marked
use SWITCH               go on with this one
tables                   tables with their key fields
actions TABLE            actions of a table with their parameters
read OBJECT              a table, members, groups, multicast, clones, or a counter, meter, register
insert TABLE FIELD=MATCH ... [priority=N] ACTION(NAME=VALUE, ...) | member=N | group=N
modify ...               the same
delete TABLE FIELD=MATCH ... [priority=N]
default TABLE ACTION(NAME=VALUE, ...)
plan, apply              compare with the document, and bring the switch in use to it
A MATCH is a value, 10.0.0.0/8, 0x10&&&0xf0 or 1..1023.`;

/** Reads a line. @throws InputError saying what was wanted. */
export function parseCommand(line: string): ShellCommand {
  const text = line.trim();
  const [, verb = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
  switch (verb) {
    case '':
      return { kind: 'nothing' };
    case 'help':
    case 'switches':
    case 'tables':
    case 'plan':
    case 'apply':
      return { kind: verb };
    case 'use':
      return { kind: 'use', switch: wanted(rest, 'the name of a switch') };
    case 'actions':
      return { kind: 'actions', table: wanted(rest, 'the name of a table') };
    case 'read':
      return { kind: 'read', object: wanted(rest, 'what to read') };
    case 'insert':
    case 'modify':
    case 'delete':
      return { kind: verb, entity: tableEntry(verb, rest) };
    case 'default': {
      const [table, call] = splitCall(rest);
      const action = parseCall(wanted(call, 'an action, as in drop()'));
      return {
        kind: 'default',
        entity: { kind: 'default-entry', table: wanted(table.trim(), 'a table'), action },
      };
    }
    default:
      throw new InputError(`wanted one of ${VERBS.join(', ')}, found '${verb}'`);
  }
}

function tableEntry(verb: 'insert' | 'modify' | 'delete', text: string): TableEntry {
  const [before, call] = splitCall(text);
  const [table = '', ...words] = before.split(/\s+/).filter((word) => word !== '');
  const pairs = new Map(words.map(pair));
  const priority = Number(pairs.get('priority') ?? 0);
  const action = entryAction(verb, call, pairs);
  for (const name of ['priority', 'member', 'group']) pairs.delete(name);
  if (!Number.isInteger(priority)) throw new InputError('wanted a whole number as priority');
  return {
    kind: 'table-entry',
    table: wanted(table, 'the name of a table'),
    match: Object.fromEntries(pairs),
    priority,
    action,
  };
}

function entryAction(verb: string, call: string, pairs: ReadonlyMap<string, string>): EntryAction {
  const [member, group] = [pairs.get('member'), pairs.get('group')];
  if (member !== undefined) return { kind: 'member', memberId: Number(member) };
  if (group !== undefined) return { kind: 'group', groupId: Number(group) };
  // A deletion names the entry alone; what it did does not matter.
  if (verb === 'delete' && call === '') return { kind: 'member', memberId: 0 };
  const form = 'an action as in forward(port=1), member=1 or group=1';
  return { kind: 'action', action: parseCall(wanted(call, form)) };
}

/** `TABLE a=1 b=2 act(x=1)` in two: what comes before the call, and the call. */
function splitCall(text: string): [string, string] {
  const [, before = '', call = ''] = /^(.*?)([^\s=(]+\(.*\))?\s*$/.exec(text) ?? [];
  return [before, call];
}

function parseCall(text: string): ActionByName {
  const [, name = '', list = ''] = /^([^(]+)\((.*)\)$/.exec(text) ?? [];
  const pairs = list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map(pair);
  return { name, arguments: Object.fromEntries(pairs) };
}

function pair(word: string): [string, string] {
  const [, name, value] = /^([^=]+?)\s*=\s*(.+)$/.exec(word) ?? [];
  if (name === undefined || value === undefined) {
    throw new InputError(`wanted NAME=VALUE, found '${word}'`);
  }
  return [name, value];
}

function wanted(text: string, what: string): string {
  if (text !== '') return text;
  throw new InputError(`wanted ${what}, found nothing`);
}
