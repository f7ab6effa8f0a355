import { describeBmv2, findBmv2 } from './live/bmv2-binary';
import { withChain } from './live/chain';
import { withForwarding } from './live/forwarding';
import type { TestBed } from './live/forwarding';
import { middle } from './live/slow-port';
import { runLoad } from './live/run-load';
import { embeddedSwitch } from './live/switch-process';
import { packetsReceived } from './live/test-bed';

const FRAME_BYTES = 1000;
/** Packets per second; each rate meets a switch that has just been started. */
const RATES = [0, 30, 300, 3000, 20_000] as const;
/** The first seconds after the entries are written, and as many some time later. */
const WINDOW_SECONDS = 10;
const PAUSE_SECONDS = 10;
/** Switches of the chain whose memory is measured. */
const CHAIN = 20;

/**
 * Measures what a switch with hpcc.p4 between two interfaces costs where little happens: processor time and
 * memory of the embedded switch and of bmv2, in turns. Medians of rounds. Everything shares the machine's cores,
 * so only figures of one run can be compared.
 * @param bmv2Name a path, or a name that is looked for on PATH.
 * @throws InputError without root rights.
 */
export async function benchSwitchAtRest(rounds: number, bmv2Name: string): Promise<object> {
  const binary = findBmv2(bmv2Name);
  const own: AtRest[][] = [];
  const other: AtRest[][] = [];
  for (let round = 0; round < rounds; round++) {
    own.push(await measureRates(embeddedSwitch(), RATES));
    if (binary !== undefined) other.push(await measureRates([binary.path], RATES));
  }
  const embedded = medians(own);
  const base = { program: 'hpcc.p4', frameBytes: FRAME_BYTES, windowSeconds: WINDOW_SECONDS };
  const chain = { switchesInOneProcess: CHAIN, megabytes: await memoryOfChain() };
  if (binary === undefined) return { ...base, embedded, chain, bmv2: `there is no ${bmv2Name}` };
  const bmv2 = medians(other);
  return {
    ...base,
    embedded,
    chain,
    bmv2: { ...(await describeBmv2(binary)), rates: bmv2 },
    ratios: embedded.map((each, i) => ratio(each, bmv2[i])),
  };
}

/** Costs of one switch at one rate. */
export interface AtRest {
  readonly packetsPerSecond: number;
  /** Time from the start of the process until it listens. */
  readonly readyMs: number;
  /** Processor time from the start of the process until its entries are written, in ms. */
  readonly startMs: number;
  /** Processor time per second in the first window, in ms: a tenth of it is percent of a core. */
  readonly firstMsPerSecond: number;
  readonly laterMsPerSecond: number;
  /** The same per forwarded packet, in us; without packets undefined. */
  readonly firstUsPerPacket?: number;
  readonly laterUsPerPacket?: number;
  /** Resident memory at the end. */
  readonly megabytes: number;
}

/** Measures a switch that the command starts, once at each rate. */
export async function measureRates(
  command: readonly string[],
  rates: readonly number[],
): Promise<AtRest[]> {
  const found: AtRest[] = [];
  for (const rate of rates) {
    found.push(await withForwarding(command, (bed) => measureRate(bed, rate)));
  }
  return found;
}

async function measureRate(bed: TestBed, rate: number): Promise<AtRest> {
  const startMs = 1000 * bed.device.cpuSeconds();
  const end = rate === 0 ? () => Promise.resolve() : beginLoad(bed, rate);
  const first = await watch(bed);
  await seconds(PAUSE_SECONDS);
  const later = await watch(bed);
  const megabytes = bed.device.residentBytes() / 1e6;
  await end();
  return {
    packetsPerSecond: rate,
    readyMs: bed.device.readyMs,
    startMs,
    firstMsPerSecond: first.cpuMs / WINDOW_SECONDS,
    laterMsPerSecond: later.cpuMs / WINDOW_SECONDS,
    ...(rate > 0 && {
      firstUsPerPacket: (1000 * first.cpuMs) / first.packets,
      laterUsPerPacket: (1000 * later.cpuMs) / later.packets,
    }),
    megabytes,
  };
}

/** @returns what ends the load. */
function beginLoad({ sender }: TestBed, rate: number): () => Promise<void> {
  let stop = (): void => undefined;
  const until = new Promise<void>((resolve) => (stop = resolve));
  const load = runLoad(sender, {
    frameBytes: FRAME_BYTES,
    rate,
    seconds: 3 * (WINDOW_SECONDS + PAUSE_SECONDS),
    isSteady: true,
    until,
  });
  return async () => {
    stop();
    await load;
  };
}

async function watch({ device, receiver }: TestBed): Promise<{ cpuMs: number; packets: number }> {
  const [cpu, packets] = [device.cpuSeconds(), packetsReceived(receiver)];
  await seconds(WINDOW_SECONDS);
  return {
    cpuMs: 1000 * (device.cpuSeconds() - cpu),
    packets: packetsReceived(receiver) - packets,
  };
}

/** Resident memory of a process with a chain of idle switches. */
const memoryOfChain = (): Promise<number> =>
  withChain({ switches: CHAIN }, async (chain) => {
    await seconds(PAUSE_SECONDS);
    return Math.round(chain.residentBytes() / 1e6);
  });

const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * count));

function medians(rounds: readonly (readonly AtRest[])[]): AtRest[] {
  return RATES.map((packetsPerSecond, i) => {
    const of = (name: Exclude<keyof AtRest, 'packetsPerSecond'>): number =>
      middle(
        rounds.flatMap((round) => round[i]?.[name] ?? []),
        2,
      );
    return {
      packetsPerSecond,
      readyMs: of('readyMs'),
      startMs: of('startMs'),
      firstMsPerSecond: of('firstMsPerSecond'),
      laterMsPerSecond: of('laterMsPerSecond'),
      ...(packetsPerSecond > 0 && {
        firstUsPerPacket: of('firstUsPerPacket'),
        laterUsPerPacket: of('laterUsPerPacket'),
      }),
      megabytes: of('megabytes'),
    };
  });
}

/** Parts of bmv2's processor time, per forwarded packet where there are some, and memory that the embedded switch takes. */
function ratio(own: AtRest, other: AtRest | undefined): object {
  const of = (name: keyof AtRest): number =>
    middle([(own[name] ?? NaN) / (other?.[name] ?? NaN)], 3);
  const isIdle = own.packetsPerSecond === 0;
  return {
    packetsPerSecond: own.packetsPerSecond,
    ready: of('readyMs'),
    start: of('startMs'),
    first: of(isIdle ? 'firstMsPerSecond' : 'firstUsPerPacket'),
    later: of(isIdle ? 'laterMsPerSecond' : 'laterUsPerPacket'),
    memory: of('megabytes'),
  };
}
