import { PacketSocket } from '../../common/io/net/packet-socket';

/** Printed once frames can arrive. */
export const READY = 'ready';

const LOOK_AROUND_MS = 2;
const DEADLINE_MS = 20_000;

/**
 * A process of its own, to run inside a network namespace: sends the frames that it is given, waits
 * for so many frames, and prints those in hexadecimal. Arguments: interface, number of frames to
 * wait for, frames to send in hexadecimal.
 */
async function main([name = '', wanted = '0', ...frames]: readonly string[]): Promise<void> {
  const socket = PacketSocket.open(name);
  process.stdout.write(`${READY}\n`);
  for (const frame of frames) socket.sending.add(Uint8Array.from(Buffer.from(frame, 'hex')));
  socket.sending.flush();
  const received: string[] = [];
  const deadline = performance.now() + DEADLINE_MS;
  while (received.length < Number(wanted) && performance.now() < deadline) {
    socket.ring.drain(64, (frame) => received.push(Buffer.from(frame).toString('hex')));
    await new Promise((resolve) => setTimeout(resolve, LOOK_AROUND_MS));
  }
  socket.close();
  process.stdout.write(received.map((frame) => `${frame}\n`).join(''));
}

if (require.main === module) void main(process.argv.slice(2));
