import { spawn } from 'node:child_process';
import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as v8 from 'node:v8';
import threads from 'node:worker_threads';
import { repositoryRoot } from '../../../../../common/io/repository';
import { generatedProgram } from '../../../../../switch/codegen/generated-executor';
import { readInThread } from '../../../../../switch/io/loading/read-in-thread';
import { rememberedProgram, rememberProgram } from '../../../../../switch/ir/remembered-program';
import { describeIf } from '../../../../support/requires';
import { FORWARDING } from '../../support/forwarding';
import { programText } from '../../support/program';
import type { Program } from '../../../../../switch/ir/nodes';

const BUILD = path.join(repositoryRoot(), 'build');

/** Threads that a read began, and a digest of what has come of it. */
interface Reading {
  readonly began: number;
  readonly digest: string;
}

/** Reads a program as a switch does; prints how many threads that took, and digests of what has come of it. */
const SCRIPT = `
  const threads = require('node:worker_threads');
  let began = 0;
  const { Worker } = threads;
  threads.Worker = class extends Worker { constructor(...all) { super(...all); began++; } };
  const { readInThread } = require('${BUILD}/switch/io/loading/read-in-thread.js');
  const { rememberedProgram } = require('${BUILD}/switch/ir/remembered-program.js');
  const { generatedProgram } = require('${BUILD}/switch/codegen/generated-executor.js');
  const [file, folder, dropPort] = process.argv.slice(1);
  const json = require('node:fs').readFileSync(file, 'utf8');
  readInThread({ json, dropPort: Number(dropPort) }, folder).then(() => {
    const program = rememberedProgram(json);
    const all = require('node:v8').serialize([program, generatedProgram(program, Number(dropPort))]);
    const digest = require('node:crypto').createHash('sha1').update(all).digest('hex');
    console.log(JSON.stringify({ began, digest }));
  });`;

describe('programs that were read are kept for the next process', () => {
  let folder = '';
  let program = '';
  let kept = '';
  let preloaded = '';

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-programs-'));
    program = path.join(folder, 'program.json');
    kept = path.join(folder, 'kept');
    preloaded = path.join(folder, 'preloaded.js');
    fs.writeFileSync(program, programText(FORWARDING));
    fs.writeFileSync(preloaded, '1;');
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  /** Reads the program as a process does that has read none, in one whose threads load a module before all others. */
  async function read(dropPort = 511): Promise<Reading> {
    const { Worker } = threads;
    const worker = jest
      .spyOn(threads, 'Worker')
      .mockImplementation(
        (file, options) => new Worker(file, { ...options, execArgv: ['-r', preloaded] }),
      );
    try {
      rememberProgram('none', {} as Program);
      const json = fs.readFileSync(program, 'utf8');
      await readInThread({ json, dropPort }, kept);
      const found = rememberedProgram(json);
      if (found === undefined) throw new Error('nothing was read');
      const all = v8.serialize([found, generatedProgram(found, dropPort)]);
      const digest = crypto.createHash('sha1').update(all).digest('hex');
      return { began: worker.mock.calls.length, digest };
    } finally {
      worker.mockRestore();
    }
  }

  /** A process that reads the program. */
  function readInProcess(): Promise<Reading> {
    const argv = ['-e', SCRIPT, program, kept, '511'];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    return new Promise((resolve, reject) => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      child.on('error', reject);
      child.on('close', () => resolve(JSON.parse(text) as Reading));
    });
  }

  const keptFile = (): string => path.join(kept, fs.readdirSync(kept)[0] ?? 'none');

  test('the next one has the same program without reading it', async () => {
    const first = await read();
    expect(first.began).toBe(1);
    expect(await read()).toEqual({ began: 0, digest: first.digest });
    expect(fs.readdirSync(kept)).toHaveLength(1);
  });

  test('another text and another drop port have files of their own', async () => {
    const { digest } = await read();
    expect((await read(510)).began).toBe(1);
    fs.appendFileSync(program, '\n');
    expect(await read()).toEqual({ began: 1, digest });
    expect(fs.readdirSync(kept)).toHaveLength(3);
  });

  test('a module that has changed since reads it anew', async () => {
    await read();
    fs.writeFileSync(preloaded, '22;');
    expect((await read()).began).toBe(1);
    expect((await read()).began).toBe(0);
    fs.utimesSync(preloaded, 1, 1);
    expect((await read()).began).toBe(1);
  });

  test('a damaged file is as none, and is replaced', async () => {
    const { digest } = await read();
    const bytes = fs.readFileSync(keptFile());
    const damaged = Buffer.from(bytes);
    damaged[1000] = (damaged[1000] ?? 0) ^ 1;
    for (const each of [damaged, bytes.subarray(0, 1000), Buffer.alloc(0)]) {
      fs.writeFileSync(keptFile(), each);
      expect(await read()).toEqual({ began: 1, digest });
      expect((await read()).began).toBe(0);
    }
  });

  test('a file that anybody may write is as none', async () => {
    await read();
    fs.chmodSync(keptFile(), 0o666);
    expect((await read()).began).toBe(1);
    expect((await read()).began).toBe(0);
  });

  test('where nothing can be written nothing is kept', async () => {
    fs.writeFileSync(kept, 'a file in the place of the folder');
    expect((await read()).began).toBe(1);
    expect((await read()).began).toBe(1);
  });

  test('two processes at once leave one whole file', async () => {
    const [one, two] = await Promise.all([readInProcess(), readInProcess()]);
    expect(one).toEqual(two);
    expect(await readInProcess()).toEqual({ began: 0, digest: one.digest });
    expect(fs.readdirSync(kept)).toHaveLength(1);
  });

  describeIf(process.getuid?.() === 0, 'as root', 'needs root', () => {
    test('a file of somebody else is as none', async () => {
      await read();
      fs.chownSync(keptFile(), 12_345, 12_345);
      expect((await read()).began).toBe(1);
      expect((await read()).began).toBe(0);
    });
  });
});
