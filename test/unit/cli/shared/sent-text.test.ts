import { intervalText, summaryText } from '../../../../cli/shared/sent-text';
import { flowTotal, TrafficTally } from '../../../../host-agent/traffic/traffic-report';
import type { FlowTotal } from '../../../../host-agent/traffic/traffic-report';

const flow = (id: number, acknowledgedBytes: number, seconds: number): FlowTotal =>
  flowTotal({
    flow: id,
    acknowledgedBytes,
    seconds,
    segmentsRetransmitted: 3,
    timeouts: 0,
    uncontrolledSeconds: 0,
    isComplete: id !== 2,
    controlAt: 'sender',
    windowBytes: 25_000,
    pacingRate: 1e8,
    normalizedInflight: 0.9,
    windowUpdates: 10,
    hops: 2,
    withTelemetry: 10,
    withoutTelemetry: 0,
    queueBytes: 900,
    queueBytesMax: id === 2 ? null : 12_345,
    telemetryRejected: 0,
  });

function sentOf(flows: readonly FlowTotal[], listed = flows) {
  const tally = new TrafficTally();
  for (const each of flows) tally.add(each);
  return { flows: [...listed], total: tally.total() };
}

const cellsOf = (line = ''): string[] => line.trim().split(/ {2,}/);

describe('the table of sent flows', () => {
  test('has names, units and digits of the dictionary, one unit for a column', () => {
    const lines = summaryText(sentOf([flow(1, 10_000_000, 0.85), flow(2, 20_000, 1.2)]), {}).split(
      '\n',
    );
    expect(cellsOf(lines[0])).toEqual([
      'flow',
      'payload (MB)',
      'time (ms)',
      'throughput (Mb/s)',
      'sent again (segments)',
      'window (KB)',
      'queue max (KB)',
      'hops (links)',
    ]);
    expect(cellsOf(lines[1])).toEqual([
      '[1]',
      '10.00',
      '850.0',
      '94.12',
      '3',
      '25.00',
      '12.35',
      '2',
    ]);
    expect(cellsOf(lines[2])).toEqual([
      '[2] unfinished',
      '0.02000',
      '1200',
      '0.1333',
      '3',
      '25.00',
      '-',
      '2',
    ]);
    expect(cellsOf(lines[3]).slice(0, 5)).toEqual(['all', '10.02', '1200', '66.80', '6']);
    expect(lines[4]).toMatch(/^Jain's index 0\.50\d\d$/);
  });

  test('sums up flows that are too many for rows, with their completion times', () => {
    const text = summaryText(sentOf([flow(1, 1000, 0.002), flow(3, 1000, 0.004)], []), {});
    expect(text.split('\n')[1]).toMatch(/^all 2 /);
    expect(text).toMatch(/FCT median \d+ us, p99 \d+ us, max \d+ us; 500 flows\/s, 0 unfinished/);
  });
});

test('an interval has a unit for each value, and a dash for what is not known', () => {
  const text = intervalText([
    {
      flow: 1,
      fromSeconds: 0,
      toSeconds: 1,
      bytes: 5_431_000,
      bitsPerSecond: 43_448_000,
      segmentsRetransmitted: 2,
      windowBytes: 900,
      pacingRate: 1e8,
      normalizedInflight: null,
      queueBytes: null,
    },
  ]);
  expect(text.replace(/ +/g, ' ')).toBe(
    '[1] 0.0-1.0 s 5431 KB 43.45 Mb/s sent again 2 window 900 B queue -',
  );
});
