import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { ownProgram } from '../../../../../common/io/loop/own-program';
import { repositoryRoot } from '../../../../../common/io/repository';

const BUILD = path.join(repositoryRoot(), 'build');

/** True if a switch that has answered so many calls optimises what runs often. */
function isHurriedAfter(calls: number): boolean {
  const script = `
    const { startSwitch } = require('${BUILD}/switch/io/start-switch.js');
    const { readSwitchFlags } = require('${BUILD}/switch/io/flags/switch-flags.js');
    const { P4RuntimeClient } = require('${BUILD}/controller/p4runtime/client.js');
    const { flags } = readSwitchFlags(['--no-p4', '--thrift-port', '0', '--', '--grpc-server-addr', '127.0.0.1:0']);
    const log = { info() {}, debug() {}, warn() {} };
    const options = { name: 's1', deviceId: 0n, electionId: 1n, deadline: 20_000 };
    async function main() {
      const running = await startSwitch(flags, { log, warn() {}, failed(error) { throw error; } });
      const address = '127.0.0.1:' + running.grpcPort;
      const client = await P4RuntimeClient.connect({ ...options, address });
      for (let i = 0; i < ${calls}; i++) await client.setPipeline('commit').catch(() => undefined);
      client.close();
      await running.stop();
      const { getEnvironmentData } = require('node:worker_threads');
      process.stdout.write(String(getEnvironmentData('hpcc: flags of optimising') !== undefined));
    }
    main();`;
  const [executable, ...options] = ownProgram();
  const argv = [...options.slice(0, -1), '-e', script];
  return execFileSync(executable, argv, { encoding: 'utf8' }) === 'true';
}

test('a controller at work has the code optimised that answers it, one that prepares a switch has not', () => {
  expect(isHurriedAfter(5)).toBe(false);
  expect(isHurriedAfter(20)).toBe(true);
});
