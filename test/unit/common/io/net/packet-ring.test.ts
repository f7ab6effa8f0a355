import { execFileSync } from 'node:child_process';
import { PacketSocket } from '../../../../../common/io/net/packet-socket';
import { canMakeNamespaces } from '../../../../support/live-network';
import { describeIf } from '../../../../support/requires';

const NAME = `hpr${process.pid}`;
const PEER = `${NAME}b`;
const FRAME_BYTES = 60;
const ip = (...args: string[]): void => void execFileSync('ip', args);

describeIf(canMakeNamespaces(), 'a receive ring', 'needs root and the ip command', () => {
  let receiver: PacketSocket;
  let sender: PacketSocket;

  beforeEach(() => {
    ip('link', 'add', NAME, 'type', 'veth', 'peer', 'name', PEER);
    for (const name of [NAME, PEER]) ip('link', 'set', name, 'up');
    receiver = PacketSocket.open(NAME);
    sender = PacketSocket.open(PEER);
    receiver.ring.drain(10_000, () => undefined);
  });

  afterEach(() => {
    receiver.close();
    sender.close();
    ip('link', 'del', NAME);
  });

  /** Sends frames with numbers from `from` on. */
  const send = (from: number, count: number): void => {
    for (let i = from; i < from + count; i++) {
      const frame = new Uint8Array(FRAME_BYTES).fill(0xff, 0, 6);
      new DataView(frame.buffer).setUint32(FRAME_BYTES - 4, i);
      sender.sending.add(frame, FRAME_BYTES);
      if (i % 32 === 0) sender.sending.flush();
    }
    sender.sending.flush();
  };
  const numbers: number[] = [];
  const keep = (frame: Uint8Array): void => {
    if (frame.length !== FRAME_BYTES) return;
    numbers.push(new DataView(frame.buffer, frame.byteOffset).getUint32(FRAME_BYTES - 4));
  };
  const take = (limit: number): readonly number[] => {
    numbers.length = 0;
    receiver.ring.drain(limit, keep);
    return [...numbers];
  };

  test('that is full hands each frame over once, whatever the limit, and goes on', () => {
    send(0, 5000);
    const full = take(10_000);
    expect(full.length).toBeGreaterThanOrEqual(256);
    expect(full).toEqual(full.map((_, i) => i));
    send(7000, 3);
    expect(take(10_000)).toEqual([7000, 7001, 7002]);
  });

  test('has nothing more for a handler that asks again before all are back', () => {
    send(0, 5);
    const again: number[] = [];
    numbers.length = 0;
    receiver.ring.drain(3, (frame) => {
      again.push(receiver.ring.drain(10, keep));
      keep(frame);
    });
    expect([numbers, again]).toEqual([
      [0, 1, 2],
      [0, 0, 0],
    ]);
    expect(take(10)).toEqual([3, 4]);
  });
});
