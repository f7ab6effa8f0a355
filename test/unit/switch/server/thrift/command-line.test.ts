import * as path from 'node:path';
import { repositoryRoot } from '../../../../../common/io/repository';
import { bmv2CommandLineAvailable } from '../../../../../switch/io/bmv2/command-line';
import { bmv2Available, startBmv2 } from '../../../../support/bmv2-process';
import { CLI_SCRIPTS } from './command-line-scripts';
import { cliSession } from '../../../../support/cli/session';
import { describeIf } from '../../../../support/requires';
import { startedSwitch } from '../../../../support/started-switch';

const artifact = (program: string): string =>
  path.join(repositoryRoot(), 'test/p4/artifacts', `${program}.json`);

describeIf(
  bmv2Available() && bmv2CommandLineAvailable(),
  'the command line of bmv2',
  'needs simple_switch_grpc and simple_switch_CLI on PATH',
  () => {
    const ours = async (program: string, commands: readonly string[]): Promise<string> => {
      const running = await startedSwitch([artifact(program)]);
      try {
        return await cliSession(running.thriftPort ?? 0, commands);
      } finally {
        await running.stop();
      }
    };

    const bmv2 = async (program: string, commands: readonly string[]): Promise<string> => {
      const running = await startBmv2(1, artifact(program));
      try {
        return await cliSession(running.thriftPort, commands);
      } finally {
        await running.stop();
      }
    };

    test.each(CLI_SCRIPTS)('prints the same for $name', async ({ program, commands }) => {
      const [here, there] = await Promise.all([ours(program, commands), bmv2(program, commands)]);
      expect(here).toContain('RuntimeCmd: ');
      expect(here).toBe(there);
    });

    test('prints the same before and after another program is swapped in', async () => {
      const commands = [
        'table_add pairs send 1 2 => 3 4',
        'swap_configs',
        `load_new_config_file ${artifact('tbl_lpm')}`,
        'swap_configs',
        'show_tables',
        'table_add routes hop 0x0a000000/8 => 7',
        'table_dump routes',
        'reset_state',
        'table_dump routes',
        'switch_info',
      ];
      const [here, there] = await Promise.all([
        ours('tbl_exact', commands),
        bmv2('tbl_exact', commands),
      ]);
      const settings = /(device_id|thrift_port|\w+_socket) *:.*$/gm;
      expect(here.replace(settings, '')).toBe(there.replace(settings, ''));
      expect(here).toContain('TestIngress.routes');
    });

    test('tells the time since the start in microseconds', async () => {
      const text = await ours('tbl_exact', ['get_time_elapsed', 'get_time_since_epoch']);
      const [elapsed = 0, epoch = 0] = [...text.matchAll(/^RuntimeCmd: (\d+)$/gm)].map((match) =>
        Number(match[1]),
      );
      expect(elapsed).toBeGreaterThan(0);
      expect(Math.abs(epoch / 1e6 - Date.now() / 1e3)).toBeLessThan(60);
    });
  },
);
