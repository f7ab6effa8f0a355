import * as net from 'node:net';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { serveMetrics } from '../../common/io/metrics-server';
import type { MetricsServer } from '../../common/io/metrics-server';
import { note, print } from '../../common/io/terminal';
import { ReportCollector } from '../../common/telemetry/collect/report-collector';
import { IdleClock } from '../../common/telemetry/collect/idle-clock';
import { ReportIntake } from '../../common/telemetry/collect/report-intake';
import { ReportTotals } from '../../common/telemetry/collect/report-totals';
import { totalsLines } from '../../common/telemetry/collect/totals-lines';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import { ByteText } from '../../common/telemetry/lines/byte-text';
import { ReportLines } from '../../common/telemetry/lines/report-lines';
import { countOption, portOption, wholeWithin } from '../shared/option-values';
import { collectorMetrics } from './collector-metrics';
import { ParquetRows } from '../../common/telemetry/io/parquet-rows';
import { captureSource, socketSource } from './report-source';
import type { ReportSource } from './report-source';

interface CollectFlags {
  readonly port: number;
  readonly address?: string;
  readonly count?: number;
  readonly totals?: true;
  readonly metrics?: string;
  readonly parquet?: string;
  readonly idleS?: number;
}

/** Time for which what reports have told of is kept. */
const IDLE_S = 300;

export function registerCollect(parent: Command): void {
  parent
    .command('collect')
    .summary('take telemetry reports and count what is missing')
    .description(
      'Takes Telemetry Reports 0.5, 1.0 and 2.0 of a UDP port until it is interrupted, or of a capture, and prints a ' +
        'JSON line for each: node, hardware id, sequence, metadata, and the flows and hops of the packets inside. ' +
        'With --totals it prints sums at the end instead, by link, flow with its path, and reason of drops; ' +
        'with --parquet it writes rows to a file, which is complete when it ends. ' +
        'At the end it says what is missing by sequence numbers of each source, and what the kernel has dropped.',
    )
    .argument('[capture]', 'capture file, or - for standard input, instead of a socket')
    .option('--port <n>', 'UDP port', portOption, DEFAULT_DECODE_SETTINGS.reportPort)
    .option('--address <ip>', 'address that listens, 0.0.0.0 or :: for all (127.0.0.1)', ipOption)
    .option('-c, --count <n>', 'stop after so many reports', countOption)
    .option('--totals', 'print sums at the end, and no line for each report')
    .option('--parquet <file>', 'write a row for each hop, in place of lines')
    .option(
      '--idle-s <s>',
      `forget flows, hops, links and sources that no report tells of for so long; 0: never (${IDLE_S}, of a capture 0)`,
      wholeWithin({ from: 0, to: 31_536_000 }),
    )
    .option('--metrics <address>', 'as --totals, and serve the sums to Prometheus meanwhile')
    .action((capture: string | undefined, flags: CollectFlags) => collect(capture, flags));
}

function ipOption(text: string): string {
  if (net.isIP(text) !== 0) return text;
  throw new InvalidArgumentError('must be an IPv4 or IPv6 address.');
}

async function collect(capture: string | undefined, flags: CollectFlags): Promise<void> {
  if (capture !== undefined && flags.address !== undefined)
    throw new InputError('--address is for reports that come by UDP, and a capture has its own');
  const { port, address = '127.0.0.1' } = flags;
  const isLive = capture === undefined;
  const source = isLive ? socketSource({ port, address }) : captureSource(capture, port);
  const idleS = flags.idleS ?? (isLive ? IDLE_S : 0);
  try {
    await collectFrom(source, flags, new IdleClock(idleS === 0 ? Infinity : idleS * 1000));
  } finally {
    await source.close();
  }
}

async function collectFrom(
  source: ReportSource,
  flags: CollectFlags,
  clock: IdleClock,
): Promise<void> {
  const collector = new ReportCollector({ reportPort: flags.port }, clock);
  const isSummed = flags.totals === true || flags.metrics !== undefined;
  const totals = isSummed ? new ReportTotals(collector) : undefined;
  const rows = flags.parquet === undefined ? undefined : await ParquetRows.create(flags.parquet);
  const text = new ByteText();
  const lines = isSummed || rows !== undefined ? undefined : new ReportLines(text);
  const outputs = [totals, rows?.rows, lines].filter((output) => output !== undefined);
  const intake = new ReportIntake(collector, outputs);
  let server: MetricsServer | undefined;
  try {
    if (flags.metrics !== undefined && totals !== undefined) {
      const dropped = (): number | null => source.dropped();
      server = await serveMetrics(flags.metrics, collectorMetrics({ collector, totals, dropped }));
      note(`metrics at port ${server.port}, /metrics`);
    }
    try {
      await source.run({
        take: (datagram, time) => intake.add(datagram, time),
        rest: () => flush(text),
        isFull: () => collector.reports >= (flags.count ?? Infinity),
      });
    } finally {
      // What came before a capture turned out to be damaged is told all the same.
      flush(text);
      if (totals !== undefined) printTotals(totals, collector, source.dropped());
      summary(collector);
    }
  } finally {
    await server?.close();
    rows?.finish();
  }
}

function printTotals(
  totals: ReportTotals,
  collector: ReportCollector,
  kernelDropped: number | null,
): void {
  for (const line of totalsLines(totals, { collector, kernelDropped })) print(JSON.stringify(line));
}

/** Prints the lines that have been written. */
function flush(text: ByteText): void {
  if (text.length === 0) return;
  // A copy, since a stream may keep what it is given.
  process.stdout.write(Buffer.from(text.written));
  text.clear();
}

function summary(collector: ReportCollector): void {
  note(`${collector.reports} reports, ${collector.faults} datagrams were none`);
  if (collector.untold > 0)
    note(`${collector.untold} reports of further sources, whose gaps are not known`);
  if (collector.gaps.forgotten > 0)
    note(
      `${collector.gaps.forgotten} sources forgotten, of which ${collector.gaps.forgottenLost} reports were lost`,
    );
  for (const { nodeId, hardwareId, received, lost, late } of collector.sources()) {
    if (lost + late === 0) continue;
    note(
      `node ${nodeId ?? 'unknown'}, hardware ${hardwareId}: ${lost} lost and ${late} late of ${received + lost}`,
    );
  }
}
