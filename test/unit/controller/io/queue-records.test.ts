import * as fs from 'node:fs';
import { FakeThrift } from '../../../support/controller/fake-thrift';
import { runController } from '../../../support/controller/run-controller';
import { ServedNetwork } from '../../../support/controller/served-network';

/** Generous: a loaded machine is slow. */
describe('queues, which only Thrift can set', () => {
  let network: ServedNetwork;
  let thrift: FakeThrift;

  beforeEach(async () => {
    network = await ServedNetwork.start(1);
    thrift = await new FakeThrift().start();
  });
  afterEach(async () => {
    await thrift.stop();
    await network.stop();
  });

  const document = (more = ''): string =>
    network.document((text) =>
      text
        .replace(
          ', nodeId: 1',
          `, nodeId: 1, thrift: "${thrift.address}", packetBytes: 1250${more}`,
        )
        .replaceAll('100 Gb/s', '100 Mb/s'),
    );

  test('get the rate of their link, which telemetry reports as well', async () => {
    const file = document(', queues: {depthPackets: 64}');
    const plan = await runController('plan', file);
    expect(plan.out).toContain('capacity_mbps = 100,');
    expect(plan.out).toContain('  = queue of port 1: 10000 packets/s, depth 64 packets\n');
    expect((await runController('apply', file)).code).toBe(0);
    expect(thrift.calls).toEqual(['rate 1 10000', 'depth 1 64', 'rate 2 10000', 'depth 2 64']);
  });

  test('are set once, as long as the switch lives', async () => {
    const file = document();
    await runController('apply', file);
    expect((await runController('plan', file)).code).toBe(0);
    thrift.calls.length = 0;
    await runController('apply', file);
    expect(thrift.calls).toEqual([]);
    thrift.startedAt += 60_000_000;
    expect((await runController('plan', file)).out).toContain('= queue of port 1: 10000 packets/s');
    await runController('apply', file);
    expect(thrift.calls).toEqual(['rate 1 10000', 'rate 2 10000']);
  });

  test('are set for a whole port when one of its settings changes', async () => {
    const ports = (depth: number): string =>
      `, ports: [{port: 1, priorities: [{priority: 0, share: 0.25}, {priority: 7, depthPackets: ${depth}}]}]`;
    await runController('apply', document(ports(9)));
    expect(thrift.calls).toEqual(['rate 1 10000', 'rate 1/0 2500', 'depth 1/7 9', 'rate 2 10000']);
    thrift.calls.length = 0;
    await runController('apply', document(ports(8)));
    expect(thrift.calls).toEqual(['rate 1 10000', 'rate 1/0 2500', 'depth 1/7 8']);
  });

  test('are left alone where the document says so', async () => {
    await runController('apply', document(', queues: {enforceRate: false}'));
    expect(thrift.calls).toEqual([]);
  });

  test('that the switch refuses are told, and what was done before is reported', async () => {
    thrift.answer = 1;
    const file = document();
    const { code, err } = await runController('apply', file);
    expect(code).toBe(1);
    expect(err).toContain(
      `switch s1, Thrift at ${thrift.address}: queue of port 1: 10000 packets/s: refused`,
    );
    expect(err).toContain('missing: = queue of port 1: 10000 packets/s');
    thrift.answer = 0;
    expect((await runController('apply', file)).code).toBe(0);
    expect((await runController('plan', file)).code).toBe(0);
  });

  test('cannot be set without Thrift, which is found before anything changes', async () => {
    const file = document();
    const { address } = thrift;
    await thrift.stop();
    const { code, err } = await runController('apply', '--deadline', '2', file);
    thrift = await new FakeThrift().start();
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`switch s1, Thrift at ${address}: connection refused`),
    ]);
    expect(network.devices[0]?.pipeline).toBeUndefined();
  });

  test('a record that is none is refused by its name', async () => {
    const file = document();
    fs.writeFileSync(`${file}.queues.json`, '{"s1": 5}');
    const { code, err } = await runController('plan', file);
    expect([code, err]).toEqual([1, `${file}.queues.json: this is no record of queue settings`]);
  });
});
