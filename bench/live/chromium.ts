import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { InputError } from '../../common/errors';

/** A page in chromium, which is told what to do in the words of its DevTools protocol. */
export interface BrowserPage {
  /** Evaluates an expression, and waits for what it promises. */
  evaluate(expression: string): Promise<unknown>;
  /** Seconds that the page's thread has worked. */
  busySeconds(): Promise<number>;
  close(): Promise<void>;
}

const FLAGS = ['--headless', '--no-sandbox', '--remote-debugging-pipe', '--no-first-run'];

/**
 * Opens a page in chromium without a window.
 * @throws InputError where chromium is not on PATH.
 */
export async function openInChromium(
  url: string,
  size: { readonly width: number; readonly height: number },
): Promise<BrowserPage> {
  const child = spawn('chromium', FLAGS, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', ({ message }) =>
      reject(new InputError(`chromium cannot be started: ${message}`)),
    );
  });
  const pipe = new DevTools(child);
  const { targetId } = (await pipe.send('Target.createTarget', { url: 'about:blank' })) as Ids;
  const attached = await pipe.send('Target.attachToTarget', { targetId, flatten: true });
  const { sessionId } = attached as Ids;
  const send = (method: string, params: object = {}) => pipe.send(method, params, sessionId);
  await send('Performance.enable');
  await send('Emulation.setDeviceMetricsOverride', {
    ...size,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await send('Page.navigate', { url });
  return {
    evaluate: async (expression) => {
      const params = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = (await send('Runtime.evaluate', params)) as Evaluated;
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
      return result.value;
    },
    busySeconds: async () => {
      const { metrics } = (await send('Performance.getMetrics')) as Metrics;
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
    },
    close: () => pipe.close(),
  };
}

interface Ids {
  readonly targetId: string;
  readonly sessionId: string;
}

interface Evaluated {
  readonly result: { readonly value: unknown };
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
}

interface Metrics {
  readonly metrics: readonly { readonly name: string; readonly value: number }[];
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Questions and answers through two pipes, each ended by a zero. */
class DevTools {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #out: Writable;
  #asked = 0;
  #rest = '';

  constructor(private readonly child: ChildProcess) {
    const [, , , out, from] = child.stdio;
    this.#out = out as Writable;
    (from as Readable).setEncoding('utf8').on('data', (text: string) => this.#hear(text));
  }

  async send(method: string, params: object, sessionId?: string): Promise<unknown> {
    const id = ++this.#asked;
    const told = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await told;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.#out.write(`${JSON.stringify({ id: ++this.#asked, method: 'Browser.close' })}\0`);
    await ended;
  }

  #hear(text: string): void {
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) {
      const answer = JSON.parse(part) as Answer;
      if (answer.id === undefined) continue;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    }
  }
}
