import { loadNetwork } from '../../../../controller/io/network-file';
import { QueueRecords } from '../../../../controller/io/queue-records';
import { Shell } from '../../../../controller/io/shell';
import { DEADLINE } from '../../../support/controller/networks';
import { runController } from '../../../support/controller/run-controller';
import { ServedNetwork } from '../../../support/controller/served-network';

/** Generous: a loaded machine is slow. */
describe('the shell', () => {
  let network: ServedNetwork;
  let shell: Shell;

  beforeEach(async () => {
    network = await ServedNetwork.start(2);
    const { switches } = await loadNetwork(network.document());
    const records = QueueRecords.inMemory();
    shell = new Shell(switches, { electionId: 1n, deadline: DEADLINE, folder: '.', records });
  });
  afterEach(async () => {
    shell.close();
    await network.stop();
  });

  test('plans, applies and reads one switch at a time', async () => {
    expect(await shell.run('plan')).toContain('s1: 13 inserts, 1 modify');
    expect(await shell.run('apply')).toContain('+ ingress.ecmp group 1: members 4, 5');
    expect(await shell.run('plan')).toBe('as wanted; nothing to do');
    expect(await shell.run('read ipv4_route')).toContain(
      'ingress.ipv4_route (hdr.ipv4.dst_addr = 10.0.0.1/32): member 2',
    );
    expect(await shell.run('read groups')).toBe('ingress.ecmp group 1: members 4, 5');
    expect(network.sizes('ingress.ipv4_route')).toEqual([4, 0]);
    await shell.run('use s2');
    expect(shell.prompt).toBe('s2> ');
    await shell.run('apply');
    expect(network.sizes('ingress.ipv4_route')).toEqual([4, 4]);
  });

  test('writes entries by names', async () => {
    await shell.run('apply');
    const key = 'acl hdr.ethernet.src_addr=02:00:00:00:00:01 hdr.ipv4.ttl=1..4 priority=5';
    expect(await shell.run(`insert ${key} mark(ttl=9)`)).toBe('done');
    expect(await shell.run('read acl')).toContain('at priority 5: ingress.mark(ttl = 9)');
    expect(await shell.run(`modify ${key} deny()`)).toBe('done');
    expect(await shell.run(`delete ${key} deny()`)).toBe('done');
    expect(await shell.run('read acl')).toBe('');
    expect(await shell.run('default ecmp_seed set_seed(seed=3)')).toBe('done');
    expect(await shell.run('plan')).toContain('set_seed(seed = 3) -> ');
  });

  test('deletes without an action', async () => {
    await shell.run('apply');
    expect(await shell.run('delete port_record standard_metadata.egress_port=1')).toBe('done');
    expect(await shell.run('delete ipv4_route hdr.ipv4.dst_addr=10.0.0.1/32')).toBe('done');
  });

  test('reads counters, meters and registers', async () => {
    await shell.run('apply');
    expect(await shell.run('read drops')).toContain('ingress.drops[0]: 0 packets, 0 bytes');
    expect(await shell.run('read limits')).toContain('ingress.limits[3]: ');
    expect(await shell.run('read tx_bytes')).toMatch(/egress\.tx_bytes\[7\]: 0$/);
  });

  test('lists switches, tables and actions', async () => {
    expect(await shell.run('switches')).toContain(`* s1 ${network.addresses[0]} fabric.json`);
    expect(await shell.run('tables')).toContain('ingress.ipv4_route (hdr.ipv4.dst_addr lpm 32)');
    expect(await shell.run('actions acl')).toContain('ingress.mark(ttl)');
    expect(await shell.run('help')).toContain('use SWITCH');
  });

  test.each([
    ['use s9', "there is no switch 's9'"],
    ['read nothing', "there is no table, counter, meter or register 'nothing'"],
    ['actions nothing', "there is no table 'nothing'"],
  ])('%s is refused', async (line, message) => {
    await expect(shell.run(line)).rejects.toThrow(message);
  });

  test('an update that the switch refuses is an error with its reason', async () => {
    await shell.run('apply');
    const line = 'insert port_record standard_metadata.egress_port=1 no_port_record()';
    await expect(shell.run(line)).rejects.toThrow('ALREADY_EXISTS');
  });

  test('completes names of the program', () => {
    expect(shell.complete('insert ipv')[0]).toEqual(['ipv4_route', 'ipv6_route']);
    expect(shell.complete('use ')[0]).toEqual(['s1', 's2']);
  });
});

describe('hpcc controller get', () => {
  let network: ServedNetwork;
  beforeEach(async () => {
    network = await ServedNetwork.start(1);
    await runController('apply', network.document());
  });
  afterEach(() => network.stop());

  test.each([
    ['counters', 'drops', 's1 ingress.drops[1]: 0 packets, 0 bytes\n'],
    ['registers', 'tx_bytes', 's1 egress.tx_bytes[1]: 0\n'],
  ])('prints one cell of %s', async (kind, name, text) => {
    const { out } = await runController(
      'get',
      kind,
      network.document(),
      '--name',
      name,
      '--index',
      '1',
    );
    expect(out).toBe(text);
  });

  test('prints all meters, and JSON', async () => {
    const { out } = await runController('get', 'meters', network.document());
    expect(out.trimEnd().split('\n')).toHaveLength(4);
    const json = await runController('get', 'counters', network.document(), '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      switches: [{ switch: 's1', cells: [{ counter: 'ingress.drops', index: 0 }, {}, {}, {}] }],
    });
  });

  test('refuses another kind, an unknown object and an unknown switch', async () => {
    const file = network.document();
    expect((await runController('get', 'colours', file)).err).toContain('Allowed choices');
    expect((await runController('get', 'counters', file, '--name', 'x')).err).toContain("'x'");
    expect((await runController('dump', file, '--switch', 's9')).err).toContain(
      "there is no switch 's9'; there are s1",
    );
  });
});
