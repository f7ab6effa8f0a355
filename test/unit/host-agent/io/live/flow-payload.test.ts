import { createHash } from 'node:crypto';
import {
  DeliveryCheck,
  FlowPayload,
  ReceivedFlows,
} from '../../../../../host-agent/io/live/flow-payload';

const delivery = (sequence: number, stored: Uint8Array, flow = 1) => ({
  sourceAddress: 7,
  flow,
  sequence,
  stored,
  length: stored.length,
});

describe('payload with a checksum', () => {
  test('counts bytes once that are sent again', () => {
    const payload = new FlowPayload(5);
    const whole = new Uint8Array(3000);
    new FlowPayload(5).write(0, whole);
    for (const [from, to] of [
      [0, 1000],
      [1000, 2000],
      [500, 1500],
      [1500, 2500],
      [2500, 3000],
    ] as const) {
      const piece = new Uint8Array(to - from);
      payload.write(from, piece);
      expect(piece).toEqual(whole.subarray(from, to));
    }
    expect(payload.digest()).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  test('has the checksum of what is delivered, per flow', () => {
    const check = new DeliveryCheck();
    check.deliver(delivery(0, Uint8Array.of(1, 2)));
    check.deliver(delivery(0, Uint8Array.of(9), 2));
    check.deliver(delivery(2, Uint8Array.of(3)));
    const expected = createHash('sha256')
      .update(Uint8Array.of(1, 2, 3))
      .digest('hex');
    expect(check.digest(7, 1)).toBe(expected);
    expect(check.digest(7, 1)).toBeUndefined();
  });

  test('begins anew when a flow does, and fails when a byte is skipped or repeated', () => {
    const check = new DeliveryCheck();
    check.deliver(delivery(0, Uint8Array.of(1, 2)));
    check.deliver(delivery(0, Uint8Array.of(4)));
    expect(() => check.deliver(delivery(2, Uint8Array.of(5)))).toThrow('exactly once');
    expect(() => check.deliver(delivery(1, Uint8Array.of(5)))).not.toThrow();
    expect(() => check.deliver(delivery(1, Uint8Array.of(5)))).toThrow('exactly once');
  });
});

describe('received flows', () => {
  test('are remembered by source and flow, the last hundred of them', () => {
    const flows = new ReceivedFlows(undefined);
    const event = { kind: 'flow-received', sourceAddress: 0x0a00_0001, receivedAt: 0 } as const;
    for (let flow = 0; flow < 101; flow++) flows.note({ ...event, flow, bytes: flow + 1 });
    expect(flows.latest).toHaveLength(100);
    expect(flows.latest[0]).toEqual({ source: '10.0.0.1', flow: 1, bytes: 2 });
  });
});
