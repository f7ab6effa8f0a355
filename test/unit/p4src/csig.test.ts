import { gigabitsPerSecond } from '../../../common/units/units';
import { EXECUTORS } from '../../../switch/codegen/executors';
import { MACS, ipv4, udp } from './support/carrier-frames';
import { CarrierNode } from './support/carrier-node';

/** Both Ethernet addresses and the EtherType, in digits: the tag follows. */
const TAG_AT = 14 * 2;

const MIN_BANDWIDTH = 0;
const MAX_DELAY = 2;

/** Windows of the measurement last 2^18 ns. */
const WINDOW_NS = 2 ** 18;

const packet = ipv4(udp('', 'none'));
const plain = `${MACS}0800${packet}`;
const tagged = (tag: string): string => `${MACS}9900${tag}0800${packet}`;

describe.each([...EXECUTORS])('the CSIG tag, on the executor %s', (_name, executor) => {
  function node(): CarrierNode {
    const rate = gigabitsPerSecond(10);
    return new CarrierNode({ profile: 'csig', executor, rate, capacityMbps: 10_000 });
  }

  /** Bucket 1 begins at the edge. */
  function twoBuckets(device: CarrierNode, signal: number, edge: number): void {
    const ranges = [
      [0, edge - 1],
      [edge, 0xffffffff],
    ] as const;
    for (const [bucket, [low, high]] of ranges.entries()) {
      device.insert({
        table: 'egress.bucket.buckets',
        key: [
          { kind: 'exact', value: BigInt(signal) },
          { kind: 'ternary', value: 0n, mask: 0n },
          { kind: 'range', low: BigInt(low), high: BigInt(high) },
        ],
        action: 'egress.bucket.set_bucket',
        values: [BigInt(bucket)],
        priority: 1,
      });
    }
  }

  /** The bucket of the free bandwidth when a packet has left `windows` after others. */
  function bucketAfter(lengths: readonly number[], windows: number, edge: number): number {
    const device = node();
    twoBuckets(device, MIN_BANDWIDTH, edge);
    for (const length of lengths) device.arrive(10 * WINDOW_NS, plain, length);
    device.arrive((10 + windows) * WINDOW_NS, tagged('0f80'));
    const tag = parseInt(
      device
        .sent()
        .at(-1)
        ?.slice(TAG_AT, TAG_AT + 4) ?? '',
      16,
    );
    return (tag >> 7) & 0x1f;
  }

  test('tells what was free in the last whole window', () => {
    // 32,768 bytes in 2^18 ns are 1000 Mb/s, so 9000 of 10,000 are free.
    const lengths = Array.from({ length: 32 }, () => 1024);
    expect(bucketAfter(lengths, 1, 9000)).toBe(1);
    expect(bucketAfter(lengths, 1, 9001)).toBe(0);
  });

  test('takes a window without packets as free', () => {
    const lengths = Array.from({ length: 32 }, () => 1024);
    expect(bucketAfter(lengths, 2, 10_000)).toBe(1);
    // The present window does not count before it is over.
    expect(bucketAfter(lengths, 0.5, 10_000)).toBe(1);
  });

  test('takes a link as full when more left than its capacity', () => {
    // Twice what 10 Gb/s carry in one window; the port record says less than the link can do.
    const device = new CarrierNode({
      profile: 'csig',
      executor,
      rate: gigabitsPerSecond(100),
      capacityMbps: 10_000,
    });
    twoBuckets(device, MIN_BANDWIDTH, 1);
    for (let i = 0; i < 66; i++) device.arrive(10 * WINDOW_NS, plain, 10_000);
    device.arrive(11 * WINDOW_NS, tagged('0f80'));
    expect(
      device
        .sent()
        .at(-1)
        ?.slice(TAG_AT, TAG_AT + 4),
    ).toBe('0011');
  });

  test('tells the delay of the packet itself', () => {
    const tagAfter = (edge: number): string | undefined => {
      const device = node();
      twoBuckets(device, MAX_DELAY, edge);
      // 1500 bytes at 10 Gb/s take 1200 ns.
      device.arrive(5000, plain, 1500);
      device.arrive(5000, tagged('4000'));
      return device.sent()[1]?.slice(TAG_AT, TAG_AT + 4);
    };
    // Bucket 1 with port 0x11 as locator, or bucket 0, which is not larger than the tag's.
    expect(tagAfter(1200)).toBe('4091');
    expect(tagAfter(1201)).toBe('4000');
  });
});
