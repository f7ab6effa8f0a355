import type { FlowSeries } from '../../emulator/result/result';
import type { ObservedFlow } from './observation';

const SAMPLE_SECONDS = 0.02;
const US_PER_SECOND = 1e6;

/**
 * A flow's rate and window, one sample in 20 ms: a trace has a line per acknowledgement, which no
 * plot shows. TCP flows have no trace, so their rate is the throughput of each interval.
 */
export function flowSeries(flow: ObservedFlow): FlowSeries {
  return flow.trace.length > 0 ? tracedSeries(flow) : intervalSeries(flow);
}

function tracedSeries(flow: ObservedFlow): FlowSeries {
  const series = emptySeries(flow);
  const delivered = deliveredAt(flow);
  let next = -Infinity;
  const { trace } = flow;
  for (let row = 0; row < trace.length; row++) {
    const t = trace.seconds(row);
    if (t < next) continue;
    next = t + SAMPLE_SECONDS;
    series.timeUs.push(Math.round(t * US_PER_SECOND));
    series.rateGbps.push(trace.rateBps(row) / 1e9);
    series.windowBytes.push(trace.windowBytes(row));
    series.normalizedInflight.push(trace.normalizedInflight(row) ?? 0);
    series.deliveredBytes.push(delivered(t));
  }
  return series;
}

function intervalSeries(flow: ObservedFlow): FlowSeries {
  const series = emptySeries(flow);
  let delivered = 0;
  for (const { from, to, bytes } of flow.intervals) {
    delivered += bytes;
    series.timeUs.push(Math.round(to * US_PER_SECOND));
    series.rateGbps.push((8 * bytes) / (to - from) / 1e9);
    series.windowBytes.push(0);
    series.normalizedInflight.push(0);
    series.deliveredBytes.push(delivered);
  }
  return series;
}

const emptySeries = ({ number }: ObservedFlow): FlowSeries => ({
  flow: number,
  timeUs: [],
  rateGbps: [],
  windowBytes: [],
  normalizedInflight: [],
  deliveredBytes: [],
});

/** Payload delivered up to an instant, for instants that do not go back. */
function deliveredAt({ intervals }: ObservedFlow): (at: number) => number {
  let [done, i] = [0, 0];
  return (at) => {
    for (let part = intervals[i]; part !== undefined && part.to <= at; part = intervals[++i]) {
      done += part.bytes;
    }
    const part = intervals[i];
    if (part === undefined || at <= part.from) return Math.round(done);
    return Math.round(done + (part.bytes * (at - part.from)) / (part.to - part.from));
  };
}
