import { InputError } from '../../../common/errors';
import type { Result } from '../../result/result';
import { runScenario } from '../../io/run-scenario';
import type { SharedWork } from '../../io/shared-work';
import type { CellInput } from '../cell';
import { summaryOf } from '../summary';
import { buildVersion } from './build-version';
import { programDigest } from './load-study';

export interface CellRun {
  /** Text of JSON, the same wherever it runs. */
  readonly summary: string;
  readonly result: Result;
}

export interface CellRunOptions {
  readonly shared?: SharedWork;
  /** Called now and then. */
  readonly onProgress?: () => void;
}

/**
 * Runs a cell.
 * @param text the canonical text of its input, so that keys have one order wherever they come from.
 * @throws InputError when it is meant for another version or other P4 artefacts, cannot be run, or broke
 * a law of the network, in which case it is no result.
 */
export async function runCell(text: string, options: CellRunOptions = {}): Promise<CellRun> {
  const { scenario, seed, checkInvariants, p4, version } = JSON.parse(text) as CellInput;
  if (version !== buildVersion()) {
    throw new InputError(`the cell is for version ${version}, and this is ${buildVersion()}`);
  }
  for (const [name, digest] of Object.entries(p4)) {
    if (programDigest(name) === digest) continue;
    throw new InputError(`the cell is for other artefacts of ${name}: run ./hpcc p4 build`);
  }
  const { result } = await runScenario({ scenario, seed, checkInvariants, ...options });
  if (result.violations.length > 0) {
    throw new InputError(`broken invariants: ${result.violations.slice(0, 3).join('; ')}`);
  }
  return { summary: JSON.stringify(summaryOf(result)), result };
}
