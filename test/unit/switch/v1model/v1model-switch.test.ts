import fc from 'fast-check';

import { InputError } from '../../../../common/errors';
import { gigabitsPerSecond, microseconds, nanoseconds } from '../../../../common/units/units';
import { FORWARDING, REPORT_BYTES, readReport } from '../support/forwarding';
import { Network } from '../support/network';
import { programText } from '../support/program';
import type { Packet } from '../../../../common/packet/packet';
import type { SwitchOptions } from '../../../../switch/v1model/options';

const PROGRAM = programText(FORWARDING);
/** 80 ps per byte. */
const RATE = gigabitsPerSecond(100);
const PORTS = [1, 2, 3].map((port) => ({ port, rate: RATE }));

function network(over: Partial<SwitchOptions> = {}): Network {
  const made = new Network({ ports: PORTS, ...over });
  made.switch.loadProgram(PROGRAM);
  return made;
}

/** A packet for `port`; only `stored` of its `length` bytes exist. */
const packetFor = (port: number, length: number, stored = 10): Packet => ({
  bytes: Uint8Array.of(port, ...new Array<number>(Math.min(stored, length) - 1).fill(0xab)),
  length,
});

const reports = ({ sent }: Network): Record<string, number>[] =>
  sent.map(({ packet }) => readReport(packet.bytes));

describe('forwarding', () => {
  test('sends a packet at once when its port is free', () => {
    const net = network();
    net.arrive(5_000, 1, packetFor(2, 100));
    // 100 bytes and 34 of the report: 134 * 80 ps = 10,720 ps.
    expect(net.sent).toEqual([
      { port: 2, start: 5_000, end: 15_720, packet: expect.anything() as Packet },
    ]);
    expect(net.pending).toEqual([]);
  });

  test('changes stored bytes and length by the same amount, and keeps identity', () => {
    const net = network();
    net.arrive(0, 1, { ...packetFor(2, 1000, 20), id: 77 });
    const packet = net.sent[0]?.packet;
    expect(packet?.bytes).toHaveLength(20 + REPORT_BYTES);
    expect(packet?.length).toBe(1000 + REPORT_BYTES);
    expect(packet?.id).toBe(77);
    expect(packet?.bytes[REPORT_BYTES]).toBe(2);
  });

  test('gives a packet without identity none', () => {
    const net = network();
    net.arrive(0, 1, packetFor(2, 100));
    expect(net.sent[0]?.packet).not.toHaveProperty('id');
  });

  test('lets the egress pipeline see the ports and the length', () => {
    const net = network();
    net.arrive(0, 3, packetFor(2, 1000));
    expect(reports(net)[0]).toMatchObject({ ingress_port: 3, egress_port: 2, length: 1000 });
  });
});

describe('queueing', () => {
  /** Three packets of 966 bytes, 1000 with the report: 80 ns each. */
  function burst(over: Partial<SwitchOptions> = {}): Network {
    const net = network(over);
    net.arrive(0, 1, packetFor(2, 966));
    net.arrive(nanoseconds(10), 1, packetFor(2, 966));
    net.arrive(nanoseconds(20), 3, packetFor(2, 966));
    return net;
  }

  test('sends one packet after the other without a gap', () => {
    const net = burst();
    expect(net.switch.queuePackets(2)).toBe(2);
    expect(net.switch.queueBytes(2)).toBe(2 * 966);
    net.advance();
    expect(net.sent.map(({ start, end }) => [start, end])).toEqual([
      [0, 80_000],
      [80_000, 160_000],
      [160_000, 240_000],
    ]);
    expect(net.switch.queueBytes(2)).toBe(0);
  });

  test('asks for one wake-up while packets wait, and for none when nothing does', () => {
    const net = burst();
    expect(net.pending).toEqual([{ port: 2, at: 80_000 }]);
    net.advance(80_000);
    expect(net.pending).toEqual([{ port: 2, at: 160_000 }]);
    net.advance();
    expect(net.pending).toEqual([]);
  });

  test('a packet that arrives at the end of a transmission waits behind those that wait', () => {
    const net = burst();
    net.switch.handlePacket(80_000, 1, packetFor(2, 100));
    net.advance();
    expect(net.sent.map(({ packet }) => packet.length - REPORT_BYTES)).toEqual([
      966, 966, 966, 100,
    ]);
  });

  test('a packet that arrives when the port has just become free starts at once', () => {
    const net = network();
    net.arrive(0, 1, packetFor(2, 966));
    net.arrive(80_000, 1, packetFor(2, 966));
    expect(net.sent.map(({ start }) => start)).toEqual([0, 80_000]);
  });

  test('tells egress the depth in packets, without the packet itself or the one in service', () => {
    const net = burst();
    net.advance();
    const seen = reports(net).map((r) => [r.enqueue_depth, r.dequeue_depth]);
    expect(seen).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ]);
  });

  test('tells egress the depth in bytes when configured so', () => {
    const net = burst({ queueUnit: { kind: 'bytes', cell: 1 } });
    net.advance();
    const seen = reports(net).map((r) => [r.enqueue_depth, r.dequeue_depth]);
    expect(seen).toEqual([
      [0, 0],
      [0, 966],
      [966, 0],
    ]);
  });

  test('counts whole cells', () => {
    const net = burst({ queueUnit: { kind: 'bytes', cell: 80 } });
    net.advance();
    // 966 / 80 = 12.1
    expect(reports(net).map((r) => r.dequeue_depth)).toEqual([0, 12, 0]);
  });

  test('saturates the depth at what its 19 bits hold', () => {
    const net = network({ queueUnit: { kind: 'bytes', cell: 1 } });
    for (let i = 0; i < 70; i++) net.arrive(0, 1, packetFor(2, 9000));
    net.advance();
    // 68 packets behind the second one: 612,000 bytes; the field ends at 524,287.
    expect(reports(net)[1]?.dequeue_depth).toBe(524_287);
    expect(reports(net)[69]?.dequeue_depth).toBe(0);
  });

  test('ports do not wait for each other', () => {
    const net = burst();
    net.arrive(nanoseconds(30), 1, packetFor(3, 966));
    expect(net.sent.map(({ port, start }) => [port, start])).toEqual([
      [2, 0],
      [3, 30_000],
    ]);
  });

  test('drops at the tail of a full queue', () => {
    const ports = [
      { port: 1, rate: RATE },
      { port: 2, rate: RATE, queueLimit: { packets: 1 } },
    ];
    const net = burst({ ports: [...ports, { port: 3, rate: RATE }] });
    net.advance();
    expect(net.sent).toHaveLength(2);
    expect(net.switch.counters().drops['queue-full']).toBe(1);
  });

  test('keeps every byte: what came in leaves or is counted as dropped', () => {
    const arrival = fc.record({
      gap: fc.integer({ min: 0, max: 100_000 }),
      port: fc.constantFrom(1, 2, 3, 9, 0xfd, 0xff),
      length: fc.integer({ min: 1, max: 1500 }),
    });
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 60 }), (arrivals) => {
        const limited = PORTS.map((port) => ({ ...port, queueLimit: { bytes: 3000 } }));
        const net = network({ ports: limited });
        let now = 0;
        for (const { gap, port, length } of arrivals) {
          now += gap;
          net.arrive(now, 1, packetFor(port, length));
        }
        net.advance();
        const { drops, ports } = net.switch.counters();
        const dropped = Object.values(drops).reduce((sum, n) => sum + n, 0);
        expect(net.sent.length + dropped).toBe(arrivals.length);
        for (const { port } of PORTS) {
          const own = net.sent.filter((sent) => sent.port === port);
          own.forEach(({ start }, i) => expect(start).toBeGreaterThanOrEqual(own[i - 1]?.end ?? 0));
          const bytes = own.reduce((sum, { packet }) => sum + packet.length, 0);
          expect(ports.get(port)).toMatchObject({ txPackets: own.length, txBytes: bytes });
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('timestamps', () => {
  /** The second of two packets: it arrives at 1.5 us and leaves at 2.3 us. */
  function second(over: Partial<SwitchOptions>): Record<string, number> | undefined {
    const net = network(over);
    // 9,966 and 34 bytes at 100 Gb/s last 800 ns.
    net.arrive(nanoseconds(1500), 1, packetFor(2, 9966));
    net.arrive(nanoseconds(1500), 1, packetFor(2, 100));
    net.advance();
    return reports(net)[1];
  }

  test("count bmv2's microseconds unless configured", () => {
    expect(second({})).toMatchObject({
      ingress_time: 1,
      enqueue_time: 1,
      queue_time: 1,
      egress_time: 2,
    });
  });

  test('count nanoseconds when configured so', () => {
    expect(second({ clockUnitNs: 1 })).toMatchObject({
      ingress_time: 1500,
      enqueue_time: 1500,
      queue_time: 800,
      egress_time: 2300,
    });
  });

  test('wrap at the width of their fields', () => {
    const net = network({ clockUnitNs: 1 });
    const now = nanoseconds(2 ** 32 + 5);
    net.arrive(now, 1, packetFor(2, 100));
    expect(reports(net)[0]).toMatchObject({ enqueue_time: 5, egress_time: 2 ** 32 + 5 });
  });

  test('must have a unit', () => {
    expect(() => network({ clockUnitNs: 0 })).toThrow('more than 0 ns');
  });
});

describe('drops', () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ['ingress drops', 0xff, 'ingress-drop'],
    ['egress drops', 0xfd, 'egress-drop'],
    ['a multicast group is set', 0xfe, 'empty-group'],
    ['the port does not exist', 9, 'unknown-port'],
  ];
  test.each(cases)('are counted when %s', (_name, port, reason) => {
    const ports = [...PORTS, { port: 0xfd, rate: RATE }];
    const net = network({ ports });
    net.arrive(0, 1, packetFor(port, 100));
    expect(net.sent).toEqual([]);
    const { drops } = net.switch.counters();
    expect(Object.entries(drops).filter(([, count]) => count > 0)).toEqual([[reason, 1]]);
  });

  test('an egress drop takes no time on the link', () => {
    const net = network({ ports: [...PORTS, { port: 0xfd, rate: RATE }] });
    net.arrive(0, 1, packetFor(0xfd, 9000));
    net.arrive(0, 1, packetFor(0xfd, 9000));
    expect(net.switch.counters().drops['egress-drop']).toBe(2);
    expect(net.switch.queuePackets(0xfd)).toBe(0);
  });

  test('are counted for packets from a port that the switch does not have', () => {
    const net = network();
    net.arrive(0, 8, packetFor(2, 100));
    expect(net.switch.counters().drops['unknown-port']).toBe(1);
    expect(net.switch.queueBytes(8)).toBe(0);
    expect(net.switch.queuePackets(8)).toBe(0);
  });

  test('the drop port can be another one', () => {
    const net = network({ dropPort: 2 });
    net.arrive(0, 1, packetFor(2, 100));
    net.arrive(0, 1, packetFor(0xff, 100));
    expect(net.switch.counters().drops['ingress-drop']).toBe(2);
  });

  test('traffic is counted per port, with the lengths on either side', () => {
    const net = network();
    net.arrive(0, 1, packetFor(2, 100));
    net.arrive(0, 1, packetFor(0xff, 50));
    const { ports } = net.switch.counters();
    expect(ports.get(1)).toEqual({ rxPackets: 2, rxBytes: 150, txPackets: 0, txBytes: 0 });
    expect(ports.get(2)).toEqual({ rxPackets: 0, rxBytes: 0, txPackets: 1, txBytes: 134 });
  });
});

describe('programs', () => {
  test('none means that everything is dropped', () => {
    const net = new Network({ ports: PORTS });
    expect(net.switch.pipeline).toBeUndefined();
    net.arrive(0, 1, packetFor(2, 100));
    expect(net.switch.counters().drops['no-program']).toBe(1);
  });

  test('are checked without touching the one that runs', () => {
    const net = network();
    const running = net.switch.pipeline;
    net.switch.verifyProgram(PROGRAM);
    expect(() => net.switch.verifyProgram('{}')).toThrow(InputError);
    expect(net.switch.pipeline).toBe(running);
  });

  test('that are wrong leave everything as it was', () => {
    const net = network();
    const running = net.switch.pipeline;
    expect(() => net.switch.loadProgram('{}')).toThrow(InputError);
    expect(net.switch.pipeline).toBe(running);
    net.arrive(0, 1, packetFor(2, 100));
    expect(net.sent).toHaveLength(1);
  });

  test('that are new drop what waits, and the packet in service still leaves', () => {
    const net = network();
    for (let i = 0; i < 3; i++) net.arrive(0, 1, packetFor(2, 966));
    net.switch.loadProgram(PROGRAM);
    expect(net.switch.counters().drops['program-replaced']).toBe(2);
    net.advance();
    net.arrive(microseconds(1), 1, packetFor(2, 966));
    expect(net.sent.map(({ start }) => start)).toEqual([0, 1_000_000]);
  });

  test('show their tables to the control plane', () => {
    const { pipeline } = network().switch;
    expect([...(pipeline?.tables.keys() ?? [])]).toEqual(['run_forward', 'run_report']);
    expect(pipeline?.tableAction('run_forward', 'forward')?.id).toBe(1);
    expect(pipeline?.tableAction('run_forward', 'report')).toBeUndefined();
    expect(pipeline?.action(2)?.name).toBe('report');
    expect(pipeline?.profileAction('none', 'report')).toBeUndefined();
  });
});

describe('misuse', () => {
  test('storing more than the length is a defect', () => {
    const packet = { bytes: new Uint8Array(20), length: 10 };
    expect(() => network().arrive(0, 1, packet)).toThrow('at most its length');
  });

  test('a wake-up of a port that is gone, or that nobody asked for, does nothing', () => {
    const net = network();
    net.switch.handlePortFree(9, 0);
    net.switch.handlePortFree(2, 0);
    expect(net.sent).toEqual([]);
  });
});

test('a packet cut short anywhere follows the parser-error path and never throws', () => {
  const net = network();
  net.arrive(0, 1, { bytes: new Uint8Array(0), length: 0 });
  net.arrive(0, 1, { bytes: new Uint8Array(0), length: 60 });
  net.advance();
  // Without a request the port is 0, which this switch does not have.
  expect(net.switch.counters().drops['unknown-port']).toBe(2);
});
