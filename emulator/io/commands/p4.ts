import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../../../common/errors';
import { loadP4Artifacts, p4ArtifactFolder, sourcesDigest } from '../../../common/io/p4-artifacts';
import {
  P4_PROGRAMS,
  buildP4Artifacts,
  compileP4,
  p4cVersion,
} from '../../../common/io/p4-compiler';
import { note, print } from '../terminal';

export function registerP4(program: Command): void {
  const p4 = program.command('p4').summary('compile and check the P4 programs');
  p4.command('build')
    .description('Compiles the P4 programs with p4c >= 1.2.5 on PATH and writes p4src/artifacts.')
    .action(() => {
      for (const file of buildP4Artifacts()) print(path.join('p4src', 'artifacts', file));
    });
  p4.command('check')
    .description(
      'Compares the committed artefacts with the sources: by digest, and by compiling again ' +
        'where p4c is on PATH. Exits with 1 when they differ.',
    )
    .action(() => {
      const problems = P4_PROGRAMS.flatMap(checkProgram);
      if (problems.length > 0) throw new InputError(problems.join('\n'));
      print(`${P4_PROGRAMS.length} program(s) agree with their artefacts`);
    });
}

/** What is wrong with the artefacts of one program, in sentences. */
function checkProgram(program: string): string[] {
  const { manifest } = loadP4Artifacts(program);
  const hint = 'run ./hpcc p4 build';
  if (manifest.sourcesSha256 !== sourcesDigest()) {
    return [`${program}: the P4 sources have changed since the artefacts were made; ${hint}`];
  }
  const version = p4cVersion();
  if (version === undefined) {
    note('p4c-bm2-ss is not on PATH: checked by digest only');
    return [];
  }
  if (version !== manifest.p4c) {
    note(`${program}: made with p4c ${manifest.p4c}, found ${version}: checked by digest only`);
    return [];
  }
  return [...compileP4(program)]
    .filter(([name, text]) => fs.readFileSync(path.join(p4ArtifactFolder(), name), 'utf8') !== text)
    .map(([name]) => `${name} differs from what p4c ${version} makes; ${hint}`);
}
