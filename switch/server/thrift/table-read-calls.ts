import { unreachable } from '../../../common/assert';
import { ANY_TYPE } from './direct-table-calls';
import { optionsOf, priorityFrom, decodeKey, encodeKey } from './key-messages';
import { standardTypes } from '../../../common/thrift/generated-code';
import { handleOf } from './profile-calls';
import { callMessage, entryBehind, tableNamed, failure } from './table-access';
import { int64 } from './int64';
import type { EntryAction, TableEntry } from '../../control/table-control';
import type { OptionsMessage, FieldMessage } from './key-messages';
import type { ServiceCalls } from './service-calls';
import type { NamedTable } from './table-access';
import type { ThriftTarget } from './target';

const { ActionEntry, ActionKind, EntryLife, EntryOptions, TableError } = standardTypes;
const { TableEntry: Message } = standardTypes;

const NS_PER_MS = 1_000_000n;

type ActionMessage = InstanceType<typeof ActionEntry>;
type EntryMessage = InstanceType<typeof Message>;

/** Entries as bmv2's command line shows them. */
export function tableReadCalls(target: ThriftTarget): ServiceCalls {
  const any = (name: string): NamedTable => tableNamed(target, name, ANY_TYPE);
  return {
    bm_mt_get_num_entries: (_context: number, name: string) =>
      int64([...any(name).table.entries()].length),
    bm_mt_get_entries: (_context: number, name: string): EntryMessage[] => {
      const named = any(name);
      const messages = [...named.table.entries()].map((entry) => entryMessage(named, entry));
      return messages.sort((a, b) => placeOf(a) - placeOf(b));
    },
    bm_mt_get_entry: (_context: number, name: string, handle: number): EntryMessage => {
      const named = any(name);
      return entryMessage(named, entryBehind(named.table, handle));
    },
    bm_mt_get_default_entry: (_context: number, name: string): ActionMessage =>
      defaultMessage(any(name)),
    bm_mt_get_entry_from_key: (
      ...[, name, message, options]: [number, string, FieldMessage[], OptionsMessage]
    ): EntryMessage => {
      const named = any(name);
      if (message.length === 0) return ofDefault(named);
      const key = decodeKey(named.table, message);
      const entry = named.table.find(key, priorityFrom(named.table, options));
      if (entry === undefined) throw failure(TableError.BAD_KEY);
      return entryMessage(named, entry);
    },
  };
}

/** bmv2 walks through the places of a table, whatever has been in them before. */
const placeOf = ({ handle }: EntryMessage): number => handle % 2 ** 24;

function entryMessage(named: NamedTable, entry: TableEntry): EntryMessage {
  const { table, resources } = named;
  const life = table.direct.timeToLive
    ? {
        life: new EntryLife({
          timeoutMs: resources.timeToLiveMs(entry),
          sinceHitMs: Number(resources.idleNs(entry) / NS_PER_MS),
        }),
      }
    : {};
  return new Message({
    key: encodeKey(table, entry.key),
    options: optionsOf(table, entry.priority),
    handle: table.handleOf(entry.key, entry.priority) ?? 0,
    action: actionMessage(named, entry.action),
    ...life,
  });
}

function actionMessage({ program }: NamedTable, action: EntryAction): ActionMessage {
  switch (action.kind) {
    case 'call':
      return new ActionEntry({ kind: ActionKind.CALL, ...callMessage(program, action.call) });
    case 'member':
      return new ActionEntry({ kind: ActionKind.MEMBER, member: handleOf(action.memberId) });
    case 'group':
      return new ActionEntry({ kind: ActionKind.GROUP, group: handleOf(action.groupId) });
    default:
      return unreachable(action);
  }
}

function defaultMessage(named: NamedTable): ActionMessage {
  const { defaultAction, defaultMember, actionProfile } = named.table;
  if (defaultMember !== undefined) {
    return actionMessage(named, { kind: 'member', memberId: defaultMember });
  }
  if (actionProfile !== undefined || defaultAction === undefined) {
    return new ActionEntry({ kind: ActionKind.NONE });
  }
  return actionMessage(named, { kind: 'call', call: defaultAction });
}

function ofDefault(named: NamedTable): EntryMessage {
  const action = defaultMessage(named);
  return new Message({ key: [], options: new EntryOptions({}), handle: 0, action });
}
