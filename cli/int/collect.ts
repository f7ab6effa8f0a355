import * as dgram from 'node:dgram';
import * as fs from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { note, print } from '../../common/io/terminal';
import { ReportCollector } from '../../common/telemetry/collect/report-collector';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import { parseLayers, parseTransport } from '../../common/telemetry/decode/frame-layers';
import { WireFault } from '../../common/wire/fault';
import { Ending } from '../decode/print-telemetry';
import { captureBatches } from '../decode/frame-source';
import { countOption, portOption } from '../shared/option-values';

interface CollectFlags {
  readonly port: number;
  readonly count?: number;
}

export function registerCollect(parent: Command): void {
  parent
    .command('collect')
    .summary('take telemetry reports and count what is missing')
    .description(
      'Takes Telemetry Reports 0.5, 1.0 and 2.0 of a UDP port until it is interrupted, or of a capture, and prints a ' +
        'JSON line for each: node, hardware id, sequence, metadata, and the flows and hops of the packets inside. ' +
        'At the end it says what is missing by sequence numbers of each source, and what the kernel has dropped.',
    )
    .argument('[capture]', 'capture file, or - for standard input, instead of a socket')
    .option('--port <n>', 'UDP port', portOption, DEFAULT_DECODE_SETTINGS.reportPort)
    .option('-c, --count <n>', 'stop after so many reports', countOption)
    .action((capture: string | undefined, flags: CollectFlags) => collect(capture, flags));
}

async function collect(capture: string | undefined, flags: CollectFlags): Promise<void> {
  const collector = new ReportCollector({ reportPort: flags.port });
  const take = (datagram: Uint8Array): void => {
    const found = collector.add(datagram);
    print(JSON.stringify(found instanceof WireFault ? { fault: found.toString() } : found));
  };
  const isFull = (): boolean => collector.reports >= (flags.count ?? Infinity);
  if (capture === undefined) await fromSocket(flags.port, take, isFull);
  else await fromCapture(capture, flags.port, take, isFull);
  summary(collector);
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
  take: (datagram: Uint8Array) => void,
  isFull: () => boolean,
): Promise<void> {
  for await (const batch of captureBatches(capture)) {
    for (const { bytes, linkType } of batch) {
      if (isFull()) return;
      const datagram = payloadOf(bytes, linkType, port);
      if (datagram !== undefined) take(datagram);
    }
  }
}

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
const RECEIVE_BYTES = 8 << 20;
const LOOK_EVERY_MS = 100;

async function fromSocket(
  port: number,
  take: (datagram: Uint8Array) => void,
  isFull: () => boolean,
): Promise<void> {
  const end = new Ending();
  end.onSignals();
  const socket = dgram.createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BYTES });
  try {
    socket.bind(port);
    await once(socket, 'listening');
  } catch (error) {
    throw new InputError(`cannot listen to UDP port ${port}: ${(error as Error).message}`);
  }
  socket.on('message', (datagram) => {
    if (!isFull()) take(datagram);
  });
  while (!end.isOver && !isFull()) await sleep(LOOK_EVERY_MS);
  const drops = socketDrops(port);
  socket.close();
  if (drops === undefined)
    note('what the kernel has dropped is not known: /proc/net/udp cannot be read');
  else note(`${drops} datagrams dropped by the kernel before they were read`);
}

/** Sums what the kernel has dropped at sockets of a local port; undefined where it does not say. */
function socketDrops(port: number): number | undefined {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  try {
    const rows = fs.readFileSync('/proc/net/udp', 'utf8').trim().split('\n').slice(1);
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, local = '']) => local.endsWith(ending))
      .reduce((sum, columns) => sum + Number(columns.at(-1)), 0);
  } catch {
    return undefined;
  }
}
