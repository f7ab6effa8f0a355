import { assert, unreachable } from '../../common/assert';
import { routeOf } from '../../host-agent/settings/configuration';
import { optionOf } from '../../host-agent/settings/setting';
import { settingsIn } from '../../host-agent/settings/words';
import { isInCase } from '../experiment/experiment';
import { hostFlags, iperf3Command, sendCommand } from './commands';
import type { FlowDocument, HpccFlowDocument, Iperf3FlowDocument } from '../experiment/experiment';
import type { ExperimentCase } from '../experiment/load-experiment';
import type { HostPlace, Programs } from './commands';
import type { Plan, PlanEvent, PlanProcess } from './plan';

const READY_SECONDS = 30;
/** Beyond the time that a flow takes by itself: start of the process, and congestion. */
const GRACE_SECONDS = 30;
/** Port of the first server of iperf3; each flow has the next one. */
export const IPERF3_PORT = 5201;
const AGENT_READY = '"msg":"ready"';
const IPERF3_READY = 'Server listening';

/** A process that sends one flow, or one of its repetitions. */
export interface FlowProcess {
  /** Also the name of its process. */
  readonly name: string;
  readonly flow: FlowDocument;
  readonly startsAt: number;
}

/** The processes of a case that send flows, in the order of the document. */
export function flowProcesses({ document, name: own }: ExperimentCase): readonly FlowProcess[] {
  return document.flows
    .filter((flow) => isInCase(flow, own))
    .flatMap((flow): FlowProcess[] => {
      const repeat = flow.kind === 'hpcc' ? flow.repeat : undefined;
      if (repeat === undefined) return [{ name: flow.name, flow, startsAt: flow.start }];
      return Array.from({ length: repeat.times }, (_, i) => ({
        name: `${flow.name}-${i + 1}`,
        flow,
        startsAt: flow.start + i * repeat.every,
      }));
    });
}

/** File in the output folder with the control updates of a process. */
export const traceFile = (process: string): string => `${process}.trace.jsonl`;

/** Services of a run, and its events in time order. */
export function runProcesses(
  own: ExperimentCase,
  setting: PlanSetting,
  places: ReadonlyMap<string, HostPlaceAt>,
): Pick<Plan, 'services' | 'timeline'> {
  const context = { own, setting, place: placeIn(places) };
  const flows = flowProcesses(own);
  const events = [
    ...flows.flatMap((flow, i) => flowEvents(flow, { context, port: IPERF3_PORT + i })),
    ...own.document.events.map(({ at, link, state }): PlanEvent => ({
      action: 'link',
      at,
      link,
      state,
    })),
  ];
  // Sorting is stable, so what starts first in the document also starts first here.
  events.sort((a, b) => a.at - b.at);
  return { services: [...ownServices(context), ...servers(flows, context)], timeline: events };
}

interface Context {
  readonly own: ExperimentCase;
  readonly setting: PlanSetting;
  readonly place: (host: string) => HostPlaceAt;
}

const placeIn =
  (places: ReadonlyMap<string, HostPlaceAt>) =>
  (host: string): HostPlaceAt => {
    const found = places.get(host);
    assert(found !== undefined, `host ${host} was checked`);
    return found;
  };

function flowEvents(
  process: FlowProcess,
  { context, port }: { readonly context: Context; readonly port: number },
): PlanEvent[] {
  const { flow, name, startsAt: at } = process;
  const argv = flowCommand(process, context, port);
  const lasts = flow.seconds ?? GRACE_SECONDS;
  return [
    { action: 'start', at, process: { ...logged(name, argv), node: flow.from } },
    { action: 'wait', at, process: name, deadlineSeconds: lasts + GRACE_SECONDS },
  ];
}

function flowCommand({ flow, name }: FlowProcess, context: Context, port: number): string[] {
  const { own, setting, place } = context;
  const destination = place(flow.to).address;
  switch (flow.kind) {
    case 'hpcc': {
      const trace = `${setting.output}/${traceFile(name)}`;
      const { togetherAt } = setting;
      const at = { from: place(flow.from), destination, trace, togetherAt };
      return [...setting.programs.hpcc, ...sendCommand(own.document, flow, at)];
    }
    case 'iperf3':
      return iperf3Command(flow, destination, port);
    default:
      return unreachable(flow);
  }
}

/** One agent for each host that flows under HPCC++ go to, and one server for each TCP flow. */
function servers(flows: readonly FlowProcess[], context: Context): PlanProcess[] {
  const receivers = new Map<string, HpccFlowDocument>();
  for (const { flow } of flows) {
    if (flow.kind === 'hpcc' && !receivers.has(flow.to)) receivers.set(flow.to, flow);
  }
  return [
    ...[...receivers.values()].map((flow) => agent(flow, context)),
    ...flows.flatMap(({ flow }, i) =>
      flow.kind === 'iperf3' ? [iperf3Server(flow, IPERF3_PORT + i)] : [],
    ),
  ];
}

function agent({ to, bothOptions }: HpccFlowDocument, context: Context): PlanProcess {
  const { own, setting, place } = context;
  const receives = { starts: false, answers: true };
  const flags = hostFlags(own.document, { host: place(to), does: receives }, bothOptions);
  if (routeOf(settingsIn(flags)).algorithmAt === 'receiver') {
    flags.push(optionOf('trace'), `${setting.output}/${traceFile(agentName(to))}`);
  }
  return {
    ...logged(agentName(to), [...setting.programs.hpcc, 'agent', ...flags]),
    node: to,
    ready: { stream: 'stderr', contains: AGENT_READY, deadlineSeconds: READY_SECONDS },
  };
}

export const agentName = (host: string): string => `agent-${host}`;

function iperf3Server(flow: Iperf3FlowDocument, port: number): PlanProcess {
  const argv = ['iperf3', '-s', '-1', '-p', String(port), '--forceflush'];
  return {
    ...logged(`${flow.name}-server`, argv),
    node: flow.to,
    ready: { stream: 'stdout', contains: IPERF3_READY, deadlineSeconds: READY_SECONDS },
  };
}

function ownServices({ own, setting }: Context): PlanProcess[] {
  return own.document.services
    .filter((service) => isInCase(service, own.name))
    .map(({ name, host, argv: [first = '', ...words], ready }) => {
      const rest = words.map((word) => word.replace(/^@/, `${setting.output}/`));
      const argv = first === 'hpcc' ? [...setting.programs.hpcc, ...rest] : [first, ...rest];
      const process = { ...logged(name, argv), node: host };
      if (ready === undefined) return process;
      const text = { stream: 'stderr' as const, contains: ready, deadlineSeconds: READY_SECONDS };
      return { ...process, ready: text };
    });
}

/** Settings of a plan besides experiment and network. */
export interface PlanSetting {
  readonly run: string;
  /** Absolute path of an existing folder. */
  readonly output: string;
  /** The controller's document, written there. */
  readonly networkFile: string;
  readonly programs: Programs;
  readonly artifacts: { readonly name: string; readonly p4info: string; readonly config: string };
  /** True if the bottleneck is captured. */
  readonly pcap: boolean;
  /** Unix time in seconds, rather late, at which flows begin that begin together. */
  readonly togetherAt: number;
}

/** A host with its address. */
export type HostPlaceAt = HostPlace & { readonly address: string };

/** A process whose output goes to files of its name. */
export function logged(name: string, argv: readonly string[]): PlanProcess {
  return { name, argv: [...argv], stdout: `${name}.out`, stderr: `${name}.err` };
}
