import * as path from 'node:path';
import { repositoryRoot } from '../../common/io/repository';
import { readExperiment } from '../../mininet/io/experiment-files';
import { readObservation } from '../../mininet/io/read-observation';
import { prepareCase } from '../../mininet/io/run-case';
import type { PreparedCase } from '../../mininet/io/run-case';
import { loadCases } from '../../mininet/experiment/load-experiment';
import type { Observation } from '../../mininet/observation/observation';
import type { SwitchKind } from '../../mininet/experiment/switch-kinds';

export interface CaseChoice {
  readonly kind?: SwitchKind;
  readonly set?: readonly string[];
  readonly pcap?: boolean;
  readonly folder?: string;
  readonly separate?: boolean;
}

/** The cases of an experiment that comes with the project, expanded. */
export function preparedCases(name: string, choice: CaseChoice = {}): PreparedCase[] {
  const { kind = 'embedded', set = [], pcap = false, folder = '/run/out' } = choice;
  const { separate = false } = choice;
  const source = readExperiment(name);
  const programs = { hpcc: ['node', 'main.js'], bmv2: 'simple_switch_grpc', kind, separate };
  const setting = { programs, pcap, experimentFile: source.file, folder };
  return loadCases(source, { kind, set }).map((own) => prepareCase(own, setting));
}

const FLOW = ['seconds=6', 'rate=5', 'hostRate=10', 'rttUs=10000'];

/** Record of a real run of one flow, with one of twenty lines of its trace. */
export const singleFlow = (): Observation =>
  recorded('single-flow', preparedCases('single-flow', { set: FLOW }));

/** Record of a real run of iperf3 under HPCC++, with one of six samples. */
export const tcp = (): Observation =>
  recorded('tcp', preparedCases('tcp', { set: ['seconds=5', 'rate=20', 'hostRate=100'] }));

function recorded(name: string, [prepared]: PreparedCase[]): Observation {
  if (prepared === undefined) throw new Error(`${name} has no case`);
  const { own, network, plan } = prepared;
  const output = path.join(repositoryRoot(), 'test', 'fixtures', 'mininet', name);
  return readObservation(own, network, { ...plan, output });
}
