import * as dgram from 'node:dgram';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { DatagramReceiver } from '../../../../../common/io/net/datagram-receiver';
import { freePort } from '../../../../../common/io/net/free-port';
import { describeIf } from '../../../../support/requires';

const LOOPBACK = [127, 0, 0, 1];
const addressAt = (port: number): Uint8Array =>
  Uint8Array.from([2, 0, port >>> 8, port & 0xff, ...LOOPBACK, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Sends datagrams one after the other; each has reached the socket, or was dropped, when it is sent. */
async function send(port: number, datagrams: readonly Buffer[]): Promise<void> {
  const socket = dgram.createSocket('udp4');
  for (const datagram of datagrams) {
    await new Promise((sent) => socket.send(datagram, port, '127.0.0.1', sent));
  }
  socket.close();
  await once(socket, 'close');
}

describeIf(process.platform === 'linux', 'a receiver of datagrams', 'needs Linux', () => {
  let receiver: DatagramReceiver;
  let port: number;

  async function open(bufferBytes: number): Promise<void> {
    port = await freePort();
    receiver = new DatagramReceiver({ socketAddress: addressAt(port), bufferBytes });
  }

  afterEach(() => receiver.close());

  const drained = (): string[] => {
    const found: string[] = [];
    while (receiver.drain((datagram) => found.push(datagram.toString('latin1'))) > 0);
    return found;
  };

  test('hands over what has come, in order and whole, up to the longest datagram', async () => {
    await open(1 << 20);
    const longest = 'x'.repeat(65_507);
    const texts = ['', 'a', 'bc', longest, ...Array.from({ length: 100 }, (_, i) => `n${i}`)];
    await send(
      port,
      texts.map((text) => Buffer.from(text)),
    );
    expect(drained()).toEqual(texts);
    expect(drained()).toEqual([]);
    expect(receiver.dropped()).toBe(0);
  });

  test('what was sent is what it hands over and what the kernel says it dropped', async () => {
    await open(1);
    const texts = Array.from({ length: 500 }, (_, i) => `datagram ${i}`);
    await send(
      port,
      texts.map((text) => Buffer.from(text)),
    );
    const found = drained();
    const dropped = receiver.dropped() ?? 0;
    expect(found).toEqual(texts.slice(0, found.length));
    expect(dropped).toBeGreaterThan(0);
    expect(found.length + dropped).toBe(500);
  });

  test('says how much may wait, which is what was asked for or the limit of the kernel', async () => {
    const limit = Number(fs.readFileSync('/proc/sys/net/core/rmem_max', 'utf8'));
    await open(1 << 16);
    expect(receiver.room()).toBe(2 * Math.min(1 << 16, limit));
  });

  test('a second one at the same port is refused in a sentence', async () => {
    await open(1 << 20);
    const options = { socketAddress: addressAt(port), bufferBytes: 1 };
    expect(() => new DatagramReceiver(options)).toThrow('binding a UDP socket: Address already');
  });
});
