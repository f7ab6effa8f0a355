import { parseP4Info } from '../../../../common/p4runtime/load-p4info';
import { P4RuntimeClient } from '../../../../controller/p4runtime/client';
import { hpccHere } from '../../../support/command-line';
import { verdictsOf } from '../../../support/judge/judge-interfaces';
import { compiledProgram } from '../../../support/p4runtime/compiled-program';
import { TARGETS } from '../../controller/p4runtime/support/live-target';
import type { LiveTarget } from '../../controller/p4runtime/support/live-target';
import { describeIf } from '../../../support/requires';

describe.each(TARGETS.filter(({ name }) => name !== 'our server'))(
  'hpcc int judge --dut p4runtime against $name',
  ({ available, start, name }) => {
    describeIf(available, name, 'it is not on PATH', () => {
      let target: LiveTarget;
      beforeAll(async () => {
        target = await start();
      });
      afterAll(() => target.stop());

      async function load(program: string): Promise<void> {
        const options = { name, address: target.address, deadline: 5000 };
        const client = await P4RuntimeClient.connect({
          ...options,
          deviceId: 1n,
          electionId: BigInt(Date.now()),
        });
        await client.becomePrimary();
        const { p4info, json } = compiledProgram(program);
        await client.pushPipeline({
          p4info: parseP4Info(Buffer.from(p4info), 'text'),
          deviceConfig: Buffer.from(json),
        });
        client.close();
      }

      const judge = (...more: string[]) =>
        hpccHere(
          'int',
          'judge',
          '--dut',
          `p4runtime:${target.address}`,
          '--wait-ms',
          '60',
          ...more,
        );

      test('what a controller submits at a port comes back with the port it would leave by', async () => {
        await load('submitted');
        const forwarded = await judge('--role', 'xd', '--json', '--carrier', 'all');
        const { failed, passed } = verdictsOf(forwarded.stdout);
        expect([failed, forwarded.stderr]).toEqual([[], expect.stringContaining(' 0 failed')]);
        expect(passed.has('xd-packet-unchanged')).toBe(true);
        const asTransit = verdictsOf((await judge('--json')).stdout).failed as { clause: string }[];
        expect(asTransit.map(({ clause }) => clause)).toContain('one-hop-pushed');
        const elsewhere = await judge('--role', 'xd', '--in', '9');
        expect(elsewhere.stdout).toContain('no packet came back');
      });

      test('fields are named where they are, and refused where they are not', async () => {
        await load('submitted');
        const named = await judge('--role', 'xd', '--ports', 'ingress_port,egress_port');
        expect(named.status).toBe(0);
        expect((await judge('--ports', 'port,egress_port')).stderr).toContain(
          '--ports: wanted the field of packet_out that holds the port, found port; it has ingress_port',
        );
        await load('translated');
        const { stderr, status } = await judge('--role', 'xd');
        expect(status).toBe(1);
        expect(stderr).toContain('its program has no controller header packet_out');
      });
    });
  },
);
