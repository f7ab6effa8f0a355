import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as Module from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { ownProgram } from '../../../../../common/io/loop/own-program';
import { describeIf } from '../../../../support/requires';

const KEEPER = path.join(__dirname, '../../../../../common/io/loop/compiled-modules.js');

const isOurs = !('enableCompileCache' in Module);
const REASON = 'this release of Node.js keeps compiled modules by itself';

describeIf(isOurs, 'compiled modules are kept for the next process', REASON, () => {
  let folder = '';
  let modules = '';
  let kept = '';

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-modules-'));
    modules = path.join(folder, 'modules');
    kept = path.join(folder, 'kept');
    fs.mkdirSync(modules);
    write('first.js', "exports.said = `${require('./second').word} ${__filename} ${__dirname}`;");
    write('second.js', "exports.word = 'one';");
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const write = (name: string, text: string): void =>
    fs.writeFileSync(path.join(modules, name), text);

  /** Runs a process that keeps what it compiles, and returns what its text prints. */
  function run(
    text = "console.log(require('./first').said)",
    options: readonly string[] = [],
  ): string {
    write('main.js', text);
    const start = `require(${JSON.stringify(KEEPER)}).keepIn(${JSON.stringify(kept)}, 'test');
      require(${JSON.stringify(path.join(modules, 'main.js'))});`;
    const { stdout, stderr, status } = spawnSync(process.execPath, [...options, '-e', start], {
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    return stdout.trim();
  }

  const keptFile = (): string => path.join(kept, fs.readdirSync(kept)[0] ?? 'none');
  const said = (word: string): string => `${word} ${path.join(modules, 'first.js')} ${modules}`;

  test('the second process compiles nothing, and says the same', () => {
    expect(run()).toBe(said('one'));
    const before = fs.statSync(keptFile());
    expect(run()).toBe(said('one'));
    const after = fs.statSync(keptFile());
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(fs.readdirSync(kept)).toHaveLength(1);
  });

  test('also where the first one has changed flags of the engine while it ran', () => {
    const [optimising, collection] = ['optimising.js', 'idle-collection.js'].map((name) =>
      JSON.stringify(path.join(KEEPER, '..', name)),
    );
    const text = `
      require(${optimising}).optimiseFromNow();
      const idle = require(${collection}).IdleCollection.ofProcess();
      exports.garbage = Array.from({ length: 1_000_000 }, (_, i) => ({ i }));
      idle.look(0, true);
      idle.look(5000, false);
      console.log(require('./first').said);`;
    const [, ...options] = ownProgram();
    const flags = options.slice(0, -1);
    expect(run(text, flags)).toBe(said('one'));
    const before = fs.statSync(keptFile());
    expect(run(text, flags)).toBe(said('one'));
    expect(fs.statSync(keptFile()).ino).toBe(before.ino);
  });

  test('a module that has changed is compiled anew, also one of the same length', () => {
    run();
    write('second.js', "exports.word = 'two';");
    expect(run()).toBe(said('two'));
    expect(run()).toBe(said('two'));
    const text = "import('./wanted.mjs').then(({ word }) => console.log(word));";
    write('wanted.mjs', "export const word = 'imported';");
    expect(run(text)).toBe('imported');
    expect(run(text)).toBe('imported');
  });

  test('a module that has moved is found where it is now', () => {
    run();
    fs.rmSync(path.join(modules, 'second.js'));
    fs.mkdirSync(path.join(modules, 'second'));
    write('second/index.js', "exports.word = 'moved';");
    expect(run()).toBe(said('moved'));
    expect(fs.readFileSync(keptFile(), 'latin1')).not.toContain('second.js');
  });

  test('eight files of a kind are kept, which differ by options of the engine', () => {
    const limits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    for (const lines of limits) run(undefined, [`--stack-trace-limit=${lines}`]);
    expect(fs.readdirSync(kept)).toHaveLength(8);
  });

  test('a damaged file is as none', () => {
    run();
    const bytes = fs.readFileSync(keptFile());
    for (const at of [0, 60, bytes.length - 1]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      fs.writeFileSync(keptFile(), damaged);
      expect(run()).toBe(said('one'));
      expect(fs.readFileSync(keptFile()).equals(damaged)).toBe(false);
    }
    fs.writeFileSync(keptFile(), bytes.subarray(0, bytes.length - 100));
    expect(run()).toBe(said('one'));
    fs.writeFileSync(keptFile(), '');
    expect(run()).toBe(said('one'));
  });

  test('a file that anybody may write is as none', () => {
    run();
    fs.chmodSync(keptFile(), 0o666);
    expect(run()).toBe(said('one'));
    expect(fs.statSync(keptFile()).mode & 0o002).toBe(0);
  });

  test('where nothing can be written nothing is kept', () => {
    fs.writeFileSync(kept, 'a file in the place of the folder');
    expect(run()).toBe(said('one'));
    expect(run()).toBe(said('one'));
  });

  test('kept modules have all that others have', () => {
    write('wanted.mjs', 'export const word = import.meta.url.slice(0, 7);');
    const text = `
      const has = [require.resolve('./first') === ${JSON.stringify(path.join(modules, 'first.js'))}];
      has.push(Array.isArray(require.resolve.paths('zod')), require.cache[__filename] === module);
      has.push(this === exports, exports === module.exports, typeof require.extensions['.js']);
      import('./wanted.mjs').then(({ word }) => console.log(...has, word));`;
    const expected = 'true true true true true function file://';
    expect(run(text)).toBe(expected);
    expect(run(text)).toBe(expected);
  });

  test('attack 4: packets get a turn between any two modules', () => {
    const packets = path.join(KEEPER, '../../packets-first.js');
    const text = `
      let turns = 0;
      require(${JSON.stringify(packets)}).givePacketsTurnsBy(() => void turns++);
      require('./first');
      console.log(turns);`;
    expect(run(text)).toBe('2');
    expect(run(text)).toBe('2');
  });

  test('an error names file and line', () => {
    const text =
      "const a = 1;\ntry {\n  null.a;\n} catch (e) {\n  console.log(e.stack.split('\\n')[1]);\n}";
    run(text);
    expect(run(text)).toContain(`${path.join(modules, 'main.js')}:3:`);
  });
});
