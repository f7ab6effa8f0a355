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
  sendFailure,
  sendReportSchema,
  switchCountersSchema,
  tcpSampleSchema,
  traceLineSchema,
} from '../observation/outputs';
import type { AgentReport, SwitchCounters, TcpSample } from '../observation/outputs';
import { Trace } from '../observation/trace';
import type { Plan } from '../plan/plan';
import { cpuSampleSchema, portSampleSchema, runSchema } from '../plan/run-files';
import { agentName, traceFile } from '../plan/run-processes';
import type { FlowProcess } from '../plan/run-processes';
import { FollowedFile } from './followed-file';

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
  const traces = new TraceFiles(files, run.readySince ?? 0);
  return {
    own,
    network,
    plan,
    run,
    cpu: [...files.lines('cpu.jsonl', cpuSampleSchema)],
    ports: [...files.lines('ports.jsonl', portSampleSchema)],
    flows: observeFlows(own, run, (process) => flowOutput(traces, plan, process)),
    tcpSamples: tcpSamples(files, own, run.readySince ?? 0),
    collected: collectedBy(files, own),
    agents: agentsOf(files, plan),
    switches: switchesOf(files, plan),
  };
}

class RunFolder {
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

  /**
   * Lines of JSON, read in parts: a file may be longer than a string can be. None for a file that is not there;
   * a last line without its end was cut off and is left out.
   */
  *lines<T>(name: string, schema: Parameters<typeof parseJson<T>>[2]): Generator<T> {
    const file = new FollowedFile(this.path(name));
    for (const line of file.toEnd()) yield parseJson(line, `${file.path}:${file.line}`, schema);
  }
}

/** Stands where lines of receivers have a source and a flow. */
const OF_SENDER = 'sender';

/** Control updates that processes have written. */
class TraceFiles {
  /** Those of each process: a sender's own, or one for each source and flow of a receiver. */
  readonly #traces = new Map<string, ReadonlyMap<string, Trace>>();

  constructor(
    readonly files: RunFolder,
    private readonly readySince: number,
  ) {}

  /** Updates of a flow that its sender has written. */
  ofSender(process: string): Trace {
    return this.#read(process).get(OF_SENDER) ?? new Trace();
  }

  /** Updates of a flow that its receiver has written; undefined if it has not. */
  ofReceiver(process: string, source: string, flow: number): Trace | undefined {
    return this.#read(process).get(`${source} ${flow}`);
  }

  #read(process: string): ReadonlyMap<string, Trace> {
    const known = this.#traces.get(process);
    if (known !== undefined) return known;
    const traces = new Map<string, Trace>();
    this.#traces.set(process, traces);
    for (const line of this.files.lines(traceFile(process), traceLineSchema)) {
      const key = line.source === undefined ? OF_SENDER : `${line.source} ${line.flow}`;
      const trace = traces.get(key) ?? new Trace();
      traces.set(key, trace);
      trace.append(line, line.t - this.readySince);
    }
    return traces;
  }
}

/** Reads what a sender has written, with the trace of whoever ran the algorithm of its flow. */
function flowOutput(
  traces: TraceFiles,
  plan: Plan,
  { name, flow }: FlowProcess,
): FlowOutput | undefined {
  const { files } = traces;
  const file = `${name}.out`;
  const text = files.textIfAny(file).trim();
  if (text === '') return undefined;
  if (flow.kind === 'iperf3') {
    const client = parseJson(text, files.path(file), iperf3Schema);
    return { report: { kind: 'iperf3', client }, trace: new Trace() };
  }
  const failure = sendFailure(text, files.path(file));
  if (failure !== undefined)
    throw new InputError(`flow ${name} of ${flow.from} failed: ${failure}`);
  const send = parseJson(text, files.path(file), sendReportSchema);
  const id = send.sent.flows[0]?.flow;
  const source = plan.hosts.find((host) => host.name === flow.from)?.ipv4;
  const atReceiver =
    id === undefined || source === undefined
      ? undefined
      : traces.ofReceiver(agentName(flow.to), source, id);
  return { report: { kind: 'hpcc', send }, trace: atReceiver ?? traces.ofSender(name) };
}

/** TCP samples of senders only; a receiver samples the way back, which is not the bottleneck. */
function tcpSamples(files: RunFolder, own: ExperimentCase, readySince: number): TcpSample[] {
  const { flows, services } = own.document;
  const senders = new Set(flows.flatMap((each) => (each.kind === 'iperf3' ? [each.from] : [])));
  return services
    .filter((service) => isInCase(service, own.name) && senders.has(service.host))
    .flatMap(({ name }) => [...files.lines(traceFile(name), tcpSampleSchema)])
    .map((sample) => ({ ...sample, t: sample.t - readySince }));
}

/** Sums of the first collector of telemetry reports; undefined where none has run. */
function collectedBy(
  files: RunFolder,
  { document, name: own }: ExperimentCase,
): Collected | undefined {
  const service = document.services.find((each) => isInCase(each, own) && isCollector(each.argv));
  if (service === undefined) return undefined;
  const lines: readonly TotalsLine[] = [...files.lines(`${service.name}.out`, totalsLineSchema)];
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
