import { PacketSocket } from '../../common/io/net/packet-socket';
import { BATCH } from '../../common/io/net/send-batch';

/** JSON that a load generator prints when it has finished. */
export interface LoadReport {
  readonly sent: number;
  readonly seconds: number;
}

const PAUSE_MS = 1;

/**
 * A process of its own, to run inside a namespace: sends one frame over and over. Arguments:
 * interface, seconds, frames per second (0: as fast as the interface takes them), the frame in
 * hexadecimal. SIGTERM ends it before its time.
 */
async function main([
  name = '',
  seconds = '1',
  rate = '0',
  hex = '',
]: readonly string[]): Promise<void> {
  const socket = PacketSocket.open(name);
  const frame = Uint8Array.from(Buffer.from(hex, 'hex'));
  for (let i = 0; i < BATCH; i++) socket.sending.add(frame);
  const send = (count: number): void => {
    socket.sending.repeat(count);
    // Or frames would leave by 64, which at low rates are bursts of seconds.
    socket.sending.flush();
  };
  const startedAt = performance.now();
  let isOver = false;
  process.once('SIGTERM', () => (isOver = true));
  const elapsed = (): number => (isOver ? Infinity : (performance.now() - startedAt) / 1000);
  if (Number(rate) === 0) {
    while (elapsed() < Number(seconds)) send(BATCH);
  } else {
    await sendAtRate(Number(rate), { elapsed, seconds: Number(seconds), send });
  }
  socket.sending.flush();
  const report: LoadReport = {
    sent: socket.sending.sent,
    seconds: (performance.now() - startedAt) / 1000,
  };
  socket.close();
  process.stdout.write(JSON.stringify(report));
}

interface Sending {
  readonly elapsed: () => number;
  readonly seconds: number;
  readonly send: (count: number) => void;
}

/** A millisecond's worth at a time, so that the generator leaves the processor to the switch. */
async function sendAtRate(rate: number, { elapsed, seconds, send }: Sending): Promise<void> {
  let sent = 0;
  for (let now = elapsed(); now < seconds; now = elapsed()) {
    const due = Math.floor(now * rate) - sent;
    send(due);
    sent += due;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

void main(process.argv.slice(2));
