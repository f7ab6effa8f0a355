import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import type { GroupEvent } from '../../../cli/group/node-group';
import { LIVE_PROGRAM } from '../own-command';

const PATIENCE_MS = 20_000;

/** A running `hpcc group --commands`. */
export class StartedGroup {
  readonly child: ChildProcess;
  readonly #events: GroupEvent[] = [];
  readonly #listeners = new Set<() => void>();
  readonly ended: Promise<number | null>;
  readonly #folder: string;

  /**
   * @param folder where it runs, and where files of nodes are.
   * @param launcher what stands before the command line.
   */
  constructor(folder: string, launcher: readonly string[]) {
    this.#folder = folder;
    const stdio: ('pipe' | 'inherit')[] = ['pipe', 'pipe', 'inherit'];
    const words = [...launcher, ...LIVE_PROGRAM, 'group', '--commands'];
    this.child = spawn(words[0] ?? '', words.slice(1), { cwd: folder, stdio });
    let text = '';
    this.child.stdout?.on('data', (piece: Buffer) => {
      const lines = (text + piece.toString()).split('\n');
      text = lines.pop() ?? '';
      this.#events.push(...lines.map((line) => JSON.parse(line) as GroupEvent));
      for (const listener of this.#listeners) listener();
    });
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }

  tell(command: object): void {
    this.child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  start(name: string, run: readonly string[], more: object = {}): void {
    const files = { stdout: `${name}.out`, stderr: `${name}.err` };
    this.tell({ start: { name, run, ...files, ...more } });
  }

  event(wanted: Partial<GroupEvent>): Promise<GroupEvent> {
    return this.#until(() =>
      this.#events.find((event) =>
        Object.entries(wanted).every(([key, value]) => Reflect.get(event, key) === value),
      ),
    );
  }

  /** Returns the text that the file has by now. */
  text(file: string): string {
    const at = path.join(this.#folder, file);
    return fs.existsSync(at) ? fs.readFileSync(at, 'utf8') : '';
  }

  /** The match in what the node has written to a file, or will write. */
  async wrote(file: string, pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const text = this.text(file);
      const found = pattern.exec(text);
      if (found !== null) return found;
      if (performance.now() > deadline) throw new Error(`${file} has no ${pattern}: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const listener = (): void => {
        const found = look();
        if (found === undefined) return;
        this.#listeners.delete(listener);
        resolve(found);
      };
      this.#listeners.add(listener);
      void this.ended.then(() => reject(new Error(JSON.stringify(this.#events))));
      listener();
    });
  }
}
