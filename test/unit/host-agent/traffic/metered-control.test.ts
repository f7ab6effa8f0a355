import type { HopRecord } from '../../../../common/hop/hop';
import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import { RemoteWindow } from '../../../../host-agent/feedback/remote-window';
import { MeteredControl } from '../../../../host-agent/traffic/metered-control';
import type { ControlUpdate } from '../../../../host-agent/traffic/metered-control';

const inner = () => new HpccppWindow({ linkRate: 1e9, baseRtt: 1e9 });

const hop = (queueBytes: number): HopRecord => ({
  switchId: 1,
  portId: 1,
  timestamp: 1,
  timestampModulus: 2 ** 48,
  txBytes: 1,
  txBytesModulus: 2 ** 32,
  queueBytes,
  capacity: 1e9,
});

const ack = (telemetry: readonly HopRecord[]) => ({
  ackSequence: 1,
  nextSequence: 2,
  telemetry,
  isIncomplete: false,
  now: 1,
});

describe('a metered congestion control', () => {
  test('is the one that it looks at', () => {
    const [plain, metered] = [inner(), new MeteredControl(inner())];
    for (const control of [plain, metered]) control.onAck(ack([hop(5000)]));
    expect(metered.metrics()).toEqual(plain.metrics());
    expect([metered.windowBytes, metered.pacingRate]).toEqual([
      plain.windowBytes,
      plain.pacingRate,
    ]);
  });

  test('holds the rate below its limit and leaves the window', () => {
    const limited = new MeteredControl(inner(), { rateMax: 1e6 });
    expect(limited.pacingRate).toBe(1e6);
    expect(limited.metrics().pacingRate).toBe(1e6);
    expect(limited.windowBytes).toBe(inner().windowBytes);
  });

  test('knows the longest queue of the path, now and ever', () => {
    const control = new MeteredControl(inner());
    control.onAck(ack([hop(10), hop(70)]));
    control.onAck(ack([hop(30), hop(20)]));
    control.onAck(ack([]));
    expect(control.figures).toEqual({
      controlAt: 'sender',
      windowBytes: control.windowBytes,
      pacingRate: control.pacingRate,
      normalizedInflight: 1,
      windowUpdates: 0,
      hops: 2,
      withTelemetry: 2,
      withoutTelemetry: 1,
      queueBytes: 30,
      queueBytesMax: 70,
      telemetryRejected: 1,
    });
  });

  test('meters windows that the receiver grants, of which only that knows U', () => {
    const environment = { linkRate: 1e9, baseRtt: 1e9 };
    const options = { rateMax: 1e6, controlAt: 'receiver' } as const;
    const control = new MeteredControl(new RemoteWindow(environment), options);
    const updates: ControlUpdate[] = [];
    control.onUpdate((update) => updates.push(update));
    expect(control.onWindow(5, { epoch: 1, flows: 0, windowBytes: 60_000 })).toBe(true);
    expect(control.onWindow(6, { epoch: 1, flows: 0, windowBytes: 70_000 })).toBe(false);
    expect(control.figures).toMatchObject({
      controlAt: 'receiver',
      windowBytes: 60_000,
      pacingRate: 1e6,
      normalizedInflight: null,
      windowUpdates: 1,
      hops: null,
      queueBytesMax: null,
    });
    expect(updates).toEqual([
      {
        now: 5,
        telemetry: [],
        windowBytes: 60_000,
        pacingRate: 1e6,
        normalizedInflight: null,
        endsRound: null,
      },
    ]);
  });

  test('tells who watches of each update of the window, and of nothing else', () => {
    const control = new MeteredControl(inner(), { rateMax: 1e6 });
    const updates: ControlUpdate[] = [];
    control.onUpdate((update) => updates.push(update));
    const later = (ns: number) => ({ ...hop(5), timestamp: ns, txBytes: ns });
    control.onAck(ack([later(1)]));
    control.onAck({ ...ack([later(1001)]), now: 2, ackSequence: 3 });
    control.onAck({ ...ack([]), now: 3 });
    expect(updates).toEqual([
      {
        now: 2,
        telemetry: [later(1001)],
        windowBytes: control.windowBytes,
        pacingRate: 1e6,
        normalizedInflight: control.metrics().normalizedInflight,
        endsRound: true,
      },
    ]);
    control.onLoad({ ackSequence: 9, nextSequence: 10, now: 4, ratio: 0.5, intervalNs: 10 });
    expect(updates[1]).toMatchObject({ now: 4, telemetry: [] });
  });
});
