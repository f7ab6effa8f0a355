import type {
  CongestionControl,
  CongestionControlFactory,
  CongestionEvent,
} from '../../../../host-agent/algorithm/congestion-control';
import { FixedRate } from '../../../../host-agent/algorithm/fixed-rate';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import { GatedControl } from '../../../../host-agent/coordination/gated-control';
import { acknowledgement, hopRecord } from '../../../support/telemetry';

const BASE_RTT = 10_000_000;
const LINK_RATE = 100e9;
/** Wire bytes of a link of 100 Gb/s in one microsecond. */
const BYTES_PER_US = 12_500;

function gate() {
  const state = { isControlled: false };
  const events: CongestionEvent[] = [];
  const environment = {
    linkRate: LINK_RATE,
    baseRtt: BASE_RTT,
    maxHops: 8,
    sink: (event: CongestionEvent): number => events.push(event),
  };
  const control = new GatedControl(hpccppFactory(), environment, () => state.isControlled);
  let us = 0;
  /** An acknowledgement per microsecond: a link that carries `load` of its rate, with a queue. */
  const measure = (count: number, load: number, queueBytes = 0): void => {
    for (let i = 0; i < count; i++) {
      us++;
      const txBytes = Math.round(us * BYTES_PER_US * load);
      const telemetry = [hopRecord({ timestamp: us * 1000, txBytes, queueBytes })];
      const sequences = { ackSequence: us * 1000, nextSequence: us * 1000 + 10_000 };
      control.onAck(acknowledgement({ ...sequences, telemetry, now: us * 1_000_000 }));
    }
  };
  const tag = (isControlled: boolean): void => {
    state.isControlled = isControlled;
    control.onChange(us * 1_000_000);
  };
  return { control, events, measure, tag };
}

describe('congestion control behind the gate', () => {
  it('never slows a free flow down, however full its path is', () => {
    const { control, events, measure } = gate();
    const { windowBytes, pacingRate } = control;
    measure(200, 1, 300_000);
    expect(control).toMatchObject({ windowBytes, pacingRate });
    expect(control.metrics()).toMatchObject({ windowBytes, pacingRate });
    expect(control.held).toBeGreaterThan(150);
    expect(events).toEqual([]);
  });

  it('acts as soon as the flow is under control, from the window that it had', () => {
    const { control, measure, tag } = gate();
    measure(200, 1, 300_000);
    const { windowBytes } = control;
    tag(true);
    expect(control.windowBytes).toBe(windowBytes);
    // Had the reductions of the free time counted, the window would be at its least now.
    measure(2, 1, 300_000);
    expect(control.windowBytes).toBeGreaterThan(windowBytes / 10);
    measure(60, 1, 300_000);
    expect(control.windowBytes).toBeLessThan(windowBytes / 2);
  });

  it('keeps the window at release and lets it rise again on a path with room', () => {
    const { control, measure, tag } = gate();
    const initial = control.windowBytes;
    tag(true);
    measure(100, 1, 100_000);
    const reduced = control.windowBytes;
    expect(reduced).toBeLessThan(initial / 2);
    tag(false);
    expect(control.windowBytes).toBe(reduced);
    measure(30, 1, 100_000);
    expect(control.windowBytes).toBe(reduced);
    // By the algorithm's own rules, of which the multiplicative one applies in every sixth round.
    measure(1000, 0.3);
    expect(control.windowBytes).toBeGreaterThan(0.99 * initial);
  });

  it('shows observers the window that counts', () => {
    const { control, events, measure, tag } = gate();
    tag(true);
    measure(50, 1, 100_000);
    tag(false);
    measure(100, 0.3);
    const windows = events.flatMap((event) =>
      event.kind === 'window-updated' ? [event.windowBytes] : [],
    );
    expect(windows.at(-1)).toBe(control.windowBytes);
    const lowest = windows.indexOf(Math.min(...windows));
    const rising = windows.slice(lowest);
    expect(rising).toEqual([...rising].sort((a, b) => a - b));
  });

  it('does the same for loads that hide their links', () => {
    const { control, tag } = gate();
    const { windowBytes } = control;
    const load = (i: number, ratio: number) => ({
      ackSequence: i * 1000,
      nextSequence: i * 1000 + 10_000,
      now: i * 1_000_000,
      ratio,
      intervalNs: 1000,
    });
    for (let i = 1; i < 100; i++) expect(control.onLoad(load(i, 2))).toBe('ignored');
    expect(control.windowBytes).toBe(windowBytes);
    tag(true);
    for (let i = 100; i < 200; i++) control.onLoad(load(i, 2));
    expect(control.windowBytes).toBeLessThan(windowBytes / 2);
  });
});

describe('an algorithm behind the gate', () => {
  const loss = { kind: 'gap', sequence: 0, nextSequence: 1, now: 8 } as const;

  function listener(isControlled: boolean) {
    const heard: unknown[] = [];
    class Listener extends FixedRate implements CongestionControl {
      readonly wakeupAt = 77;
      readonly onLoss = (what: unknown) => void heard.push(what);
      readonly onCongestionNotification = (now: number) => void heard.push(now);
      readonly onWakeup = (now: number) => void heard.push(now);
      readonly onBaseRtt = (baseRtt: number) => void heard.push(baseRtt);
    }
    const environment = { linkRate: LINK_RATE, baseRtt: BASE_RTT, segmentBytes: 4096, maxHops: 8 };
    const make: CongestionControlFactory = ({ linkRate, segmentBytes }) => {
      heard.push(segmentBytes);
      return new Listener(linkRate);
    };
    return { heard, control: new GatedControl(make, environment, () => isControlled) };
  }

  it.each([
    [true, [4096, loss, 9, 10, 11]],
    [false, [4096, 10, 11]],
  ])('under control: %s: hears what it would hear without, but no reason to reduce', (is, told) => {
    const { heard, control } = listener(is);
    control.onLoss(loss);
    control.onCongestionNotification(9);
    control.onWakeup(10);
    control.onBaseRtt(11);
    expect(heard).toEqual(told);
    expect(control.wakeupAt).toBe(77);
  });
});
