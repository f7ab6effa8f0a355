import { InputError } from '../../../../common/errors';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import type { HostAgent } from '../../../../host-agent/transport/host';
import { dataFrame, eventsOf, must, patched } from '../../../support/frames';
import { toHex } from '../../../support/hex';
import { addressOf, flowTo, macOf, testHost } from '../../../support/hosts';

describe('frames of a host', () => {
  it('are 1074 bytes for 1000 of payload, and 1106 after one switch', () => {
    const packet = dataFrame(0);
    expect([packet.length, packet.bytes.length]).toEqual([1074, 74]);
    expect(dataFrame(1).length).toBe(1106);
  });

  it('are acknowledged one by one, with the INT bytes as they were received', () => {
    const receiver = testHost(2);
    const data = dataFrame(2);
    receiver.handlePacket(10, data);
    const ack = must(receiver.pollTransmit(10));
    const int = data.bytes.subarray(42, 42 + 16 + 2 * 32);
    expect(toHex(ack.bytes.subarray(58))).toBe(toHex(int));
    expect(ack.length).toBe(14 + 20 + 8 + 16 + int.length);
    expect(toHex(ack.bytes.subarray(0, 16))).toBe('020000000001020000000002' + '0800' + '4500');
    expect(receiver.pollTransmit(10)).toBeUndefined();
  });

  it('carry the payload that a provider writes, and deliver it', () => {
    const sender = testHost(1);
    const received: number[] = [];
    const receiver = testHost(2, { deliver: ({ stored }) => received.push(...stored) });
    const payload = (sequence: number, into: Uint8Array): void => {
      into.forEach((_, i) => (into[i] = (sequence + i) & 0xff));
    };
    sender.startFlow(0, { ...flowTo(2, 1, 1500), payload });
    for (const now of [0, 1_000_000]) receiver.handlePacket(now, must(sender.pollTransmit(now)));
    expect(received).toEqual(Array.from({ length: 1500 }, (_, i) => i & 0xff));
  });

  it('number themselves in the IPv4 identification', () => {
    const sender = testHost(1);
    sender.startFlow(0, flowTo(2, 1, 5000));
    const ids = [0, 1e6, 2e6].map((now) => must(sender.pollTransmit(now)).bytes[19]);
    expect(ids).toEqual([0, 1, 2]);
  });
});

/** 1106 bytes at 100 Gb/s: the 1074 of the frame here and 32 that one switch will add. */
const SPACING = 88_480;

describe('sharing the interface', () => {
  it('sends acknowledgements before data', () => {
    const host = testHost(2);
    host.startFlow(0, flowTo(1, 1, 1000));
    host.handlePacket(0, dataFrame());
    expect(must(host.pollTransmit(0)).length).toBe(14 + 20 + 8 + 16 + 48);
    expect(must(host.pollTransmit(0)).length).toBe(1074);
  });

  it('takes turns among the flows that may send', () => {
    const host = testHost(1);
    for (const id of [1, 2, 3]) host.startFlow(0, flowTo(2, id, 3000));
    const order: (number | undefined)[] = [];
    for (let now = 0; order.length < 9; now += SPACING) {
      for (let i = 0; i < 3; i++) order.push(must(host.pollTransmit(now)).bytes[66]);
      expect(host.pollTransmit(now)).toBeUndefined();
    }
    expect(order).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
  });

  it('keeps the order of turns when a flow completes', () => {
    const [host, receiver] = [testHost(1), testHost(2)];
    [1, 2, 3].forEach((id) => host.startFlow(0, flowTo(2, id, id === 1 ? 1000 : 9000)));
    const first = must(host.pollTransmit(0));
    expect(must(host.pollTransmit(0)).bytes[66]).toBe(2);
    receiver.handlePacket(0, first);
    host.handlePacket(0, must(receiver.pollTransmit(0)));
    const order = [0, 1e6, 1e6, 2e6].map((now) => must(host.pollTransmit(now)).bytes[66]);
    expect(order).toEqual([3, 2, 3, 2]);
  });

  it('wakes for pacing and for the timeout, but not for a frame that waits for the interface', () => {
    const host = testHost(1);
    expect(host.pollWakeup()).toBeUndefined();
    host.startFlow(0, flowTo(2, 1, 2000));
    expect(host.pollWakeup()).toBeUndefined();
    host.pollTransmit(0);
    expect(host.pollWakeup()).toBe(SPACING);
    host.handleWakeup(SPACING);
    expect(host.pollWakeup()).toBeUndefined();
    host.pollTransmit(SPACING);
    expect(host.pollWakeup()).toBe(500_000_000);
  });

  it('writes into a cell when to wake it, or Infinity', () => {
    const [host, cell] = [testHost(1), new Float64Array(1)];
    host.writeWakeup(cell);
    expect(cell[0]).toBe(Infinity);
    host.startFlow(0, flowTo(2, 1, 2000));
    host.pollTransmit(0);
    host.writeWakeup(cell);
    expect(cell[0]).toBe(SPACING);
  });

  it('answers a repeated poll in the same way', () => {
    const host = testHost(1);
    host.startFlow(0, flowTo(2, 1, 5000));
    host.pollTransmit(0);
    for (let i = 0; i < 3; i++) {
      expect(host.pollTransmit(10)).toBeUndefined();
      expect(host.pollWakeup()).toBe(SPACING);
    }
  });

  it('does not accept a time before the last one', () => {
    const host = testHost(1);
    host.handleWakeup(100);
    host.handleWakeup(100);
    expect(() => host.handleWakeup(99)).toThrow('time does not go backwards');
    expect(() => host.pollTransmit(99)).toThrow('time does not go backwards');
  });
});

describe('whether a host may send', () => {
  it('is no while it has nothing to send, and yes for an answer', () => {
    const host = testHost(2);
    expect(host.mayTransmit(Float64Array.of(1e12))).toBe(false);
    host.handlePacket(0, dataFrame());
    expect(host.mayTransmit(Float64Array.of(0))).toBe(true);
    must(host.pollTransmit(0));
    expect(host.mayTransmit(Float64Array.of(1e12))).toBe(false);
  });

  it('is yes from when the pace of a flow allows it', () => {
    const host = testHost(1);
    host.startFlow(0, flowTo(2, 7, 5000));
    expect(host.mayTransmit(Float64Array.of(0))).toBe(true);
    host.pollTransmit(0);
    expect([
      host.mayTransmit(Float64Array.of(SPACING - 1)),
      host.mayTransmit(Float64Array.of(SPACING)),
    ]).toEqual([false, true]);
  });
});

describe('flows of a host', () => {
  /** Sends all of flow `id` from host 1 to host 2 without loss. */
  function complete(sender: HostAgent, receiver: HostAgent, start: number): void {
    for (let now = start; ; now += 1_000_000) {
      const data = sender.pollTransmit(now);
      if (data === undefined) return;
      receiver.handlePacket(now, data);
      sender.handlePacket(now, must(receiver.pollTransmit(now)));
    }
  }

  it('report start, completion and reception', () => {
    const [sender, receiver] = [testHost(1), testHost(2)];
    sender.startFlow(100, flowTo(2, 7, 1500));
    complete(sender, receiver, 200);
    expect(eventsOf(sender)).toEqual([
      { kind: 'flow-started', flow: 7, startedAt: 100, bytes: 1500 },
      {
        kind: 'flow-completed',
        flow: 7,
        startedAt: 100,
        completedAt: 1_000_200,
        bytes: 1500,
        segmentsRetransmitted: 0,
        timeouts: 0,
        uncontrolledTime: 0,
      },
    ]);
    expect(eventsOf(receiver)).toEqual([
      {
        kind: 'flow-received',
        flow: 7,
        sourceAddress: addressOf(1),
        receivedAt: 1_000_200,
        bytes: 1500,
      },
    ]);
    expect(sender.pollWakeup()).toBeUndefined();
    expect(sender.flowMetrics(7)).toBeUndefined();
  });

  it('may reuse the id of a completed flow, whose late data and acknowledgements are told apart', () => {
    const [sender, receiver] = [testHost(1), testHost(2)];
    sender.startFlow(0, flowTo(2, 7, 1000));
    const oldData = must(sender.pollTransmit(0));
    receiver.handlePacket(0, oldData);
    const oldAck = must(receiver.pollTransmit(0));
    sender.handlePacket(0, oldAck);
    sender.startFlow(1000, flowTo(2, 7, 3000));
    complete(sender, receiver, 1_000_000);
    expect(receiver.counters().bytesDelivered).toBe(4000);
    receiver.handlePacket(1e7, oldData);
    expect(receiver.counters().packetsRejected['old-generation']).toBe(1);
    sender.handlePacket(1e7, oldAck);
    expect(sender.counters().acksLate).toBe(1);
  });

  it('acknowledge a repeated last segment after they have finished', () => {
    const [sender, receiver] = [testHost(1), testHost(2)];
    sender.startFlow(0, flowTo(2, 7, 1000));
    receiver.handlePacket(0, must(sender.pollTransmit(0)));
    receiver.pollTransmit(0);
    sender.handleWakeup(500_000_000);
    receiver.handlePacket(500_000_000, must(sender.pollTransmit(500_000_000)));
    sender.handlePacket(500_000_000, must(receiver.pollTransmit(500_000_000)));
    expect(eventsOf(sender).at(-1)).toMatchObject({ kind: 'flow-completed' });
    expect(receiver.counters()).toMatchObject({ bytesDelivered: 1000, dataReceived: 2 });
  });

  it('say what their window leaves', () => {
    const [sender, receiver] = [testHost(1), testHost(2)];
    sender.startFlow(0, flowTo(2, 7, 1500));
    const window = sender.flowMetrics(7)?.congestion.windowBytes ?? NaN;
    expect(sender.windowLeft(7)).toBe(window);
    const first = must(sender.pollTransmit(0));
    const { inflightBytes = NaN } = sender.flowMetrics(7) ?? {};
    expect(inflightBytes).toBeGreaterThan(0);
    expect(sender.windowLeft(7)).toBe(window - inflightBytes);
    receiver.handlePacket(0, first);
    sender.handlePacket(0, must(receiver.pollTransmit(0)));
    expect(sender.windowLeft(7)).toBe(sender.flowMetrics(7)?.congestion.windowBytes);
    expect(sender.windowLeft(8)).toBeUndefined();
  });

  it('grow while they are open', () => {
    const [sender, receiver] = [testHost(1), testHost(2)];
    sender.startFlow(0, { ...flowTo(2, 7, 500), isOpen: true });
    complete(sender, receiver, 0);
    expect(sender.flowMetrics(7)).toMatchObject({ acknowledgedBytes: 500, inflightBytes: 0 });
    sender.appendToFlow(1e9, 7, { bytes: 700, isLast: true });
    complete(sender, receiver, 1e9);
    expect(eventsOf(sender).at(-1)).toMatchObject({ kind: 'flow-completed', bytes: 1200 });
    expect(() => sender.appendToFlow(2e9, 7, { bytes: 1, isLast: true })).toThrow(InputError);
  });

  it('are refused with an id in use and with fields out of range', () => {
    const host = testHost(1);
    host.startFlow(0, flowTo(2, 7, 1000));
    const spec = flowTo(2, 8, 1000);
    for (const [bad, message] of [
      [flowTo(2, 7, 1000), 'flow 7 is running already'],
      [{ ...spec, bytes: 0 }, 'bytes of flow 8 must be an integer'],
      [{ ...spec, bytes: 1.5 }, 'bytes of flow 8 must be an integer'],
      [{ ...spec, id: 0x100_0000 }, 'id of a flow must be'],
      [{ ...spec, sourcePort: 0 }, 'sourcePort must be'],
      [{ ...spec, destinationAddress: -1 }, 'IPv4 address must be'],
      [{ ...spec, destinationMac: 2 ** 48 }, 'MAC address must be'],
    ] as const) {
      expect(() => host.startFlow(0, bad)).toThrow(InputError);
      expect(() => host.startFlow(0, bad)).toThrow(message);
    }
  });

  it('follow a peer whose frames come over another next hop', () => {
    const [sender, receiver] = [testHost(1), testHost(2)];
    sender.startFlow(0, flowTo(2, 7, 2000));
    receiver.handlePacket(0, must(sender.pollTransmit(0)));
    receiver.pollTransmit(0);
    const moved = patched(must(sender.pollTransmit(1e6)), 11, 0x55);
    receiver.handlePacket(1e6, moved);
    const ack = must(receiver.pollTransmit(1e6));
    expect(toHex(ack.bytes.subarray(0, 6))).toBe('020000000055');
    expect(receiver.counters().bytesDelivered).toBe(2000);
  });
});

describe('the configuration of a host', () => {
  it.each([
    ['linkRate', 0],
    ['baseRtt', 0],
    ['mss', 0],
    ['mss', 65_536],
    ['intHopLimit', 0],
    ['intHopLimit', 32],
    ['retransmissionTimeout', 0],
    ['firstGeneration', 0x10000],
  ])('is refused with %s of %d', (name, value) => {
    expect(() => testHost(1, { [name]: value })).toThrow(InputError);
    expect(() => testHost(1, { [name]: value })).toThrow(name);
  });

  it('is refused with bad parameters of its congestion control, before any flow', () => {
    const congestionControl = hpccppFactory({ targetUtilization: 2 });
    expect(() => testHost(1, { congestionControl })).toThrow('targetUtilization must be');
  });

  it('leaves room in an IPv4 datagram for all hops: 65,535 - 60 - 8 * 32 bytes of payload', () => {
    expect(() => testHost(1, { mss: 65_219 })).not.toThrow();
    expect(() => testHost(1, { mss: 65_220 })).toThrow('at most 65219');
  });

  it('sets hop limit, segment size and first generation of the frames', () => {
    const host = testHost(1, { intHopLimit: 5, mss: 300, firstGeneration: 0xabcd });
    host.startFlow(0, flowTo(2, 1, 1000));
    const packet = must(host.pollTransmit(0));
    expect(packet.length).toBe(374);
    expect(packet.bytes[49]).toBe(5);
    expect(toHex(packet.bytes.subarray(60, 62))).toBe('abcd');
    expect(macOf(1)).toBe(0x0200_0000_0001);
  });
});
