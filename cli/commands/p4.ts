import * as fs from 'node:fs';
import * as path from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { loadP4Artifacts, p4ArtifactFolder, P4_PROFILES } from '../../common/io/p4-profiles';
import { TNA_PROGRAMS } from '../../common/io/p4-profiles';
import {
  buildForTofino,
  loadTofinoReport,
  tofinoDigest,
  TOFINO_CHIPS,
  writeTofinoArtifacts,
} from '../../common/io/tna-compiler';
import { p4Profile, sourcesDigest } from '../../common/io/p4-profiles';
import type { P4Profile } from '../../common/io/p4-profiles';
import {
  buildP4Artifacts,
  compileP4,
  isSameArtifact,
  p4cVersion,
} from '../../common/io/p4-compiler';
import { note, print } from '../../common/io/terminal';

interface ProfileOption {
  readonly profile?: string;
}

interface BuildOptions extends ProfileOption {
  readonly target: 'v1model' | 'tna';
  readonly out: string;
}

const TARGET = new Option('--target <architecture>', 'what the programs are compiled for')
  .choices(['v1model', 'tna'])
  .default('v1model');

const TNA_NAMES = TNA_PROGRAMS.map(({ name }) => name);
const NAMES = P4_PROFILES.map(({ name }) => name).join(', ');
const PROFILE_HELP = `only this profile of: ${NAMES}`;

export function registerP4(p4: Command): void {
  p4.command('build')
    .description(
      'Compiles the P4 profiles with p4c >= 1.2.5 on PATH and writes p4src/artifacts; or the ' +
        "programs for Tofino 1 and 2, where p4c's back end for them is on PATH, into a folder, and " +
        'their P4Info and report of resources into p4src/artifacts/tna.',
    )
    .option('--profile <name>', PROFILE_HELP)
    .addOption(TARGET)
    .option('--out <folder>', 'where what Tofino runs is written', path.join('out', 'tna'))
    .action(async (options: BuildOptions) => {
      if (options.target === 'tna') {
        const names = options.profile === undefined ? TNA_NAMES : [options.profile];
        const builds = await buildForTofino(names, options.out);
        for (const { folder } of builds) print(folder);
        for (const file of writeTofinoArtifacts(builds)) {
          print(path.join('p4src', 'artifacts', file));
        }
        return;
      }
      for (const file of await buildP4Artifacts(chosen(options))) {
        print(path.join('p4src', 'artifacts', file));
      }
    });
  p4.command('check')
    .description(
      'Compares the committed artefacts with the sources: by digest, and by compiling again ' +
        'where p4c is on PATH. Exits with 1 when they differ.',
    )
    .option('--profile <name>', PROFILE_HELP)
    .action(async (options: ProfileOption) => {
      const profiles = chosen(options);
      const version = p4cVersion();
      if (version === undefined) note('p4c-bm2-ss is not on PATH: checking by digest only');
      const found = await Promise.all(profiles.map((profile) => checkProfile(profile, version)));
      const problems = [
        ...found.flat(),
        ...(options.profile === undefined ? tofinoProblems() : []),
      ];
      if (problems.length > 0) throw new InputError(problems.join('\n'));
      print(`${profiles.length} profile(s) agree with their artefacts`);
    });
}

const chosen = ({ profile }: ProfileOption): readonly P4Profile[] =>
  profile === undefined ? P4_PROFILES : [p4Profile(profile)];

/** Lists the faults of the artefacts of programs for Tofino, in sentences. */
const tofinoProblems = (): string[] =>
  TNA_PROGRAMS.flatMap((program) =>
    TOFINO_CHIPS.filter(
      (chip) => loadTofinoReport(program, chip).sourcesSha256 !== tofinoDigest(program, chip),
    ).map(
      (chip) =>
        `${program.name} for ${chip}: the P4 sources have changed since the artefacts were made; ` +
        'run ./hpcc p4 build --target tna',
    ),
  );

/** Lists the faults of the artefacts of one profile, in sentences. */
async function checkProfile(
  profile: P4Profile,
  version: string | undefined,
): Promise<readonly string[]> {
  const { manifest } = loadP4Artifacts(profile.name);
  const hint = `run ./hpcc p4 build --profile ${profile.name}`;
  if (manifest.sourcesSha256 !== sourcesDigest(profile)) {
    return [`${profile.name}: the P4 sources have changed since the artefacts were made; ${hint}`];
  }
  if (version === undefined) return [];
  if (version !== manifest.p4c) {
    note(
      `${profile.name}: made with p4c ${manifest.p4c}, found ${version}: checked by digest only`,
    );
    return [];
  }
  return [...(await compileP4(profile))]
    .filter(([name, text]) => {
      const committed = fs.readFileSync(path.join(p4ArtifactFolder(), name), 'utf8');
      return !isSameArtifact(name, text, committed);
    })
    .map(([name]) => `${name} differs from what p4c ${version} makes; ${hint}`);
}
