import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../../../common/errors';
import { nanoseconds } from '../../../common/units/units';
import type { Duration } from '../../../common/units/units';
import { registerBinary } from './chip-registers';
import type { RegisterWrite } from './chip-registers';
import type { TofinoChip } from './chips';
import type { PortPacket } from '../../stf/run/requests';

/** True if the chip's harness is on PATH. Without a script it makes a chip and ends. */
export const tofinoModelAvailable = ({ harness }: TofinoChip): boolean => {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tofino-model-'));
  try {
    return spawnSync(harness, [], { stdio: 'ignore', cwd }).error === undefined;
  } finally {
    fs.rmSync(cwd, { recursive: true, force: true });
  }
};

/** Complaint of the harness about a command that it cannot carry out: `<stdin>:7: no action x`. */
const COMPLAINT = /<(?:stdin|tbl-cfg)>:\d+: ([^\n]*)/g;

const PACKETS = 'packets';

/** The clock goes on by so much with each packet. */
const TIME_OF_PACKET = nanoseconds(8);

/** A chip in a process of its own, fed one command of the harness at a time. */
export class TofinoHarness {
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tofino-model-'));
  readonly #child: ChildProcessWithoutNullStreams;
  #output = '';
  #ended = false;
  #commands = 0;
  #wake: () => void = () => undefined;

  constructor(private readonly chip: TofinoChip) {
    // One pipe for both outputs, so that what the harness says keeps its order.
    const command = `exec ${chip.harness} --observation-log ${PACKETS} - 2>&1`;
    this.#child = spawn('sh', ['-c', command], { cwd: this.#folder });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString('latin1');
      this.#wake();
    });
    this.#child.stdin.on('error', () => undefined);
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    this.#child.on('close', end);
    this.#child.on('error', end);
  }

  /**
   * Puts a program in. Returns what the harness prints.
   * @param pipe the folder with the binary.
   * @param context the text of `context.json`.
   */
  async load(pipe: string, context: string): Promise<string> {
    const folder = path.join(this.#folder, 'pipe');
    fs.mkdirSync(folder);
    const { binary } = this.chip;
    fs.symlinkSync(path.join(pipe, binary), path.join(folder, binary));
    fs.writeFileSync(path.join(folder, 'context.json'), context);
    return this.execute(`load ${folder}`);
  }

  /**
   * Carries out a command; returns what the harness prints.
   * @throws InputError when it complains, or ends.
   */
  async execute(command: string): Promise<string> {
    // The harness confirms nothing, but it complains of a command that it does not know.
    const mark = `hpcc_end_of_command_${(this.#commands += 1)}`;
    this.#child.stdin.write(`${command}\n${mark}\n`);
    const text = await this.#until(`Unknown command ${mark}\n`);
    const complaints = [...text.matchAll(COMPLAINT)].map(([, what]) => what ?? '');
    const complaint = complaints.slice(0, -1)[0];
    if (complaint !== undefined) {
      throw new InputError(`the Tofino model refuses '${command}': ${complaint}`);
    }
    return text;
  }

  /**
   * Writes registers of the chip in all pipes. The harness sets default actions of the program
   * again then.
   */
  async write(registers: readonly RegisterWrite[]): Promise<void> {
    const file = path.join(this.#folder, 'registers.bin');
    fs.writeFileSync(file, registerBinary(registers));
    await this.execute(`load ${file}`);
  }

  /**
   * Lets the clock of the chip go on by packets that end before the first header, which no program
   * sees.
   */
  async passTime(duration: Duration): Promise<void> {
    const file = path.join(this.#folder, 'time');
    fs.writeFileSync(file, 'packet 0 00\n'.repeat(Math.ceil(duration / TIME_OF_PACKET)));
    await this.execute(`source ${file}`);
  }

  /** All packets that have left so far, in order of departure. */
  packets(): readonly PortPacket[] {
    const lines = fs.readFileSync(path.join(this.#folder, PACKETS), 'latin1').split('\n');
    return lines.flatMap((line) => {
      const [port, digits] = line.split(' ');
      if (port === undefined || digits === undefined) return [];
      return [{ port: Number(port), bytes: Uint8Array.from(Buffer.from(digits, 'hex')) }];
    });
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    while (!this.#ended) await this.#change();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  async #until(end: string): Promise<string> {
    for (;;) {
      const at = this.#output.indexOf(end);
      if (at >= 0) {
        const text = this.#output.slice(0, at + end.length);
        this.#output = this.#output.slice(at + end.length);
        return text;
      }
      if (this.#ended) {
        throw new InputError(`${this.chip.harness} ended: ${this.#output.trim().slice(-1000)}`);
      }
      await this.#change();
    }
  }

  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
