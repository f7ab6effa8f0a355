import { RemoteWindow } from '../../../../host-agent/feedback/remote-window';
import type { CongestionEvent } from '../../../../host-agent/algorithm/congestion-control';
import { proves } from '../../../support/evidence';

const T = 4_000_000;
const MAX = 50_000;

const rig = () => new RemoteWindow({ linkRate: 100e9, baseRtt: T });
const record = (epoch: number, windowBytes: number, flows = 0) => ({ epoch, windowBytes, flows });

describe('a window that the receiver controls', () => {
  it('starts at the bandwidth-delay product and the rate of the link', () => {
    expect(rig().windowBytes).toBe(MAX);
    expect(rig().pacingRate).toBe(100e9);
  });

  it('is what the receiver said last', () => {
    const window = rig();
    expect(window.onWindow(0, record(1, 20_000))).toBe(true);
    expect(window.windowBytes).toBe(20_000);
    expect(window.pacingRate).toBe(40e9);
    expect(window.epoch).toBe(1);
  });

  proves({ cases: ['sender-bounds'] }).each([
    [1e9, MAX],
    [0.001, MAX / 1000],
  ])('keeps the bounds of every window when it is told %d bytes', (told, expected) => {
    const window = rig();
    window.onWindow(0, record(1, told));
    expect(window.windowBytes).toBe(expected);
  });

  proves({ cases: ['sender-stale-epoch'] })(
    'ignores stale and repeated epochs, across the wrap of their 32 bits',
    () => {
      const window = rig();
      window.onWindow(0, record(0x7fff_ffff, 30_000));
      window.onWindow(0, record(0xffff_fffe, 40_000));
      expect(window.onWindow(0, record(0xffff_fffe, 10_000))).toBe(false);
      expect(window.onWindow(0, record(0xffff_fffd, 10_000))).toBe(false);
      expect(window.windowBytes).toBe(40_000);
      expect(window.onWindow(0, record(1, 20_000))).toBe(true);
      expect(window.windowBytes).toBe(20_000);
      expect(window.metrics().telemetryStale).toBe(2);
    },
  );

  proves({ cases: ['sender-silence'] })(
    'stays in force while the receiver is briefly silent, and is halved once per long silence',
    () => {
      const window = rig();
      window.onWindow(0, record(1, 40_000));
      for (let ack = 1; ack <= 8; ack++) window.onAck({ now: ack * T });
      expect(window.windowBytes).toBe(40_000);
      window.onAck({ now: 9 * T });
      expect(window.windowBytes).toBe(20_000);
      for (let ack = 10; ack <= 17; ack++) window.onAck({ now: ack * T });
      expect(window.windowBytes).toBe(20_000);
      window.onAck({ now: 18 * T });
      expect(window.windowBytes).toBe(10_000);
      expect(window.silences).toBe(2);
      window.onWindow(19 * T, record(2, 30_000));
      expect(window.windowBytes).toBe(30_000);
    },
  );

  it('is not halved for a slow flow, which hears rarely because it asks rarely', () => {
    const window = rig();
    window.onWindow(0, record(1, 100));
    for (let ack = 1; ack < 8; ack++) window.onAck({ now: ack * 100 * T });
    expect(window.windowBytes).toBe(100);
  });

  it('tells its changes', () => {
    const events: CongestionEvent[] = [];
    const sink = (event: CongestionEvent): number => events.push(event);
    const window = new RemoteWindow({ linkRate: 100e9, baseRtt: T, sink });
    window.onWindow(7, record(1, 20_000, 5));
    expect(events).toEqual([
      {
        kind: 'window-updated',
        now: 7,
        windowBytes: 20_000,
        referenceWindowBytes: 20_000,
        pacingRate: 40e9,
        incStage: 0,
      },
    ]);
    expect(window.flows).toBe(5);
  });
});
