import type { Command } from 'commander';
import { Option } from 'commander';
import { InputError } from '../../common/errors';
import { writeAtomically } from '../../common/io/atomic-file';
import { note, print } from '../../common/io/terminal';
import { craftDocument } from '../../common/telemetry/craft/document';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import { JUDGED_ROLES, RoleJudge, clausesOf } from '../../common/telemetry/judge/roles';
import type { JudgeSettings } from '../../common/telemetry/judge/packet-view';
import type { Exchange } from '../../common/telemetry/judge/passage';
import { JUDGED_CARRIERS } from '../../common/telemetry/judge/carriers';
import { suiteOf } from '../../common/telemetry/judge/suites';
import { captureBatches } from '../decode/frame-source';
import {
  countOption,
  markerOption,
  portOption,
  wholeOption,
  within,
} from '../shared/option-values';
import type { Device } from './device';
import { embeddedDevice } from './embedded-device';
import { interfaceDevice } from './interface-device';
import {
  carriersOf,
  carriersOption,
  dutOption,
  macOption,
  portFieldsOption,
  refuseLoneDefaults,
  refuseMisfits,
} from './judge-flags';
import type { JudgeFlags } from './judge-flags';
import { p4runtimeDevice } from './p4runtime-device';
import { readInput } from './read-input';
import { VerdictPrinter, judgedClauses, junitText } from './verdict-output';
import type { JudgedClause } from './verdict-output';

const WAIT_MS = 200;

export function registerJudge(parent: Command): void {
  parent
    .command('judge')
    .summary('judge what a device makes of packets, by clauses of INT 2.1 and its reports')
    .description(
      'Judges a device as source, transit or sink of INT-MD, of INT-MX, or as node of INT-XD, and its Telemetry ' +
        'Reports 2.0, or as transit node of IOAM, clause by clause. With --dut it sends frames, its own ones or those of a document or capture, ' +
        'to a P4 program in the embedded switch, to interfaces, or as packet-outs; without, it compares captures in their order. ' +
        'Prints TAP, or JSON lines. Exits with 1 when a clause fails.',
    )
    .argument('[sent]', 'capture of what went in; with --dut a capture or document of what to send')
    .argument('[returned]', 'capture of what came out, without --dut')
    .addOption(
      new Option('--role <role>', 'role of the device').choices(JUDGED_ROLES).default('transit'),
    )
    .option('--json', 'print JSON, a line per clause and packet')
    .option('--junit <file>', 'write the verdicts as a document of JUnit, too')
    .option('--clauses', 'print the clauses of the role, and judge nothing')
    .option('--reports <file>', 'capture of reports, without --dut: one for each packet')
    .option(
      '--dut <kind>',
      'send frames to a device: embedded, interfaces, or p4runtime:HOST:PORT',
      dutOption,
    )
    .option('--program <json>', 'program in the embedded switch, as p4c writes it for bmv2')
    .option('--set-up <file>', 'STF statements that fill the tables of the program')
    .option('--in <port>', 'port, or interface, by which frames go in (1)')
    .option('--out <port>', 'port, or interface, by which they come out (2)')
    .option('--collector <port>', 'port, or interface, by which reports come out')
    .option(
      '--report-port <n>',
      'UDP port of reports by interfaces',
      portOption,
      DEFAULT_DECODE_SETTINGS.reportPort,
    )
    .option(
      '--wait-ms <n>',
      'silence after which no more comes back; five times as long for what is missing',
      countOption,
      WAIT_MS,
    )
    .option('--device-id <n>', 'device of the P4Runtime server (1)', wholeOption)
    .option(
      '--ports <names>',
      'fields of packet_out and packet_in that hold ports: the only ones unless given',
      portFieldsOption,
    )
    .option(
      '--int-dscp <n>',
      'DSCP that announces INT in the domain of the device',
      within(0, 63, wholeOption),
      DEFAULT_DECODE_SETTINGS.intDscp,
    )
    .option(
      '--int-port <n>',
      'UDP port that announces INT',
      portOption,
      DEFAULT_DECODE_SETTINGS.intPort,
    )
    .option('--int-marker <hex>', 'marker of 64 bits that announces INT', markerOption)
    .option('--from <address>', 'source address of its own frames, IPv4 or IPv6 (10.0.0.1)')
    .option('--to <address>', 'destination address of its own frames (10.0.0.2)')
    .option(
      '--to-mac <address>',
      'MAC address to which its own frames go (02:00:00:00:00:02)',
      macOption,
    )
    .option('--ioam-namespace <n>', 'namespace that a node of IOAM knows (1)', portOption)
    .option(
      '--carrier <names>',
      `what carries INT in its own frames (udp,tcp): all, or some of ${JUDGED_CARRIERS.join(', ')}`,
      carriersOption,
    )
    .action(
      (
        sent: string | undefined,
        returned: string | undefined,
        flags: JudgeFlags,
        command: Command,
      ) => {
        refuseLoneDefaults(flags, (name) => command.getOptionValueSource(name) === 'cli');
        return judge(sent, returned, flags);
      },
    );
}

async function judge(
  sent: string | undefined,
  returned: string | undefined,
  flags: JudgeFlags,
): Promise<void> {
  if (flags.clauses === true) {
    for (const { clause, section } of clausesOf(flags.role))
      print(`${clause.padEnd(44)} ${section}`);
    return;
  }
  refuseMisfits(sent, returned, flags);
  const printer = new VerdictPrinter(flags.json === true);
  const kept: JudgedClause[] = [];
  const judgeOf = new RoleJudge(flags.role, settingsOf(flags));
  let frames = 0;
  const take = (exchange: Exchange): void => {
    frames += 1;
    for (const each of judgedClauses(frames, exchange, judgeOf.judge(exchange))) {
      printer.add(each);
      if (flags.junit !== undefined) kept.push(each);
    }
  };
  const extra =
    flags.dut === undefined
      ? await compareCaptures(sent as string, returned as string, flags.reports, take)
      : await tryDevice(sent, flags, take);
  printer.end();
  if (frames === 0) throw new InputError(`${sent ?? 'the suite'}: wanted frames, found none`);
  if (extra > 0) note(`${extra} more frames came back than were sent; they are not judged`);
  note(`${printer.count} clauses judged, ${printer.failed} failed`);
  if (flags.junit !== undefined)
    writeReport(flags.junit, junitText(`hpcc int judge ${flags.role}`, kept));
  if (printer.failed > 0 || extra > 0) process.exitCode = 1;
}

function writeReport(file: string, text: string): void {
  try {
    writeAtomically(file, text);
  } catch (error) {
    throw new InputError(`cannot write ${file}: ${(error as Error).message}`);
  }
}

const settingsOf = ({ intDscp, intPort, intMarker, ioamNamespace }: JudgeFlags): JudgeSettings => ({
  intDscp,
  intPort,
  intMarker,
  ...(ioamNamespace !== undefined && { ioamNamespace }),
});

async function tryDevice(
  file: string | undefined,
  flags: JudgeFlags,
  take: (exchange: Exchange) => void,
): Promise<number> {
  const frames = file === undefined ? ownFrames(flags) : await framesToSend(file);
  const device = await deviceOf(flags);
  try {
    for (const frame of frames) take(await device.exchange(frame));
  } finally {
    device.close();
  }
  return 0;
}

function ownFrames(flags: JudgeFlags): readonly Uint8Array[] {
  const { role, toMac } = flags;
  const frames = suiteOf(role, flowOf(flags), settingsOf(flags), carriersOf(flags));
  if (toMac !== undefined) frames.forEach((frame) => frame.set(toMac));
  return frames;
}

/** Both addresses are of one family: the default of the other follows. */
function flowOf({ from, to }: JudgeFlags): { source?: string; destination?: string } {
  const isIpv6 = (from ?? to)?.includes(':') === true;
  const other = isIpv6 ? { source: 'fd00::1', destination: 'fd00::2' } : {};
  return {
    ...other,
    ...(from !== undefined && { source: from }),
    ...(to !== undefined && { destination: to }),
  };
}

async function deviceOf(flags: JudgeFlags): Promise<Device> {
  const { dut, in: into = '1', out = '2', collector, reportPort, waitMs } = flags;
  if (dut === 'interfaces')
    return interfaceDevice({ in: into, out, collector }, { reportPort, waitMs });
  const ports = {
    in: portNumber('in', into),
    out: portNumber('out', out),
    collector: collector === undefined ? undefined : portNumber('collector', collector),
  };
  if (typeof dut !== 'object') return embeddedDevice(flags.program as string, flags.setUp, ports);
  const { ports: fields, deviceId = 1 } = flags;
  return p4runtimeDevice({
    address: dut.p4runtime,
    deviceId,
    ...ports,
    fields,
    reportPort,
    waitMs,
  });
}

const PORT_MAX = 510;

function portNumber(flag: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= PORT_MAX) return port;
  throw new InputError(`--${flag}: wanted a port from 0 to ${PORT_MAX}, found '${text}'`);
}

/** Frames of a document of layers, or of a capture. */
async function framesToSend(file: string): Promise<readonly Uint8Array[]> {
  if (/\.(ya?ml|json)$/.test(file))
    return [...craftDocument(readInput(file), file)].map(({ bytes }) => bytes);
  const frames: Uint8Array[] = [];
  for await (const frame of framesOf(file)) frames.push(frame);
  return frames;
}

async function compareCaptures(
  sentFile: string,
  returnedFile: string,
  reportsFile: string | undefined,
  take: (exchange: Exchange) => void,
): Promise<number> {
  const returned = framesOf(returnedFile);
  const reports = reportsFile === undefined ? undefined : framesOf(reportsFile);
  for await (const sent of framesOf(sentFile)) {
    const [back, report] = await Promise.all([returned.next(), reports?.next()]);
    take({
      sent,
      returned: back.done === true ? [] : [back.value],
      ...(report !== undefined && { reports: report.done === true ? [] : [report.value] }),
    });
  }
  let extra = 0;
  while ((await returned.next()).done !== true) extra += 1;
  return extra;
}

async function* framesOf(capture: string): AsyncGenerator<Uint8Array, undefined> {
  for await (const batch of captureBatches(capture)) {
    for (const { bytes } of batch) yield bytes.slice();
  }
  return undefined;
}
