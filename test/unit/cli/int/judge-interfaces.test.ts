import { spawnSync } from 'node:child_process';
import { interfaceDevice } from '../../../../cli/int/interface-device';
import { craftFrame } from '../../../../common/telemetry/craft/kinds';
import { INT_ROLES } from '../../../../common/telemetry/judge/roles';
import type { IntRole } from '../../../../common/telemetry/judge/roles';
import { applyDocument } from '../../../../controller/io/apply-network';
import { makeCable, removeCable } from '../../../../bench/live/test-bed';
import {
  WAIT_MS,
  judgeAtCables,
  portsOf,
  verdictsOf,
} from '../../../support/judge/judge-interfaces';
import { judgedNetwork } from '../../../support/judge/judged-network';
import { canMakeNamespaces, startLive } from '../../../support/live-network';
import type { LiveProcess } from '../../../support/live-network';
import { describeIf } from '../../../support/requires';

const DEADLINE_MS = 20_000;
describeIf(
  canMakeNamespaces(),
  'hpcc int judge --dut interfaces',
  'needs root and the ip command to make interfaces',
  () => {
    let cables: (readonly [string, string])[] = [];
    let device: LiveProcess;

    beforeAll(async () => {
      cables = [makeCable(), makeCable(), makeCable()];
      const interfaces = portsOf(cables).flatMap((port) => ['-i', port]);
      device = await startLive(['--no-p4', '--device-id', '1', ...interfaces]);
    });

    afterAll(async () => {
      await device.stop();
      cables.forEach(removeCable);
    });

    const target = () => ({ target: 'embedded' as const, address: device.grpcAddress });

    const judge = (role: IntRole, ...more: string[]) => judgeAtCables(role, cables, ...more);

    test('a link that is down is told, and no verdict of the device', async () => {
      const [into = ''] = cables.map(([end]) => end);
      spawnSync('ip', ['link', 'set', into, 'down']);
      const { stdout, stderr, status } = await judge('transit');
      spawnSync('ip', ['link', 'set', into, 'up']);
      expect([status, stdout]).toEqual([1, 'TAP version 13\n']);
      expect(stderr).toContain(`${into} did not take a frame of`);
    });

    test('a report on its way is not reported where all packets are', async () => {
      await applyDocument(judgedNetwork('xd', target()), DEADLINE_MS);
      const [into = '', out = '', collector = ''] = cables.map(([end]) => end);
      const options = { reportPort: 50_003, waitMs: WAIT_MS };
      const behind = interfaceDevice({ in: into, out, collector }, options);
      const reportsAt = async (destinationPort: number): Promise<number> => {
        const ip = { kind: 'ipv4', source: '10.0.0.1', destination: '10.0.0.3' };
        const layers = ['ethernet', ip, { kind: 'udp', destinationPort }];
        return (await behind.exchange(craftFrame(layers))).reports?.length ?? 0;
      };
      // The report of another packet, and the report itself.
      expect([await reportsAt(50_004), await reportsAt(50_003)]).toEqual([1, 1]);
      behind.close();
    });

    test.each(INT_ROLES)(
      'our switch as %s passes every clause, and its reports do',
      async (role) => {
        await applyDocument(judgedNetwork(role, target()), DEADLINE_MS);
        const judged = await judge(role, '--json');
        const { failed, passed } = verdictsOf(judged.stdout);
        expect(failed).toEqual([]);
        expect(judged.status).toBe(0);
        expect(passed.size).toBeGreaterThan(8);
        const reports = [...passed].filter((clause) => clause.startsWith('report-'));
        expect(reports.length > 15).toBe(role !== 'transit' && role !== 'source');
      },
      60_000,
    );
  },
);
