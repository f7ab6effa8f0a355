import * as path from 'node:path';
import { z } from 'zod';
import { parseLocated } from '../../../common/document/located-document';
import { InputError } from '../../../common/errors';
import { readTextFile } from '../../../common/io/bounded-file';
import { note } from '../../../common/io/terminal';
import { expandTopology } from '../../scenario/expand-topology';
import type { ScenarioDocument, ScenarioInput, TopologyDocument } from '../../scenario/schema';
import { usedPart } from '../../scenario/used-part';
import { rankShape } from '../../workload/kinds/trace';
import { hostsOfRanks } from '../../workload/tasks/placement';
import type { Placement } from '../../workload/tasks/placement';
import type { Trace } from '../../workload/tasks/trace';
import {
  checkedScenario,
  loadScenario,
  loadSimulatorTopology,
  scenarioNameOf,
} from './scenario-files';
import { readTraceFiles } from './trace-files';

/** A trace, and where it is to run. */
export interface WorkloadRequest {
  /** File, folder or beginning of file names. */
  readonly trace: string;
  /** Document of the placement and of how collectives are done. */
  readonly placement?: string | undefined;
  /** Length of the buffers, for files that are for any length. */
  readonly bytes?: number | undefined;
  /** Scenario whose network and settings are used, without its traffic. */
  readonly scenario?: string | undefined;
  /** File of a topology, in its place. */
  readonly topology?: string | undefined;
}

/** Key of {@link rankShape} that the placement's document has at its top. */
const placementDocument = z.strictObject({
  placement: rankShape.placement,
  algorithms: rankShape.algorithms,
});

/** Steps of training take longer than flows. */
export const STEP_GIVE_UP_US = 100_000_000;
const RATE_GBPS = 100;
const DELAY_NS = 1000;
/** Most hosts at one switch of the network that is made where none is given. */
const STAR_MAX = 500;
/**
 * Where more are needed, hosts of a leaf, and spines that carry all that these send: few switches, since each has a
 * route to every host.
 */
const HOSTS_PER_LEAF = 250;
const SPINES = 8;

/**
 * A scenario in which a trace runs: on the network of a scenario or of a file, or on one switch, or fabric, with
 * as many hosts as it takes. Hosts without tasks are left out.
 * @throws InputError for files that cannot be read, and ranks that do not fit on the hosts.
 */
export function loadWorkload(request: WorkloadRequest): ScenarioDocument {
  const { trace: file, bytes } = request;
  const read = readTraceFiles(file, {
    folder: process.cwd(),
    ...(bytes !== undefined && { bytes }),
  });
  const { trace } = read;
  const { placement, algorithms } = placementIn(request.placement);
  const base = baseOf(request);
  const topology = base?.topology ?? networkFor(trace, placement);
  const placed = placedOn(topology, trace, placement);
  const name = scenarioNameOf(file.replace(/\/+$/, ''));
  const workload = { kind: 'trace' as const, name, trace, placement: placed.placement, algorithms };
  const input: ScenarioInput = {
    ...(base !== undefined && withoutTraffic(base)),
    name,
    title: `${path.basename(file)} (${read.format})`,
    topology: placed.topology,
    workloads: [workload],
    giveUpAfterUs: STEP_GIVE_UP_US,
  };
  return checkedScenario(input, file);
}

function baseOf({ scenario, topology }: WorkloadRequest): ScenarioDocument | undefined {
  if (scenario !== undefined) return loadScenario(scenario);
  return topology === undefined ? undefined : loadSimulatorTopology(topology);
}

/** A scenario's network and settings: its flows, and rates that its hosts keep, are those of its own traffic. */
export const withoutTraffic = ({
  flows: _,
  workloads: __,
  sideBySide: ___,
  ...rest
}: ScenarioDocument) => rest;

/** A placement document; that of none unless a file is given. @throws InputError with file and line. */
export function placementIn(file: string | undefined): z.output<typeof placementDocument> {
  if (file === undefined) return placementDocument.parse({});
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
  return parseLocated(text, file, placementDocument, 'placement').value;
}

function networkFor({ tasks }: Trace, { hosts, ranks, ranksPerHost }: Placement): TopologyDocument {
  if (hosts !== undefined || ranks !== undefined) {
    throw new InputError(
      'a placement that names hosts needs their network: give a scenario or --topology',
    );
  }
  const count = Math.max(2, Math.ceil(busyRanks(tasks).size / ranksPerHost));
  const links = { rateGbps: RATE_GBPS, delayNs: DELAY_NS };
  if (count <= STAR_MAX) return { kind: 'star', hosts: count, ...links };
  const leaves = Math.ceil(count / HOSTS_PER_LEAF);
  const hostsPerLeaf = Math.ceil(count / leaves);
  const fabricRateGbps = Math.ceil((hostsPerLeaf * RATE_GBPS) / SPINES);
  return { kind: 'leaf-spine', leaves, spines: SPINES, hostsPerLeaf, fabricRateGbps, ...links };
}

/** Ranks that have tasks, or get messages. */
function busyRanks(tasks: Trace['tasks']): Set<number> {
  const busy = new Set<number>();
  for (const task of tasks) {
    busy.add(task.rank);
    if (task.do === 'send') busy.add(task.to);
  }
  return busy;
}

interface Placed {
  readonly topology: TopologyDocument;
  readonly placement: Placement;
}

/** Every rank's host by name, in a network without hosts that do nothing. */
function placedOn(topology: TopologyDocument, trace: Trace, placement: Placement): Placed {
  const plain = expandTopology(topology);
  const busy = busyRanks(trace.tasks);
  // Where a trace has many more ranks than do anything, only those need hosts.
  const isSparse = placement.ranks === undefined && busy.size < trace.ranks;
  const order = [...busy].sort((a, b) => a - b);
  const participants = plain.hosts.map((name) => ({ name, rateGbps: 0 }));
  const fits = (placement.hosts ?? plain.hosts).length * placement.ranksPerHost >= trace.ranks;
  const ranks =
    isSparse && !fits
      ? sparse(trace.ranks, order, hostsOfRanks(placement, order.length, participants))
      : hostsOfRanks(placement, trace.ranks, participants);
  const used = new Set(order.map((rank) => ranks[rank] as string));
  const idle = plain.hosts.length - used.size;
  if (idle === 0 || topology.kind !== 'custom') {
    return {
      topology,
      placement: { ...placement, hosts: undefined, ranksPerHost: 1, ranks: [...ranks] },
    };
  }
  note(`hpcc: ${idle} hosts have no tasks and are left out, with switches that nobody is behind`);
  const [first = ''] = used;
  const kept = ranks.map((host) => (used.has(host) ? host : first));
  return {
    topology: usedPart(topology, used),
    placement: { ...placement, hosts: undefined, ranksPerHost: 1, ranks: kept },
  };
}

/** Hosts of the ranks that do something; the others, which do nothing, are with the first one. */
function sparse(count: number, busy: readonly number[], hosts: readonly string[]): string[] {
  const [first = ''] = hosts;
  const all = new Array<string>(count).fill(first);
  busy.forEach((rank, i) => (all[rank] = hosts[i] as string));
  return all;
}
