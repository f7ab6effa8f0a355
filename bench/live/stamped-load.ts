import { PacketSocket } from '../../common/io/net/packet-socket';
import { WaitSet } from '../../common/io/loop/wait-set';

/** JSON that the sender prints when it has finished. */
export interface StampedLoadReport {
  readonly sent: number;
  /** The largest time between two looks at the clock, in ns: how late this process was itself. */
  readonly lateNsMax: number;
}

/** JSON that the receiver prints at the end. */
export interface ArrivalsReport {
  readonly received: number;
  readonly latencyNs: { readonly p50: number; readonly p99: number; readonly p999: number };
}

const NAP_NS = 40_000;
const NS_PER_MS = 1e6;
const STAMP_BYTES = 8;
const BATCH = 64;

/** Nanoseconds of the clock that the kernel stamps frames with. */
const wallNs = (): number => (performance.timeOrigin + performance.now()) * NS_PER_MS;

/**
 * A process of its own, to run inside a namespace. `send INTERFACE SECONDS RATE HEX` sends a frame
 * at an even rate whose last eight bytes say when; `receive INTERFACE SECONDS HEX` compares them with
 * the kernel's time of arrival, so that how late this process gets its turn does not count.
 */
function main([role, name = '', seconds = '1', ...rest]: readonly string[]): void {
  const socket = PacketSocket.open(name);
  const waiting = new WaitSet();
  const report =
    role === 'send'
      ? send(socket, waiting, Number(seconds), rest)
      : receive(socket, waiting, Number(seconds), rest);
  socket.close();
  waiting.close();
  process.stdout.write(JSON.stringify(report));
}

function send(
  socket: PacketSocket,
  waiting: WaitSet,
  seconds: number,
  [rate = '1', hex = '']: readonly string[],
): StampedLoadReport {
  const frame = Uint8Array.from(Buffer.from(hex, 'hex'));
  const stamp = new DataView(frame.buffer, frame.length - STAMP_BYTES);
  const gapNs = 1e9 / Number(rate);
  const startedAt = wallNs();
  let sent = 0;
  let lateNsMax = 0;
  for (let last = startedAt, now = startedAt; now < startedAt + seconds * 1e9; now = wallNs()) {
    lateNsMax = Math.max(lateNsMax, now - last - NAP_NS);
    last = now;
    for (let i = 0; i < BATCH && startedAt + sent * gapNs <= now; i++, sent++) {
      stamp.setFloat64(0, wallNs());
      socket.sending.add(frame);
    }
    socket.sending.flush();
    waiting.nap(Math.min(NAP_NS, gapNs));
  }
  return { sent: socket.sending.sent, lateNsMax: Math.round(lateNsMax) };
}

function receive(
  socket: PacketSocket,
  waiting: WaitSet,
  seconds: number,
  [hex = '']: readonly string[],
): ArrivalsReport {
  const shortest = hex.length / 2;
  const latencies: number[] = [];
  const startedAt = wallNs();
  while (wallNs() < startedAt + seconds * 1e9) {
    const count = socket.ring.drain(BATCH, (frame) => {
      if (frame.length < shortest) return;
      const sentAt = new DataView(frame.buffer, frame.byteOffset + frame.length - STAMP_BYTES);
      latencies.push(socket.ring.arrivedAt - sentAt.getFloat64(0));
    });
    if (count < BATCH) waiting.nap(NS_PER_MS);
  }
  latencies.sort((a, b) => a - b);
  const quantile = (share: number): number =>
    Math.round(latencies[Math.floor(share * latencies.length)] ?? 0);
  return {
    received: latencies.length,
    latencyNs: { p50: quantile(0.5), p99: quantile(0.99), p999: quantile(0.999) },
  };
}

main(process.argv.slice(2));
