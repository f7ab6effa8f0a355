import { unreachable } from '../../../common/assert';
import { allOnes } from '../../../common/p4runtime/bytestring';
import { defaultMatch, resolveMatch } from './resolve-match';
import { isUnresolved, resolveKeyField, resolveName } from './resolve-name';
import type { KeyField } from '../../../common/p4runtime/key-field';
import type { ActionOutline, ProgramOutline, TableOutline } from './outline';
import type { EntryTarget, NamedCall, StfRequest } from './requests';
import type { Unresolved } from './resolve-name';
import type { ActionText, Command, NamedMatch } from '../text/statements';

/** Kinds of commands that need more than one request, or memory of earlier commands. */
const COMPOUND = [
  'remove',
  'remove-all',
  'expect',
  'no-packet',
  'check-counter',
  'check-register',
  'mirroring-get',
  'meter-get-rates',
  'meter-set-entry-rates',
  'expect-digest',
  'expect-log',
] as const;

/** Commands that one request carries out. */
export type PlainCommand = Exclude<Command, { readonly kind: (typeof COMPOUND)[number] }>;

export const isPlain = (command: Command): command is PlainCommand =>
  !COMPOUND.some((kind) => kind === command.kind);

/** Turns a command into the request that carries it out, with all names in full. */
export function resolveCommand(
  outline: ProgramOutline,
  command: PlainCommand,
): StfRequest | Unresolved {
  switch (command.kind) {
    case 'add':
      return resolveAdd(outline, command);
    case 'setdefault': {
      const table = resolveName(outline.tables, command.table, 'table');
      if (isUnresolved(table)) return table;
      const call = resolveCall(table.actions, command.action);
      return isUnresolved(call) ? call : { kind: 'set-default', table: table.name, call };
    }
    case 'member-create': {
      const profile = resolveName(outline.profiles, command.profile, 'action profile');
      if (isUnresolved(profile)) return profile;
      const call = resolveCall(profile.actions, command.action);
      return isUnresolved(call) ? call : { kind: 'create-member', profile: profile.name, call };
    }
    case 'group-create': {
      const profile = resolveName(outline.profiles, command.profile, 'action profile');
      return isUnresolved(profile) ? profile : { ...command, profile: profile.name };
    }
    case 'packet':
      return { kind: 'send', packet: { port: command.port, bytes: command.bytes } };
    case 'wait':
    case 'set-queue-rate':
    case 'set-queue-depth':
    case 'mc-group-create':
    case 'mc-node-create':
    case 'mc-node-update':
    case 'mc-node-associate':
      return command;
    case 'mirroring-add':
      return { kind: 'mirror', session: command.session, to: { port: command.port } };
    case 'mirroring-add-mc':
      return { kind: 'mirror', session: command.session, to: { group: command.group } };
    case 'mirroring-delete':
      return { kind: 'mirror', session: command.session, to: undefined };
    case 'counter-read':
    case 'counter-write':
    case 'register-read':
    case 'register-write':
    case 'register-reset':
    case 'meter-set-rates':
    case 'value-set-add':
      return resolveState(outline, command);
    default:
      return unreachable(command);
  }
}

type StateCommand = PlainCommand & {
  readonly kind: `counter-${string}` | `register-${string}` | 'meter-set-rates' | 'value-set-add';
};

function resolveState(outline: ProgramOutline, command: StateCommand): StfRequest | Unresolved {
  switch (command.kind) {
    case 'counter-read':
    case 'counter-write': {
      const found = resolveName(outline.counters, command.counter, 'counter');
      return isUnresolved(found) ? found : { ...command, counter: found.name };
    }
    case 'register-read':
    case 'register-write':
    case 'register-reset': {
      const found = resolveName(outline.registers, command.register, 'register');
      return isUnresolved(found) ? found : { ...command, register: found.name };
    }
    case 'meter-set-rates': {
      const found = resolveName(outline.meters, command.meter, 'meter');
      return isUnresolved(found) ? found : { ...command, meter: found.name };
    }
    case 'value-set-add': {
      const found = resolveName(outline.valueSets, command.valueSet, 'parser value set');
      return isUnresolved(found) ? found : { ...command, valueSet: found.name };
    }
    default:
      return unreachable(command);
  }
}

function resolveAdd(
  outline: ProgramOutline,
  command: Command & { readonly kind: 'add' },
): StfRequest | Unresolved {
  const table = resolveName(outline.tables, command.table, 'table');
  if (isUnresolved(table)) return table;
  const key = resolveKey(table, command.matches);
  if ('problem' in key) return key;
  const target = resolveTarget(table, command.action);
  if (isUnresolved(target)) return target;
  // A test's priorities begin at 0 and the larger one wins; those of tables begin at 1.
  const priority = table.hasPriorities ? (command.priority ?? 0) + 1 : 0;
  return { kind: 'add-entry', entry: { table: table.name, key, priority }, target };
}

function resolveKey(
  table: TableOutline,
  matches: readonly NamedMatch[],
): readonly KeyField[] | Unresolved {
  const key = table.key.map(defaultMatch);
  for (const { name, value } of matches) {
    const position = resolveKeyField(table.key, name);
    const field = table.key[position];
    if (field === undefined) {
      const known = table.key.map((each) => each.name).join(', ') || 'none';
      return { problem: `wanted a key of table '${table.name}' (${known}), found '${name}'` };
    }
    const found = resolveMatch(field, value);
    if (isUnresolved(found)) return found;
    key[position] = found;
  }
  return key;
}

/** In indirect tables, `member(handle:N)` and `group(handle:N)` stand for an action. */
function resolveTarget(table: TableOutline, action: ActionText): EntryTarget | Unresolved {
  if (table.actionProfile === undefined) {
    const call = resolveCall(table.actions, action);
    return isUnresolved(call) ? call : { kind: 'call', ...call };
  }
  const [handle, second] = action.arguments;
  const kind = action.name;
  if ((kind === 'member' || kind === 'group') && handle?.name === 'handle' && !second) {
    return { kind, handle: Number(handle.value.value) };
  }
  const problem =
    `table '${table.name}' is indirect: wanted member(handle:N) or group(handle:N), ` +
    `found ${action.name}(...)`;
  return { problem };
}

/** Reads a call: the action among `actions`, each of its arguments once. */
function resolveCall(
  actions: readonly ActionOutline[],
  { name, arguments: given }: ActionText,
): NamedCall | Unresolved {
  const action = resolveName(actions, name, 'action');
  if (isUnresolved(action)) return action;
  const stray = given.find(
    ({ name: argument }) => !action.parameters.some((p) => p.name === argument),
  );
  if (stray !== undefined) {
    return { problem: `action '${action.name}' has no argument '${stray.name}'` };
  }
  const values: bigint[] = [];
  for (const { name: parameter, width } of action.parameters) {
    const value = given.find((argument) => argument.name === parameter)?.value;
    const what = `argument '${parameter}' of action '${action.name}'`;
    if (value === undefined) return { problem: `wanted ${what}, found none` };
    if (value.text.includes('*')) return { problem: `${what} must not contain '*'` };
    if (value.value > allOnes(width)) {
      return { problem: `${what} has ${width} bits, found ${value.text}` };
    }
    values.push(value.value);
  }
  return { action: action.name, actionId: action.id, arguments: values };
}
