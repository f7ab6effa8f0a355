import type { ScenarioDocument } from '../../scenario/schema';
import { readDistribution } from './distributions';
import { readTraceFiles } from './trace-files';

/** The scenario with the files of its workloads read; `folder` is where they lie. */
export function withWorkloadFiles(scenario: ScenarioDocument, folder: string): ScenarioDocument {
  const workloads = scenario.workloads.map((workload) => {
    if (workload.kind === 'trace' && typeof workload.trace === 'string') {
      const { bytes, ...rest } = workload;
      const { trace } = readTraceFiles(workload.trace, {
        folder,
        ...(bytes !== undefined && { bytes }),
      });
      return { ...rest, trace };
    }
    if (workload.kind !== 'poisson' || typeof workload.distribution !== 'string') return workload;
    const distribution = readDistribution(workload.distribution, folder).map(
      ([size, percent]): [number, number] => [size, percent],
    );
    return { ...workload, distribution };
  });
  return { ...scenario, workloads };
}
