import * as fs from 'node:fs';
import * as path from 'node:path';
import { writeAtomically } from '../../common/io/atomic-file';
import { openOutputFolder } from '../../common/io/output-folder';
import { note } from '../../common/io/terminal';
import { InputError } from '../../common/errors';
import { csvFiles, FLOWS_FILE, hasRows, resultTables } from '../result/csv';
import type { Cell } from '../result/csv';
import type { Result } from '../result/result';
import { expandTopology } from '../scenario/expand-topology';
import type { PlainTopology } from '../scenario/expand-topology';
import type { ScenarioDocument } from '../scenario/schema';
import { simulatorFlows, simulatorTopology } from '../scenario/simulator-output';
import { parquetBytes } from './results/parquet';
import { plainConnection, traceWorkload } from '../workload/kinds/connections';
import { hasRanks } from '../workload/kinds/workload';
import type { Trace } from '../workload/tasks/trace';
import { chakraFiles } from '../workload/writers/chakra-writer';
import { flowsAsTrace } from '../workload/writers/flows-as-trace';
import { runWhenNeeded } from './run-when-needed';
import { TraceFile, tracerOf } from './trace-file';

/** A run that was read from its folder, with the scenario where it lies beside the result. */
export interface ExportedRun {
  readonly result: Result;
  readonly folder: string;
  readonly scenario?: ScenarioDocument | undefined;
}

type Contents = string | Uint8Array | Iterable<string>;
/** Files by name, and what the format leaves out. */
interface Export {
  readonly files: ReadonlyMap<string, Contents>;
  readonly warnings?: readonly string[];
}

/** Formats of {@link exportRun} whose files are made of the result. */
const FORMATS: Readonly<Record<string, (run: ExportedRun) => Export | Promise<Export>>> = {
  flows: flowFiles,
  chakra: chakraTraces,
  csv: ({ result, folder }) => ({
    files: csvFiles(result),
    warnings: hasRows(result) ? [`the flows are in ${path.join(folder, FLOWS_FILE)}`] : [],
  }),
  parquet: parquetFiles,
};

const PERFETTO = 'perfetto';

/** Names of the formats that a run can be written in. */
export const EXPORT_FORMATS: readonly string[] = [...Object.keys(FORMATS), PERFETTO];

/**
 * Writes a run in a format of other programs; what the format has no words for is said on standard error.
 * @param into folder, which is made if needed
 * @returns the written files. @throws InputError for a run that the format cannot say.
 */
export async function exportRun(run: ExportedRun, format: string, into: string): Promise<string[]> {
  if (format === PERFETTO) return [await perfettoTrace(run, into)];
  const make = FORMATS[format];
  if (make === undefined) throw new InputError(`no format '${format}'`);
  const { files, warnings = [] } = await make(run);
  openOutputFolder(into);
  for (const warning of warnings) note(`hpcc: ${warning}`);
  return [...files].map(([name, contents]) => {
    const file = path.join(into, name);
    try {
      writeAtomically(file, contents);
    } catch (error) {
      throw new InputError(`cannot write ${file}: ${(error as Error).message}`);
    }
    return file;
  });
}

/** Topology and flows as the HPCC simulator reads them, each flow when it started in this run. */
function flowFiles(run: ExportedRun): Export {
  const topology = topologyOf(run);
  const flows = flowsOf(run).map(({ source: from, destination: to, bytes, startUs }) =>
    plainConnection({ from, to, bytes, startUs }),
  );
  if (flows.length === 0) throw new InputError('the run has no flows');
  const { traces, collectives = [] } = run.result;
  const isOfMessages = traces !== undefined || collectives.length > 0;
  const files = new Map([
    ['topology.txt', simulatorTopology(topology)],
    ['flows.txt', simulatorFlows(flows, topology)],
  ]);
  const warnings = isOfMessages
    ? ['messages that share a flow are one flow, which starts with the first of them']
    : [];
  return { files, warnings: [...warnings, ...eventsLeftOut(run)] };
}

/** Execution traces of the ranks of the run's trace, or of its hosts, which send its flows. */
function chakraTraces(run: ExportedRun): Export {
  const { trace, warnings } = traceOf(run);
  const { ranks, groups, warnings: more } = chakraFiles(trace);
  const files = new Map<string, Contents>(ranks.map((bytes, i) => [`trace.${i}.et`, bytes]));
  if (Object.keys(groups).length > 0) files.set('groups.json', `${JSON.stringify(groups)}\n`);
  return { files, warnings: [...warnings, ...more, ...eventsLeftOut(run)] };
}

function traceOf(run: ExportedRun): { trace: Trace; warnings: readonly string[] } {
  const { flows = [], workloads = [] } = run.scenario ?? {};
  const [first, ...others] = workloads.filter(hasRanks);
  if (first === undefined) {
    if (run.result.traces !== undefined) {
      throw new InputError(`${run.folder} has no scenario.json, which says what its ranks do`);
    }
    const trace = flowsAsTrace(flowsOf(run), topologyOf(run).hosts);
    return { trace, warnings: ['in Chakra, rank i is the i-th host, and flows start at whole us'] };
  }
  const { trace, startUs } = traceWorkload(first);
  const beside = flows.length > 0 || workloads.length > others.length + 1 || others.length > 0;
  return {
    trace,
    warnings: [
      ...(beside ? [`only workload ${first.name} is written, not the traffic beside it`] : []),
      ...(startUs > 0 ? [`workload ${first.name} starts at 0 instead of ${startUs} us`] : []),
    ],
  };
}

/** A Parquet file for each table that runs have as CSV. */
async function parquetFiles(run: ExportedRun): Promise<Export> {
  const files = new Map<string, Contents>();
  const tables = new Map(resultTables(run.result));
  if (hasRows(run.result)) tables.set('flows', rowsOfFile(run));
  for (const [name, { columns, rows }] of tables) {
    const values: Cell[][] = columns.map(() => []);
    for (const row of rows) row.forEach((cell, i) => values[i]?.push(cell));
    const named = columns.map((column, i) => ({ name: column, values: values[i] ?? [] }));
    files.set(`${name}.parquet`, await parquetBytes(named));
  }
  return { files };
}

async function perfettoTrace({ result, folder, scenario }: ExportedRun, into: string) {
  if (scenario === undefined) {
    throw new InputError(`${folder} has no scenario.json, by which the run is repeated and traced`);
  }
  openOutputFolder(into);
  const name = path.join(into, 'trace.pftrace');
  const file = new TraceFile(name, Infinity);
  await runWhenNeeded({
    scenario,
    seed: result.seed,
    checkInvariants: false,
    observer: (simulation) => tracerOf(simulation, { write: file.write }),
  });
  file.close();
  return name;
}

const topologyOf = ({ scenario, result }: ExportedRun): PlainTopology =>
  scenario === undefined ? recordedTopology(result) : expandTopology(scenario.topology);

function recordedTopology({ topology: { nodes, links } }: Result): PlainTopology {
  const of = (kind: string): string[] =>
    nodes.flatMap((node) => (node.kind === kind ? [node.name] : []));
  return {
    hosts: of('host'),
    switches: of('switch'),
    links: links.map(({ a, b, rateGbps, delayUs, backRateGbps, backDelayUs }) => ({
      a,
      b,
      rateGbps,
      delayNs: delayUs * 1000,
      backRateGbps,
      backDelayNs: backDelayUs === undefined ? undefined : backDelayUs * 1000,
      lossRate: 0,
    })),
  };
}

type Flow = Pick<Result['flows'][number], 'source' | 'destination' | 'bytes' | 'startUs'>;

/** All flows of the run, from the file beside the result where that has only the first ones. */
function flowsOf(run: ExportedRun): readonly Flow[] {
  if (!hasRows(run.result)) return run.result.flows;
  return [...rowsOfFile(run).rows].map(([, source, destination, bytes, startUs]) => ({
    source: String(source),
    destination: String(destination),
    bytes: Number(bytes),
    startUs: Number(startUs),
  }));
}

function rowsOfFile({ folder }: ExportedRun): { columns: readonly string[]; rows: Cell[][] } {
  const file = path.join(folder, FLOWS_FILE);
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
  const [heading = '', ...lines] = text.trimEnd().split('\n');
  const cell = (part: string): Cell => {
    if (part === '') return null;
    return Number.isFinite(Number(part)) ? Number(part) : part;
  };
  return { columns: heading.split(','), rows: lines.map((line) => line.split(',').map(cell)) };
}

function eventsLeftOut({ scenario }: ExportedRun): string[] {
  const count = scenario?.events?.length ?? 0;
  return count > 0 ? [`${count} events of links are left out`] : [];
}
