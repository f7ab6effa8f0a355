import { readFileSync, readdirSync } from 'node:fs';
import * as path from 'node:path';

import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { compareExecutors } from '../support/differential/compare-executors';
import { ROOT, fixture } from '../support/paths';
import { INT_TRANSIT } from '../unit/switch/support/int-transit';
import { programText } from '../unit/switch/support/program';

/** More packets, as in `HPCC_DIFFERENTIAL_PACKETS=100000`, are for long runs. */
const PACKETS = Number(process.env.HPCC_DIFFERENTIAL_PACKETS ?? 5000);
const SEED = Number(process.env.HPCC_DIFFERENTIAL_SEED ?? 1);

const jsonFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !/p4info|manifest/.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

const programs = [
  programText(INT_TRANSIT),
  ...jsonFiles(fixture('p4')),
  ...jsonFiles(p4ArtifactFolder()),
  ...jsonFiles(path.join(ROOT, 'test', 'p4', 'artifacts')),
].map((json) => readProgram(json));

describe('random packets and random entries', () => {
  const share = Math.ceil(PACKETS / programs.length);

  test.each(programs.map((program, i) => [program.name, SEED + i, program] as const))(
    '%s: interpreter and generated code agree (seed %i)',
    (_name, seed, program) => {
      expect(compareExecutors(program, share, seed)).toBe(share);
    },
    600_000,
  );
});
