import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';
import * as readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ownProgram } from '../common/io/loop/own-program';
import { freePort } from '../common/io/net/free-port';
import { processorSeconds } from './live/processor-time';
import { realTime } from './live/real-time';
import type { ReportLoad } from './collect/report-load';

/** Reports per second; 0 is as many as the sender makes. */
const RATES = [100_000, 300_000, 400_000, 0];
/** For so long the collector is stopped in the last run, so that more comes than the kernel keeps. */
const STOPPED_MS = 500;
const SECONDS = 4;
const LISTENING = 'reports at UDP port';
const METRICS = /metrics at port (\d+)/;
/** As often as Prometheus reads metrics in deploy/. */
const SCRAPE_MS = 2000;

interface Datagrams {
  readonly datagrams: number;
  readonly faults: number;
  readonly lost: number;
  readonly kernelDropped: number | null;
}

/**
 * Telemetry reports over the loopback to `hpcc int collect --metrics`, which is scraped, at several rates: what it took
 * per second of its processor time, and whether what was sent is what it took and what the kernel dropped.
 */
export async function benchCollectLive(): Promise<object> {
  const runs: object[] = [];
  for (const rate of RATES) runs.push(await measureRate(rate, 0));
  runs.push(await measureRate(300_000, STOPPED_MS));
  return { seconds: SECONDS, runs };
}

/** With root both are scheduled before other work, which would be measured otherwise. */
const priority = (): readonly string[] => (process.getuid?.() === 0 ? realTime() : []);

async function measureRate(rate: number, stoppedMs: number): Promise<object> {
  const port = await freePort();
  const [command = '', ...words] = [...priority(), ...ownProgram()];
  const collector = spawn(
    command,
    [...words, 'int', 'collect', '--port', `${port}`, '--metrics', '0'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  readline.createInterface({ input: collector.stdout }).on('line', (line) => lines.push(line));
  const metricsPort = await listening(collector);
  const scraping = setInterval(() => void scrape(metricsPort), SCRAPE_MS);
  const before = processorSeconds(collector.pid);
  const load = path.join(__dirname, 'collect', 'report-load.js');
  const sender = [...priority(), process.execPath, load, `${port}`, `${SECONDS}`, `${rate}`];
  const sending = promisify(execFile)(sender[0] ?? '', sender.slice(1));
  if (stoppedMs > 0) await stopFor(collector, stoppedMs);
  const { stdout } = await sending;
  const { sent, seconds } = JSON.parse(stdout) as ReportLoad;
  const ended = once(collector, 'close');
  // What is in the socket's buffer is still to be read.
  await sleep(500);
  const used = processorSeconds(collector.pid) - before;
  clearInterval(scraping);
  collector.kill('SIGTERM');
  await ended;
  const {
    datagrams: taken,
    kernelDropped,
    lost,
    faults,
  } = JSON.parse(lines.at(-1) ?? '{}') as Datagrams;
  return {
    ...(stoppedMs > 0 && { stoppedMs }),
    sentPerSecond: Math.round(sent / seconds),
    sent,
    taken,
    faults,
    kernelDropped,
    missingBySequence: lost,
    unexplained: kernelDropped === null ? null : sent - taken - kernelDropped,
    processorShare: Math.round((1000 * used) / seconds) / 1000,
    takenPerCpuSecond: Math.round(taken / used),
  };
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

/** Waits until it takes reports; the port of its metrics. */
function listening({ stderr }: ChildProcess): Promise<string> {
  let metricsPort = '';
  return new Promise((resolve, reject) => {
    if (stderr === null) return;
    const said = readline.createInterface({ input: stderr });
    said.on('line', (line) => {
      metricsPort = METRICS.exec(line)?.[1] ?? metricsPort;
      if (line.includes(LISTENING)) resolve(metricsPort);
    });
    said.on('close', () => reject(new Error('the collector ended before it took reports')));
  });
}
