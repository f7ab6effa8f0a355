import { contentOf, identityOf, isKept } from '../../../../controller/entities/identity';
import type { KeptEntity } from '../../../../controller/entities/identity';
import type { EntryAction, WeightedAction } from '../../../../controller/entities/action';
import type { NamedEntity } from '../../../../controller/entities/named-entity';

type Of<Kind> = Extract<KeptEntity, { readonly kind: Kind }>;

const call = (values: Record<string, string> = {}) => ({ name: 'forward', arguments: values });

const entry = (changes: Partial<Of<'table-entry'>> = {}): KeptEntity => ({
  kind: 'table-entry',
  table: 'route',
  match: { a: { exact: '1' }, b: { exact: '2' } },
  priority: 0,
  action: { kind: 'action', action: call({ port: '1', mac: '2' }) },
  ...changes,
});
const doing = (action: EntryAction): KeptEntity => entry({ action });
const oneShot = (...actions: WeightedAction[]): KeptEntity => doing({ kind: 'one-shot', actions });
const weighted = (weight: number, port = '1', watchPort?: number): WeightedAction => ({
  action: call({ port }),
  weight,
  ...(watchPort !== undefined && { watchPort }),
});
const group = (...members: Of<'group'>['members']): KeptEntity => ({
  kind: 'group',
  actionProfile: 'ecmp',
  groupId: 1,
  maxSize: 0,
  members,
});
const multicast = (...replicas: Of<'multicast-group'>['replicas']): KeptEntity => ({
  kind: 'multicast-group',
  groupId: 1,
  replicas,
});
const session = (changes: Partial<Of<'clone-session'>> = {}): KeptEntity => ({
  kind: 'clone-session',
  sessionId: 1,
  classOfService: 0,
  packetLengthBytes: 0,
  replicas: [{ port: 1, instance: 0 }],
  ...changes,
});
const member = (changes: Partial<Of<'member'>> = {}): KeptEntity => ({
  kind: 'member',
  actionProfile: 'ecmp',
  memberId: 1,
  action: call({ port: '1' }),
  ...changes,
});
const defaultEntry = (changes: Partial<Of<'default-entry'>> = {}): KeptEntity => ({
  kind: 'default-entry',
  table: 'route',
  ...changes,
});

test.each<[string, KeptEntity, KeptEntity]>([
  ['tables', entry(), entry({ table: 'other' })],
  ['values', entry(), entry({ match: { a: { exact: '1' }, b: { exact: '3' } } })],
  ['kinds of match', entry({ match: { a: { exact: '1' } } }), entry({ match: { a: '1' } })],
  ['priorities', entry(), entry({ priority: 1 })],
  ['default entries', defaultEntry(), defaultEntry({ table: 'other' })],
  ['an entry and the default', entry({ match: {} }), defaultEntry()],
  ['members', member(), member({ memberId: 2 })],
  ['profiles of members', member(), member({ actionProfile: 'other' })],
  ['groups', group(), { ...group(), groupId: 2 } as KeptEntity],
  ['profiles of groups', group(), { ...group(), actionProfile: 'other' } as KeptEntity],
  ['a member and a group', member(), group()],
  ['multicast groups', multicast(), { ...multicast(), groupId: 2 } as KeptEntity],
  ['clone sessions', session(), session({ sessionId: 2 })],
  ['a multicast group and a session', multicast(), session()],
])('different %s exist beside each other', (_, one, other) => {
  expect(identityOf(one)).not.toBe(identityOf(other));
});

test('an entry is the same whatever it does and in whatever order its fields are named', () => {
  const other = entry({
    match: { b: { exact: '2' }, a: { exact: '1' } },
    action: { kind: 'member', memberId: 9 },
    idleTimeoutNs: 5n,
  });
  expect(identityOf(other)).toBe(identityOf(entry()));
});

test.each<[string, KeptEntity, KeptEntity]>([
  ['another action', entry(), doing({ kind: 'action', action: { ...call(), name: 'drop' } })],
  ['another argument', entry(), doing({ kind: 'action', action: call({ port: '1', mac: '3' }) })],
  [
    'another member',
    doing({ kind: 'member', memberId: 1 }),
    doing({ kind: 'member', memberId: 2 }),
  ],
  ['another group', doing({ kind: 'group', groupId: 1 }), doing({ kind: 'group', groupId: 2 })],
  [
    'a group for a member',
    doing({ kind: 'group', groupId: 1 }),
    doing({ kind: 'member', memberId: 1 }),
  ],
  ['another idle timeout', entry({ idleTimeoutNs: 1n }), entry({ idleTimeoutNs: 2n })],
  ['another weight', oneShot(weighted(1)), oneShot(weighted(2))],
  ['another action of a set', oneShot(weighted(1)), oneShot(weighted(1, '2'))],
  [
    'another action name of a set',
    oneShot(weighted(1)),
    oneShot({ ...weighted(1), action: { ...call({ port: '1' }), name: 'drop' } }),
  ],
  ['a watch port', oneShot(weighted(1)), oneShot(weighted(1, '1', 0))],
  [
    'another default',
    defaultEntry({ action: call() }),
    defaultEntry({ action: { ...call(), name: 'drop' } }),
  ],
  [
    'another argument of a default',
    defaultEntry({ action: call() }),
    defaultEntry({ action: call({ port: '1' }) }),
  ],
  ['the default of the program', defaultEntry({ action: call() }), defaultEntry()],
  [
    'another action of a member',
    member(),
    member({ action: { ...call({ port: '1' }), name: 'x' } }),
  ],
  ['another argument of a member', member(), member({ action: call({ port: '2' }) })],
  [
    'another weight of a member',
    group({ memberId: 1, weight: 1 }),
    group({ memberId: 1, weight: 2 }),
  ],
  [
    'a watched member',
    group({ memberId: 1, weight: 1 }),
    group({ memberId: 1, weight: 1, watchPort: 0 }),
  ],
  [
    'another member of a group',
    group({ memberId: 1, weight: 1 }),
    group({ memberId: 2, weight: 1 }),
  ],
  ['another port', multicast({ port: 1, instance: 0 }), multicast({ port: 2, instance: 0 })],
  ['another instance', multicast({ port: 1, instance: 0 }), multicast({ port: 1, instance: 1 })],
  [
    'a backup',
    multicast({ port: 1, instance: 0 }),
    multicast({ port: 1, instance: 0, backups: [{ port: 2, instance: 0 }] }),
  ],
  [
    'another instance of a backup',
    multicast({ port: 1, instance: 0, backups: [{ port: 2, instance: 0 }] }),
    multicast({ port: 1, instance: 0, backups: [{ port: 2, instance: 1 }] }),
  ],
  ['another class of service', session(), session({ classOfService: 1 })],
  ['another length', session(), session({ packetLengthBytes: 64 })],
  ['another replica of a session', session(), session({ replicas: [{ port: 2, instance: 0 }] })],
])('%s needs an update', (_, one, other) => {
  expect(identityOf(one)).toBe(identityOf(other));
  expect(contentOf(one)).not.toBe(contentOf(other));
});

test.each<[string, KeptEntity, KeptEntity]>([
  [
    'the order of arguments',
    entry(),
    doing({ kind: 'action', action: call({ mac: '2', port: '1' }) }),
  ],
  ['no idle timeout and one of 0', entry(), entry({ idleTimeoutNs: 0n })],
  ['what a counter has counted', entry(), entry({ counter: { packets: 1n, bytes: 2n } })],
  [
    'the order of a set',
    oneShot(weighted(1), weighted(2, '2')),
    oneShot(weighted(2, '2'), weighted(1)),
  ],
  ['the size that a group was made with', group(), { ...group(), maxSize: 8 } as KeptEntity],
  [
    'how often a member is named',
    group({ memberId: 1, weight: 3 }),
    group({ memberId: 1, weight: 1 }, { memberId: 1, weight: 2 }),
  ],
  [
    'the order of replicas on one port',
    multicast({ port: 1, instance: 2 }, { port: 1, instance: 1 }, { port: 0, instance: 9 }),
    multicast({ port: 0, instance: 9 }, { port: 1, instance: 1 }, { port: 1, instance: 2 }),
  ],
])('%s makes no difference', (_, one, other) => {
  expect(contentOf(one)).toBe(contentOf(other));
});

test('counters, meters, registers and digests are not kept', () => {
  const others: readonly NamedEntity[] = [
    { kind: 'counter', counter: 'c' },
    { kind: 'direct-counter', table: 't', match: {}, priority: 0 },
    { kind: 'meter', meter: 'm' },
    { kind: 'register', register: 'r' },
    { kind: 'digest', digest: 'd' },
    { kind: 'value-set', valueSet: 'v', members: [] },
  ];
  expect(others.some(isKept)).toBe(false);
  expect([entry(), defaultEntry(), member(), group(), multicast(), session()].every(isKept)).toBe(
    true,
  );
});
