import { gigabitsPerSecond } from '../../../../common/units/units';
import { describeUpdate } from '../../../../controller/intent/describe-entity';
import type { NamedEntity } from '../../../../controller/intent/entities';
import { entitiesOf, networkIntent } from '../../../../controller/intent/intent';
import type { SwitchIntent } from '../../../../controller/intent/intent';
import { leafSpine, line } from '../../../support/topologies';

const intentOf = (topology = line(), name = 's1', ecmpSeed = 0): SwitchIntent => {
  const found = networkIntent(topology, { ecmpSeed }).find((each) => each.switch.name === name);
  if (found === undefined) throw new Error(`no switch ${name}`);
  return found;
};

const seedOf = (intent: SwitchIntent): unknown =>
  intent.entries.flatMap((each) => (each.kind === 'default-entry' ? [each.action?.arguments] : []));

describe('the intent of a network', () => {
  test('every port that leads somewhere is a member with its own and the far MAC address', () => {
    expect(intentOf().members).toEqual([
      {
        kind: 'member',
        actionProfile: 'ecmp',
        memberId: 2,
        action: {
          name: 'forward',
          arguments: { port: 1, dst_mac: '02:01:00:00:00:01', src_mac: '02:00:00:01:00:01' },
        },
      },
      {
        kind: 'member',
        actionProfile: 'ecmp',
        memberId: 3,
        action: {
          name: 'forward',
          arguments: { port: 2, dst_mac: '02:00:00:02:00:02', src_mac: '02:00:00:01:00:02' },
        },
      },
    ]);
  });

  test('a host with one next hop gets a route to the member, without groups', () => {
    const intent = intentOf();
    expect(intent.groups).toEqual([]);
    expect(intent.entries[1]).toEqual({
      kind: 'table-entry',
      table: 'ipv4_route',
      match: { 'hdr.ipv4.dst_addr': { lpm: ['10.0.0.2', 32] } },
      priority: 0,
      action: { kind: 'member', memberId: 3 },
    });
  });

  test('hosts behind the same set of ports share a group', () => {
    const intent = intentOf(leafSpine());
    expect(intent.groups).toEqual([
      {
        kind: 'group',
        actionProfile: 'ecmp',
        groupId: 1,
        members: [
          { memberId: 4, weight: 1 },
          { memberId: 5, weight: 1 },
        ],
        maxSize: 0,
      },
    ]);
    const actions = intent.entries.flatMap((each) =>
      each.kind === 'table-entry' && each.table === 'ipv4_route' ? [each.action] : [],
    );
    expect(actions).toEqual([
      { kind: 'member', memberId: 2 },
      { kind: 'member', memberId: 3 },
      { kind: 'group', groupId: 1 },
      { kind: 'group', groupId: 1 },
    ]);
  });

  test('every port has a record of what the data plane cannot measure', () => {
    const [first] = intentOf().entries.filter(
      (each) => each.kind === 'table-entry' && each.table === 'port_record',
    );
    expect(first).toMatchObject({
      match: { 'standard_metadata.egress_port': { exact: 1 } },
      action: {
        kind: 'action',
        action: {
          name: 'set_port_record',
          arguments: {
            node_id: 1,
            capacity_mbps: 100_000,
            queue_unit_bytes: 1500,
            clock_unit_ns: 1000,
            mtu: 1500,
            tx_unit_bytes: 1,
          },
        },
      },
    });
  });

  test('switches have different hash seeds, and another seed changes them all', () => {
    const seeds = [0, 7].flatMap((ecmpSeed) =>
      ['s1', 's2', 's3', 's4'].map((name) =>
        JSON.stringify(seedOf(intentOf(leafSpine(), name, ecmpSeed))),
      ),
    );
    expect(new Set(seeds).size).toBe(8);
    expect(seeds[0]).toMatch(/^\[\{"seed":\d{1,5}\}\]$/);
  });

  test('the same topology gives the same intent', () => {
    expect(networkIntent(leafSpine(), { ecmpSeed: 3 })).toEqual(
      networkIntent(leafSpine(), { ecmpSeed: 3 }),
    );
  });

  test('entities come before those that refer to them', () => {
    const kinds = entitiesOf(intentOf(leafSpine())).map((each) => each.kind);
    expect(kinds.lastIndexOf('member')).toBeLessThan(kinds.indexOf('group'));
    expect(kinds.lastIndexOf('group')).toBeLessThan(kinds.indexOf('table-entry'));
  });

  test('a rate that telemetry cannot carry is refused', () => {
    const [first, ...others] = line().links;
    if (first === undefined) throw new Error('a line has links');
    const slow = {
      ...line(),
      links: [{ ...first, rate: gigabitsPerSecond(0.0000015) }, ...others],
    };
    expect(() => networkIntent(slow, { ecmpSeed: 0 })).toThrow(
      "switch 's1', port 1: wanted a rate in whole megabits per second, because telemetry carries it so, found 1500 bit/s",
    );
  });
});

describe('an update in one line', () => {
  const action = { name: 'forward', arguments: {} };
  test.each<[NamedEntity, string]>([
    [
      {
        kind: 'table-entry',
        table: 'acl',
        match: {
          a: { exact: 1 },
          b: { ternary: [2, '0xff'] },
          c: { range: [1, 9] },
          d: { optional: 'x' },
          e: { lpm: ['10.0.0.0', 8] },
        },
        priority: 5,
        action: { kind: 'action', action },
      },
      'insert acl (a = 1, b = 2&&&0xff, c = 1..9, d = x, e = 10.0.0.0/8) at priority 5',
    ],
    [
      {
        kind: 'table-entry',
        table: 'acl',
        match: {},
        priority: 0,
        action: { kind: 'member', memberId: 1 },
      },
      'insert acl (any)',
    ],
    [{ kind: 'default-entry', table: 'seed' }, 'insert seed (default)'],
    [{ kind: 'member', actionProfile: 'ecmp', memberId: 3, action }, 'insert ecmp member 3'],
    [
      { kind: 'group', actionProfile: 'ecmp', groupId: 4, members: [], maxSize: 0 },
      'insert ecmp group 4',
    ],
  ])('names what it is about', (entity, text) => {
    expect(describeUpdate({ type: 'insert', entity })).toBe(text);
  });
});
