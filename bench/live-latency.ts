import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { benchAgentRate } from './live/agent-rates';
import { describeBmv2, findBmv2 } from './live/bmv2-binary';
import { withChain } from './live/chain';
import type { Chain } from './live/chain';
import { dataFrame } from './live/run-load';
import type { ArrivalsReport, StampedLoadReport } from './live/stamped-load';
import { embeddedSwitch } from './live/switch-process';
import { inNamespace } from './live/test-bed';
import type { Leg } from './live/test-bed';

const FRAME_BYTES = 1000;
const SECONDS = 2;
/** Packets per second: a quiet network, one in Mininet, a busy one, and more than bmv2 carries. */
const RATES = [300, 3000, 20_000, 30_000, 100_000] as const;
const PROGRAM = path.join(__dirname, 'live', 'stamped-load.js');
/** The receiver listens before the first packet and after the last one. */
const MARGIN_SECONDS = 0.7;

interface RateFigures {
  readonly packetsPerSecond: number;
  readonly lostShare: number;
  /** Processor time of the switches, per packet that came through and per switch. */
  readonly cpuUsPerPacket: number;
  /** Latency from before the send call of one host to the kernel of the other. */
  readonly latencyUs: { readonly p50: number; readonly p99: number; readonly p999: number };
}

/**
 * Measures the cost of a packet at rates at which the switch sleeps between packets: processor time
 * of the switch and time from host to host, through hpcc.p4, for the embedded switch and bmv2 in
 * turns, so that other load of the machine affects both; also processor time and lateness of two
 * agents. Medians of the rounds.
 * @param switches in a row; several embedded ones are measured in one process, too.
 * @throws InputError without root rights.
 */
export async function benchLiveLatency(
  { rounds, switches }: { readonly rounds: number; readonly switches: number },
  bmv2Name: string,
): Promise<object> {
  const binary = findBmv2(bmv2Name);
  const kinds: Record<string, readonly string[] | undefined> = { embedded: embeddedSwitch() };
  if (switches > 1) kinds['embedded in one process'] = undefined;
  if (binary !== undefined) kinds.bmv2 = [binary.path];
  const found: Record<string, RateFigures[][]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [kind, command] of Object.entries(kinds)) {
      const shape = { ...(command && { command }), switches };
      const figures = await withChain(shape, (chain) => measureRates(chain, switches));
      (found[kind] ??= []).push(figures);
    }
  }
  const figures = Object.entries(found).map(([kind, all]) => [kind, medians(all)]);
  const described = binary === undefined ? `there is no ${bmv2Name}` : await describeBmv2(binary);
  const agents: object[] = [];
  for (const rate of RATES) agents.push(await benchAgentRate(rate, rounds));
  return {
    program: 'hpcc.p4',
    switches,
    frameBytes: FRAME_BYTES,
    comparedWith: described,
    ...(Object.fromEntries(figures) as Record<string, object>),
    agents,
  };
}

async function measureRates(chain: Chain, switches: number): Promise<RateFigures[]> {
  const figures: RateFigures[] = [];
  // The first rate is measured twice, because code and caches are cold.
  for (const rate of [RATES[2], ...RATES]) figures.push(await measureRate(chain, rate));
  return figures
    .slice(1)
    .map((each) => ({ ...each, cpuUsPerPacket: tenths(each.cpuUsPerPacket / switches) }));
}

const tenths = (value: number): number => Math.round(10 * value) / 10;

async function measureRate(bed: Chain, rate: number): Promise<RateFigures> {
  const hex = Buffer.from(dataFrame(FRAME_BYTES)).toString('hex');
  const listening = run<ArrivalsReport>(bed.receiver, [
    'receive',
    bed.receiver.inner,
    String(SECONDS + 2 * MARGIN_SECONDS),
    hex,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1000 * MARGIN_SECONDS));
  const before = bed.cpuSeconds();
  const load = await run<StampedLoadReport>(bed.sender, [
    'send',
    bed.sender.inner,
    String(SECONDS),
    String(rate),
    hex,
  ]);
  const { received, latencyNs } = await listening;
  const cpuSeconds = bed.cpuSeconds() - before;
  const us = (ns: number): number => tenths(ns / 1000);
  return {
    packetsPerSecond: Math.round(received / SECONDS),
    lostShare: Number((1 - received / load.sent).toFixed(4)),
    cpuUsPerPacket: (1e6 * cpuSeconds) / received,
    latencyUs: { p50: us(latencyNs.p50), p99: us(latencyNs.p99), p999: us(latencyNs.p999) },
  };
}

async function run<Report>(leg: Leg, args: readonly string[]): Promise<Report> {
  const [command = '', ...rest] = inNamespace(leg, [process.execPath, PROGRAM, ...args]);
  const { stdout } = await promisify(execFile)(command, rest);
  return JSON.parse(stdout) as Report;
}

/** Median of all rounds for each figure, by rate. */
function medians(rounds: readonly (readonly RateFigures[])[]): object {
  const median = (pick: (figures: RateFigures) => number, index: number): number => {
    const values = rounds.map((round) => round[index]).map((f) => (f === undefined ? 0 : pick(f)));
    return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  };
  return RATES.map((rate, i) => ({
    offeredPerSecond: rate,
    packetsPerSecond: median((f) => f.packetsPerSecond, i),
    lostShare: median((f) => f.lostShare, i),
    cpuUsPerPacket: median((f) => f.cpuUsPerPacket, i),
    latencyUs: {
      p50: median((f) => f.latencyUs.p50, i),
      p99: median((f) => f.latencyUs.p99, i),
      p999: median((f) => f.latencyUs.p999, i),
    },
  }));
}
