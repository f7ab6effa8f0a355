import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { writePlot } from '../../../../cli/decode/plot-page';
import { TelemetryHistory } from '../../../../common/telemetry/plot/telemetry-history';
import type { Chart } from '../../../../emulator/view/data/chart';
import type { PageData } from '../../../../emulator/view/data/page-data';

/** A link that is busy at a rate, with a queue, seen each millisecond. */
function historyOf(bitsPerSecond: number, queueBytes: number): TelemetryHistory {
  const history = new TelemetryHistory();
  for (let ms = 0; ms < 10; ms++) {
    const hop = {
      switchId: 1,
      portId: 3,
      queueBytes,
      timestamp: ms * 1e6,
      timestampModulus: 2 ** 48,
      txBytes: (ms * bitsPerSecond) / 8000,
      txBytesModulus: 2 ** 48,
    };
    const time = { seconds: 1, nanoseconds: ms * 1e6 };
    const frame = { ip: undefined, transport: undefined, telemetry: [] };
    history.add(time, frame, { format: 'int', details: {}, hops: [hop] });
  }
  return history;
}

function chartsOf(history: TelemetryHistory): readonly Chart[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-plot-'));
  const file = path.join(folder, 'plot.html');
  writePlot(file, 'capture.pcap', history);
  const [, json = ''] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(
      fs.readFileSync(file, 'utf8'),
    ) ?? [];
  fs.rmSync(folder, { recursive: true });
  return (JSON.parse(json) as PageData).charts;
}

test.each([
  [100e9, 250_000, 'rate (Gb/s)', 100, 'queue (KB)', 250],
  [10e6, 2_500_000, 'rate (Mb/s)', 10, 'queue (MB)', 2.5],
  [64e3, 120, 'rate (kb/s)', 64, 'queue (B)', 120],
])(
  'a link of %d b/s with %d bytes in its queue is in units of its size',
  (rate, queue, ...wanted) => {
    const charts = chartsOf(historyOf(rate, queue));
    const highest = ({ series: [one] }: Chart): number => Math.max(...(one?.y ?? []).map(Number));
    const shown = charts.flatMap((chart) => [chart.y.label, highest(chart)]).reverse();
    const [rateLabel, fastest, queueLabel, longest] = wanted;
    expect(shown).toEqual(
      [fastest, rateLabel, longest, queueLabel].map((each) =>
        typeof each === 'number' ? (expect.closeTo(each) as unknown) : each,
      ),
    );
    expect(charts.map(({ series }) => series.map(({ name }) => name))).toEqual([
      ['switch 1 port 3'],
      ['switch 1 port 3'],
    ]);
  },
);
