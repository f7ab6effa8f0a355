import { makeCable, removeCable } from '../../bench/live/test-bed';
import { INT_ROLES } from '../../common/telemetry/judge/roles';
import { applyDocument } from '../../controller/io/apply-network';
import { bmv2Available, startBmv2 } from '../../switch/io/bmv2/process';
import type { Bmv2 } from '../../switch/io/bmv2/process';
import { judgeAtCables, portsOf, verdictsOf } from '../support/judge/judge-interfaces';
import { judgedNetwork } from '../support/judge/judged-network';
import { canMakeNamespaces } from '../support/live-network';
import { describeIf } from '../support/requires';

const DEADLINE_MS = 20_000;

describeIf(
  bmv2Available() && canMakeNamespaces(),
  'hpcc int judge --dut interfaces against bmv2',
  'needs simple_switch_grpc on PATH, root and the ip command to make interfaces',
  () => {
    let cables: (readonly [string, string])[] = [];
    let bmv2: Bmv2;

    beforeAll(async () => {
      cables = [makeCable(), makeCable(), makeCable()];
      bmv2 = await startBmv2(1, undefined, [], portsOf(cables));
    });

    afterAll(async () => {
      await bmv2.stop();
      cables.forEach(removeCable);
    });

    test.each(INT_ROLES)(
      'bmv2 with int-v2 as %s passes every clause by every carrier, and its reports do',
      async (role) => {
        const address = bmv2.p4runtime;
        await applyDocument(judgedNetwork(role, { target: 'bmv2', address }), DEADLINE_MS);
        const all = ['--carrier', 'all', '--int-marker', '494e542d6d61726b'];
        const ipv6 = ['--from', '2001:db8::1', '--to', '2001:db8::2', '--carrier', 'tcp,gre,vxlan'];
        for (const frames of [all, ipv6]) {
          const judged = await judgeAtCables(role, cables, '--json', ...frames);
          const { failed, passed } = verdictsOf(judged.stdout);
          expect(failed).toEqual([]);
          expect(judged.status).toBe(0);
          const reports = [...passed].filter((clause) => clause.startsWith('report-'));
          expect(reports.length > 15).toBe(role !== 'transit' && role !== 'source');
          expect([...passed].some((clause) => /-(gre|tunnel)-/.test(clause))).toBe(true);
        }
      },
      120_000,
    );
  },
);
