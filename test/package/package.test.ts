import * as fs from 'node:fs';
import * as path from 'node:path';
import * as net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { p4cVersion } from '../../common/io/p4-compiler';
import { ROOT } from '../support/paths';
import { reportSkipped } from '../support/requires';
import { turnAtPrintedPort } from '../support/printed-port';
import { missingLines, tutorialBlocks } from '../support/tutorial-page';
import { InstalledProject, packagesOfExamples } from './installed-project';

const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  readonly peerDependencies: Readonly<Record<string, string | undefined>>;
};
const parts = Object.keys(manifest.exports)
  .filter((part) => !part.endsWith('.json'))
  .map((part) => part.slice('./'.length));

/** The installed command; npx, which pages print, takes longer to find it than it runs. */
const HPCC = 'node_modules/.bin/hpcc';

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

/** The blocks of commands that examples/README.md prints, in their order. */
const printed = [
  ...fs
    .readFileSync(path.join(ROOT, 'examples', 'README.md'), 'utf8')
    .matchAll(/^```sh\n([\s\S]*?)^```$/gm),
].map(([, commands = '']) => commands);

/** The one block that has the text. */
function block(text: string): string {
  const found = printed.filter((commands) => commands.includes(text));
  if (found.length !== 1)
    throw new Error(`${found.length} blocks of examples/README.md have: ${text}`);
  return found[0] ?? '';
}

/** Waits until a server listens. */
async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false)).on('close', () => socket.destroy());
      socket.unref();
    });
    if (open) return;
    await sleep(100);
  }
  throw new Error(`nothing listens at port ${port}`);
}

/** Declaration files of the build that the parts of the package mention, directly or by others. */
function declarationsOf(exported: typeof manifest.exports): ReadonlySet<string> {
  const waiting = Object.values(exported).flatMap((part) =>
    typeof part === 'string' ? [] : [path.normalize(part.types)],
  );
  const found = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
      const module = path.join(path.dirname(file), name);
      const isFile = fs.existsSync(path.join(ROOT, `${module}.d.ts`));
      waiting.push(isFile ? `${module}.d.ts` : path.join(module, 'index.d.ts'));
    }
  }
  return found;
}

describe('the package, installed as the README of the examples prints it', () => {
  let project: InstalledProject;
  /** Kilobytes of the package before any of its commands has run. */
  let bareKb = 0;

  beforeAll(() => {
    project = new InstalledProject('hpcc-examples', packagesOfExamples());
    // Compiled with the examples, by the page's own command.
    project.write('as-module.mts', importAll());
    project.write('as-commonjs.ts', importAll());
    project.shell(block('npm pack'), project.checkout);
  });

  afterAll(() => project.remove());

  const installed = (...names: string[]): boolean =>
    fs.existsSync(path.join(project.module(manifest.name), ...names));

  test('takes less than 60 MB, 40 of them for its dependencies, without clients of S3 and of databases', () => {
    const sizes = project.installedKb();
    bareKb = sizes.get(manifest.name) ?? 0;
    expect(bareKb).toBeGreaterThan(0);
    const all = [...sizes.values()].reduce((sum, kb) => sum + kb, 0);
    expect(all).toBeLessThan(60_000);
    expect(all - bareKb).toBeLessThan(40_000);
    for (const name of Object.keys(manifest.peerDependencies)) {
      expect(fs.existsSync(project.module(name))).toBe(false);
    }
  });

  test('has the library in six parts, with the same names for modules and for CommonJS', () => {
    const asModule: unknown = JSON.parse(project.shell('node build/as-module.mjs').stdout);
    const asCommonJs: unknown = JSON.parse(project.shell('node build/as-commonjs.js').stdout);
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

  test('has every declaration that its parts mention, and no other', () => {
    const mentioned = declarationsOf(manifest.exports);
    expect(mentioned.size).toBeGreaterThan(parts.length);
    const packed = fs
      .readdirSync(path.join(project.module(manifest.name), 'build'), { recursive: true })
      .map((file) => path.join('build', String(file)))
      .filter((file) => file.endsWith('.d.ts'));
    expect(packed.sort()).toEqual([...mentioned].sort());
  });

  test('has programs, artefacts, scenarios and Python, and neither tests nor caches', () => {
    expect(installed('p4src', 'v1model', 'profiles', 'hpcc', 'hpcc.p4')).toBe(true);
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
    expect(project.shell('npx hpcc --version').stdout.trim()).toBe(manifest.version);
    expect(project.shell(`${HPCC} --help`).stdout).toMatch(/^ {2}demo /m);
  });

  test('what needs the sources says in one sentence that it runs in a checkout', () => {
    for (const command of ['proto', 'test']) {
      expect(() => project.shell(`${HPCC} ${command}`)).toThrow(
        /^hpcc: the .* not (in|part of) the package: run (this|them) in a checkout$/m,
      );
    }
  });

  test('its command runs the demonstration', () => {
    const { stdout } = project.shell(`${HPCC} demo --out demo`);
    expect(stdout).toContain('All sixteen start at line rate');
    expect(fs.existsSync(path.join(project.folder, 'demo', 'report.html'))).toBe(true);
  });

  test('keeps less than 20 MB of what its commands compile', () => {
    const kb = project.installedKb().get(manifest.name) ?? 0;
    expect(kb - bareKb).toBeLessThan(20_000);
  });

  test.each([
    [block('study run'), 'a study', ['@electric-sql/pglite', 'pg-boss']],
    [
      `${HPCC} study worker --database postgres://nobody@127.0.0.1/none`,
      'a study with --database',
      ['pg', 'pg-boss'],
    ],
    [
      `${HPCC} study run studies/ls32.yaml --keep s3://results`,
      '--keep s3://results',
      ['@aws-sdk/client-s3'],
    ],
  ])('says how to install what it leaves to its users: %s', (command, purpose, names) => {
    const versions = names.map((name) => `${name}@${manifest.peerDependencies[name]?.slice(1)}`);
    const are = names.length === 1 ? 'package' : 'packages';
    expect(() => project.shell(command)).toThrow(
      new RegExp(
        `^hpcc: ${purpose} needs the optional ${are} ${names.join(' and ')}, which .* not installed: ` +
          `npm install ${versions.join(' ')}$`,
        'm',
      ),
    );
  });

  test('the examples test a program and decode a capture', () => {
    const { stdout, stderr } = project.shell(block('npm test'));
    expect(stderr).toContain('Tests:       6 passed, 6 total');
    expect(stdout).toContain('frame 5: { switchId: 10, queueId: 1, queueBytes: 100 }\n');
  });

  test('the controller of the examples sets a switch up and reads it back', async () => {
    const endTurn = await turnAtPrintedPort();
    const stop = project.background(block('hpcc switch'));
    try {
      await listening(9559);
      const { stdout } = project.shell(block('npm run controller'));
      expect(stdout).toContain('10.0.1.0');
      expect(stdout).toContain('10.0.2.0');
    } finally {
      stop();
      endTurn();
    }
  });

  const compile = block('p4c-bm2-ss');
  if (p4cVersion() === undefined) reportSkipped('the program of the examples', 'needs p4c');
  else {
    test('p4c makes of the program what the examples have', () => {
      const read = (): string =>
        fs.readFileSync(path.join(project.folder, 'router.p4info.txtpb'), 'utf8');
      const before = read();
      project.shell(compile);
      expect(read()).toBe(before);
    });
  }

  test('are all the blocks of the README', () => {
    expect(printed).toHaveLength(7);
  });
});

/** Packages that the client alone brings, as docs/p4runtime-client.md installs it. */
const CLIENT_PACKAGES = ['@grpc/grpc-js'];

describe('the P4Runtime client alone, as its page installs it', () => {
  const page = fs.readFileSync(path.join(ROOT, 'docs', 'p4runtime-client.md'), 'utf8');
  const blocks = tutorialBlocks(page);
  const name = 'hpcc-plus-plus-p4runtime';
  let project: InstalledProject;
  let output: string;

  beforeAll(async () => {
    project = new InstalledProject('my-controller', CLIENT_PACKAGES);
    // For the switch, which runs in the checkout.
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(project.checkout, 'node_modules'));
    const endTurn = await turnAtPrintedPort();
    output = project.walk(blocks.map(({ commands }) => commands).join('')).stdout;
    endTurn();
  });

  afterAll(() => project.remove());

  test('sets a switch up and prints what the page shows', () => {
    const shown = blocks.flatMap((each) => each.shown);
    expect(shown).toHaveLength(1);
    expect(missingLines(shown, output)).toEqual([]);
  });

  test('takes less than 25 MB, and brings what the page says', () => {
    const sizes = project.installedKb();
    expect([...sizes.values()].reduce((sum, kb) => sum + kb, 0)).toBeLessThan(25_000);
    expect([...sizes.keys()]).toEqual(expect.arrayContaining([name, ...CLIENT_PACKAGES]));
    for (const absent of [manifest.name, 'koffi', 'thrift', 'zod']) {
      expect(fs.existsSync(project.module(absent))).toBe(false);
    }
  });

  test('exports the names of the part of the whole package', () => {
    const names = (from: string): unknown =>
      JSON.parse(project.shell(`node -p "JSON.stringify(Object.keys(require('${from}')))"`).stdout);
    const part = manifest.exports['./p4runtime'];
    const whole = typeof part === 'string' ? part : part?.types.replace(/\.d\.ts$/, '.js');
    expect(names(name)).toEqual(names(path.join(ROOT, whole ?? '')));
  });

  test('its declarations are whole: a program with types compiles against them alone', () => {
    project.write(
      'typed.mts',
      [
        `import { P4RuntimeClient } from '${name}';`,
        `import type { ClientOptions, NamedEntity, StreamEvent } from '${name}';`,
        'export const connect = (options: ClientOptions): Promise<P4RuntimeClient> =>',
        '  P4RuntimeClient.connect(options);',
        "export const kindOf = (entity: NamedEntity): NamedEntity['kind'] => entity.kind;",
        'export const next = async (client: P4RuntimeClient): Promise<StreamEvent | undefined> => {',
        '  for await (const event of client.events()) return event;',
        '  return undefined;',
        '};',
        '',
      ].join('\n'),
    );
    const compiler = path.join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
    const words = '--strict --noEmit --target es2022 --module nodenext --types node typed.mts';
    project.shell(`${process.execPath} ${compiler} ${words}`);
  });
});
