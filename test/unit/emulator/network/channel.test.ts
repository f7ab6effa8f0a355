import { Random } from '../../../../common/random/random';
import { VirtualTime } from '../../../../emulator/kernel/virtual-time';
import { LinkRows } from '../../../../emulator/network/link-rows';
import { Channel } from '../../../../emulator/network/channel';
import type { ChannelOptions, Node } from '../../../../emulator/network/channel';
import { PacketPool } from '../../../../switch/executor/packet-pool';

interface Arrival {
  readonly now: number;
  readonly port: number;
  readonly length: number;
}

function channelWith(
  lossRate: number,
  memory: Pick<ChannelOptions, 'packets' | 'endsPackets'> = {},
): {
  time: VirtualTime;
  channel: Channel;
  arrivals: Arrival[];
} {
  const time = new VirtualTime({ queueOf: () => '', lookahead: Infinity, period: 1 });
  const arrivals: Arrival[] = [];
  const node: Node = {
    name: 'b',
    receive: (now, port, { length }) => void arrivals.push({ now, port, length }),
  };
  const channel = new Channel({
    ledger: new LinkRows(1).add(),
    queue: time.queueOf('b'),
    source: time.queueOf('b').newSource(),
    from: { node: { name: 'a', receive: () => undefined }, port: 1 },
    to: { node, port: 2 },
    rate: 100e9,
    delay: 1_000_000,
    lossRate,
    random: new Random(1),
    ...memory,
  });
  return { time, channel, arrivals };
}

const packet = (length: number) => ({ bytes: new Uint8Array(14), length });

describe('a channel', () => {
  test('delivers a packet one propagation delay after its last bit', () => {
    const { time, channel, arrivals } = channelWith(0);
    channel.send(packet(1000), 0, Float64Array.of(80_000));
    channel.send(packet(500), 80_000, Float64Array.of(120_000));
    while (time.run(Infinity, 1));
    expect(arrivals).toEqual([
      { now: 1_080_000, port: 2, length: 1000 },
      { now: 1_120_000, port: 2, length: 500 },
    ]);
    expect(channel.name).toBe('a:1->b:2');
  });

  test('accounts for every byte, also for those on the way', () => {
    const { time, channel } = channelWith(0);
    channel.send(packet(1000), 0, Float64Array.of(80_000));
    channel.send(packet(500), 80_000, Float64Array.of(120_000));
    time.run(Infinity, 1);
    expect(channel.ledger).toMatchObject({
      sentPackets: 2,
      sentBytes: 1500,
      deliveredBytes: 1000,
      lostBytes: 0,
      largestPacket: 1000,
      firstStart: 0,
      lastEnd: 120_000,
    });
    expect(channel.bytesOnTheWay).toBe(500);
  });

  test('loses what is on its way, or begins to leave, while it is down', () => {
    const { time, channel, arrivals } = channelWith(0);
    // Arrives at the instant of the failure.
    channel.send(packet(1000), 0, Float64Array.of(80_000));
    channel.send(packet(500), 80_000, Float64Array.of(120_000));
    time.run(Infinity, 1);
    channel.setUp(1_080_000, false);
    channel.send(packet(400), 1_080_000, Float64Array.of(1_112_000));
    channel.setUp(1_100_000, true);
    channel.send(packet(300), 1_112_000, Float64Array.of(1_136_000));
    while (time.run(Infinity, 1));
    expect(arrivals.map(({ length }) => length)).toEqual([1000, 300]);
    expect(channel.ledger).toMatchObject({
      sentPackets: 4,
      deliveredPackets: 2,
      lostPackets: 2,
      sentBytes: 2200,
      deliveredBytes: 1300,
      lostBytes: 900,
    });
  });

  test('loses packets at its loss rate, within four standard errors', () => {
    const { time, channel, arrivals } = channelWith(0.1);
    const n = 10_000;
    for (let i = 0; i < n; i++) channel.send(packet(100), i, Float64Array.of(i + 1));
    while (time.run(Infinity, 1));
    const standardError = Math.sqrt(n * 0.1 * 0.9);
    expect(Math.abs(channel.ledger.lostPackets - n * 0.1)).toBeLessThan(4 * standardError);
    expect(arrivals).toHaveLength(n - channel.ledger.lostPackets);
  });

  test('gives back what it loses, and what arrives where packets end', () => {
    const packets = new PacketPool();
    const again = (lossRate: number, endsPackets: boolean): boolean => {
      const { time, channel } = channelWith(lossRate, { packets, endsPackets });
      const sent = packets.copyOf(packet(100));
      channel.send(sent, 0, Float64Array.of(1));
      while (time.run(Infinity, 1));
      return packets.copyOf(packet(100)) === sent;
    };
    expect([again(1, false), again(1, true), again(0, true)]).toEqual([true, true, true]);
    expect(again(0, false)).toBe(false);
  });

  test('gives back what a failure of its link takes along', () => {
    const packets = new PacketPool();
    const { time, channel } = channelWith(0, { packets });
    const sent = packets.copyOf(packet(100));
    channel.send(sent, 0, Float64Array.of(8000));
    channel.setUp(8000, false);
    while (time.run(Infinity, 1));
    expect(channel.ledger.lostPackets).toBe(1);
    expect(packets.copyOf(packet(100))).toBe(sent);
  });
});
