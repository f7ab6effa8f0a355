import { PacketSocket } from '../../../../switch/io/net/packet-socket';

/** What a load generator prints when it has finished, as JSON. */
export interface LoadReport {
  readonly sent: number;
  readonly seconds: number;
}

/** Frames between two looks at the clock. */
const BURST = 64;

/**
 * A process of its own, to run inside a namespace: sends one frame over and over as fast as the
 * interface takes it. Arguments: interface, seconds, the frame in hexadecimal.
 */
function main([interfaceName = '', seconds = '1', hex = '']: readonly string[]): void {
  const socket = PacketSocket.open(interfaceName);
  const frame = Uint8Array.from(Buffer.from(hex, 'hex'));
  const startedAt = performance.now();
  const endsAt = startedAt + Number(seconds) * 1000;
  while (performance.now() < endsAt) {
    for (let i = 0; i < BURST; i++) socket.sending.add(frame);
  }
  const report: LoadReport = {
    sent: socket.sending.sent,
    seconds: (performance.now() - startedAt) / 1000,
  };
  socket.close();
  process.stdout.write(JSON.stringify(report));
}

main(process.argv.slice(2));
