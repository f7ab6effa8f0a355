import * as fs from 'node:fs';
import { P4RuntimeClient } from '../../../../controller/p4runtime/client';
import { fabricProgram } from '../../../support/controller/fabric-program';
import { DEADLINE } from '../../../support/controller/networks';
import { runController } from '../../../support/controller/run-controller';
import { ServedNetwork } from '../../../support/controller/served-network';

/** Generous: a loaded machine is slow. */
const IPV4 = 'ingress.ipv4_route';

describe('hpcc controller plan and apply', () => {
  let network: ServedNetwork;

  beforeEach(async () => {
    network = await ServedNetwork.start(2);
  });
  afterEach(() => network.stop());

  test('plan tells the difference by exit code 2, apply removes it, and then there is none', async () => {
    const file = network.document();
    const first = await runController('plan', file);
    expect(first.code).toBe(2);
    expect(first.out).toContain('s1: 13 inserts, 1 modify\n');
    expect(first.out).toContain('  ! load program fabric.json: the switch has no program\n');
    expect(first.out).toContain(
      '  + ingress.ecmp member 2: ingress.forward(port = 1, dst_mac = 02:01:00:00:00:01, ' +
        'src_mac = 02:00:00:01:00:01)\n',
    );
    expect(first.out).toContain('2 of 2 switches to change\n');
    const applied = await runController('apply', file);
    expect([applied.code, applied.out]).toEqual([
      0,
      's1: done: program loaded, 13 inserted, 1 modified, 0 deleted\n' +
        's2: done: program loaded, 13 inserted, 1 modified, 0 deleted\n',
    ]);
    expect(network.sizes(IPV4)).toEqual([4, 4]);
    const second = await runController('plan', file);
    expect([second.code, second.out]).toEqual([0, '2 switches as wanted; nothing to do\n']);
    const again = await runController('apply', file);
    expect(again.out).toContain('s1: done: 0 inserted, 0 modified, 0 deleted\n');
  });

  test('only what differs is written', async () => {
    await runController('apply', network.document());
    const file = network.document((text) =>
      text.replace('{name: h4}', '{name: h4, ipv4: 10.7.0.4}'),
    );
    const plan = await runController('plan', file);
    expect(plan.out).toBe(
      [
        's1: 1 insert, 1 delete',
        '  - ingress.ipv4_route (hdr.ipv4.dst_addr = 10.0.0.4/32)',
        '  + ingress.ipv4_route (hdr.ipv4.dst_addr = 10.7.0.4/32): group 1',
        's2: 1 insert, 1 delete',
        '  - ingress.ipv4_route (hdr.ipv4.dst_addr = 10.0.0.4/32)',
        '  + ingress.ipv4_route (hdr.ipv4.dst_addr = 10.7.0.4/32): member 3',
        '2 of 2 switches to change',
        '',
      ].join('\n'),
    );
    expect((await runController('apply', file)).out).toContain('1 inserted, 0 modified, 1 deleted');
  });

  test('a link out of service is avoided by changing what leads over it', async () => {
    await runController('apply', network.document());
    const file = network.document((text) =>
      text.replace(
        "{between: ['s1:3', 's2:4'], rate",
        "{between: ['s1:3', 's2:4'], up: false, rate",
      ),
    );
    const { out } = await runController('apply', file);
    expect(out).toContain('s1: done: 0 inserted, 2 modified, 1 deleted');
    expect((await runController('plan', file)).code).toBe(0);
  });

  test('a dry run changes nothing', async () => {
    const { code, out } = await runController('apply', '--dry-run', network.document());
    expect(out).toContain('2 of 2 switches to change');
    expect(code).toBe(0);
    expect(network.devices.map(({ pipeline }) => pipeline)).toEqual([undefined, undefined]);
  });

  test('JSON carries the same for programs', async () => {
    const file = network.document();
    const plan = JSON.parse((await runController('plan', '--json', file)).out) as {
      equal: boolean;
      switches: { switch: string; count: object; updates: object[] }[];
    };
    expect(plan.equal).toBe(false);
    expect(plan.switches[0]?.count).toEqual({ insert: 13, modify: 1, delete: 0 });
    expect(plan.switches[0]?.updates).toHaveLength(14);
    const report = JSON.parse((await runController('apply', '--json', file)).out) as object;
    expect(report).toMatchObject({
      complete: true,
      switches: [{ status: 'done' }, { status: 'done' }],
    });
  });

  test('entries, members, groups, multicast groups and clone sessions may be spelt out', async () => {
    const spelt = `
    entries:
      - {table: acl, match: {hdr.ethernet.src_addr: "02:00:00:00:00:09", hdr.ipv4.src_addr: [10.0.0.0, 0xff000000], hdr.ipv4.ttl: [1, 9]}, priority: 3, action: deny}
      - {table: acl, match: {hdr.ethernet.src_addr: 7}, priority: 2, action: mark, arguments: {ttl: 3}}
      - {table: ipv4_route, match: {hdr.ipv4.dst_addr: [192.0.2.0, 24]}, group: 77}
      - {table: ecmp_seed, default: true, action: set_seed, arguments: {seed: 4}}
    members: [{profile: ecmp, member: 70, action: forward, arguments: {port: 9, dst_mac: 1, src_mac: 2}}]
    groups: [{profile: ecmp, group: 77, members: [{member: 70, weight: 2}, {member: 2}]}]
    multicastGroups: [{group: 4, replicas: [{port: 1}, {port: 2, instance: 3}]}]
    cloneSessions: [{session: 5, replicas: [{port: 1}], packetLengthBytes: 100}]`;
    const file = network.document((text) =>
      text.replace(
        /- \{name: s1, deviceId: 1, nodeId: 1, address: ("[^"]*")\}/,
        `- name: s1\n    deviceId: 1\n    nodeId: 1\n    address: $1${spelt}`,
      ),
    );
    const { code, err } = await runController('apply', file);
    expect([code, err.includes('hdr.ipv4.src_addr = 10.0.0.0&&&255.0.0.0')]).toEqual([0, true]);
    expect((await runController('plan', file)).code).toBe(0);
    expect(network.sizes('ingress.acl')).toEqual([2, 0]);
    const dump = await runController('dump', '--switch', 's1', file);
    expect(dump.out).toContain('hdr.ipv4.ttl: 1..9');
    // The dump, taken as a document, describes the present state.
    const again = network.document((text) =>
      text.replace(
        /switches:\n {2}- \{name: s1, deviceId: 1, nodeId: 1, address: ("[^"]*")\}/,
        `${dump.out.trimEnd()}\n    deviceId: 1\n    nodeId: 1\n    address: $1`,
      ),
    );
    expect((await runController('plan', again)).out).toBe('2 switches as wanted; nothing to do\n');
  });

  test('the entries that a program fixes are left alone, and tables that are left to others', async () => {
    const file = network.document((text) =>
      text.replaceAll(', nodeId', ', unmanagedTables: [acl], nodeId'),
    );
    await runController('apply', file);
    const client = await controller(network.addresses[0] ?? '', 9n);
    const match = { 'hdr.ethernet.src_addr': 7 };
    const action = { kind: 'action', action: { name: 'deny', arguments: {} } } as const;
    const entity = { kind: 'table-entry', table: 'acl', match, priority: 1, action } as const;
    await client.write([{ type: 'insert', entity }]);
    client.close();
    expect((await runController('plan', file)).code).toBe(0);
    expect((await runController('plan', network.document())).out).toContain(
      '  - ingress.acl (hdr.ethernet.src_addr = 00:00:00:00:00:07) at priority 1',
    );
  });

  test('an unreachable switch is one error, and nothing is changed', async () => {
    const file = network.document();
    await network.stopSwitch(1);
    for (const command of ['plan', 'apply']) {
      const { code, err } = await runController(command, '--deadline', '0.3', file);
      expect(code).toBe(1);
      expect(err).toContain(
        `switch s2 at ${network.addresses[1]}: connection refused within 0.3 s`,
      );
    }
    expect(network.devices[0]?.pipeline).toBeUndefined();
  });

  test('a switch that another controller leads is one error, and nothing is changed', async () => {
    const other = await controller(network.addresses[1] ?? '', 9n);
    const { code, err } = await runController('apply', network.document());
    expect(code).toBe(1);
    expect(err).toContain('not primary: election id 1 lost against 9');
    expect(network.devices[0]?.pipeline).toBeUndefined();
    other.close();
    const file = network.document();
    // The other one has gone; the next bid goes above its election id.
    expect((await runController('apply', file)).code).toBe(0);
  });

  test('what a switch refuses is reported, and a second apply repairs it', async () => {
    const acl = (count: number): string =>
      Array.from(
        { length: count },
        (_, i) => `{table: acl, match: {hdr.ethernet.src_addr: ${i}}, priority: 1, action: deny}`,
      ).join(', ');
    const withEntries = (count: number): string =>
      network.document((text) =>
        text.replace(', nodeId: 1', `, entries: [${acl(count)}], nodeId: 1`),
      );
    const file = withEntries(6);
    const { code, err } = await runController('apply', file);
    expect(code).toBe(1);
    expect(err).toContain('s1: incomplete: program loaded, 17 inserted, 1 modified, 0 deleted');
    expect(err).toContain(
      'refused: insert ingress.acl (hdr.ethernet.src_addr = 00:00:00:00:00:05) at priority 1: RESOURCE_EXHAUSTED',
    );
    expect(err).toContain('missing: + ingress.acl (hdr.ethernet.src_addr = 00:00:00:00:00:05)');
    expect(err).toContain('s2: done');
    const report = JSON.parse(fs.readFileSync(`${file}.report.json`, 'utf8')) as object;
    expect(report).toMatchObject({
      complete: false,
      switches: [
        { switch: 's1', status: 'incomplete', refused: [{}, {}], missing: { updates: [{}, {}] } },
        { switch: 's2', status: 'done' },
      ],
    });
    expect((await runController('apply', withEntries(4))).code).toBe(0);
  });

  test('a document that does not fit the program is refused before any connection', async () => {
    const file = network.document((text) =>
      text.replace(
        ', nodeId: 1',
        ', entries: [{table: acl, priority: 1, action: deny}], nodeId: 1',
      ),
    );
    await network.stopSwitch(0);
    const { code, err } = await runController('plan', file);
    expect(code).toBe(1);
    expect(err).toContain('switch s1: acl (any) at priority 1: ');
    expect(err).toContain("field 'hdr.ethernet.src_addr': an exact field must be given");
  });

  test.each([
    [(): string => '/nonexistent/net.yaml', 'cannot read /nonexistent/net.yaml: ENOENT'],
    [
      (net: ServedNetwork): string => net.file('a.yaml', 'program: nosuch\nswitches: [{name: s1}]'),
      "no compiled program 'nosuch'",
    ],
    [
      (net: ServedNetwork): string =>
        net.file('b.yaml', 'program: {p4info: x.txtpb, config: x.json}\nswitches: [{name: s1}]'),
      'x.txtpb: ENOENT',
    ],
    [
      (net: ServedNetwork): string => net.file('c.yaml', 'switches: [{name: s1}]'),
      'switch s1: the document gives no P4Runtime address',
    ],
  ])('a document that cannot be used is one error', async (make, message) => {
    const { code, err } = await runController('plan', make(network));
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });

  test('a switch that lost its state gets it back, and no other is touched', async () => {
    const file = network.document();
    await runController('apply', file);
    await network.restart(1);
    const { out } = await runController('apply', file);
    expect(out).toBe(
      's1: done: 0 inserted, 0 modified, 0 deleted\n' +
        's2: done: program loaded, 13 inserted, 1 modified, 0 deleted\n',
    );
  });

  async function controller(address: string, electionId: bigint): Promise<P4RuntimeClient> {
    const options = { name: 'other', address, deviceId: 1n, electionId, deadline: DEADLINE };
    const client = await P4RuntimeClient.connect(options);
    await client.becomePrimary();
    client.useP4Info(fabricProgram.pipeline.p4info);
    return client;
  }
});
