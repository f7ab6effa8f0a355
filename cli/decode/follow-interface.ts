import { setTimeout as sleep } from 'node:timers/promises';
import { PacketSocket } from '../../common/io/net/packet-socket';
import { LINK_ETHERNET } from '../../common/wire/capture/link-type';
import type { LinkFrame } from '../../common/telemetry/decode/decode-capture';
import type { Batches } from './frame-source';

const FRAMES_AT_ONCE = 256;
/** So long frames lie in the ring at most, which nobody who watches notices. */
const LOOK_EVERY_MS = 10;
const MS_PER_SECOND = 1000;
const NS_PER_MS = 1_000_000;

/**
 * Yields the frames that an interface receives and sends, from now on until `isOver`. Times are those of
 * reading.
 */
export async function* interfaceBatches(name: string, isOver: () => boolean): Batches {
  const socket = PacketSocket.open(name, { seesOutgoing: true });
  try {
    while (!isOver()) {
      const batch: LinkFrame[] = [];
      const time = now();
      socket.ring.drain(FRAMES_AT_ONCE, (bytes) => {
        // The ring takes its memory back.
        const own = new Uint8Array(bytes);
        batch.push({ time, bytes: own, originalLength: own.length, linkType: LINK_ETHERNET });
      });
      if (batch.length > 0) yield batch;
      else await sleep(LOOK_EVERY_MS);
    }
  } finally {
    socket.close();
  }
}

function now(): { seconds: number; nanoseconds: number } {
  const ms = performance.timeOrigin + performance.now();
  const seconds = Math.floor(ms / MS_PER_SECOND);
  return { seconds, nanoseconds: Math.floor((ms - seconds * MS_PER_SECOND) * NS_PER_MS) };
}
