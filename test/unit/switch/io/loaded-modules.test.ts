import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../common/io/repository';

/** Packages that a fresh process has loaded with these modules of the build. */
function packagesOf(...modules: readonly string[]): string[] {
  const paths = modules.map((each) => path.join(repositoryRoot(), 'build', each));
  const script = `
    for (const each of ${JSON.stringify(paths)}) require(each);
    process.stdout.write(JSON.stringify(Object.keys(require.cache)));`;
  const text = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  const loaded = JSON.parse(text) as string[];
  const names = loaded.flatMap((file) => {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)];
}

describe('the thread that forwards packets', () => {
  test('loads no gRPC, whose connections are in another thread', () => {
    const packages = packagesOf(
      'switch/io/start-switch.js',
      'switch/server/server.js',
      'switch/server/thread/door-thread-client.js',
    );
    expect(packages).not.toContain('@grpc/grpc-js');
    expect(packages).not.toContain('google-protobuf');
  });

  test('reads no program itself, also not the one of its command line', () => {
    const build = path.join(repositoryRoot(), 'build');
    const program = path.join(repositoryRoot(), 'p4src', 'artifacts', 'hpcc.json');
    const script = `
      const { startSwitch } = require('${build}/switch/io/start-switch.js');
      const { readSwitchFlags } = require('${build}/switch/io/flags/switch-flags.js');
      const argv = ['${program}', '--thrift-port', '0', '--', '--grpc-server-addr', '127.0.0.1:0'];
      const log = { info() {}, debug() {}, warn() {} };
      const { flags } = readSwitchFlags(argv);
      startSwitch(flags, { log, warn() {}, failed(error) { throw error; } }).then(async (running) => {
        await running.stop();
        const isZod = (file) => file.includes('/node_modules/zod/');
        process.stdout.write(JSON.stringify(Object.keys(require.cache).filter(isZod)));
      });`;
    const text = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect(JSON.parse(text)).toEqual([]);
  });
});
