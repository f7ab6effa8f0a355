import * as fs from 'node:fs';
import * as path from 'node:path';
import { startedSwitch } from '../support/started-switch';
import { ROOT } from '../support/paths';
import { InstalledProject } from './installed-project';

const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
};
const parts = Object.keys(manifest.exports)
  .filter((part) => !part.endsWith('.json'))
  .map((part) => part.slice('./'.length));

/** Prints the names that each part of the package exports. */
const importAll = (): string => {
  const imports = parts.map((part, i) => `import * as part${i} from '${manifest.name}/${part}';`);
  const names = parts.map((part, i) => `'${part}': Object.keys(part${i}).filter(isName).sort(),`);
  return [
    ...imports,
    "const isName = (key: string): boolean => !['default', 'module.exports', '__esModule'].includes(key);",
    `console.log(JSON.stringify({ ${names.join(' ')} }));`,
  ].join('\n');
};

describe('the package, installed in a project that has nothing else', () => {
  const project = new InstalledProject();

  beforeAll(() => {
    project.install();
    project.write('as-module.mts', importAll());
    project.write('as-commonjs.ts', importAll());
    project.run('node', ['node_modules/typescript/bin/tsc', '-p', '.']);
  });

  afterAll(() => project.remove());

  const installed = (...names: string[]): boolean =>
    fs.existsSync(path.join(project.module(manifest.name), ...names));

  test('has the library in six parts, with the same names for modules and for CommonJS', () => {
    const asModule: unknown = JSON.parse(project.run('node', ['build/as-module.mjs']).stdout);
    const asCommonJs: unknown = JSON.parse(project.run('node', ['build/as-commonjs.js']).stdout);
    expect(asModule).toEqual(asCommonJs);
    expect(Object.keys(asModule as object)).toEqual(
      ['p4runtime', 'telemetry', 'algorithm', 'switch', 'stf', 'scenario'], //
    );
    expect(asModule).toMatchObject({
      p4runtime: expect.arrayContaining(['P4RuntimeClient']) as unknown,
      telemetry: expect.arrayContaining(['decodeCapture', 'decodeFrame']) as unknown,
      algorithm: expect.arrayContaining(['HpccppWindow']) as unknown,
      switch: expect.arrayContaining(['startSwitch']) as unknown,
      stf: expect.arrayContaining(['runStfText']) as unknown,
      scenario: expect.arrayContaining(['parseScenario', 'runScenario']) as unknown,
    });
  });

  test('has programs, artefacts, scenarios and Python, and neither tests nor caches', () => {
    expect(installed('p4src', 'hpcc.p4')).toBe(true);
    expect(installed('p4src', 'artifacts', 'hpcc.json')).toBe(true);
    expect(installed('emulator', 'scenario', 'catalogue', 'incast16.yaml')).toBe(true);
    expect(installed('mininet', 'hpccnet', '__init__.py')).toBe(true);
    expect(installed('examples', 'controller.mts')).toBe(true);
    expect(installed('build', 'cli', 'main.js')).toBe(true);
    expect(installed('build', 'test')).toBe(false);
    expect(installed('test')).toBe(false);
    expect(installed('build', '.tsbuildinfo')).toBe(false);
  });

  test('its command tells its version and its commands', () => {
    expect(project.run('npx', ['--offline', 'hpcc', '--version']).stdout.trim()).toBe(
      manifest.version,
    );
    expect(project.run('npx', ['--offline', 'hpcc', '--help']).stdout).toMatch(/^ {2}demo /m);
  });

  test('what needs the sources says in one sentence that it runs in a checkout', () => {
    for (const command of ['proto', 'test']) {
      expect(() => project.run('npx', ['--offline', 'hpcc', command])).toThrow(
        /^hpcc: the .* not (in|part of) the package: run (this|them) in a checkout$/m,
      );
    }
  });

  test('its command runs the demonstration', () => {
    const { stdout } = project.run('npx', ['--offline', 'hpcc', 'demo', '--out', 'demo']);
    expect(stdout).toContain('All sixteen start at line rate');
    expect(fs.existsSync(path.join(project.folder, 'demo', 'report.html'))).toBe(true);
  });

  test('the controller of the examples sets a switch up and reads it back', async () => {
    const running = await startedSwitch(['--no-p4']);
    try {
      const { stdout } = await project.runLive('node', [
        'build/controller.mjs',
        `127.0.0.1:${running.grpcPort}`,
      ]);
      expect(stdout).toContain('10.0.1.0');
      expect(stdout).toContain('10.0.2.0');
    } finally {
      await running.stop();
    }
  });

  test('the jest test of the examples passes', () => {
    const { stderr } = project.run('node', ['node_modules/jest/bin/jest.js', 'build']);
    expect(stderr).toContain('Tests:       6 passed, 6 total');
  });

  test('the decoder of the examples prints the links that packets crossed', () => {
    const { stdout } = project.run('node', ['build/decode-int.mjs', 'int.pcap']);
    expect(stdout).toContain('frame 5: { switchId: 10, queueId: 1, queueBytes: 100 }\n');
  });
});
