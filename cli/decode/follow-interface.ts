import { PacketSocket } from '../../common/io/net/packet-socket';
import { Readiness } from '../../common/io/net/readiness';
import { decodeFrame } from '../../common/telemetry/decode/decode-frame';
import type { DecodedCaptureFrame } from '../../common/telemetry/decode/decode-capture';
import type { DecodeSettings } from '../../common/telemetry/decode/decode-settings';
import type { DecodeFormat } from '../../common/telemetry/decode/telemetry';
import type { Batches } from './frame-source';

const FRAMES_AT_ONCE = 256;
const WAIT_NS = 100_000_000;
const MS_PER_SECOND = 1000;
const NS_PER_MS = 1_000_000;

/** What an interface receives and sends, from now on until `isOver`. Times are those of reading. */
export async function* interfaceBatches(
  name: string,
  settings: DecodeSettings,
  format: DecodeFormat | 'auto',
  isOver: () => boolean,
): Batches {
  const socket = PacketSocket.open(name, { seesOutgoing: true });
  const readiness = new Readiness([socket.fd]);
  let count = 0;
  try {
    while (!isOver()) {
      const batch: DecodedCaptureFrame[] = [];
      const time = now();
      socket.ring.drain(FRAMES_AT_ONCE, (bytes) => {
        const decoded = decodeFrame(bytes, bytes.length, settings, format);
        batch.push({ frame: ++count, time, decoded });
      });
      if (batch.length > 0) yield batch;
      else await new Promise<void>((resolve) => readiness.wait(WAIT_NS, resolve));
    }
  } finally {
    readiness.close();
    socket.close();
  }
}

function now(): { seconds: number; nanoseconds: number } {
  const ms = performance.timeOrigin + performance.now();
  const seconds = Math.floor(ms / MS_PER_SECOND);
  return { seconds, nanoseconds: Math.floor((ms - seconds * MS_PER_SECOND) * NS_PER_MS) };
}
