import * as fs from 'node:fs';
import { runController } from '../../../support/controller/run-controller';
import { ServedNetwork } from '../../../support/controller/served-network';
import { StratumChassis } from '../../../support/gnmi/stratum-chassis';

/** Generous: a loaded machine is slow. */
const WIRING = new Map([
  ['1/0', 1],
  ['2/0', 2],
]);

describe('ports of a switch under Stratum', () => {
  let network: ServedNetwork;
  let chassis: StratumChassis;

  beforeEach(async () => {
    network = await ServedNetwork.start(1);
    chassis = await StratumChassis.start(WIRING);
  });
  afterEach(async () => {
    chassis.stop();
    await network.stop();
  });

  const document = (more = '', edit = (text: string) => text): string =>
    network.document((text) =>
      edit(
        text.replace(
          ', nodeId: 1',
          `, nodeId: 1, target: stratum, gnmi: "${chassis.address}"${more}`,
        ),
      ),
    );

  const up = (speed: string) => ({ speed, enabled: true });

  test('get the speed of their link and are enabled, and nothing is sent that is so already', async () => {
    chassis.setPort('1/0', { port: 1, speed: 'SPEED_40GB', enabled: false });
    chassis.setPort('2/0', { port: 2, ...up('SPEED_100GB') });
    const file = document();
    const plan = await runController('plan', file);
    expect(plan.code).toBe(2);
    expect(plan.out).toContain('s1: 6 inserts, 1 modify, 2 port settings\n');
    expect(plan.out).toContain('  ~ port 1 (1/0), enabled: false -> true\n');
    expect(plan.out).toContain('  ~ port 1 (1/0), port-speed: SPEED_40GB -> SPEED_100GB\n');
    expect((await runController('apply', file)).code).toBe(0);
    expect([...chassis.ports]).toEqual([
      ['1/0', { port: 1, ...up('SPEED_100GB') }],
      ['2/0', { port: 2, ...up('SPEED_100GB') }],
    ]);
    expect((await runController('plan', file)).code).toBe(0);
  });

  test('that the chassis has not are told before anything changes', async () => {
    chassis.setPort('1/0', { port: 1, ...up('SPEED_100GB') });
    const { code, err } = await runController('apply', document());
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        `switch s1, gNMI at ${chassis.address}: wanted an interface for port 2; its chassis has ports 1`,
      ),
    ]);
    expect(network.devices[0]?.pipeline).toBeUndefined();
  });

  test('come from a chassis configuration that was pushed, which says where they are', async () => {
    const places =
      ', chassis: {ports: [{port: 1, panel: "1/0", fec: on}, {port: 2, panel: "2/0", speed: 100 Gb/s}]}' +
      ', ports: [{port: 2, priorities: [{priority: 0, share: 0.25}, {priority: 7}]}]';
    const file = document(places, (text) => text.replace('100 Gb/s}]', '100 Gb/s}]'));
    const printed = await runController('chassis', file);
    expect(printed.out).toContain('platform: PLT_GENERIC_BAREFOOT_TOFINO\n');
    const pushed = await runController('chassis', '--push', file);
    expect([pushed.code, pushed.out, pushed.err]).toEqual([0, 's1: done\n', '']);
    expect(chassis.pushed).toEqual([`${printed.out.trimEnd()}\n`]);
    await runController('apply', file);
    const again = await runController('plan', file);
    expect([again.code, again.out]).toEqual([0, '1 switch as wanted; nothing to do\n']);
  });

  test('that came out elsewhere are named', async () => {
    const swapped = ', chassis: {ports: [{port: 1, panel: "2/0"}, {port: 2, panel: "1/0"}]}';
    const { code, err } = await runController('chassis', '--push', document(swapped));
    expect([code, err]).toEqual([
      1,
      `switch s1, gNMI at ${chassis.address}: the chassis differs: port 1 is 1/0, not 2/0; port 2 is 2/0, not 1/0`,
    ]);
  });

  test('need a place in the chassis, and a gNMI address to get there', async () => {
    const one = document(', chassis: {ports: [{port: 1, panel: "1/0"}]}');
    expect((await runController('chassis', one)).err).toBe(
      'switch s1: links lead to port 2, which its chassis.ports do not name',
    );
    expect((await runController('chassis', document())).err).toMatch(/: no switch has a chassis$/);
    expect((await runController('chassis', '--switch', 's1', document())).err).toBe(
      'switch s1: the document gives no chassis',
    );
    const both = ', chassis: {ports: [{port: 1, panel: "1/0"}, {port: 2, panel: "1/1"}]}';
    const mute = document(both, (text) => text.replace(/ gnmi: "[^"]*",/, ''));
    expect((await runController('chassis', '--push', mute)).err).toBe(
      'switch s1: the document gives no gNMI address',
    );
    const twice = document(
      ', chassis: {ports: [{port: 1, panel: "1/0"}, {port: 2, panel: "1/0"}]}',
    );
    expect((await runController('plan', twice)).err).toContain('the panel port');
  });

  test('are asked over gNMI before the first switch changes', async () => {
    const file = document();
    const { address } = chassis;
    chassis.stop();
    const { code, err } = await runController('apply', '--deadline', '2', file);
    expect([code, err]).toEqual([1, expect.stringContaining(`gNMI at ${address}`)]);
    expect(network.devices[0]?.pipeline).toBeUndefined();
    expect(fs.existsSync(`${file}.report.json`)).toBe(false);
  });
});
