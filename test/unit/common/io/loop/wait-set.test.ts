import * as net from 'node:net';
import { PacketSocket } from '../../../../../common/io/net/packet-socket';
import { UvPoll } from '../../../../../common/io/loop/uv-poll';
import { WaitSet } from '../../../../../common/io/loop/wait-set';
import { makeCable, removeCable } from '../../../../../bench/live/test-bed';
import { canMakeNamespaces } from '../../../../support/live-network';
import { describeIf } from '../../../../support/requires';

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a set of descriptors', () => {
  test('is readable when its time is over, once, and at the earliest of the times', async () => {
    const set = new WaitSet();
    let woken = 0;
    const poll = new UvPoll(set.fd, () => {
      woken++;
      set.setTimer(Infinity);
    });
    set.setTimer(2_000_000);
    await after(30);
    expect(woken).toBe(1);
    set.setTimer(60_000_000_000);
    await after(30);
    expect(woken).toBe(1);
    set.setTimer(2_000_000);
    // Whoever is woken early sets the later time again.
    set.setTimer(60_000_000_000);
    await after(30);
    expect(woken).toBe(2);
    await new Promise<void>((resolve) => poll.close(resolve));
    set.close();
  });

  test('lets promises and other servers go on from within the call', async () => {
    const set = new WaitSet();
    const told = await new Promise<string>((resolve) => {
      const poll = new UvPoll(set.fd, () => {
        set.look(() => undefined);
        poll.close(() => set.close());
        const server = net.createServer().listen(0, '127.0.0.1', () => {
          server.close(() => resolve('listened'));
        });
      });
      set.setTimer(1000);
    });
    expect(told).toBe('listened');
  });

  test('naps for the time that it is told', () => {
    const set = new WaitSet();
    const before = performance.now();
    for (let i = 0; i < 10; i++) set.nap(200_000);
    expect(performance.now() - before).toBeGreaterThanOrEqual(2);
    set.close();
  });

  test('refuses what cannot be waited for', () => {
    const set = new WaitSet();
    expect(() => set.add(123_456, 1)).toThrow('waiting for a descriptor: Bad file descriptor');
    expect(() => new UvPoll(123_456, () => undefined)).toThrow(
      "waiting for descriptor 123456: libuv's error",
    );
    set.close();
  });
});

const needs = 'needs root and the ip command';

describeIf(canMakeNamespaces(), 'a set of packet sockets', needs, () => {
  test('says which of them have frames, until they have been fetched', () => {
    // A cable of its own: frames of other tests would make its sockets readable again.
    const cable = makeCable();
    const sender = PacketSocket.open(cable[1]);
    const sockets = [0, 1].map(() => PacketSocket.open(cable[0]));
    const set = new WaitSet();
    sockets.forEach(({ fd }, i) => set.add(fd, i));
    const ready = (): number[] => {
      const tokens: number[] = [];
      set.look((token) => tokens.push(token));
      return tokens.sort();
    };
    const [first, second] = sockets as [PacketSocket, PacketSocket];
    // An EtherType that nobody on this machine speaks.
    const frame = new Uint8Array(60);
    frame.set([0x88, 0xb5], 12);
    sender.sending.add(frame);
    sender.sending.flush();
    const deadline = performance.now() + 5000;
    while (ready().length < 2 && performance.now() < deadline);
    expect(ready()).toEqual([0, 1]);
    while (first.ring.drain(16, () => undefined) > 0);
    set.remove(second.fd);
    expect(ready()).toEqual([]);
    set.close();
    [sender, ...sockets].forEach((socket) => socket.close());
    removeCable(cable);
  });
});
