import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import { GatedControl } from '../../../../host-agent/coordination/gated-control';
import { ReceiverGate } from '../../../../host-agent/coordination/receiver-gate';
import { ReceiverControl } from '../../../../host-agent/feedback/receiver-control';
import { RemoteWindow } from '../../../../host-agent/feedback/remote-window';
import { roundClock } from '../../../../host-agent/feedback/round-clock';
import { hopRecord } from '../../../support/telemetry';

const BASE_RTT = 10_000_000;
const LINK_RATE = 100e9;
const ENVIRONMENT = { linkRate: LINK_RATE, baseRtt: BASE_RTT };
const BYTES_PER_US = 12_500;
const US = 1_000_000;
/** CC indicator in the DS flags of INT. */
const CC = 0x8000;
/** The source host as rerouting point, without CC. */
const FREE = 0x5ffe;

/** A receiver that computes windows of data whose switches coordinate. */
function receiver() {
  const gate = new ReceiverGate(8);
  const control = gate.before(hpccppFactory())(ENVIRONMENT);
  const clock = roundClock('timer', BASE_RTT);
  const windows = new ReceiverControl(control, BASE_RTT, clock, gate);
  let us = 0;
  /** A packet per microsecond from a link with `load` of its rate and a queue; returns windows told. */
  const data = (count: number, dsFlags: number, load = 1, queueBytes = 300_000): number[] =>
    Array.from({ length: count }, () => {
      us++;
      const txBytes = Math.round(us * BYTES_PER_US * load);
      const telemetry = [hopRecord({ timestamp: us * 1000, txBytes, queueBytes })];
      const sample = { kind: 'links', telemetry, isIncomplete: false } as const;
      const mark = { sample, epochBits: 0, isUrgent: false, dsFlags };
      return windows.onData(us * US, mark, 0)?.windowBytes ?? [];
    }).flat();
  return { control, data };
}

describe('an algorithm at the receiver under coordination', () => {
  it('tells a free flow no smaller window, however full its path is', () => {
    const { control, data } = receiver();
    const { windowBytes } = control;
    const told = data(200, FREE);
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set([windowBytes]));
  });

  it('acts from the first data that carries the CC indicator on', () => {
    const { control, data } = receiver();
    data(100, FREE);
    const { windowBytes } = control;
    const told = data(60, FREE | CC);
    expect(told.length).toBeGreaterThan(3);
    expect(told.at(-1)).toBeLessThan(windowBytes / 2);
    // Not from the least window: reductions of the free time do not count.
    expect(told[0]).toBeGreaterThan(windowBytes / 10);
  });

  it('keeps the window at release and lets it rise again on a path with room', () => {
    const { control, data } = receiver();
    data(100, FREE | CC);
    const reduced = control.windowBytes;
    data(30, FREE);
    expect(control.windowBytes).toBe(reduced);
    data(1000, FREE, 0.3, 0);
    expect(control.windowBytes).toBeGreaterThan(1.5 * reduced);
  });
});

describe('the sender of such a flow', () => {
  const sender = () => {
    const state = { isControlled: false };
    const environment = { ...ENVIRONMENT, maxHops: 8 };
    const make = (of: typeof ENVIRONMENT) => new RemoteWindow(of);
    const control = new GatedControl(make, environment, () => state.isControlled);
    let epoch = 0;
    const tell = (windowBytes: number): boolean =>
      control.onWindow(++epoch * US, { epoch, flows: 0, windowBytes });
    const tag = (isControlled: boolean): void => {
      state.isControlled = isControlled;
      control.onChange(epoch * US);
    };
    return { control, tell, tag };
  };

  it('obeys smaller windows only while switches want control', () => {
    const { control, tell, tag } = sender();
    const first = control.windowBytes;
    expect(tell(20_000)).toBe(true);
    expect(control.windowBytes).toBe(first);
    tag(true);
    expect(control.windowBytes).toBe(20_000);
    expect(tell(10_000)).toBe(true);
    expect(control.windowBytes).toBe(10_000);
    tag(false);
    tell(5000);
    expect(control.windowBytes).toBe(10_000);
    tell(40_000);
    expect(control.windowBytes).toBe(40_000);
    expect(control.pacingRate).toBeCloseTo((40_000 * 8 * 1e12) / BASE_RTT, -3);
  });

  it('is not halved for the silence of the receiver while it is free', () => {
    const { control, tell, tag } = sender();
    tell(50_000);
    const silence = (from: number) => {
      for (let i = 0; i < 100; i++) {
        const ack = { ackSequence: 0, nextSequence: 0, telemetry: [], isIncomplete: false };
        control.onAck({ ...ack, now: from + i * 10 * US });
      }
    };
    silence(0);
    tag(true);
    expect(control.windowBytes).toBe(50_000);
    silence(US);
    expect(control.windowBytes).toBeLessThan(26_000);
  });
});
