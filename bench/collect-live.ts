import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ownProgram } from '../common/io/loop/own-program';
import { freePort } from '../common/io/net/free-port';
import { processorSeconds } from './live/processor-time';
import type { ReportLoad } from './collect/report-load';

/** For so long the collector is stopped in the last run, so that more comes than the kernel keeps. */
const STOPPED_MS = 500;
const SECONDS = 4;
const LISTENING = 'reports at UDP port';
const METRICS = /metrics at port (\d+)/;
/** As often as Prometheus reads metrics in deploy/. */
const SCRAPE_MS = 2000;

/** Output of a collector: sums that are scraped, lines in a file, or rows in a file. */
type Output = 'sums' | 'lines' | 'parquet';

interface Run {
  readonly output: Output;
  /** Reports per second; 0 is as many as the sender makes. */
  readonly rate: number;
  readonly stoppedMs?: number;
}

const RUNS: readonly Run[] = [
  ...[100_000, 300_000, 400_000, 0].map((rate): Run => ({ output: 'sums', rate })),
  ...[150_000, 300_000, 0].map((rate): Run => ({ output: 'lines', rate })),
  ...[150_000, 300_000, 0].map((rate): Run => ({ output: 'parquet', rate })),
  { output: 'sums', rate: 300_000, stoppedMs: STOPPED_MS },
];

/**
 * Telemetry reports over the loopback to `hpcc int collect`, which writes to files or is scraped, at several rates
 * and without raised priority: what it took per second of its processor time, and whether what was sent is what it
 * took and what the kernel dropped.
 */
export async function benchCollectLive(): Promise<object> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-bench-collect-'));
  try {
    const runs: object[] = [];
    for (const run of RUNS) runs.push(await measureRun(run, folder));
    return { seconds: SECONDS, runs };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function measureRun({ output, rate, stoppedMs = 0 }: Run, folder: string): Promise<object> {
  const collector = await Collector.start(output, folder);
  const load = path.join(__dirname, 'collect', 'report-load.js');
  const sender = [load, `${collector.port}`, `${SECONDS}`, `${rate}`];
  const sending = promisify(execFile)(process.execPath, sender);
  if (stoppedMs > 0) await stopFor(collector.process, stoppedMs);
  const { stdout } = await sending;
  const { sent, seconds } = JSON.parse(stdout) as ReportLoad;
  // What is in the socket's buffer is still to be read.
  await sleep(500);
  const { used, said } = await collector.end();
  const numberOf = (pattern: RegExp): number | null => {
    const found = pattern.exec(said)?.[1];
    return found === undefined ? null : Number(found);
  };
  const taken = numberOf(/(\d+) reports, /) ?? 0;
  const kernelDropped = numberOf(/(\d+) datagrams dropped by the kernel/);
  return {
    output,
    ...(stoppedMs > 0 && { stoppedMs }),
    sentPerSecond: Math.round(sent / seconds),
    sent,
    taken,
    faults: numberOf(/reports, (\d+) datagrams/),
    kernelDropped,
    missingBySequence: numberOf(/: (\d+) lost and/) ?? 0,
    unexplained: kernelDropped === null ? null : sent - taken - kernelDropped,
    processorShare: Math.round((1000 * used) / seconds) / 1000,
    takenPerCpuSecond: Math.round(taken / used),
  };
}

/** A collector in a process of its own. */
class Collector {
  said = '';
  readonly #before: number;
  #scraping: NodeJS.Timeout | undefined;

  private constructor(
    readonly process: ChildProcess,
    readonly port: number,
  ) {
    this.#before = processorSeconds(process.pid);
  }

  /** Starts one, and waits until it takes reports. */
  static async start(output: Output, folder: string): Promise<Collector> {
    const port = await freePort();
    const [command, ...words] = ownProgram();
    const wanted = {
      sums: ['--metrics', '0'],
      lines: [],
      parquet: ['--parquet', path.join(folder, 'rows.parquet')],
    }[output];
    const file = fs.openSync(path.join(folder, 'lines.json'), 'w');
    const args = [...words, 'int', 'collect', '--port', `${port}`, ...wanted];
    const child = spawn(command, args, { stdio: ['ignore', file, 'pipe'] });
    fs.closeSync(file);
    const collector = new Collector(child, port);
    await collector.#listening();
    return collector;
  }

  /** Ends it, and gives its processor time in seconds and what it has said. */
  async end(): Promise<{ readonly used: number; readonly said: string }> {
    clearInterval(this.#scraping);
    const used = processorSeconds(this.process.pid) - this.#before;
    const ended = once(this.process, 'close');
    this.process.kill('SIGTERM');
    await ended;
    return { used, said: this.said };
  }

  #listening(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stderr } = this.process;
      stderr?.on('data', (bytes: Buffer) => {
        this.said += bytes.toString();
        const port = METRICS.exec(this.said)?.[1];
        if (port !== undefined) this.#scraping ??= setInterval(() => void scrape(port), SCRAPE_MS);
        if (this.said.includes(LISTENING)) resolve();
      });
      stderr?.on('close', () => reject(new Error('the collector ended before it took reports')));
    });
  }
}

/** Stops a process in the middle of the run, and lets it go on. */
async function stopFor(collector: ChildProcess, ms: number): Promise<void> {
  await sleep((SECONDS * 1000) / 2);
  collector.kill('SIGSTOP');
  await sleep(ms);
  collector.kill('SIGCONT');
}

async function scrape(port: string): Promise<void> {
  await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}
