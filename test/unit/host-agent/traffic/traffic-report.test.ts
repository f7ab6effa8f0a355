import {
  flowTotal,
  intervalBetween,
  summedSample,
  TrafficTally,
} from '../../../../host-agent/traffic/traffic-report';
import type { FlowSample } from '../../../../host-agent/traffic/traffic-report';

const sample = (parts: Partial<FlowSample>): FlowSample => ({
  flow: 1,
  acknowledgedBytes: 0,
  segmentsRetransmitted: 0,
  timeouts: 0,
  windowBytes: 10,
  pacingRate: 1e6,
  isComplete: true,
  seconds: 1,
  hops: 1,
  controlAt: 'sender',
  normalizedInflight: 0.5,
  windowUpdates: 1,
  uncontrolledSeconds: 0,
  withTelemetry: 1,
  withoutTelemetry: 0,
  queueBytes: 0,
  queueBytesMax: 0,
  telemetryRejected: 0,
  ...parts,
});

function trafficTotal(flows: readonly ReturnType<typeof flowTotal>[]) {
  const tally = new TrafficTally();
  for (const flow of flows) tally.add(flow);
  return tally.total();
}

describe('the report of a flow', () => {
  test('of an interval is the difference of two samples', () => {
    const before = sample({ acknowledgedBytes: 1000, segmentsRetransmitted: 1 });
    const after = sample({ acknowledgedBytes: 3000, segmentsRetransmitted: 4, queueBytes: 5 });
    expect(intervalBetween(before, after, { from: 1, to: 3 })).toMatchObject({
      bytes: 2000,
      bitsPerSecond: 8000,
      segmentsRetransmitted: 3,
      queueBytes: 5,
      fromSeconds: 1,
      toSeconds: 3,
    });
    expect(intervalBetween(undefined, after, { from: 0, to: 1 }).bytes).toBe(3000);
  });

  test('has the throughput over its completion time', () => {
    expect(flowTotal(sample({ acknowledgedBytes: 500, seconds: 2 })).bitsPerSecond).toBe(2000);
    expect(flowTotal(sample({ seconds: 0 })).bitsPerSecond).toBe(0);
  });
});

describe('the report of all flows', () => {
  const total = (...bytes: readonly number[]) =>
    trafficTotal(bytes.map((acknowledgedBytes) => flowTotal(sample({ acknowledgedBytes }))));

  test.each([
    [[1000, 1000], 1],
    [[1000, 0], 0.5],
    [[0, 0], 1],
    [[3000, 1000], 0.8],
  ])("has Jain's index of %j: %d", (bytes, jain) => {
    expect(total(...bytes).jain).toBeCloseTo(jain);
  });

  test('adds up bytes, and counts those that did not finish', () => {
    const flows = [
      flowTotal(sample({ acknowledgedBytes: 1000, seconds: 1, queueBytesMax: 7 })),
      flowTotal(sample({ acknowledgedBytes: 1000, seconds: 2, isComplete: false })),
    ];
    expect(trafficTotal(flows)).toMatchObject({
      bytes: 2000,
      seconds: 2,
      bitsPerSecond: 8000,
      queueBytesMax: 7,
      unfinishedFlows: 1,
    });
  });
});

describe('the report of flows that follow each other', () => {
  test('lasts from the start of the first to the end of the last', () => {
    const tally = new TrafficTally();
    tally.add(flowTotal(sample({ acknowledgedBytes: 1000, seconds: 1 })), 0);
    tally.add(flowTotal(sample({ acknowledgedBytes: 3000, seconds: 2 })), 2);
    expect(tally.total()).toMatchObject({ flows: 2, bytes: 4000, seconds: 4, bitsPerSecond: 8000 });
  });

  test('counts what is unfinished and uncontrolled, and has completion times of the rest', () => {
    const tally = new TrafficTally();
    tally.add(flowTotal(sample({ seconds: 9, isComplete: false })));
    tally.add(flowTotal(sample({ seconds: 1, uncontrolledSeconds: 0.5 })));
    tally.add(flowTotal(sample({ seconds: 2, uncontrolledSeconds: 0.01 })));
    const { unfinishedFlows, uncontrolledFlows, fctSeconds } = tally.total();
    expect([unfinishedFlows, uncontrolledFlows]).toEqual([1, 1]);
    expect(fctSeconds.median).toBeCloseTo(1, 1);
    expect(fctSeconds).toMatchObject({ p99: 2, max: 2 });
  });

  test('has in an interval what has ended and what runs', () => {
    const tally = new TrafficTally();
    tally.add(flowTotal(sample({ acknowledgedBytes: 1000, segmentsRetransmitted: 3 })));
    const running = [
      sample({ acknowledgedBytes: 10, queueBytes: null }),
      sample({ acknowledgedBytes: 5, queueBytes: 7 }),
    ];
    expect(summedSample(running, tally)).toEqual({
      acknowledgedBytes: 1015,
      segmentsRetransmitted: 3,
      windowBytes: 20,
      pacingRate: 2e6,
      queueBytes: 7,
    });
    expect(summedSample([], tally).queueBytes).toBeNull();
  });
});
