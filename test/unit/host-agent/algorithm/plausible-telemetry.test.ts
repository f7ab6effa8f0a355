import type { HopRecord } from '../../../../common/hop/hop';
import type { CongestionEvent } from '../../../../host-agent/algorithm/congestion-control';
import type { PlausibilityLimits } from '../../../../host-agent/algorithm/plausible-telemetry';
import { HpccppWindow } from '../../../../host-agent/algorithm/window-form';
import { acknowledgement, hopRecord } from '../../../support/telemetry';
import { proves } from '../../../support/evidence';

const T = 4000;
const PS = 1000;
const RTT = T * PS;

function rig(plausibilityLimits?: PlausibilityLimits, maxHops = 8) {
  const reasons: string[] = [];
  const sink = (event: CongestionEvent): void => {
    if (event.kind === 'telemetry-rejected') reasons.push(event.reason);
  };
  const control = new HpccppWindow({
    linkRate: 100e9,
    baseRtt: RTT,
    maxHops,
    sink,
    ...(plausibilityLimits !== undefined && { plausibilityLimits }),
  });
  const ack = (ns: number, given: Partial<HopRecord>) =>
    control.onAck(acknowledgement({ telemetry: [hopRecord(given)], now: ns * PS }));
  return { control, reasons, ack };
}

describe('telemetry that cannot be true', () => {
  const cases: readonly (readonly [string, Partial<HopRecord>, string])[] = [
    ['more bytes than the link carries', { timestamp: T, txBytes: 50_000 + 20_001 }, 'implausible'],
    ['another capacity of the same link', { timestamp: T, capacity: 40e9 }, 'implausible'],
    ['a clock ahead of our own', { timestamp: T + 10_000_001 }, 'implausible'],
    ['a link faster than any', { timestamp: T, capacity: 500e9 }, 'implausible'],
    ['a queue deeper than any', { timestamp: T, queueBytes: 2e6 }, 'implausible'],
    ['an unknown switch', { timestamp: T, switchId: 9 }, 'unknown-link'],
    ['a clock that runs backwards', { timestamp: 2 ** 48 - 5 }, 'stale'],
  ];
  proves({ cases: ['clock-backwards'] }).each(cases)('is refused: %s', (_what, given, reason) => {
    const { control, reasons, ack } = rig({
      capacityMax: 400e9,
      queueBytesMax: 1e6,
      isKnownLink: (switchId) => switchId === 1,
    });
    ack(0, {});
    const before = control.windowBytes;
    expect(ack(T, given)).toBe('ignored');
    expect(reasons).toEqual([reason]);
    expect(control.windowBytes).toBe(before);
  });

  it('is refused before anything is known, too', () => {
    const { reasons, ack } = rig({ isKnownLink: () => false });
    expect(ack(0, {})).toBe('ignored');
    expect(reasons).toEqual(['unknown-link']);
  });

  it('is refused for its capacity before anything is known, too', () => {
    const { reasons, ack } = rig({ capacityMax: 99e9 });
    expect(ack(0, {})).toBe('ignored');
    expect(reasons).toEqual(['implausible']);
  });

  it('is believed up to the limits, these included', () => {
    const { ack } = rig({ capacityMax: 100e9, queueBytesMax: 1e6 });
    expect(ack(0, { queueBytes: 1e6 })).toBe('first');
    // The clock of the switch is ahead by all of the slack of 10 ms.
    expect(ack(T, { timestamp: T + 10_000_000 })).not.toBe('ignored');
  });

  it('is a clock ahead of the time since the stored record, whenever that was', () => {
    const { reasons, ack } = rig({});
    ack(1e9, {});
    expect(ack(1e9 + T, { timestamp: T + 10_000_001 })).toBe('ignored');
    expect(reasons).toEqual(['implausible']);
  });

  it('is believed without limits, and what is true is believed with them', () => {
    const { ack } = rig();
    ack(0, {});
    expect(ack(T, { timestamp: T, txBytes: 1e9 })).not.toBe('ignored');
    const limited = rig({ capacityMax: 100e9, queueBytesMax: 1e6 });
    limited.ack(0, {});
    // Truncated timestamps and whole packets may seem to exceed the capacity a little.
    expect(limited.ack(T, { timestamp: T, txBytes: 50_000 + 20_000 })).not.toBe('ignored');
  });

  proves({ cases: ['contradiction'] })(
    'gives way after 16 base RTTs of contradiction: the stored records were wrong',
    () => {
      const { control, ack } = rig({});
      ack(0, { timestamp: 5e12, txBytes: 7e12 });
      for (const ns of [T, 8 * T, 16 * T]) {
        expect(ack(ns, { timestamp: ns, txBytes: ns * 12.5 })).toBe('ignored');
      }
      expect(ack(16 * T + 1, { timestamp: 16 * T + 1, txBytes: 200_000 })).toBe('first');
      expect(ack(17 * T, { timestamp: 17 * T, txBytes: 250_000 })).not.toBe('ignored');
      expect(control.metrics().acksProcessed).toBe(1);
    },
  );

  it('gives way on a path of as many hops as there may be, too', () => {
    const { ack } = rig({}, 1);
    ack(0, { timestamp: 5e12, txBytes: 7e12 });
    expect(ack(16 * T, { timestamp: T, txBytes: 0 })).toBe('ignored');
    expect(ack(16 * T + 1, { timestamp: T, txBytes: 0 })).toBe('first');
  });

  it('counts that silence from the record that was confirmed last, not from the beginning', () => {
    const { ack } = rig({});
    const wrong = { timestamp: 5e12, txBytes: 7e12 };
    ack(0, wrong);
    const later = 20 * T;
    expect(ack(later, { timestamp: 5e12 + later, txBytes: 7e12 })).not.toBe('ignored');
    expect(ack(later + 16 * T, { timestamp: T, txBytes: 0 })).toBe('ignored');
    expect(ack(later + 16 * T + 1, { timestamp: T, txBytes: 0 })).toBe('first');
  });
});
