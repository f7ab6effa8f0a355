import * as dgram from 'node:dgram';
import * as fs from 'node:fs';
import * as net from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { serveMetrics } from '../../common/io/metrics-server';
import { note, print } from '../../common/io/terminal';
import { ReportCollector } from '../../common/telemetry/collect/report-collector';
import { ReportTotals } from '../../common/telemetry/collect/report-totals';
import { totalsLines } from '../../common/telemetry/collect/totals-lines';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import { parseLayers, parseTransport } from '../../common/telemetry/decode/frame-layers';
import { WireFault } from '../../common/wire/fault';
import { Ending } from '../decode/print-telemetry';
import { captureBatches } from '../decode/frame-source';
import { countOption, portOption } from '../shared/option-values';
import { collectorMetrics } from './collector-metrics';

interface CollectFlags {
  readonly port: number;
  readonly address?: string;
  readonly count?: number;
  readonly totals?: true;
  readonly metrics?: string;
}

export function registerCollect(parent: Command): void {
  parent
    .command('collect')
    .summary('take telemetry reports and count what is missing')
    .description(
      'Takes Telemetry Reports 0.5, 1.0 and 2.0 of a UDP port until it is interrupted, or of a capture, and prints a ' +
        'JSON line for each: node, hardware id, sequence, metadata, and the flows and hops of the packets inside. ' +
        'With --totals it prints sums at the end instead, by link, flow with its path, and reason of drops. ' +
        'At the end it says what is missing by sequence numbers of each source, and what the kernel has dropped.',
    )
    .argument('[capture]', 'capture file, or - for standard input, instead of a socket')
    .option('--port <n>', 'UDP port', portOption, DEFAULT_DECODE_SETTINGS.reportPort)
    .option('--address <ip>', 'address that listens, 0.0.0.0 or :: for all (127.0.0.1)', ipOption)
    .option('-c, --count <n>', 'stop after so many reports', countOption)
    .option('--totals', 'print sums at the end, and no line for each report')
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
  const collector = new ReportCollector({ reportPort: flags.port });
  const isSummed = flags.totals === true || flags.metrics !== undefined;
  const totals = isSummed ? new ReportTotals(collector) : undefined;
  const take = (datagram: Buffer): void => {
    if (totals !== undefined) {
      totals.add(datagram);
      return;
    }
    const found = collector.add(datagram);
    print(JSON.stringify(found instanceof WireFault ? { fault: found.toString() } : found));
  };
  const server =
    flags.metrics === undefined || totals === undefined
      ? undefined
      : await serveMetrics(flags.metrics, collectorMetrics(collector, totals));
  if (server !== undefined) note(`metrics at port ${server.port}, /metrics`);
  let kernelDropped: number | null = null;
  try {
    kernelDropped = await takeReports(capture, flags, { collector, take });
  } finally {
    await server?.close();
  }
  if (totals !== undefined) {
    for (const line of totalsLines(totals, { collector, kernelDropped }))
      print(JSON.stringify(line));
  }
  summary(collector);
}

interface Intake {
  readonly collector: ReportCollector;
  readonly take: (datagram: Buffer) => void;
}

/** @returns datagrams that the kernel has dropped; null where it does not say. */
async function takeReports(
  capture: string | undefined,
  flags: CollectFlags,
  { collector, take }: Intake,
): Promise<number | null> {
  const isFull = (): boolean => collector.reports >= (flags.count ?? Infinity);
  if (capture === undefined) return fromSocket(flags, take, isFull);
  await fromCapture(capture, flags.port, take, isFull);
  return 0;
}

function summary(collector: ReportCollector): void {
  note(`${collector.reports} reports, ${collector.faults} datagrams were none`);
  if (collector.untold > 0)
    note(`${collector.untold} reports of further sources, whose gaps are not known`);
  for (const { nodeId, hardwareId, received, lost, late } of collector.sources()) {
    if (lost + late === 0) continue;
    note(
      `node ${nodeId ?? 'unknown'}, hardware ${hardwareId}: ${lost} lost and ${late} late of ${received + lost}`,
    );
  }
}

async function fromCapture(
  capture: string,
  port: number,
  take: (datagram: Buffer) => void,
  isFull: () => boolean,
): Promise<void> {
  for await (const batch of captureBatches(capture)) {
    for (const { bytes, linkType } of batch) {
      if (isFull()) return;
      const datagram = payloadOf(bytes, linkType, port);
      if (datagram !== undefined) take(bufferOf(datagram));
    }
  }
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

/** Payload of a datagram to a port; undefined for other frames. */
function payloadOf(bytes: Uint8Array, linkType: number, port: number): Uint8Array | undefined {
  const place = { bytes, at: 0, wireEnd: Infinity, linkType };
  const layers = parseLayers(place, DEFAULT_DECODE_SETTINGS);
  if (layers instanceof WireFault || layers.ip === undefined) return undefined;
  const transport = parseTransport(bytes, layers.ip);
  if (transport === undefined || transport instanceof WireFault) return undefined;
  const { protocol, destinationPort, payloadOffset, end } = transport;
  return protocol === 'udp' && destinationPort === port
    ? bytes.subarray(payloadOffset, end)
    : undefined;
}

/** Room for bursts, which the kernel may cut to its own limit. */
export const RECEIVE_BYTES = 8 << 20;
const LOOK_EVERY_MS = 100;

async function fromSocket(
  { port, address = '127.0.0.1' }: CollectFlags,
  take: (datagram: Buffer) => void,
  isFull: () => boolean,
): Promise<number | null> {
  const end = new Ending();
  end.onSignals();
  const type = net.isIPv6(address) ? 'udp6' : 'udp4';
  const socket = dgram.createSocket({ type, recvBufferSize: RECEIVE_BYTES });
  try {
    socket.bind(port, address);
    await once(socket, 'listening');
  } catch (error) {
    throw new InputError(
      `cannot listen to UDP port ${port} of ${address}: ${(error as Error).message}`,
    );
  }
  socket.on('message', (datagram) => {
    if (!isFull()) take(datagram);
  });
  note(`reports at UDP port ${socket.address().port} of ${address}`);
  while (!end.isOver && !isFull()) await sleep(LOOK_EVERY_MS);
  const drops = socketDrops(type, port);
  socket.close();
  if (drops === null)
    note('what the kernel has dropped is not known: the counts of /proc/net cannot be read');
  else note(`${drops} datagrams dropped by the kernel before they were read`);
  return drops;
}

const SOCKETS = { udp4: '/proc/net/udp', udp6: '/proc/net/udp6' };

/** Sums what the kernel has dropped at sockets of a local port; null where it does not say. */
function socketDrops(type: dgram.SocketType, port: number): number | null {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  try {
    const rows = fs.readFileSync(SOCKETS[type], 'utf8').trim().split('\n').slice(1);
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, local = '']) => local.endsWith(ending))
      .reduce((sum, columns) => sum + Number(columns.at(-1)), 0);
  } catch {
    return null;
  }
}
