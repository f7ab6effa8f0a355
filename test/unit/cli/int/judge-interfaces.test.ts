import { spawnSync } from 'node:child_process';
import { interfaceDevice } from '../../../../cli/int/interface-device';
import { craftFrame } from '../../../../common/telemetry/craft/kinds';
import { JUDGED_ROLES, isReporting } from '../../../../common/telemetry/judge/roles';
import type { JudgedRole } from '../../../../common/telemetry/judge/roles';
import type { NetworkText } from '../../../../controller/document/schema';
import { applyDocument } from '../../../../controller/io/apply-network';
import { makeCable, removeCable } from '../../../../bench/live/test-bed';
import { hpccHere } from '../../../support/command-line';
import { canMakeNamespaces, startLive } from '../../../support/live-network';
import type { LiveProcess } from '../../../support/live-network';
import { describeIf } from '../../../support/requires';

const DEADLINE_MS = 20_000;
/** Far more than a packet takes, and ends each wait of a suite of some twenty. */
const WAIT_MS = '100';

const MODES: Partial<Record<JudgedRole, 'md' | 'mx' | 'xd'>> = {
  source: 'md',
  'mx-source': 'mx',
  xd: 'xd',
};
const isSink = (role: JudgedRole): boolean => role === 'sink' || role === 'mx-sink';

/** A switch in a role between two hosts, and a collector at its third port. */
function documentOf(role: JudgedRole, address: string): NetworkText {
  const mode = MODES[role];
  const instructions = ['nodeId', 'interfaces', 'hopLatency', 'queue'] as const;
  const sources =
    mode === undefined ? [] : [{ switch: 's1', mode, instructions: [...instructions] }];
  return {
    program: 'int-v2',
    telemetry: {
      collector: { host: 'h3', port: 50_003 },
      int: { sources },
    },
    switches: [{ name: 's1', target: 'embedded', deviceId: 1, address }],
    hosts: [1, 2, 3].map((n) => ({
      name: `h${n}`,
      ipv4: `10.0.0.${n}`,
      mac: `02:00:00:00:00:0${n}`,
      telemetry: n !== 2 || !isSink(role),
    })),
    links: [1, 2, 3].map((n) => ({
      between: [`h${n}`, `s1:${n}`] as [string, string],
      rate: '10 Gb/s',
    })),
  };
}

describeIf(
  canMakeNamespaces(),
  'hpcc int judge --dut interfaces',
  'needs root and the ip command to make interfaces',
  () => {
    let cables: (readonly [string, string])[] = [];
    let device: LiveProcess;

    beforeAll(async () => {
      cables = [makeCable(), makeCable(), makeCable()];
      const interfaces = cables.flatMap(([, end], i) => ['-i', `${i + 1}@${end}`]);
      device = await startLive(['--no-p4', '--device-id', '1', ...interfaces]);
    });

    afterAll(async () => {
      await device.stop();
      cables.forEach(removeCable);
    });

    const judge = (role: JudgedRole, ...more: string[]) => {
      const [into = '', out = '', collector = ''] = cables.map(([end]) => end);
      const ways = ['--in', into, '--out', out, '--wait-ms', WAIT_MS];
      if (isReporting(role)) ways.push('--collector', collector);
      return hpccHere('int', 'judge', '--dut', 'interfaces', '--role', role, ...ways, ...more);
    };

    test('a link that is down is told, and no verdict of the device', async () => {
      const [into = ''] = cables.map(([end]) => end);
      spawnSync('ip', ['link', 'set', into, 'down']);
      const { stdout, stderr, status } = await judge('transit');
      spawnSync('ip', ['link', 'set', into, 'up']);
      expect([status, stdout]).toEqual([1, 'TAP version 13\n']);
      expect(stderr).toContain(`${into} did not take a frame of`);
    });

    test('a report on its way is not reported where all packets are', async () => {
      await applyDocument(documentOf('xd', device.grpcAddress), DEADLINE_MS);
      const [into = '', out = '', collector = ''] = cables.map(([end]) => end);
      const options = { reportPort: 50_003, waitMs: Number(WAIT_MS) };
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

    test.each(JUDGED_ROLES)(
      'our switch as %s passes every clause, and its reports do',
      async (role) => {
        await applyDocument(documentOf(role, device.grpcAddress), DEADLINE_MS);
        const judged = await judge(role, '--json');
        const verdicts = judged.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { verdict: string; clause: string });
        expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
        expect(judged.status).toBe(0);
        const passed = new Set(
          verdicts.flatMap(({ verdict, clause }) => (verdict === 'pass' ? clause : [])),
        );
        expect(passed.size).toBeGreaterThan(8);
        const reports = [...passed].filter((clause) => clause.startsWith('report-'));
        expect(reports.length > 15).toBe(role !== 'transit' && role !== 'source');
      },
      60_000,
    );
  },
);
