import { readSwitchFlags } from '../../switch/io/flags/switch-flags';
import { openLog } from '../../common/io/log';
import { startSwitch } from '../../switch/io/start-switch';
import type { RunningSwitch } from '../../switch/io/start-switch';

/**
 * The switch with its servers on free ports of the loopback, inside the process of the test.
 * @param argv as on the command line, without ports of servers; target flags after `--`.
 */
export async function startedSwitch(argv: readonly string[]): Promise<RunningSwitch> {
  const servers = ['--thrift-port', '0', '--grpc-server-addr', '127.0.0.1:0'];
  const request = readSwitchFlags([...servers, ...argv]);
  if (request.kind !== 'run') throw new Error(`${argv.join(' ')} asks for no switch`);
  const fail = (error: unknown): never => {
    throw error instanceof Error ? error : new Error(String(error));
  };
  const { log } = openLog('hpcc-switch', { level: 'off' });
  return startSwitch(request.flags, { log, warn: fail, failed: fail });
}
