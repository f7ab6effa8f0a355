import type { Command } from 'commander';
import { Option } from 'commander';
import { InputError } from '../../common/errors';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import { decodeFrameAt } from '../../common/telemetry/decode/decode-frame';
import { DECODE_FORMATS } from '../../common/telemetry/decode/telemetry';
import type { DecodeSettings } from '../../common/telemetry/decode/decode-settings';
import type { DecodeFormat } from '../../common/telemetry/decode/telemetry';
import { CsvLines } from '../../common/telemetry/lines/csv-lines';
import { JsonLines } from '../../common/telemetry/lines/json-lines';
import { TableLines } from '../../common/telemetry/lines/table-lines';
import type { HopUnits } from '../../common/hop/hop-units';
import { TelemetryHistory } from '../../common/telemetry/plot/telemetry-history';
import type { LineFormat } from '../../common/telemetry/lines/line-format';
import { note } from '../../common/io/terminal';
import { interfaceBatches } from '../decode/follow-interface';
import { captureBatches } from '../decode/frame-source';
import { Ending, printTelemetry } from '../decode/print-telemetry';
import type { Decode } from '../decode/print-telemetry';
import { countOption, markerOption, numberOption, portOption } from '../shared/option-values';
import { wholeOption, within } from '../shared/option-values';

interface DecodeFlags {
  readonly follow?: string;
  readonly count?: number;
  readonly csv?: true;
  readonly json?: true;
  readonly table?: true;
  readonly plot?: string;
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
  readonly csigWideTpid: number;
  readonly intGreProtocol: number;
  readonly ifaProtocol?: number;
  readonly ioamFraction: HopUnits['ioamFraction'];
  readonly queueUnit: number;
  readonly cellBytes: number;
}

const DEFAULT = DEFAULT_DECODE_SETTINGS;

export function registerDecode(command: Command): void {
  command
    .description(
      'Reads frames of a pcap or pcapng file, a pipe or an interface as they come, and prints each ' +
        'telemetry header that a frame carries, inside of tunnels and telemetry reports too: its ' +
        'number, time, flow, format and hops in path order. A fault says where telemetry is ' +
        'damaged. Exits with 1 when the file is.',
    )
    .argument('[capture]', 'capture file, or - for standard input')
    .option('--follow <interface>', 'what an interface receives and sends, until interrupted')
    .option('-c, --count <n>', 'stop after so many frames', countOption)
    .addOption(
      new Option('--csv', 'print comma-separated values, a line per hop').conflicts('json'),
    )
    .addOption(
      new Option(
        '--plot <file>',
        'write a page with queue, latency and rate of each link over time instead of lines',
      ).conflicts(['csv', 'json']),
    )
    .addOption(
      new Option('--json', 'print JSON lines, a line per header (the default but on a terminal)'),
    )
    .addOption(
      new Option(
        '--table',
        'print a table of hops per header (the default on a terminal)',
      ).conflicts(['csv', 'json', 'plot']),
    )
    .addOption(choice('--format <name>', 'only this format', ['auto', ...DECODE_FORMATS], 'auto'))
    .action((capture: string | undefined, flags: DecodeFlags) => decode(capture, flags));
  withSettings(command);
}

/** Options for recognising telemetry, and for units that are not on the wire. */
function withSettings(command: Command): void {
  command
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
      '--csig-wide-tpid <n>',
      'EtherType of wide tags of CSIG',
      portOption,
      DEFAULT.csigWideTpid,
    )
    .option(
      '--int-gre-protocol <n>',
      'EtherType by which GRE announces INT',
      portOption,
      DEFAULT.intGreProtocol,
    )
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
    );
}

const choice = (flag: string, text: string, values: string[], preset: string): Option =>
  new Option(flag, text).choices(values).default(preset);

async function decode(capture: string | undefined, flags: DecodeFlags): Promise<void> {
  const { format, follow } = flags;
  const settings = settingsOf(flags);
  const end = new Ending(flags.count);
  if (follow !== undefined) end.onSignals();
  if ((capture === undefined) === (follow === undefined)) {
    throw new InputError(
      'decode needs either a capture, - for standard input, or --follow INTERFACE',
    );
  }
  const batches =
    follow === undefined
      ? captureBatches(capture ?? '-')
      : interfaceBatches(follow, () => end.isOver);
  const history = flags.plot === undefined ? undefined : new TelemetryHistory();
  const lines = linesOf(flags, settings, history);
  const decodeOne: Decode = ({ bytes, originalLength, linkType }) =>
    decodeFrameAt({ bytes, at: 0, wireEnd: originalLength, linkType }, settings, format);
  const { frames, telemetry, faults, damaged } = await printTelemetry(
    batches,
    decodeOne,
    lines,
    end,
  );
  if (history !== undefined) {
    // Only who plots pays for loading what draws.
    const { writePlot } = await import('../decode/plot-page.js');
    writePlot(flags.plot ?? '', capture ?? follow ?? '', history);
    note(`plot: ${flags.plot}`);
  }
  note(
    `${frames} frames, ${telemetry} telemetry headers, ${faults} of them with faults, ` +
      `${damaged} frames not readable`,
  );
}

/** Who plots prints nothing: the telemetry goes into the history. */
function linesOf(
  { csv, json, table, format }: DecodeFlags,
  settings: DecodeSettings,
  history: TelemetryHistory | undefined,
): LineFormat {
  if (history === undefined) {
    if (csv === true) return new CsvLines(format, settings);
    const isTable = table ?? (json === undefined && process.stdout.isTTY);
    return isTable ? new TableLines() : new JsonLines();
  }
  return {
    start: () => undefined,
    write: (_, { time, decoded }, telemetry) => {
      history.add(time, decoded, telemetry);
    },
  };
}

function settingsOf(flags: DecodeFlags): DecodeSettings {
  const { intDscp, intPort, intMarker, rocePort, reportPort, ccmPort, ifaProtocol } = flags;
  const { csigTpid, csigDialect, csigWideTpid, intGreProtocol } = flags;
  const { ioamFraction, queueUnit, cellBytes } = flags;
  return {
    ...DEFAULT,
    intDscp,
    intPort,
    intMarker,
    intGreProtocol,
    rocePort,
    reportPort,
    ccmPort,
    csigTpid,
    csigDialect,
    csigWideTpid,
    ifaProtocols: ifaProtocol === undefined ? DEFAULT.ifaProtocols : [ifaProtocol],
    padding: flags.format === 'padding' ? flags.padding : 'none',
    units: { ...DEFAULT.units, ioamFraction, queueUnit, cellBytes },
  };
}
