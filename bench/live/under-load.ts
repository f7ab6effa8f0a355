import { watchGaps } from './packet-gaps';
import { runLoad } from './run-load';
import { packetsReceived } from './test-bed';
import type { TestBed } from './forwarding';

/** Packets that a switch forwards while something else goes on. */
export const LOAD = { frameBytes: 1000, rate: 20_000, seconds: 600, isSteady: true } as const;

/** Time of the load alone, before the work begins; the same time passes behind it. */
const CALM_MS = 500;

/** Losses and gaps of the load while somebody was at work. */
export interface UnderLoad {
  /** Duration of the work. */
  readonly seconds: number;
  readonly sent: number;
  readonly lost: number;
  /** Longest gap between two consecutive arrivals. */
  readonly longestGapMs: number;
  /** The same where they arrive at the switch: no switch can have a shorter one. */
  readonly longestGapSentMs: number;
}

/** Sends the load through a switch from before some work until after it. */
export async function underLoad(bed: TestBed, work: () => Promise<void>): Promise<UnderLoad> {
  const before = packetsReceived(bed.receiver);
  const [arriving, leaving] = [
    await watchGaps(bed.receiver, 'inner'),
    await watchGaps(bed.sender, 'outer'),
  ];
  let end = (): void => undefined;
  const until = new Promise<void>((resolve) => (end = resolve));
  const load = runLoad(bed.sender, { ...LOAD, until });
  await pause();
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    end();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { sent } = await load;
  await pause();
  const lost = sent - (packetsReceived(bed.receiver) - before);
  const [arrived, left] = [await arriving(), await leaving()];
  return {
    seconds: Number(seconds.toFixed(2)),
    sent,
    lost,
    longestGapMs: arrived.longestMs,
    longestGapSentMs: left.longestMs,
  };
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, CALM_MS));
