import { FABRIC_FILES } from '../../../support/controller/fabric-program';
import { runController } from '../../../support/controller/run-controller';
import { ServedNetwork } from '../../../support/controller/served-network';
import { bmv2Available, SIMPLE_SWITCH_GRPC, startBmv2 } from '../../../support/bmv2-process';
import type { Bmv2 } from '../../../support/bmv2-process';
import { describeIf } from '../../../support/requires';

/** Generous: a loaded machine is slow. */
describeIf(bmv2Available(), 'bmv2 itself', `${SIMPLE_SWITCH_GRPC} is not on PATH`, () => {
  let bmv2: Bmv2;
  let files: ServedNetwork;

  beforeAll(async () => {
    files = await ServedNetwork.start(0);
    bmv2 = await startBmv2(3);
  });
  afterAll(async () => {
    await bmv2.stop();
    await files.stop();
  });

  const document = (program: string, more = ''): string =>
    files.file(
      'bmv2.yaml',
      `program: ${program}
switches:
  - name: s1
    deviceId: 3
    address: "${bmv2.p4runtime}"
    thrift: "127.0.0.1:${bmv2.thriftPort}"
    packetBytes: 1250
    multicastGroups: [{group: 1, replicas: [{port: 1}, {port: 2, instance: 3}]}]
    cloneSessions: [{session: 5, replicas: [{port: 2}]}]${more}
hosts: [{name: h1, ipv6: "fd00::1"}, {name: h2}]
links:
  - {between: [h1, "s1:1"], rate: 10 Mb/s}
  - {between: [h2, "s1:2"], rate: 20 Mb/s}
`,
    );
  const FABRIC = `{p4info: ${FABRIC_FILES.p4info}, config: ${FABRIC_FILES.config}}`;
  const ENTRIES = `
    entries:
      - {table: acl, match: {hdr.ethernet.src_addr: 9, hdr.ipv4.src_addr: 10.0.0.0&&&255.0.0.0, hdr.ipv4.ttl: 1..9}, priority: 3, action: deny}
      - {table: acl, match: {hdr.ethernet.src_addr: 9}, priority: 2, action: mark, arguments: {ttl: 7}}
      - {table: ipv4_route, match: {hdr.ipv4.dst_addr: 192.0.2.0/24}, group: 9}
    groups: [{profile: ecmp, group: 9, members: [{member: 2, weight: 3}, {member: 3}]}]`;

  test('is planned, applied, and then as wanted', async () => {
    const file = document(FABRIC, ENTRIES);
    const plan = await runController('plan', file);
    expect(plan.code).toBe(2);
    expect(plan.out).toContain('= queue of port 2: 2000 packets/s');
    const applied = await runController('apply', file);
    expect([applied.code, applied.out]).toEqual([
      0,
      's1: done: program loaded, 15 inserted, 1 modified, 0 deleted\n',
    ]);
    const again = await runController('plan', file);
    expect([again.code, again.out]).toEqual([0, '1 switch as wanted; nothing to do\n']);
  });

  test('takes only what differs, and gives up what is no longer wanted', async () => {
    const file = document(FABRIC);
    const { out } = await runController('apply', file);
    expect(out).toBe('s1: done: 0 inserted, 0 modified, 4 deleted\n');
    expect((await runController('plan', file)).code).toBe(0);
  });

  test('is dumped, and its counters, meters and registers are read', async () => {
    const file = document(FABRIC);
    const dump = await runController('dump', file);
    expect(dump.out).toContain('hdr.ipv6.dst_addr: fd00::1/128');
    const counters = await runController('get', 'counters', file, '--index', '0');
    expect(counters.out).toBe('s1 ingress.drops[0]: 0 packets, 0 bytes\n');
    expect((await runController('get', 'meters', file)).code).toBe(0);
    // bmv2 has no registers over P4Runtime; these come over Thrift.
    const registers = await runController('get', 'registers', file);
    expect(registers.out.split('\n')[7]).toBe('s1 egress.tx_bytes[7]: 0');
  });

  test('takes another program, and all state anew', async () => {
    const file = document('hpcc');
    const plan = await runController('plan', file);
    expect(plan.out).toContain('! load program hpcc: the switch runs another program');
    expect((await runController('apply', file)).code).toBe(0);
    expect((await runController('plan', file)).code).toBe(0);
  });

  test('names what it refuses', async () => {
    const more = `
    entries: [{table: ipv4_route, match: {hdr.ipv4.dst_addr: 192.0.2.0/24}, group: 99}]`;
    const { code, err } = await runController('apply', document('hpcc', more));
    expect(code).toBe(1);
    expect(err).toContain(
      'refused: insert ingress.route.ipv4_route (hdr.ipv4.dst_addr = 192.0.2.0/24)',
    );
    expect(err).toContain('missing: + ingress.route.ipv4_route (hdr.ipv4.dst_addr = 192.0.2.0/24)');
    expect((await runController('apply', document('hpcc'))).code).toBe(0);
  });

  test('takes what coordinated congestion management needs', async () => {
    const key = 'key: {id: 1, bytes: ffeeddccbbaa99887766554433221100}';
    const coordination = `coordination: {highBytes: 9000, lowBytes: 1000, ${key}}`;
    const file = document(`hpcc-ccm\n${coordination}`);
    const applied = await runController('apply', file);
    expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('s1: done')]);
    const again = await runController('plan', file);
    expect([again.code, again.out]).toEqual([0, '1 switch as wanted; nothing to do\n']);
  });
});
