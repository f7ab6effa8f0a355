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
});
