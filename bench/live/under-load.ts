import { gapsOf } from './packet-gaps';
import type { PacketGaps } from './packet-gaps';
import { watchPackets } from './watch-packets';
import { runLoad } from './run-load';
import { packetsReceived } from './test-bed';
import type { TestBed } from './forwarding';

/** Packets that a switch forwards while something else goes on. */
export const LOAD = { frameBytes: 1000, rate: 20_000, seconds: 600, isSteady: true } as const;

/** Time of the load alone, before the work begins; the same time passes behind it. */
const CALM_MS = 500;

/** Losses and gaps of the load while somebody was at work. */
export interface UnderLoad extends PacketGaps {
  /** Duration of the work. */
  readonly seconds: number;
  readonly sent: number;
  readonly lost: number;
}

/** Sends the load through a switch from before some work until after it. */
export async function underLoad(bed: TestBed, work: () => Promise<void>): Promise<UnderLoad> {
  const before = packetsReceived(bed.receiver);
  const [arriving, leaving] = [
    await watchPackets(bed.receiver, 'inner'),
    await watchPackets(bed.sender, 'outer'),
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
    ...gapsOf(left, arrived),
  };
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, CALM_MS));
