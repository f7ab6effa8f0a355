import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { InputError } from '../../../common/errors';

export const SIMPLE_SWITCH_CLI = 'simple_switch_CLI';

const PROMPT = 'RuntimeCmd: ';
const FAILURE = /^(Error|Invalid|\*\*\*|Traceback)[^\n]*/m;

/** True if bmv2's command line is on PATH and works. */
export function bmv2CommandLineAvailable(): boolean {
  const run = spawnSync(SIMPLE_SWITCH_CLI, ['--help'], { stdio: 'ignore' });
  return run.error === undefined && run.status === 0;
}

/** bmv2's own command line, fed one command at a time. */
export class Bmv2CommandLine {
  readonly #child: ChildProcessWithoutNullStreams;
  #output = '';
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(thriftPort: number) {
    this.#child = spawn(SIMPLE_SWITCH_CLI, ['--thrift-port', String(thriftPort)], {
      env: { ...process.env, PYTHONUNBUFFERED: '1' },
    });
    const read = (chunk: Buffer): void => {
      this.#output += chunk.toString();
      this.#wake();
    };
    this.#child.stdout.on('data', read);
    this.#child.stderr.on('data', read);
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    this.#child.on('exit', end);
    this.#child.on('error', end);
  }

  /**
   * Returns when the prompt is there, and so the switch has been reached.
   * @throws InputError when the command line ends instead.
   */
  async ready(): Promise<void> {
    await this.#untilPrompt();
  }

  /** Executes a command; returns what it prints. @throws InputError when it reports a failure. */
  async execute(command: string): Promise<string> {
    this.#child.stdin.write(`${command}\n`);
    const text = await this.#untilPrompt();
    const failure = FAILURE.exec(text);
    if (failure !== null) throw new InputError(`bmv2 refuses '${command}': ${failure[0]}`);
    return text;
  }

  close(): void {
    this.#child.stdin.end();
    this.#child.kill();
  }

  async #untilPrompt(): Promise<string> {
    while (!this.#output.endsWith(PROMPT)) {
      if (this.#ended) throw new InputError(`${SIMPLE_SWITCH_CLI} ended: ${this.#output.trim()}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const text = this.#output.slice(0, -PROMPT.length);
    this.#output = '';
    return text;
  }
}
