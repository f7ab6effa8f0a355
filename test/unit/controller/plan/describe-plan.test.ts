import {
  describeChange,
  describePlans,
  describeQueue,
} from '../../../../controller/plan/describe-plan';
import type { Change } from '../../../../controller/plan/diff';
import type { SwitchPlan } from '../../../../controller/plan/switch-plan';

const plan = (changes: Partial<SwitchPlan>): SwitchPlan => ({
  switch: 's1',
  stages: [],
  queues: [],
  ports: [],
  ...changes,
});

const call = (name: string, values: Record<string, string>) => ({ name, arguments: values });

const EMPTY_GROUP: Extract<Change['entity'], { kind: 'group' }> = {
  kind: 'group',
  actionProfile: 'ecmp',
  groupId: 1,
  members: [],
  maxSize: 0,
};

describe('a plan for people', () => {
  test('of switches that are as wanted is one line', () => {
    expect(describePlans([plan({}), plan({ switch: 's2' })])).toBe(
      '2 switches as wanted; nothing to do',
    );
  });

  test('has a block per switch that differs, and a sum', () => {
    const change: Change = {
      type: 'delete',
      entity: { kind: 'multicast-group', groupId: 3, replicas: [] },
    };
    const load = { program: 'hpcc', reason: 'the switch has no program' } as const;
    const text = describePlans([
      plan({}),
      plan({ switch: 's2', load, stages: [[change]], queues: [{ port: 1, depthPackets: 9 }] }),
    ]);
    expect(text.split('\n')).toEqual([
      's2: 1 delete, 1 queue setting',
      '  ! load program hpcc: the switch has no program',
      '  - multicast group 3',
      '  = queue of port 1: depth 9 packets',
      '1 of 2 switches to change',
    ]);
  });

  test('without a program to load has no line for one, and counts updates by type', () => {
    const change = (type: Change['type'], groupId: number): Change => ({
      type,
      entity: { kind: 'multicast-group', groupId, replicas: [] },
      ...(type === 'modify' && { before: { kind: 'multicast-group', groupId, replicas: [] } }),
    });
    const stages = [[change('modify', 1), change('modify', 2)], [change('insert', 3)]];
    expect(describePlans([plan({ stages })]).split('\n')).toEqual([
      's1: 1 insert, 2 modifies',
      '  ~ multicast group 1: ports none -> ports none',
      '  ~ multicast group 2: ports none -> ports none',
      '  + multicast group 3: ports none',
      '1 of 1 switch to change',
    ]);
  });

  test('of a program alone says that there are no updates', () => {
    const load = { program: 'hpcc', reason: 'the switch has no program' } as const;
    expect(describePlans([plan({ load })]).split('\n')).toEqual([
      's1: no updates',
      '  ! load program hpcc: the switch has no program',
      '1 of 1 switch to change',
    ]);
  });

  test.each<[Change, string]>([
    [
      {
        type: 'modify',
        entity: {
          kind: 'table-entry',
          table: 't',
          match: {},
          priority: 0,
          action: {
            kind: 'one-shot',
            actions: [
              { action: call('a', {}), weight: 1 },
              { action: call('b', {}), weight: 1 },
            ],
          },
        },
        before: {
          kind: 'table-entry',
          table: 't',
          match: {},
          priority: 0,
          action: { kind: 'member', memberId: 4 },
        },
      },
      '~ t (any): member 4 -> one of a(), b()',
    ],
    [
      {
        type: 'insert',
        entity: {
          kind: 'clone-session',
          sessionId: 5,
          replicas: [{ port: 1, instance: 0 }],
          classOfService: 0,
          packetLengthBytes: 0,
        },
      },
      '+ clone session 5: ports 1',
    ],
    [
      {
        type: 'insert',
        entity: {
          kind: 'table-entry',
          table: 'ingress.route',
          match: { dst: { lpm: ['10.0.0.0', 8] } },
          priority: 0,
          action: { kind: 'action', action: call('forward', { port: '1', dst_addr: '10.0.0.1' }) },
        },
      },
      '+ ingress.route (dst = 10.0.0.0/8): forward(port = 1, dst_addr = 10.0.0.1)',
    ],
    [
      {
        type: 'modify',
        entity: {
          kind: 'default-entry',
          table: 'record',
          action: call('set', { mbps: '0.0.0.9' }),
        },
        before: { kind: 'default-entry', table: 'record' },
      },
      '~ record (default): as in the program -> set(mbps = 9)',
    ],
    [
      {
        type: 'modify',
        entity: {
          kind: 'table-entry',
          table: 't',
          match: {},
          priority: 7,
          action: { kind: 'one-shot', actions: [{ action: call('a', {}), weight: 1 }] },
        },
        before: {
          kind: 'table-entry',
          table: 't',
          match: {},
          priority: 7,
          action: { kind: 'group', groupId: 2 },
        },
      },
      '~ t (any) at priority 7: group 2 -> one of a()',
    ],
    [
      {
        type: 'insert',
        entity: {
          kind: 'group',
          actionProfile: 'ecmp',
          groupId: 1,
          members: [
            { memberId: 1, weight: 1 },
            { memberId: 2, weight: 3 },
          ],
          maxSize: 0,
        },
      },
      '+ ecmp group 1: members 1, 2 (weight 3)',
    ],
    [
      {
        type: 'insert',
        entity: {
          kind: 'clone-session',
          sessionId: 5,
          replicas: [
            { port: 1, instance: 0 },
            { port: 2, instance: 4 },
          ],
          classOfService: 0,
          packetLengthBytes: 64,
        },
      },
      '+ clone session 5: ports 1, 2 (instance 4), cut at 64 bytes',
    ],
    [
      {
        type: 'insert',
        entity: { kind: 'multicast-group', groupId: 3, replicas: [{ port: 1, instance: 0 }] },
      },
      '+ multicast group 3: ports 1',
    ],
    [
      {
        type: 'modify',
        entity: { ...EMPTY_GROUP, members: [{ memberId: 2, weight: 1 }] },
        before: EMPTY_GROUP,
      },
      '~ ecmp group 1: members none -> members 2',
    ],
    [
      {
        type: 'insert',
        entity: {
          kind: 'member',
          actionProfile: 'ecmp',
          memberId: 4,
          action: call('forward', { port: '0.0.0.2', dst_mac: '00:00:00:00:00:03', tag: '::1' }),
        },
      },
      '+ ecmp member 4: forward(port = 2, dst_mac = 00:00:00:00:00:03, tag = ::1)',
    ],
  ])('says what an update does', (change, text) => {
    expect(describeChange(change)).toBe(text);
  });

  test('counts in the singular and the plural', () => {
    const change = (type: Change['type']): Change => ({ type, entity: EMPTY_GROUP });
    const [first, ...others] = describePlans([
      plan({ stages: [[change('modify')], [change('modify'), change('insert')]] }),
    ]).split('\n');
    expect([first, others.at(-1)]).toEqual(['s1: 1 insert, 2 modifies', '1 of 1 switch to change']);
    const load = { program: 'hpcc', reason: 'the switch runs another program' } as const;
    expect(describePlans([plan({ load })])).toContain('s1: no updates\n  ! load program hpcc');
  });

  test('says what a queue is set to', () => {
    expect(describeQueue({ port: 2, priority: 1, packetsPerSecond: 80, depthPackets: 9 })).toBe(
      'queue of port 2, priority 1: 80 packets/s, depth 9 packets',
    );
  });
});
