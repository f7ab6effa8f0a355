import fc from 'fast-check';
import { gigabitsPerSecond } from '../../../common/units/units';
import { EXECUTORS } from '../../../switch/codegen/executors';
import { toHex } from '../../support/hex';
import { MACS, ipv4, ipv6, udp, udpResidue } from './support/carrier-frames';
import { CarrierNode } from './support/carrier-node';

const DSCP = 0x17;
const TRANSPORT = '0440ffff0000001280000001';
/** Ethernet, IPv4 and UDP headers, in digits: the padding follows. */
const PADDING_AT = (14 + 20 + 8) * 2;

const frame = (payload: string): string => `${MACS}0800${ipv4(payload, { dscp: DSCP })}`;
const frame6 = (payload: string): string => `${MACS}86dd${ipv6(payload, { dscp: DSCP })}`;

const plain = `${MACS}0800${ipv4(udp('', 'none'))}`;

const ZERO_SUM = Uint8Array.of(35, 123, 16, 7, 251, 1, 3, 242);

/** At 10 Gb/s a packet of 1500 bytes occupies the link for 1200 ns. */
const RATE = gigabitsPerSecond(10);

describe.each([...EXECUTORS])('the padding, on the executor %s', (_name, executor) => {
  const node = (queueUnitBytes = 1): CarrierNode =>
    new CarrierNode({ profile: 'padding', executor, rate: RATE, queueUnitBytes });

  test('is the worked example to the bit: time, counter and queue at one instant', () => {
    const device = node();
    // The clock's low 24 bits are 0xf769b0 when the packet leaves, 1200 ns after it came.
    const arrival = 0xf769b0 - 1200;
    device.setRegister('egress.snapshot.tx_bytes', 0x1234567880n - 1500n);
    device.arrive(arrival, plain, 1500);
    device.arrive(arrival, frame(udp(`0000${TRANSPORT}`, 'none')));
    device.arrive(arrival, plain, 1200);
    expect(device.sent()[1]?.slice(PADDING_AT)).toBe(`10012f769b08acf1000f${TRANSPORT}`);
  });

  test('wraps time and counter', () => {
    const device = node();
    device.setRegister('egress.snapshot.tx_bytes', 0x8000000n - 1500n);
    device.arrive(0x1000000 - 1200, plain, 1500);
    device.arrive(0x1000000 - 1200, frame(udp(`0000${TRANSPORT}`, 'none')));
    expect(device.sent()[1]?.slice(PADDING_AT + 4, PADDING_AT + 20)).toBe('2000000000000000');
  });

  test('rounds the queue down to units of 80 bytes, and saturates it', () => {
    const unitBytesCells = [
      [1, 79, 0],
      [1, 80, 1],
      [1, 159, 1],
      [1, 160, 2],
      [16, 327_674, 65_534],
      [16, 327_675, 65_535],
      [16, 327_680, 65_535],
      [1000, 500_000, 65_535],
    ] as const;
    for (const [unit, depth, cells] of unitBytesCells) {
      const device = node(unit);
      device.arrive(0, plain, 1500);
      device.arrive(0, frame(udp(`0000${TRANSPORT}`, 'none')));
      device.arrive(0, plain, depth);
      const queue = device.sent()[1]?.slice(PADDING_AT + 16, PADDING_AT + 20) ?? '';
      expect([unit, depth, parseInt(queue, 16)]).toEqual([unit, depth, cells]);
    }
  });

  test('keeps a right UDP checksum right, whatever it writes', () => {
    const state = fc.record({
      family: fc.constantFrom('ipv4', 'ipv6'),
      hops: fc.integer({ min: 0, max: 14 }),
      record: fc.uint8Array({ minLength: 8, maxLength: 8 }),
      delay: fc.nat(20_000_000),
      sent: fc.bigInt(0n, 1n << 40n),
    });
    fc.assert(
      fc.property(state, ({ family, hops, record, delay, sent }) => {
        const device = node();
        device.setRegister('egress.snapshot.tx_bytes', sent);
        const older = toHex(record).repeat(hops);
        const datagram = udp(`${hops.toString(16)}abc${older}${TRANSPORT}`, family);
        const packet = family === 'ipv4' ? frame(datagram) : frame6(datagram);
        expect(udpResidue(packet)).toBe(0);
        device.arrive(delay, packet);
        const out = device.sent()[0] ?? '';
        expect(out).toHaveLength(packet.length + 16);
        expect(udpResidue(out)).toBe(0);
      }),
      {
        numRuns: 30,
        // The packet's sum is zero, which UDP writes as all ones.
        examples: [
          [{ family: 'ipv6', hops: 1, record: ZERO_SUM, delay: 0, sent: 0n }], //
        ],
      },
    );
  });

  test('forwards no packet that is cut short: its length in the IP header says more', () => {
    const whole = frame(udp(`1abc2123456abcde0102${TRANSPORT}`));
    const device = node();
    const lengths = Array.from({ length: whole.length / 2 - 1 }, (_, i) => i + 1);
    for (const length of lengths) device.arrive(length * 10_000, whole.slice(0, length * 2));
    expect(device.sent()).toEqual([]);
  });
});
