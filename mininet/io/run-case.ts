import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';
import { openOutputFolder } from '../../common/io/output-folder';
import { loadP4Artifacts, p4ArtifactFolder } from '../../common/io/p4-profiles';
import { currentCommit, projectVersion } from '../../common/io/repository';
import type { Programs } from '../plan/commands';
import { programsFor } from '../plan/garbage-flags';
import { expandPlan } from '../plan/expand-plan';
import { hostCoordination, KEY_FILE, withHostCoordination } from '../plan/host-coordination';
import type { ExperimentCase } from '../experiment/load-experiment';
import { ANSWER_KEY_FILE, answerKeys, withAnswerKeys } from '../plan/host-answers';
import { FEEDBACK_KEY_FILE, feedbackKeys, withHostKeys } from '../plan/host-keys';
import { withSourceRouting } from '../plan/source-routing';
import { expandNetwork } from '../plan/network-text';
import type { ExpandedNetwork } from '../plan/network-text';
import type { Observation } from '../observation/observation';
import type { Plan } from '../plan/plan';
import type { Progress } from '../plan/run-files';
import type { Result } from '../../emulator/result/result';
import { readTopology } from './experiment-files';
import { readObservation } from './read-observation';
import { runPlan } from './run-plan';

export interface CaseSetting {
  readonly programs: Programs;
  readonly pcap: boolean;
  /** File of the experiment, from which the topology's path starts. */
  readonly experimentFile: string;
  /** Folder of this case. */
  readonly folder: string;
}

/** A case that is ready to run. */
export interface PreparedCase {
  readonly own: ExperimentCase;
  readonly network: ExpandedNetwork;
  readonly plan: Plan;
}

/** Time enough for the network, the controller, and every process that begins together. */
const TOGETHER_AFTER_SECONDS = 15;
const KEY_BYTES = 32;

/**
 * Expands a case; nothing is written.
 * @throws InputError for a topology or an experiment that makes no sense.
 */
export function prepareCase(loaded: ExperimentCase, setting: CaseSetting): PreparedCase {
  const { folder, pcap } = setting;
  const { document, values } = loaded;
  const programs = programsFor(document, setting.programs);
  const source = readTopology(document.topology, setting.experimentFile);
  const choice = { kind: programs.kind, frameBytes: document.frameBytes };
  const network = expandNetwork(source, values, choice);
  const output = path.resolve(folder);
  const networkFile = path.join(output, 'network.json');
  const coordinated = withHostCoordination(loaded, network, output);
  const routed = withSourceRouting(coordinated, network, networkFile);
  const own = withAnswerKeys(withHostKeys(routed, output), network, output);
  const program = programOf(network);
  const artifact = (suffix: string): string =>
    path.join(p4ArtifactFolder(), `${program}.${suffix}`);
  const togetherAt = Date.now() / 1000 + TOGETHER_AFTER_SECONDS;
  const plan = expandPlan(own, network, {
    run: runId(document.experiment, own.name),
    output,
    networkFile,
    programs,
    togetherAt,
    artifacts: { name: program, p4info: artifact('p4info.json'), config: artifact('json') },
    pcap,
  });
  return { own, network, plan };
}

/** @throws InputError for switches with programs of their own, of which runs have no results. */
function programOf({ text: { program = 'hpcc', switches } }: ExpandedNetwork): string {
  const isPlain = switches.every((each) => each.program === undefined);
  if (typeof program === 'string' && isPlain) return program;
  throw new InputError("program: wanted the name of one profile for all switches, such as 'hpcc'");
}

const runId = (experiment: string, name: string): string => `${experiment}-${name}`;

/**
 * Runs a case under Mininet.
 * @returns undefined when a signal has ended it; what it left by then is in its folder.
 * @throws InputError when the run failed; what it left is in its folder.
 */
export async function runCase(
  { own, network, plan }: PreparedCase,
  realtime: boolean,
  onProgress: (progress: Progress) => void,
): Promise<Observation | undefined> {
  openOutputFolder(plan.output);
  // Output of a former run would be taken for output of this one.
  for (const name of fs.readdirSync(plan.output)) {
    if (OUTPUTS.test(name)) fs.rmSync(path.join(plan.output, name));
  }
  const text = JSON.stringify(network.text, null, 1);
  fs.writeFileSync(path.join(plan.output, 'network.json'), `${text}\n`);
  const coordination = hostCoordination(network);
  if (coordination !== undefined) {
    fs.writeFileSync(path.join(plan.output, KEY_FILE), coordination.keys, { mode: 0o600 });
  }
  const answers = answerKeys(network);
  if (answers !== undefined) {
    fs.writeFileSync(path.join(plan.output, ANSWER_KEY_FILE), answers, { mode: 0o600 });
  }
  if (own.document.signed) {
    const keys = feedbackKeys(randomBytes(KEY_BYTES));
    fs.writeFileSync(path.join(plan.output, FEEDBACK_KEY_FILE), keys, { mode: 0o600 });
  }
  const { interrupted, failure } = await runPlan(plan, realtime, onProgress);
  if (failure !== undefined) {
    throw new InputError(`${plan.run} failed: ${failure}\nits files are in ${plan.output}`);
  }
  return interrupted ? undefined : readObservation(own, network, plan);
}

const OUTPUTS = /\.(out|err|jsonl|pcap|json)$/;

/** Code of a run; the switch stands where the emulator names its executor. */
export function generatorOf({ kind }: Programs, { switches }: Plan): Result['generator'] {
  const [first] = switches;
  assert(first !== undefined, 'a network has a switch');
  const { name } = first.program;
  return {
    version: projectVersion(),
    commit: currentCommit(),
    p4Program: `${name}.p4`,
    p4Digest: loadP4Artifacts(name).manifest.sourcesSha256,
    executor: kind === 'bmv2' ? 'bmv2' : 'embedded switch',
    queueModel: kind === 'bmv2' ? 'bmv2 packets/s' : 'bits/s serialiser',
  };
}
