import fc from 'fast-check';

import { gigabitsPerSecond, nanoseconds } from '../../common/units/units';
import { fromHex, toHex } from '../support/hex';
import { INT_TRANSIT } from '../unit/switch/support/int-transit';
import { Network } from '../unit/switch/support/network';
import { programText } from '../unit/switch/support/program';
import type { ExecutorFactory } from '../../switch/executor/executor';

const PROGRAM = programText(INT_TRANSIT);
const RATE = gigabitsPerSecond(400);
const IN = 0x21;
const OUT = 0x22;

const ETHERNET = '020000000002 020000000001 0800';
/** Bytes behind the INT-MD header: the block of the first hop and the start of RoCEv2. */
const REST = `00000001 00030011 030004b0 17979cfe362a0000 0000001234567880 000186a0
  0440ffff 00000012 80000001`;

/** A published worked example: UDP port method, profile HP, as the first hop sends it. */
const BEFORE = fromHex(`${ETHERNET}
  4502006c 12344000 40111449 0a000001 0a000002
  c000c350 00580000
  140b12b7 20000804 d4004850 c0000000
  ${REST}`);

/** The same packet behind the second hop. */
const AFTER = fromHex(`${ETHERNET}
  4502008c 12344000 3f111529 0a000001 0a000002
  c000c350 00780000
  141312b7 20000803 d4004850 c0000000
  00000002 00210022 03000000 17979cfe362a05dc 00000000ffffff80 00061a80
  ${REST}`);

/** The example's timestamp is 0x17979cfe362a05dc ns; the packet leaves 1000 ns after our origin. */
const NOW = nanoseconds(1000);
const ORIGIN = 0x17979cfe362a05dcn - 1000n;

/** An INT transit switch pushes its telemetry as the specification's layout says. */
export function describeIntTransit(create: ExecutorFactory): void {
  function transit(): Network {
    const net = new Network({
      ports: [IN, OUT].map((port) => ({ port, rate: RATE })),
      clockUnitNs: 1,
      queueUnit: { kind: 'bytes', cell: 1 },
      executor: create,
    });
    net.switch.loadProgram(PROGRAM);
    const { pipeline } = net.switch;
    pipeline?.tables.get('route')?.insert({
      key: [{ kind: 'lpm', value: 0x0a000000n, prefixLength: 8 }],
      priority: 0,
      action: { kind: 'call', call: { actionId: 1, arguments: [BigInt(OUT)] } },
    });
    pipeline?.tables.get('port')?.insert({
      key: [{ kind: 'exact', value: BigInt(OUT) }],
      priority: 0,
      action: { kind: 'call', call: { actionId: 4, arguments: [2n, 3n, ORIGIN, 400_000n] } },
    });
    pipeline?.registers.get('tx_bytes')?.write(OUT, 0xffffff80);
    return net;
  }

  /** Sends one packet; returns the packet that leaves, as text. */
  function through(bytes: Uint8Array, length = bytes.length): string | undefined {
    const net = transit();
    net.arrive(NOW, IN, { bytes, length });
    const sent = net.sent[0]?.packet;
    return sent && toHex(sent.bytes);
  }

  test('a block of 32 bytes is pushed, and lengths, hop count and checksum follow', () => {
    expect(through(BEFORE)).toBe(toHex(AFTER));
  });

  test('a virtual payload stays virtual and grows by nothing', () => {
    const net = transit();
    net.arrive(NOW, IN, { bytes: BEFORE, length: 1090 });
    expect(net.sent[0]?.packet.length).toBe(1122);
    expect(toHex(net.sent[0]?.packet.bytes ?? new Uint8Array(0))).toBe(toHex(AFTER));
    // 1122 bytes at 400 Gb/s: 1122 * 20 ps = 22,440 ps.
    expect((net.sent[0]?.end ?? 0) - NOW).toBe(22_440);
  });

  test('the byte counter of the port counts what egress sees, before the push', () => {
    const net = transit();
    net.arrive(NOW, IN, { bytes: BEFORE, length: 1090 });
    const cell = net.switch.pipeline?.registers.get('tx_bytes')?.read(OUT);
    expect(cell).toBe(0xffffff80n + 1090n);
  });

  test('the occupancy is what waits behind the packet, in bytes', () => {
    const net = transit();
    for (let i = 0; i < 3; i++) net.arrive(NOW, IN, { bytes: BEFORE, length: 1000 + i });
    net.advance();
    const occupancy = net.sent.map(({ packet }) => toHex(packet.bytes.subarray(66, 70)));
    expect(occupancy).toEqual(['03000000', '030003ea', '03000000']);
  });

  test('without hops left nothing is pushed', () => {
    const last = Uint8Array.from(BEFORE);
    last[49] = 0;
    const text = through(last) ?? '';
    expect(text).toHaveLength(last.length * 2);
    expect(text.slice(32, 36)).toBe('006c');
  });

  test('a packet without INT is forwarded, with a new TTL and checksum only', () => {
    const plain = Uint8Array.from(BEFORE);
    plain[36] = 0;
    const wanted = Uint8Array.from(plain);
    wanted[22] = 0x3f;
    // One hop less takes 0x0100 from the sum: 1449 -> 1549.
    wanted[24] = 0x15;
    expect(through(plain)).toBe(toHex(wanted));
  });

  test('a packet without a route is dropped', () => {
    const elsewhere = Uint8Array.from(BEFORE);
    elsewhere[30] = 11;
    expect(through(elsewhere)).toBeUndefined();
  });

  test('a packet cut short anywhere is forwarded or dropped, and never grows by accident', () => {
    const cut = fc.integer({ min: 0, max: BEFORE.length });
    fc.assert(
      fc.property(cut, (length) => {
        const text = through(BEFORE.subarray(0, length));
        if (length < 34) expect(text).toBeUndefined();
        else if (length < 58) expect(text).toHaveLength(2 * length);
        else expect(text).toHaveLength(2 * (length + 32));
      }),
    );
  });
}
