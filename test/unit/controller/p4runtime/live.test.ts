import type { NamedEntity } from '../../../../controller/entities/named-entity';
import type { P4RuntimeClient } from '../../../../controller/p4runtime/client';
import { dmac, EXTERNS, SAMPLE, smac, withEveryTarget } from './support/live-suite';

const forward = (port: number) => ({
  name: 'ingress.route.forward',
  arguments: { port: String(port), dst_mac: '02:00:00:00:00:01', src_mac: '02:00:00:00:00:02' },
});

/** In any order; bmv2 sends members once per unit of their weight. */
function expectSame(found: readonly NamedEntity[], wanted: readonly NamedEntity[]): void {
  expect(found).toEqual(expect.arrayContaining([...wanted]));
  expect(wanted).toEqual(expect.arrayContaining([...found]));
}

withEveryTarget((live) => {
  let client: P4RuntimeClient;
  beforeEach(() => {
    client = live.client();
  });

  test('entries with every match kind come back as they were written', async () => {
    await client.pushPipeline(SAMPLE);
    const acl: NamedEntity = {
      kind: 'table-entry',
      table: 'ingress.acl',
      match: {
        'hdr.ethernet.src_addr': { exact: '00:00:00:00:00:01' },
        'hdr.ipv4.src_addr': { ternary: ['10.0.0.0', '255.0.0.0'] },
        'hdr.udp.dst_port': { range: ['1', '1023'] },
        'hdr.ipv4.protocol': { optional: '17' },
      },
      priority: 7,
      action: { kind: 'action', action: { name: 'ingress.mark', arguments: { class: '5' } } },
    };
    const member: NamedEntity = {
      kind: 'member',
      actionProfile: 'ingress.route.ecmp',
      memberId: 1,
      action: forward(1),
    };
    const route: NamedEntity = {
      kind: 'table-entry',
      table: 'ingress.route.ipv4_route',
      match: { 'hdr.ipv4.dst_addr': { lpm: ['10.0.1.0', 24] } },
      priority: 0,
      action: { kind: 'member', memberId: 1 },
    };
    await client.writeAll('insert', [acl, member, route]);
    const read = await client.readAll(
      { kind: 'table-entries', table: 'acl' },
      { kind: 'table-entries', table: 'ipv4_route' },
    );
    expectSame(read, [acl, route]);
    await client.writeAll('delete', [acl, route, member]);
    expect(await client.readAll({ kind: 'table-entries', table: 'acl' })).toEqual([]);
  });

  test('members and groups with weights come back, and one-shot sets instead of them', async () => {
    await client.pushPipeline(SAMPLE);
    const profile = { actionProfile: 'ingress.route.ecmp' };
    const members = [1, 2].map((memberId): NamedEntity => ({
      kind: 'member',
      ...profile,
      memberId,
      action: forward(memberId),
    }));
    const group: NamedEntity = {
      kind: 'group',
      ...profile,
      groupId: 1,
      maxSize: 3,
      members: [
        { memberId: 1, weight: 1 },
        { memberId: 2, weight: 2 },
      ],
    };
    await client.writeAll('insert', members);
    await client.writeAll('insert', [group]);
    const read = await client.readAll({ kind: 'members' }, { kind: 'groups' });
    expectSame(read, [...members, group]);

    await client.pushPipeline(SAMPLE);
    const oneShot: NamedEntity = {
      kind: 'table-entry',
      table: 'ingress.route.ipv4_route',
      priority: 0,
      match: { 'hdr.ipv4.dst_addr': { lpm: ['10.0.0.0', 8] } },
      action: {
        kind: 'one-shot',
        actions: [
          { action: forward(1), weight: 1, watchPort: 1 },
          { action: forward(2), weight: 2 },
        ],
      },
    };
    await client.writeAll('insert', [oneShot]);
    expect(await client.readAll({ kind: 'table-entries', table: 'ipv4_route' })).toEqual([oneShot]);
  });

  test('a default entry is set, read, and reset to what the program says', async () => {
    await client.pushPipeline(SAMPLE);
    const seed = (value: string): NamedEntity => ({
      kind: 'default-entry',
      table: 'ingress.route.ecmp_seed',
      action: { name: 'ingress.route.set_seed', arguments: { seed: value } },
    });
    const read = () => client.readAll({ kind: 'default-entries', table: 'ecmp_seed' });
    await client.writeAll('modify', [seed('513')]);
    expect(await read()).toEqual([seed('513')]);
    await client.writeAll('modify', [{ kind: 'default-entry', table: 'ecmp_seed' }]);
    expect(await read()).toEqual([seed('0')]);
  });

  test('counters of arrays and of entries are read and set, one or all', async () => {
    await client.pushPipeline(EXTERNS);
    await client.writeAll('insert', [smac('00:00:00:00:00:01')]);
    const data = { packets: 5n, bytes: 320n };
    await client.writeAll('modify', [{ kind: 'counter', counter: 'rx', index: 3, data }]);
    expect(await client.readAll({ kind: 'counters', counter: 'rx', index: 3 })).toEqual([
      { kind: 'counter', counter: 'ingress.rx', index: 3, data },
    ]);
    expect(await client.readAll({ kind: 'counters', counter: 'rx' })).toHaveLength(8);
    const direct: NamedEntity = {
      kind: 'direct-counter',
      table: 'ingress.smac',
      match: { src_addr: 1 },
      priority: 0,
      data: { packets: 9n, bytes: 0n },
    };
    await client.writeAll('modify', [direct]);
    const read = await client.readAll({ kind: 'direct-counters', table: 'smac' });
    expect(read).toMatchObject([{ kind: 'direct-counter', data: { packets: 9n } }]);
    const wishes = { kind: 'table-entries', table: 'smac', counters: true } as const;
    expect(await client.readAll(wishes)).toMatchObject([{ counter: { packets: 9n } }]);
  });

  test('meters of arrays and of entries are configured, read and reset', async () => {
    await client.pushPipeline(EXTERNS);
    const config = { cir: 1000n, cburst: 10n, pir: 2000n, pburst: 20n };
    const police: NamedEntity = { kind: 'meter', meter: 'ingress.police', index: 2, config };
    const entry = { ...dmac('deny', {}), meter: config } as NamedEntity;
    await client.writeAll('modify', [police]);
    await client.writeAll('insert', [entry]);
    const read = () => client.readAll({ kind: 'meters', meter: 'police', index: 2 });
    expect(await read()).toMatchObject([{ config }]);
    const direct = { kind: 'direct-meters', table: 'dmac' } as const;
    expect(await client.readAll(direct)).toMatchObject([{ kind: 'direct-meter', config }]);
    const wishes = { kind: 'table-entries', table: 'dmac', meters: true } as const;
    expect(await client.readAll(wishes)).toMatchObject([{ meter: config }]);
    await client.writeAll('modify', [{ kind: 'meter', meter: 'police', index: 2 }]);
    expect(await read()).not.toMatchObject([{ config }]);
  });

  test('registers and value sets work where the switch has them, else the reason is told', async () => {
    await client.pushPipeline(EXTERNS);
    const cells: readonly NamedEntity[] = [
      {
        kind: 'register',
        register: 'ingress.last_source',
        index: 7,
        value: '0a:0b:0c:0d:0e:0f',
      },
      { kind: 'register', register: 'ingress.balance', index: 0, value: '-5' },
    ];
    // p4c gives the only field of a value set no name.
    const set = client.write([
      ...cells.map((entity) => ({ type: 'modify' as const, entity })),
      {
        type: 'modify',
        entity: { kind: 'value-set', valueSet: 'trusted_types', members: [{ '': 2048 }] },
      },
    ]);
    const { failures } = await set;
    if (!live.wholeSpecification) {
      expect(failures.map((each) => each.codeName)).toEqual(
        expect.arrayContaining(['UNIMPLEMENTED']),
      );
      expect(failures).toHaveLength(3);
      return;
    }
    expect(failures).toEqual([]);
    const read = await client.readAll(
      { kind: 'registers', register: 'last_source', index: 7 },
      { kind: 'registers', register: 'balance', index: 0 },
    );
    expect(read).toEqual(cells);
    expect(await client.readAll({ kind: 'registers', register: 'balance' })).toHaveLength(4);
    expect(await client.readAll({ kind: 'value-sets' })).toMatchObject([
      {
        valueSet: expect.stringMatching(/trusted_types$/) as string,
        members: [{ '': { exact: '2048' } }],
      },
    ]);
  });

  test('multicast groups and clone sessions come back as they were written', async () => {
    await client.pushPipeline(EXTERNS);
    const group: NamedEntity = {
      kind: 'multicast-group',
      groupId: 1,
      replicas: [
        { port: 1, instance: 1 },
        { port: 2, instance: 1 },
      ],
    };
    const session: NamedEntity = {
      kind: 'clone-session',
      sessionId: 5,
      classOfService: 0,
      packetLengthBytes: 0,
      replicas: [{ port: 4, instance: 1 }],
    };
    await client.writeAll('insert', [group, session]);
    const all = [{ kind: 'multicast-groups' }, { kind: 'clone-sessions' }] as const;
    expectSame(await client.readAll(...all), [group, session]);
    expect(await client.readAll({ kind: 'multicast-groups', groupId: 1 })).toEqual([group]);
    await client.writeAll('delete', [group, session]);
    expect(await client.readAll(...all)).toEqual([]);
  });

  test('reads without names bring everything of the kind', async () => {
    await client.pushPipeline(EXTERNS);
    await client.writeAll('insert', [smac('00:00:00:00:00:01'), dmac('deny', {})]);
    const read = await client.readAll({ kind: 'table-entries' });
    expectSame(read, [smac('00:00:00:00:00:01'), dmac('deny', {})]);
    const one = { kind: 'table-entries', table: 'smac', match: { src_addr: 1 } } as const;
    expect(await client.readAll(one)).toEqual([smac('00:00:00:00:00:01')]);
    expect(await client.readAll({ kind: 'default-entries' })).toHaveLength(2);
  });

  test('each refused update of a batch tells table, key and reason', async () => {
    await client.pushPipeline(EXTERNS);
    const once = smac('00:00:00:00:00:01');
    const { outcomes, failures } = await client.write([
      { type: 'insert', entity: once },
      { type: 'insert', entity: once },
      { type: 'delete', entity: smac('00:00:00:00:00:02') },
      { type: 'insert', entity: smac('00:00:00:00:00:03') },
    ]);
    expect(outcomes.map((each) => each.kind)).toEqual(['done', 'failed', 'failed', 'done']);
    expect(failures.map((each) => each.codeName)).toEqual(['ALREADY_EXISTS', 'NOT_FOUND']);
    await expect(client.writeAll('insert', [once])).rejects.toThrow(
      /1 of 1 updates failed\n {2}insert ingress.smac \(hdr.ethernet.src_addr = 00:00:00:00:00:01\): ALREADY_EXISTS: /,
    );
  });
});
