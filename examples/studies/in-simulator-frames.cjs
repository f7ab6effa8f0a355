// Figures of one bottleneck in the frames of the HPCC simulator, which are shorter than ours: times and
// queues times the ratio of both. `drained` counts from the start of the last flow; `later` is the queue from
// 150 us after its peak on, up to 3 ms or the end.
const SIMULATOR_FRAME_BYTES = {
  hpcc: 1090,
  'hpcc-pint': 1050,
  dcqcn: 1048,
  'dcqcn-window': 1048,
  timely: 1056,
  'timely-window': 1056,
  dctcp: 1048,
};
const LATER_US = 150;
const END_US = 3000;

const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)];

exports.judge = ({ result, scenario }) => {
  const frame = SIMULATOR_FRAME_BYTES[scenario.parameters.algorithm];
  if (frame === undefined) throw new Error('the simulator has no such algorithm');
  const scale = frame / result.frames.dataAtBottleneckBytes;
  const { fctUs, bottleneck, queueTimeline, flows } = result;
  const lastStart = Math.max(...flows.map(({ startUs }) => startUs));
  const from = bottleneck.queuePeakAtUs + LATER_US;
  const to = Math.min(END_US, Math.max(...flows.map((flow) => flow.startUs + flow.fctUs)));
  const later = queueTimeline.bytes.filter((_, i) => {
    const at = queueTimeline.startUs + i * queueTimeline.intervalUs;
    return at >= from && at <= to;
  });
  return {
    fctMinUs: fctUs.min * scale,
    fctMedianUs: fctUs.median * scale,
    fctMaxUs: fctUs.max * scale,
    peakKB: (bottleneck.queuePeakBytes * scale) / 1000,
    drainedUs: ((bottleneck.drainedAtUs ?? END_US) - lastStart) * scale,
    laterP50KB: (quantile(later, 0.5) * scale) / 1000,
    laterP99KB: (quantile(later, 0.99) * scale) / 1000,
  };
};
