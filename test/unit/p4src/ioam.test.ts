import { gigabitsPerSecond } from '../../../common/units/units';
import { EXECUTORS } from '../../../switch/codegen/executors';
import { MACS, ipv4, ipv6, udp } from './support/carrier-frames';
import { CarrierNode, IN, OUT } from './support/carrier-node';

const HOP_BY_HOP = 0;
/** Ethernet and IPv6 headers, hop-by-hop header with PadN, IOAM option, trace header, in digits. */
const DATA_AT = (14 + 40 + 4 + 4 + 8) * 2;

/** A packet whose trace has room for just one node. */
function frame(namespace: string, traceType: string, words: number): string {
  const nodeLengthAndRoom = ((words << 11) | words).toString(16).padStart(4, '0');
  const pad = words % 2 === 0 ? '' : '01020000';
  const units = Math.ceil((16 + words * 4) / 8) - 1;
  const option = `31${(10 + words * 4).toString(16).padStart(2, '0')}0000`;
  const data = '00000000'.repeat(words);
  const header = `110${units}0100${option}${namespace}${nodeLengthAndRoom}${traceType}00${data}${pad}`;
  return `${MACS}86dd${ipv6(header + udp('abcd', 'none'), { nextHeader: HOP_BY_HOP })}`;
}

const plain = `${MACS}0800${ipv4(udp('', 'none'))}`;

describe.each([...EXECUTORS])('IOAM, on the executor %s', (_name, executor) => {
  function node(): CarrierNode {
    const device = new CarrierNode({ profile: 'ioam', executor, rate: gigabitsPerSecond(10) });
    device.insert({
      table: 'egress.namespace.interface',
      key: [{ kind: 'exact', value: BigInt(IN) }],
      action: 'egress.namespace.enable',
      values: [],
    });
    for (const [id, isHpcc] of [
      [123n, 0n],
      [124n, 1n],
    ] as const) {
      device.insert({
        table: 'egress.namespace.namespaces',
        key: [{ kind: 'exact', value: id }],
        action: 'egress.namespace.set_namespace',
        values: [isHpcc, 0xdeadbee0n, 0xcafec0caf00dc0den],
      });
    }
    return device;
  }

  /** 1500 bytes occupy the link for 1200 ns; 1200 bytes wait behind the packet. */
  function dataAfter(
    device: CarrierNode,
    arrivalNs: number,
    packet: string,
    words: number,
  ): string {
    device.arrive(arrivalNs, plain, 1500);
    device.arrive(arrivalNs, packet);
    device.arrive(arrivalNs, plain, 1200);
    return device.sent()[1]?.slice(DATA_AT, DATA_AT + words * 8) ?? '';
  }

  test('is the worked example of HPCC++ to the bit: time of departure, txBytes in bit 12', () => {
    const device = node();
    device.setRegister('egress.snapshot.tx_bytes', 0x1234567880n - 1500n);
    const data = dataAfter(device, 500_000_000, frame('007c', 'd20800', 5), 5);
    expect(data).toBe('3f000001' + '00030011' + '1dcd69b0' + '000004b0' + '34567880');
  });

  test('tells the time of reception and the delay in a namespace of RFC 9197', () => {
    const device = node();
    // Seconds, fraction, transit delay, namespace data, queue depth.
    const data = dataAfter(device, 7_500_000_000, frame('007b', '3e0000', 5), 5);
    expect(data).toBe('00000007' + '1dcd6500' + '000004b0' + 'deadbee0' + '000004b0');
  });

  test('tells seconds and fraction of the departure in a namespace of HPCC++', () => {
    const device = node();
    const data = dataAfter(device, 7_999_999_999, frame('007c', '380000', 3), 3);
    // 1200 ns later a new second has begun.
    expect(data).toBe('00000008' + (1199).toString(16).padStart(8, '0') + '000004b0');
  });

  test('sets only the overflow bit of a delay that 31 bits do not hold', () => {
    const device = node();
    // 2,700,000,000 bytes at 10 Gb/s are 2.16 s.
    device.arrive(0, plain, 2_700_000_000);
    device.arrive(0, frame('007b', '080000', 1));
    expect(device.sent()[1]?.slice(DATA_AT, DATA_AT + 8)).toBe('80000000');
  });

  test('adds to an incremental trace behind NSH only where all that its head covers is there', () => {
    const data = '3e00000500030004';
    const head = '894f' + '07820206' + '000009ff' + '01050001';
    const whole = `${MACS}${head}007b1008c0000000${data}${ipv4(udp('abcd', 'none'))}`;
    const covered = 14 + 8 + 4 * 5;
    for (let length = 14; length <= whole.length / 2; length++) {
      const device = node();
      device.insert({
        table: 'ingress.paths.service_paths',
        key: [9n, 255n].map((value) => ({ kind: 'exact', value }) as const),
        action: 'ingress.paths.forward_on_path',
        values: [BigInt(OUT), 2n, 1n],
      });
      device.arrive(0, whole.slice(0, 2 * length));
      const grown = device.sent().map((out) => out.length / 2 - length);
      expect([length, ...grown]).toEqual([
        length,
        ...(length < 14 + 8 ? [] : [length < covered ? 0 : 8]),
      ]);
    }
  });

  test('never changes the length of a packet, wherever it is cut', () => {
    const whole = frame('007c', 'd20800', 5);
    const device = node();
    const lengths = Array.from({ length: whole.length / 2 }, (_, i) => i + 1);
    for (const length of lengths) device.arrive(length * 10_000, whole.slice(0, length * 2));
    expect(device.sent().map((out) => out.length)).toEqual([whole.length]);
  });
});
