import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../../common/errors';
import { loadP4Artifacts, p4ArtifactFolder } from '../../../common/io/p4-artifacts';
import { currentCommit } from '../run-scenario';
import { projectVersion } from '../../../common/io/repository';
import type { Programs } from '../../mininet/commands';
import { expandPlan } from '../../mininet/expand-plan';
import type { ExperimentCase } from '../../mininet/load-experiment';
import { expandNetwork } from '../../mininet/network-text';
import type { ExpandedNetwork } from '../../mininet/network-text';
import type { Observation } from '../../mininet/observation';
import type { Plan } from '../../mininet/plan';
import type { Progress } from '../../mininet/run-files';
import type { Result } from '../../record/result';
import { readTopology } from './experiment-files';
import { readObservation } from './read-observation';
import { runPlan } from './run-plan';

export interface CaseSetting {
  readonly programs: Programs;
  readonly pcap: boolean;
  /** File of the experiment, from which the topology's path starts. */
  readonly experimentFile: string;
  /** Of this case. */
  readonly folder: string;
}

/** A case that is ready to run. */
export interface PreparedCase {
  readonly own: ExperimentCase;
  readonly network: ExpandedNetwork;
  readonly plan: Plan;
}

const PROGRAM = 'hpcc';
/** Time enough for the network, the controller, and every process that begins together. */
const TOGETHER_AFTER_SECONDS = 15;

/**
 * Expands a case; nothing is written.
 * @throws InputError for a topology or an experiment that makes no sense.
 */
export function prepareCase(own: ExperimentCase, setting: CaseSetting): PreparedCase {
  const { programs, folder, pcap } = setting;
  const { document, values } = own;
  const source = readTopology(document.topology, setting.experimentFile);
  const choice = { kind: programs.kind, frameBytes: document.frameBytes };
  const network = expandNetwork(source, values, choice);
  const output = path.resolve(folder);
  const artifact = (suffix: string): string => path.join(p4ArtifactFolder(), `${PROGRAM}.${suffix}`);
  const togetherAt = Date.now() / 1000 + TOGETHER_AFTER_SECONDS;
  const plan = expandPlan(own, network, {
    run: runId(document.experiment, own.name),
    output,
    networkFile: path.join(output, 'network.json'),
    ...{ programs, togetherAt },
    artifacts: { name: PROGRAM, p4info: artifact('p4info.json'), config: artifact('json') },
    pcap,
  });
  return { own, network, plan };
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
  fs.mkdirSync(plan.output, { recursive: true });
  // What a former run left would be taken for output of this one.
  for (const name of fs.readdirSync(plan.output)) {
    if (OUTPUTS.test(name)) fs.rmSync(path.join(plan.output, name));
  }
  const text = JSON.stringify(network.text, null, 1);
  fs.writeFileSync(path.join(plan.output, 'network.json'), `${text}\n`);
  const { interrupted, failure } = await runPlan(plan, realtime, onProgress);
  if (failure !== undefined) {
    throw new InputError(`${plan.run} failed: ${failure}\nits files are in ${plan.output}`);
  }
  return interrupted ? undefined : readObservation(own, network, plan);
}

const OUTPUTS = /\.(out|err|jsonl|pcap|json)$/;

/** Which code a run was of; the switch stands where the emulator names what runs the program. */
export function generatorOf({ kind }: Programs): Result['generator'] {
  return {
    version: projectVersion(),
    commit: currentCommit(),
    p4Program: `${PROGRAM}.p4`,
    p4Digest: loadP4Artifacts(PROGRAM).manifest.sourcesSha256,
    executor: kind === 'bmv2' ? 'bmv2' : 'embedded switch',
    queueModel: kind === 'bmv2' ? 'bmv2 packets/s' : 'bits/s serialiser',
  };
}
