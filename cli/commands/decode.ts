import { once } from 'node:events';
import * as fs from 'node:fs';
import type { Command } from 'commander';
import { Option } from 'commander';
import { InputError } from '../../common/errors';
import { decodeCapture } from '../../common/telemetry/decode/decode-capture';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import { DECODE_FORMATS } from '../../common/telemetry/decode/telemetry';
import type { DecodeSettings } from '../../common/telemetry/decode/decode-settings';
import type { DecodeFormat } from '../../common/telemetry/decode/telemetry';
import { telemetryLine } from '../../common/telemetry/decode/telemetry-line';
import type { HopUnits } from '../../common/hop/hop-units';
import { WireFault } from '../../common/wire/fault';
import { note } from '../../common/io/terminal';
import {
  markerOption,
  numberOption,
  portOption,
  wholeOption,
  within,
} from '../shared/option-values';

interface DecodeFlags {
  readonly format: DecodeFormat | 'auto';
  readonly padding: 'published' | 'aligned' | 'ns3';
  readonly intDscp: number;
  readonly intPort: number;
  readonly intMarker?: readonly [number, number];
  readonly rocePort: number;
  readonly reportPort: number;
  readonly ccmPort: number;
  readonly csigTpid: number;
  readonly csigDialect: DecodeSettings['csigDialect'];
  readonly ifaProtocol?: number;
  readonly ioamFraction: HopUnits['ioamFraction'];
  readonly queueUnit: number;
  readonly cellBytes: number;
}

const DEFAULT = DEFAULT_DECODE_SETTINGS;

export function registerDecode(program: Command): void {
  program
    .command('decode')
    .summary('print the telemetry of a capture as JSON lines')
    .description(
      'Reads a pcap or pcapng file of Ethernet frames and prints one JSON line per telemetry ' +
        'header that a frame carries: its number, time, flow, format and hops in path order. ' +
        'A line with "fault" says where telemetry is damaged. Exits with 1 when the file is.',
    )
    .argument('<capture>', 'capture file, or - for standard input')
    .addOption(choice('--format <name>', 'only this format', ['auto', ...DECODE_FORMATS], 'auto'))
    .addOption(
      choice(
        '--padding <form>',
        'form of HPCC padding',
        ['published', 'aligned', 'ns3'],
        'published',
      ),
    )
    .option(
      '--int-dscp <n>',
      'DSCP that announces INT',
      within(0, 63, wholeOption),
      DEFAULT.intDscp,
    )
    .option('--int-port <n>', 'UDP port that announces INT', portOption, DEFAULT.intPort)
    .option('--int-marker <hex>', '64-bit probe marker that announces INT', markerOption)
    .option('--roce-port <n>', 'UDP port of RoCEv2', portOption, DEFAULT.rocePort)
    .option('--report-port <n>', 'UDP port of telemetry reports', portOption, DEFAULT.reportPort)
    .option('--ccm-port <n>', 'UDP port of congestion notifications', portOption, DEFAULT.ccmPort)
    .option('--csig-tpid <n>', 'EtherType of CSIG', portOption, DEFAULT.csigTpid)
    .addOption(choice('--csig-dialect <name>', 'layout of CSIG', ['ietf', 'uec'], 'ietf'))
    .option(
      '--ifa-protocol <n>',
      'IP protocol of IFA instead of 253 and 131',
      within(0, 255, wholeOption),
    )
    .addOption(
      choice('--ioam-fraction <unit>', 'timestamps of IOAM', ['ptp', 'posix', 'ntp'], 'ptp'),
    )
    .option(
      '--queue-unit <bytes>',
      'unit of queue lengths of INT and IOAM',
      within(0, 1e9, numberOption),
      1,
    )
    .option(
      '--cell-bytes <bytes>',
      'unit of queue lengths of IFA',
      within(0, 1e9, numberOption),
      80,
    )
    .action((capture: string, flags: DecodeFlags) => printTelemetry(capture, flags));
}

const choice = (flag: string, text: string, values: string[], preset: string): Option =>
  new Option(flag, text).choices(values).default(preset);

async function printTelemetry(capture: string, flags: DecodeFlags): Promise<void> {
  endWithReader();
  const settings = settingsOf(flags);
  const counts = { frames: 0, telemetry: 0, damaged: 0 };
  const name = capture === '-' ? 'standard input' : capture;
  const options = { settings, format: flags.format, name };
  for (const { frame, time, decoded } of decodeCapture(readFile(capture, name), options)) {
    counts.frames++;
    if (decoded instanceof WireFault) {
      counts.damaged++;
      continue;
    }
    for (const telemetry of decoded.telemetry) {
      counts.telemetry++;
      await printPaced(JSON.stringify(telemetryLine(frame, time, decoded, telemetry)));
    }
  }
  const { frames, telemetry, damaged } = counts;
  note(`${frames} frames, ${telemetry} telemetry headers, ${damaged} frames not readable`);
}

/** A reader that has seen enough, such as `head`, ends the command without complaint. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

/** Waits for a slow reader, so that a large capture's lines do not pile up in memory. */
async function printPaced(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}

function readFile(capture: string, name: string): Uint8Array {
  try {
    return fs.readFileSync(capture === '-' ? 0 : capture);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`cannot read ${name}: ${reason}`);
  }
}

function settingsOf(flags: DecodeFlags): DecodeSettings {
  const { intDscp, intPort, intMarker, rocePort, reportPort, ccmPort, ifaProtocol } = flags;
  const { csigTpid, csigDialect, ioamFraction, queueUnit, cellBytes } = flags;
  return {
    ...DEFAULT,
    ...{ intDscp, intPort, intMarker, rocePort, reportPort, ccmPort, csigTpid, csigDialect },
    ifaProtocols: ifaProtocol === undefined ? DEFAULT.ifaProtocols : [ifaProtocol],
    padding: flags.format === 'padding' ? flags.padding : 'none',
    units: { ...DEFAULT.units, ioamFraction, queueUnit, cellBytes },
  };
}
