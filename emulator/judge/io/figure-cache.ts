import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { openOutputFolder } from '../../../common/io/output-folder';
import { writeAtomically } from '../../../common/io/atomic-file';
import type { ScenarioDocument } from '../../scenario/schema';
import { buildVersion } from '../../study/io/build-version';
import type { ContestRow } from '../standing';

/** Figures of contests by what they follow from: this build, the scenario with its algorithm, and the seed. */
export class FigureCache {
  constructor(private readonly folder: string) {
    openOutputFolder(folder);
  }

  /** Figures that were kept before; undefined: none were. */
  read(scenario: ScenarioDocument, seed: number): ContestRow['figures'] | undefined {
    try {
      return JSON.parse(
        fs.readFileSync(this.#file(scenario, seed), 'utf8'),
      ) as ContestRow['figures'];
    } catch {
      return undefined;
    }
  }

  write(scenario: ScenarioDocument, seed: number, figures: ContestRow['figures']): void {
    writeAtomically(this.#file(scenario, seed), JSON.stringify(figures));
  }

  #file(scenario: ScenarioDocument, seed: number): string {
    const content = JSON.stringify({ build: buildVersion(), scenario, seed });
    const digest = crypto.createHash('sha256').update(content).digest('hex');
    return path.join(this.folder, `${digest.slice(0, 32)}.json`);
  }
}
