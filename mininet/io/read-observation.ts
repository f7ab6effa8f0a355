import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { collectedOf, totalsLineSchema } from '../observation/collected';
import type { Collected, TotalsLine } from '../observation/collected';
import { isInCase } from '../experiment/experiment';
import type { ExperimentCase } from '../experiment/load-experiment';
import type { ExpandedNetwork } from '../plan/network-text';
import type { Observation } from '../observation/observation';
import { observeFlows } from '../observation/observe-flows';
import type { FlowOutput } from '../observation/observe-flows';
import {
  agentFailure,
  agentReportSchema,
  iperf3Schema,
  parseJson,
  parseJsonLines,
  sendFailure,
  sendReportSchema,
  switchCountersSchema,
  tcpSampleSchema,
  traceLineSchema,
} from '../observation/outputs';
import type { AgentReport, SwitchCounters, TcpSample, TraceLine } from '../observation/outputs';
import type { Plan } from '../plan/plan';
import { cpuSampleSchema, portSampleSchema, runSchema } from '../plan/run-files';
import { agentName, traceFile } from '../plan/run-processes';
import type { FlowProcess } from '../plan/run-processes';

/**
 * Reads what a run has left in its folder.
 * @throws InputError for a host that has failed, and for files that are missing or are not what they
 *   should be.
 */
export function readObservation(
  own: ExperimentCase,
  network: ExpandedNetwork,
  plan: Plan,
): Observation {
  const files = new RunFolder(plan.output);
  const run = parseJson(files.text('run.json'), files.path('run.json'), runSchema);
  return {
    own,
    network,
    plan,
    run,
    cpu: files.lines('cpu.jsonl', cpuSampleSchema),
    ports: files.lines('ports.jsonl', portSampleSchema),
    flows: observeFlows(own, run, (process) => flowOutput(files, plan, process)),
    tcpSamples: tcpSamples(files, own, run.readySince ?? 0),
    collected: collectedBy(files, own),
    agents: agentsOf(files, plan),
    switches: switchesOf(files, plan),
  };
}

class RunFolder {
  readonly #traces = new Map<string, readonly TraceLine[]>();

  constructor(private readonly folder: string) {}

  path(name: string): string {
    return path.join(this.folder, name);
  }

  /** @throws InputError when the file cannot be read. */
  text(name: string): string {
    try {
      return fs.readFileSync(this.path(name), 'utf8');
    } catch (error) {
      throw new InputError(`cannot read ${this.path(name)}: ${(error as Error).message}`);
    }
  }

  /** Nothing for a file that is not there. */
  textIfAny(name: string): string {
    return fs.existsSync(this.path(name)) ? this.text(name) : '';
  }

  lines<T>(name: string, schema: Parameters<typeof parseJsonLines<T>>[2]): T[] {
    return parseJsonLines(this.textIfAny(name), this.path(name), schema);
  }

  /** Control updates that a process has written. That of a receiver is asked for by each of its flows. */
  trace(process: string): readonly TraceLine[] {
    const known = this.#traces.get(process);
    if (known !== undefined) return known;
    const lines = this.lines(traceFile(process), traceLineSchema);
    this.#traces.set(process, lines);
    return lines;
  }
}

/** Reads what a sender has written, with the trace of whoever ran the algorithm of its flow. */
function flowOutput(
  files: RunFolder,
  plan: Plan,
  { name, flow }: FlowProcess,
): FlowOutput | undefined {
  const file = `${name}.out`;
  const text = files.textIfAny(file).trim();
  if (text === '') return undefined;
  if (flow.kind === 'iperf3') {
    const client = parseJson(text, files.path(file), iperf3Schema);
    return { report: { kind: 'iperf3', client }, trace: [] };
  }
  const failure = sendFailure(text, files.path(file));
  if (failure !== undefined)
    throw new InputError(`flow ${name} of ${flow.from} failed: ${failure}`);
  const send = parseJson(text, files.path(file), sendReportSchema);
  const id = send.sent.flows[0]?.flow;
  const source = plan.hosts.find((host) => host.name === flow.from)?.ipv4;
  const atReceiver = files
    .trace(agentName(flow.to))
    .filter((line) => line.flow === id && line.source === source);
  const trace = atReceiver.length > 0 ? atReceiver : files.trace(name);
  return { report: { kind: 'hpcc', send }, trace };
}

/** TCP samples of senders only; a receiver samples the way back, which is not the bottleneck. */
function tcpSamples(files: RunFolder, own: ExperimentCase, readySince: number): TcpSample[] {
  const { flows, services } = own.document;
  const senders = new Set(flows.flatMap((each) => (each.kind === 'iperf3' ? [each.from] : [])));
  return services
    .filter((service) => isInCase(service, own.name) && senders.has(service.host))
    .flatMap(({ name }) => files.lines(traceFile(name), tcpSampleSchema))
    .map((sample) => ({ ...sample, t: sample.t - readySince }));
}

/** Sums of the first collector of telemetry reports; undefined where none has run. */
function collectedBy(
  files: RunFolder,
  { document, name: own }: ExperimentCase,
): Collected | undefined {
  const service = document.services.find((each) => isInCase(each, own) && isCollector(each.argv));
  if (service === undefined) return undefined;
  const lines: readonly TotalsLine[] = files.lines(`${service.name}.out`, totalsLineSchema);
  return collectedOf(lines);
}

const isCollector = (argv: readonly string[]): boolean =>
  argv.slice(0, 3).join(' ') === 'hpcc int collect';

function agentsOf(files: RunFolder, { hosts }: Plan): Map<string, AgentReport> {
  const agents = new Map<string, AgentReport>();
  for (const { name } of hosts) {
    const file = `${agentName(name)}.out`;
    const line = lastLine(files.textIfAny(file));
    if (line !== '') agents.set(name, parseJson(line, files.path(file), agentReportSchema));
    const failure = agentFailure(files.textIfAny(`${agentName(name)}.err`));
    if (line === '' && failure !== undefined) throw new InputError(`agent of ${name}: ${failure}`);
  }
  return agents;
}

function switchesOf(files: RunFolder, { switches }: Plan): Map<string, SwitchCounters> {
  const found = new Map<string, SwitchCounters>();
  for (const { name, kind, process } of switches) {
    if (kind !== 'embedded') continue;
    const line = lastLine(files.textIfAny(process.stdout));
    // A switch that was killed has not printed its counters.
    if (!line.startsWith('{')) continue;
    found.set(name, parseJson(line, files.path(process.stdout), switchCountersSchema));
  }
  return found;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
