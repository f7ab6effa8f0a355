import { gigabitsPerSecond } from '../../../common/units/units';
import { EXECUTORS } from '../../../switch/codegen/executors';
import { MACS, ipv4, udp } from './support/carrier-frames';
import { CarrierNode } from './support/carrier-node';

const IFA_PROTOCOL = 253;
/** Ethernet, IPv4, IFA and UDP headers, in digits: the metadata header follows. */
const METADATA_AT = (14 + 20 + 4 + 8) * 2;

const datagram = udp('ff'.repeat(64));
const header = datagram.slice(0, 16);
const data = datagram.slice(16);

const frame = `${MACS}0800${ipv4(`2f110440${header}ee007f00${data}`, { protocol: IFA_PROTOCOL })}`;
const plain = `${MACS}0800${ipv4(datagram)}`;

describe.each([...EXECUTORS])('IFA 2.0, on the executor %s', (_name, executor) => {
  const node = (nodeId = 1, clockUnitNs = 100): CarrierNode =>
    new CarrierNode({
      profile: 'ifa',
      executor,
      rate: gigabitsPerSecond(100),
      nodeId,
      clockUnitNs,
    });

  /** 150 bytes occupy the link for 12 ns, which the port record calls 1200; 1200 bytes wait. */
  function recordAfter(device: CarrierNode, arrivalNs: number): string {
    device.arrive(arrivalNs, plain, 150);
    device.arrive(arrivalNs, frame);
    device.arrive(arrivalNs, plain, 1200);
    return device.sent()[1]?.slice(METADATA_AT + 8, METADATA_AT + 72) ?? '';
  }

  test('is the worked example to the bit', () => {
    const device = node();
    device.setRegister('egress.snapshot.tx_bytes', 0x1234567880n - 150n);
    // 258304.5 s in units of 100 ns.
    expect(recordAfter(device, 2_583_045_000_000)).toBe(
      '10000100' +
        '4003f100' +
        '00110003' +
        '1dcd6500' +
        '000004b0' +
        '34567880' +
        '0000000f00000000',
    );
  });

  test('carries the residence time of a packet that does not wait as zero', () => {
    const device = node();
    device.arrive(1000, frame);
    expect(device.sent()[0]?.slice(METADATA_AT + 40, METADATA_AT + 48)).toBe('00000000');
  });

  test('divides any time into seconds modulo 2^20 and nanoseconds', () => {
    // [ticks, ns per tick]: edges of a second, and the longest time that the clock can tell here.
    const times = [
      [0, 1],
      [999_999_999, 1],
      [1_000_000_000, 1],
      [9_007_199_254_740, 1],
      [999_999_999_999, 1000],
      [1_048_576_000_000, 1000],
      [9_007_199_254_740, 65_535],
    ] as const;
    for (const [ticks, unit] of times) {
      const device = node(1, unit);
      device.arrive(ticks, frame);
      const at = METADATA_AT + 8;
      const out = device.sent()[0] ?? '';
      const ns = BigInt(ticks) * BigInt(unit);
      const seconds = (ns / 1_000_000_000n) % (1n << 20n);
      const told = [
        BigInt(`0x${out.slice(at + 11, at + 16)}`),
        BigInt(`0x${out.slice(at + 24, at + 32)}`),
      ];
      expect(told).toEqual([seconds, ns % 1_000_000_000n]);
    }
  });

  test('leaves UDP as the sender made it', () => {
    const device = node(0xabcde);
    device.arrive(0, frame);
    const out = device.sent()[0] ?? '';
    expect(out.slice(METADATA_AT - 16, METADATA_AT)).toBe(header);
    expect(out.slice(METADATA_AT, METADATA_AT + 16)).toBe('ee007e08' + '1abcde00');
    expect(out.slice(METADATA_AT + 72)).toBe(data);
  });
});
