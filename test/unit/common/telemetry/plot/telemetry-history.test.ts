import type { DecodedFrame, Telemetry } from '../../../../../common/telemetry/entry';
import type { CarrierHop } from '../../../../../common/hop/hop';
import { TelemetryHistory } from '../../../../../common/telemetry/plot/telemetry-history';

const NOTHING = { offset: 0, payloadOffset: 0, end: 0, wireEnd: 0 };

const frameOf = (sourcePort: number, destination = '10.0.0.2'): DecodedFrame => ({
  ip: {
    ...NOTHING,
    source: '10.0.0.1',
    destination,
    dscp: 0,
    protocol: 17,
    options: [],
    ifa: undefined,
  },
  transport: { ...NOTHING, protocol: 'udp', sourcePort, destinationPort: 4791 },
  telemetry: [],
});

const telemetryOf = (...hops: CarrierHop[]): Telemetry => ({ format: 'int', details: {}, hops });

const at = (microseconds: number) => ({ seconds: 100, nanoseconds: microseconds * 1000 });

/** A record of switch 1, port 2, with counters of 16 bits. */
const hop = (timestamp: number, txBytes: number, more: Partial<CarrierHop> = {}): CarrierHop => ({
  switchId: 1,
  portId: 2,
  timestamp,
  timestampModulus: 65_536,
  txBytes,
  txBytesModulus: 65_536,
  ...more,
});

function linkOf(history: TelemetryHistory) {
  const [link] = history.links;
  if (link === undefined) throw new Error('no link');
  const values = (series: { points(): Iterable<readonly [number, number]> }) => [
    ...series.points(),
  ];
  return {
    name: link.link,
    queue: values(link.queueBytes),
    latency: values(link.latencyNs),
    bytes: values(link.sentBytes),
    elapsed: values(link.sentNs),
  };
}

describe('what telemetry says over time', () => {
  it('has queues and latencies by link, from the first frame on', () => {
    const history = new TelemetryHistory();
    const fields = { hopLatencyNs: 700 };
    history.add(at(5), frameOf(1), telemetryOf(hop(0, 0, { queueBytes: 900, fields })));
    history.add(at(8), frameOf(1), telemetryOf(hop(9, 9, { queueBytes: 100, sojournNs: 50 })));
    expect(linkOf(history)).toMatchObject({
      name: 'switch 1 port 2',
      queue: [
        [0, 900],
        [3000, 100],
      ],
      latency: [
        [0, 700],
        [3000, 50],
      ],
    });
  });

  it("has the bytes that left, by the switch's clock, across wraps of both counters", () => {
    const history = new TelemetryHistory();
    history.add(at(0), frameOf(1), telemetryOf(hop(65_000, 65_500)));
    history.add(at(2), frameOf(1), telemetryOf(hop(464, 1464)));
    expect(linkOf(history)).toMatchObject({ bytes: [[2000, 1500]], elapsed: [[2000, 1000]] });
  });

  it('leaves out records of packets that were overtaken', () => {
    const history = new TelemetryHistory();
    for (const [us, timestamp, txBytes] of [
      [0, 1000, 0],
      [1, 3000, 2000],
      [2, 2000, 1000],
      [3, 4000, 3000],
    ] as const) {
      history.add(at(us), frameOf(1), telemetryOf(hop(timestamp, txBytes)));
    }
    const { bytes, elapsed } = linkOf(history);
    const total = (points: (readonly [number, number])[]) =>
      points.reduce((sum, [, value]) => sum + value, 0);
    expect([total(bytes), total(elapsed)]).toEqual([3000, 3000]);
  });

  it('notes when packets of a flow come another way', () => {
    const history = new TelemetryHistory();
    const path = (...ids: number[]) =>
      telemetryOf(...ids.map((switchId) => ({ switchId, portId: 3 })));
    history.add(at(0), frameOf(7), path(1, 2));
    history.add(at(1), frameOf(8), path(1, 4));
    history.add(at(2), frameOf(7), path(1, 2));
    history.add(at(3), frameOf(7), path(1, 4));
    expect(history.changes).toEqual([
      { ns: 3000, flow: '10.0.0.1:7 to 10.0.0.2:4791 udp', from: '1:3 2:3', to: '1:3 4:3' },
    ]);
  });

  it('is bounded in links and changes, and counts what it leaves out', () => {
    const history = new TelemetryHistory();
    for (let i = 0; i < 1000; i++) {
      history.add(at(i), frameOf(1), telemetryOf({ switchId: i, portId: 1, queueBytes: 1 }));
    }
    expect(history.links).toHaveLength(64);
    expect(history.otherHops).toBe(1000 - 64);
    expect(history.changes).toHaveLength(500);
    expect(history.otherChanges).toBe(999 - 500);
  });

  it('takes all paths of uSIDs from a host to another for one flow, whatever their entropies', () => {
    const history = new TelemetryHistory();
    const paths = ['fd48:5044:1:8002::', 'fd48:5044:3:1:8002:0', 'fd48:5044:8002::'];
    paths.forEach((path, i) => {
      history.add(at(i), frameOf(100 + i, path), telemetryOf(hop(i, i, { portId: i })));
    });
    expect(history.changes.map(({ flow, to }) => [flow, to])).toEqual([
      ['10.0.0.1 to fd48:5044:8002:::4791 udp', '1:1'],
      ['10.0.0.1 to fd48:5044:8002:::4791 udp', '1:2'],
    ]);
    const other = new TelemetryHistory();
    other.add(at(0), frameOf(1, 'fd48:5044:1:8002::'), telemetryOf(hop(0, 0)));
    other.add(at(1), frameOf(1, 'fd48:5044:1:8003::'), telemetryOf(hop(1, 1, { portId: 3 })));
    other.add(at(2), frameOf(1, 'fd48:5045:1:8002::'), telemetryOf(hop(2, 2, { portId: 4 })));
    expect(other.changes).toEqual([]);
  });

  it('knows nothing of frames without a time', () => {
    const history = new TelemetryHistory();
    history.add(undefined, frameOf(1), telemetryOf(hop(0, 0)));
    expect(history.links).toEqual([]);
  });
});
