import * as fs from 'node:fs';
import * as path from 'node:path';
import { Worker } from 'node:worker_threads';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import type { FromWorker, RunAnswer, ToWorker } from '../../emulator/playground/io/messages';
import { EFFORT } from '../support/effort';
import { buildPlayground, PLAYGROUND_SCENARIOS } from '../support/playground-build';
import type { BuiltPlayground } from '../support/playground-build';

/** A browser runs all ten (test/browser); here some show the same without one. */
const scenarios = PLAYGROUND_SCENARIOS.slice(0, EFFORT > 1 ? undefined : 2);

const FILE_SCENARIO = [
  'name: own',
  'title: own',
  'topology: { kind: star, hosts: 2, rateGbps: 100, delayNs: 1000 }',
  'flows: [{ from: h2, to: h1, bytes: 1000, startUs: 0 }]',
  'parameters: { algorithm: ./mine.mjs }',
].join('\n');

/** A cold cache takes so much before the first run. */
const BYTES_MAX = 5e6;

/** A thread of Node takes a browser worker's place: the same text, and messages as there. */
const AS_IN_A_BROWSER = `
  const { parentPort } = require('node:worker_threads');
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  // A browser takes other messages between two of a channel.
  globalThis.MessageChannel = class {
    port1 = new EventTarget();
    port2 = { postMessage: () => setImmediate(() => this.port1.dispatchEvent(new Event('message'))) };
    constructor() {
      this.port1.start = () => undefined;
    }
  };
  parentPort.on('message', (data) => globalThis.onmessage({ data }));
`;

describe('the playground', () => {
  let built: BuiltPlayground;
  let html: string;
  /** One for all runs, as a page has it. */
  let worker: PlaygroundWorker;
  beforeAll(() => {
    built = buildPlayground();
    html = fs.readFileSync(path.join(built.folder, 'index.html'), 'utf8');
    worker = new PlaygroundWorker(html, (name) => filesIn(program(name)));
  });
  afterAll(async () => {
    await worker.end();
    built.remove();
  });

  const program = (name: string): string =>
    fs.readFileSync(path.join(built.folder, 'programs', `${name}.js`), 'utf8');

  test('is small enough for a cold cache, and names no other place', () => {
    expect(html.length + program('hpcc').length).toBeLessThan(BYTES_MAX);
    const markup = html.replace(/(<script[^>]*>).*?<\/script>/gs, '$1');
    expect(markup).not.toMatch(/(src|href)="(?!data:)/);
  });

  test.each(scenarios)(
    '%s: its worker makes the result.json of hpcc run, byte for byte',
    async (name) => {
      const text = worker.files[`/emulator/scenario/catalogue/${name}.yaml`] ?? '';
      const { resultText } = await worker.run(text);
      const { result } = await runScenario({ scenario: loadScenario(name), seed: 1 });
      expect(resultText === `${JSON.stringify(result, null, 1)}\n`).toBe(true);
    },
  );

  test.each([
    ['nonsense', 'topology: [', /scenario/],
    ['an unknown key', 'name: x\ntitle: x\ntopology: {kind: star, hosts: 2}\nflow: []', /flow/],
    ['a file of an algorithm', FILE_SCENARIO, /there are no files here/],
  ])('%s is refused with a sentence', async (_, text, sentence) => {
    await expect(worker.run(text)).rejects.toThrow(sentence);
  });

  test('a run that is stopped shows what there is', async () => {
    const text = worker.files['/emulator/scenario/catalogue/websearch.yaml'] ?? '';
    const running = worker.run(text);
    worker.onProgress = () => worker.send({ kind: 'stop' });
    const { resultText } = await running;
    expect(JSON.parse(resultText)).toHaveProperty('interruptedAtUs');
  });
});

/** The files that a program's script hands over. */
function filesIn(script: string): Record<string, string> {
  const [, json = ''] = /^hpccProgram\("[^"]+", (.*)\);\n$/s.exec(script) ?? [];
  return JSON.parse(json) as Record<string, string>;
}

/** The page's side of the worker. */
class PlaygroundWorker {
  readonly files: Readonly<Record<string, string>>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (message: FromWorker) => void>();
  readonly #programFiles: (name: string) => Record<string, string>;
  onProgress: () => void = () => undefined;
  #questions = 0;

  constructor(html: string, programFiles: (name: string) => Record<string, string>) {
    this.#programFiles = programFiles;
    this.files = JSON.parse(elementText(html, 'files')) as Record<string, string>;
    this.#worker = new Worker(AS_IN_A_BROWSER + elementText(html, 'worker'), { eval: true });
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'progress') this.onProgress();
      if ('id' in message) this.#waiting.get(message.id)?.(message);
    });
    this.send({ kind: 'files', files: this.files });
  }

  send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  async run(text: string): Promise<RunAnswer> {
    const wanted = { text, seed: 1, algorithm: undefined };
    const programs = (await this.#ask({ ...wanted, kind: 'programs', id: 0 })) as string[];
    for (const name of programs) this.send({ kind: 'files', files: this.#programFiles(name) });
    return (await this.#ask({ ...wanted, kind: 'run', id: 0 })) as RunAnswer;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(message: ToWorker): Promise<unknown> {
    const id = ++this.#questions;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => {
        if (answer.kind === 'answer') resolve(answer.found);
        else reject(new Error(answer.kind === 'refusal' ? answer.text : answer.kind));
      });
      this.send({ ...message, id } as ToWorker);
    });
  }
}

/** Text of a script element, as a browser has it. */
function elementText(html: string, id: string): string {
  const [, text = ''] = new RegExp(`<script [^>]*id="${id}">(.*?)</script>`, 's').exec(html) ?? [];
  return text;
}
