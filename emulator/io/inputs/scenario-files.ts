import * as fs from 'node:fs';
import * as path from 'node:path';
import { readYaml } from '../../../common/document/yaml-text';
import { readTextFile } from '../../../common/io/bounded-file';
import { schemaFaults } from '../../../common/document/schema-faults';
import { InputError } from '../../../common/errors';
import { note } from '../../../common/io/terminal';
import { didYouMean } from '../../../common/nearest-word';
import { parseScenario, scenarioSchema } from '../../scenario/schema';
import { oldKeysIn } from '../../scenario/old-keys';
import { changedParameters, oldNamesIn } from '../../scenario/parameters';
import type { Parameters } from '../../scenario/parameters';
import type { ScenarioDocument, ScenarioInput } from '../../scenario/schema';
import type { TopologyDocument } from '../../scenario/schema';
import { usedPart } from '../../scenario/used-part';
import { catalogueFile, scenarioNames } from './catalogue';
import { withWorkloadFiles } from './workload-files';
import { CARRIER_VARIANTS, FEEDBACK_VARIANTS, TARGET_VARIANTS } from '../../scenario/variants';
import { isHtsimTopology, parseHtsimTopology } from '../../scenario/htsim-topology';
import { parseSimulatorFlows, parseSimulatorTopology } from '../../scenario/simulator-format';

/** A scenario by its name in the catalogue, or a YAML or JSON file by its path. */
export function loadScenario(nameOrPath: string): ScenarioDocument {
  const known = catalogueFile(nameOrPath);
  const file = scenarioNames().includes(nameOrPath) ? known : nameOrPath;
  if (!fs.existsSync(file)) {
    const hint = didYouMean(nameOrPath, scenarioNames());
    const all = 'hpcc run --list has those that come with the project';
    throw new InputError(`no scenario '${nameOrPath}'${hint}: neither a file nor known; ${all}`);
  }
  const text = readText(file);
  const scenario = parseScenario(text, nameOrPath);
  const given = readYaml(text, nameOrPath).value as Readonly<Record<string, unknown>>;
  const inParameters = oldNamesIn(given['parameters']);
  const old = inParameters.map(([key, name]) => [`parameters.${key}`, name] as const);
  for (const [key, name] of [...old, ...oldKeysIn(given)]) {
    note(`hpcc: ${nameOrPath}: ${key} is now ${name}; the old name goes with the next version`);
  }
  return withWorkloadFiles(scenario, path.dirname(file));
}

/** A scenario without traffic on a topology file of the HPCC simulator, or of htsim. */
export function loadSimulatorTopology(file: string): ScenarioDocument {
  const text = readText(file);
  const { topology, warnings } = isHtsimTopology(text)
    ? parseHtsimTopology(text, file)
    : parseSimulatorTopology({ name: file, text });
  for (const each of warnings) note(`hpcc: ${each}`);
  const input: ScenarioInput = {
    name: scenarioNameOf(file),
    title: path.basename(file),
    topology,
    parameters: simulatorUnits(topology),
  };
  return checkedScenario(input, file);
}

/** A scenario from topology and flow files of the HPCC simulator. */
export function loadSimulatorFiles(topologyFile: string, flowFile: string): ScenarioDocument {
  const base = loadSimulatorTopology(topologyFile);
  const file = { name: flowFile, text: readText(flowFile) };
  const { flows, warnings } = parseSimulatorFlows(file, base.topology);
  for (const each of warnings) note(`hpcc: ${each}`);
  const input: ScenarioInput = {
    ...base,
    topology: affordable(base.topology, flows, topologyFile),
    name: scenarioNameOf(flowFile),
    title: `${path.basename(flowFile)} on ${path.basename(topologyFile)}`,
    flows: [...flows],
  };
  return checkedScenario(input, flowFile);
}

/**
 * Routes, one to each host in each switch, from which on hosts without flows are left out: more take a minute and a
 * gigabyte.
 */
const ROUTES_MANY = 400_000;
/** Most that fit into the memory that Node.js takes by itself. */
const ROUTES_MAX = 1_500_000;

/** @throws InputError for a network that is too large even without hosts that have no flows. */
function affordable(
  topology: TopologyDocument,
  flows: readonly { readonly from: string; readonly to: string }[],
  file: string,
): TopologyDocument {
  if (topology.kind !== 'custom' || routesOf(topology) <= ROUTES_MANY) return topology;
  const named = new Set(flows.flatMap(({ from, to }) => [from, to]));
  const idle = topology.hosts.length - named.size;
  const used = idle === 0 ? topology : usedPart(topology, named);
  if (idle > 0) {
    note(`hpcc: ${idle} hosts have no flows and are left out, with switches that nobody is behind`);
  }
  if (routesOf(used) <= ROUTES_MAX) return used;
  throw new InputError(
    `${file}: ${used.switches.length} switches with routes to ${used.hosts.length} hosts are more than ${ROUTES_MAX} routes`,
  );
}

const routesOf = ({
  switches,
  hosts,
}: {
  readonly switches: readonly string[];
  readonly hosts: readonly string[];
}): number => switches.length * hosts.length;

/** Name of a scenario that is made of a file. */
export function scenarioNameOf(file: string): string {
  const name = path.basename(file, path.extname(file)).replace(/[^A-Za-z0-9_-]/g, '-');
  return /^[A-Za-z]/.test(name) ? name : `flows-${name}`;
}

/**
 * The simulator truncates queue lengths to 80 bytes and txBytes to 128, both times a multiple that
 * its scripts set to the hosts' rate over 25 Gb/s. The truncation acts like noise that keeps flows
 * from falling into step, so fairness among synchronised flows depends on it.
 */
function simulatorUnits(topology: TopologyDocument): ScenarioInput['parameters'] {
  const rates = topology.kind === 'custom' ? topology.links.map(({ rateGbps }) => rateGbps) : [];
  const slowest = rates.reduce((least, rate) => Math.min(least, rate), Infinity);
  const multiple = 2 ** Math.max(0, Math.floor(Math.log2(slowest / 25)));
  // Telemetry has 16 bits for either unit.
  return {
    queueUnitBytes: Math.min(80 * multiple, 40_960),
    txUnitBytes: Math.min(128 * multiple, 32_768),
  };
}

/** A scenario with some of its parameters replaced; values of undefined replace nothing. */
export function withParameters(
  scenario: ScenarioDocument,
  changes: { readonly [Name in keyof Parameters]?: Parameters[Name] | undefined } & {
    readonly untilUs?: number | undefined;
  },
): ScenarioDocument {
  const { untilUs, ...parameters } = changes;
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return changedScenario(scenario, {
    ...(untilUs !== undefined && { untilUs }),
    parameters: Object.fromEntries(given),
  });
}

/** One of the scenario's own variants, or else one of those that are known for all scenarios. */
export function scenarioVariant(scenario: ScenarioDocument, name: string): ScenarioDocument {
  const own = scenario.variants[name];
  if (own !== undefined) return changedScenario(scenario, own);
  const target = TARGET_VARIANTS[name];
  if (target !== undefined) return changedScenario(scenario, target);
  const parameters = FEEDBACK_VARIANTS[name] ?? CARRIER_VARIANTS[name];
  if (parameters !== undefined) return changedScenario(scenario, { parameters });
  const shared = { ...FEEDBACK_VARIANTS, ...CARRIER_VARIANTS, ...TARGET_VARIANTS };
  const known = [...Object.keys(scenario.variants), ...Object.keys(shared)];
  const hint = didYouMean(name, known);
  throw new InputError(`no variant '${name}'${hint}; there are ${known.join(', ')}`);
}

/**
 * Variants that `hpcc compare` runs unless told otherwise: the scenario's own, or ways of feedback.
 */
export function variantNames({ variants }: ScenarioDocument): string[] {
  const own = Object.keys(variants);
  return own.length > 0 ? own : Object.keys(FEEDBACK_VARIANTS);
}

function changedScenario(
  scenario: ScenarioDocument,
  changes: Readonly<Record<string, unknown>>,
): ScenarioDocument {
  return checkedScenario({
    ...scenario,
    ...changes,
    parameters: changedParameters(scenario.parameters, changes['parameters']),
  });
}

/** @throws InputError naming the file and the place of every fault. */
export function checkedScenario(input: unknown, file?: string): ScenarioDocument {
  const result = scenarioSchema.safeParse(input);
  if (result.success) return result.data;
  const place = file === undefined ? '' : `${file}: `;
  throw new InputError(
    schemaFaults(result.error)
      .map((fault) => place + fault)
      .join('\n'),
  );
}

function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
