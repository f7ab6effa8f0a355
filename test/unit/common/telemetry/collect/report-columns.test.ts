import { Random } from '../../../../../common/random/random';
import { ReportCollector } from '../../../../../common/telemetry/collect/report-collector';
import { ReportColumns } from '../../../../../common/telemetry/collect/report-columns';
import { ReportIntake } from '../../../../../common/telemetry/collect/report-intake';
import { reportRows } from '../../../../../common/telemetry/collect/report-rows';
import { ReportTotals } from '../../../../../common/telemetry/collect/report-totals';
import { ROW_COLUMNS, RowColumns } from '../../../../../common/telemetry/collect/row-columns';
import { totalsLines } from '../../../../../common/telemetry/collect/totals-lines';
import { ByteText } from '../../../../../common/telemetry/lines/byte-text';
import { ReportLines } from '../../../../../common/telemetry/lines/report-lines';
import { WireFault } from '../../../../../common/wire/fault';
import { RandomReports } from '../../../../support/craft/random-reports';
import { casesOf, SEED } from '../../../../support/effort';

const COUNT = casesOf(1000);

function* randomReports(): Generator<Buffer> {
  for (let i = 0; i < COUNT; i++) yield new RandomReports(new Random(SEED * 7_000_000 + i)).next();
}

test('lines from columns are those of the decoder, and most reports are read in columns', () => {
  const text = new ByteText();
  const intake = new ReportIntake(new ReportCollector(), [new ReportLines(text)]);
  const columns = new ReportColumns(50_003);
  const decoder = new ReportCollector();
  let whole = 0;
  let datagrams = 0;
  for (const datagram of randomReports()) {
    if (columns.read(datagram) && columns.isWhole) whole += 1;
    datagrams += 1;
    text.clear();
    intake.add(datagram, null);
    const found = decoder.add(datagram);
    const line = found instanceof WireFault ? { fault: found.toString() } : found;
    expect(Buffer.from(text.written).toString()).toBe(`${JSON.stringify(line)}\n`);
  }
  expect(whole).toBeGreaterThan(0.1 * datagrams);
});

type Row = Readonly<Record<string, unknown>>;

test('rows from columns are those of the decoder', () => {
  const rows: Row[] = [];
  const sink = new RowColumns(({ count, columns, flows }) => {
    for (let i = 0; i < count; i++) {
      const values = ROW_COLUMNS.map((name) => [name, columns[name][i] as number] as const);
      const flow = columns.flow[i] as number;
      rows.push({ ...Object.fromEntries(values), flow: flows[flow] ?? NaN });
    }
  });
  const intake = new ReportIntake(new ReportCollector(), [sink]);
  const decoder = new ReportCollector();
  const wanted: Row[] = [];
  let time = 0;
  for (const datagram of randomReports()) {
    time += 1;
    intake.add(datagram, time + 0.5);
    const found = decoder.add(datagram);
    if (found instanceof WireFault) continue;
    for (const row of reportRows(found)) {
      const values = Object.entries(row).map(([name, value]: [string, unknown]) => [
        name,
        value === null ? NaN : typeof value === 'boolean' ? Number(value) : value,
      ]);
      wanted.push({ time, ...(Object.fromEntries(values) as Row) });
    }
  }
  sink.finish();
  expect(rows).toEqual(wanted);
});

test('sums from columns are those of the decoder', () => {
  const summed = (add: (totals: ReportTotals, collector: ReportCollector) => void): object[] => {
    const collector = new ReportCollector();
    const totals = new ReportTotals(collector);
    add(totals, collector);
    return [...totalsLines(totals, { collector, kernelDropped: 0 })];
  };
  const inColumns = summed((totals, collector) => {
    const intake = new ReportIntake(collector, [totals]);
    for (const datagram of randomReports()) intake.add(datagram, null);
  });
  const decoded = summed((totals, collector) => {
    for (const datagram of randomReports()) {
      const found = collector.add(datagram);
      if (!(found instanceof WireFault)) totals.addDecoded(found);
    }
  });
  expect(inColumns).toEqual(decoded);
});
