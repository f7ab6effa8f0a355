import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { loadP4Artifacts, p4ArtifactFolder, P4_PROFILES } from '../../../common/io/p4-profiles';
import { p4Profile, sourcesDigest, TNA_PROGRAMS } from '../../../common/io/p4-profiles';
import { compileP4, isSameArtifact, p4cVersion } from '../../../common/io/p4-compiler';
import {
  buildForTofino,
  hasTofinoBackEnd,
  loadTofinoReport,
  tofinoArtifactFolder,
  tofinoDigest,
  TOFINO_CHIPS,
} from '../../../common/io/tna-compiler';
import { HP_DOMAIN, INT_MD_LENGTH, INT_SHIM_LENGTH } from '../../../common/wire/int/int-md';
import { ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import { IPV4_LENGTH } from '../../../common/wire/ip/ipv4';
import { UDP_LENGTH } from '../../../common/wire/ip/udp';
import { describeIf } from '../../support/requires';
import { sampled } from '../../support/sampled';

interface HeaderType {
  readonly name: string;
  readonly fields: readonly (readonly [string, number, boolean?])[];
}

const NAMES = P4_PROFILES.map(({ name }) => name);

describe('the committed P4 artefacts', () => {
  test.each(NAMES)('of %s were made from the present sources', (name) => {
    expect(loadP4Artifacts(name).manifest.sourcesSha256).toBe(sourcesDigest(p4Profile(name)));
  });

  test.each(NAMES)('of %s name the compiler that made them', (name) => {
    expect(loadP4Artifacts(name).manifest.p4c).toMatch(/^1\.2\.\d+/);
  });

  test('have headers of the sizes that the codecs use', () => {
    const program = JSON.parse(loadP4Artifacts('hpcc').deviceConfig) as {
      header_types: HeaderType[];
    };
    const bytes = (name: string): number | undefined =>
      program.header_types
        .find((type) => type.name === name)
        ?.fields.reduce((sum, [, width]) => sum + width / 8, 0);
    expect({
      ethernet_t: bytes('ethernet_t'),
      ipv4_t: bytes('ipv4_t'),
      udp_t: bytes('udp_t'),
      int_shim_t: bytes('int_shim_t'),
      int_md_t: bytes('int_md_t'),
      int_hop_t: bytes('int_hop_t'),
    }).toEqual({
      ethernet_t: ETHERNET_LENGTH,
      ipv4_t: IPV4_LENGTH,
      udp_t: UDP_LENGTH,
      int_shim_t: INT_SHIM_LENGTH,
      int_md_t: INT_MD_LENGTH,
      int_hop_t: HP_DOMAIN.hopLength,
    });
  });
});

const version = p4cVersion();
describeIf(version !== undefined, 'p4c on PATH', 'p4c-bm2-ss is not on PATH', () => {
  const some = sampled('committed artefacts are not compiled again', NAMES, 8);
  test.concurrent.each(some)('makes the committed artefacts of %s again', async (profile) => {
    const { manifest } = loadP4Artifacts(profile);
    // Another version may order or name things otherwise: then only the program must compile.
    const isComparable = manifest.p4c === version;
    for (const [name, text] of await compileP4(p4Profile(profile))) {
      const committed = fs.readFileSync(path.join(p4ArtifactFolder(), name), 'utf8');
      if (isComparable)
        expect(isSameArtifact(name, text, committed) ? name : `${name} differs`).toBe(name);
    }
  });
});

describe('the committed artefacts for Tofino', () => {
  const both = TNA_PROGRAMS.flatMap((program) => TOFINO_CHIPS.map((chip) => ({ program, chip })));

  test.each(both)('of $program.name for $chip were made from the present sources', (made) => {
    const { sourcesSha256 } = loadTofinoReport(made.program, made.chip);
    expect(sourcesSha256).toBe(tofinoDigest(made.program, made.chip));
  });

  test.each(both)('of $program.name for $chip fit into twelve stages', ({ program, chip }) => {
    expect(loadTofinoReport(program, chip).stages.used).toBeLessThanOrEqual(12);
  });
});

const backEnd = hasTofinoBackEnd();
describeIf(backEnd, "p4c's Tofino back end on PATH", 'p4c-barefoot is not on PATH', () => {
  const names = TNA_PROGRAMS.map(({ name }) => name);
  test.each(names)(
    'makes the committed artefacts of %s for Tofino again',
    async (name) => {
      const out = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tna-'));
      const builds = await buildForTofino([name], out).finally(() =>
        fs.rmSync(out, { recursive: true }),
      );
      const found = builds.flatMap(({ artifacts }) => [...artifacts]);
      const committed = found.map(([name]) =>
        fs.readFileSync(path.join(tofinoArtifactFolder(), name), 'utf8'),
      );
      const version = (report: string): unknown =>
        (JSON.parse(report) as { compiler: string }).compiler;
      // Another version may take more or less: then only the programs must compile.
      if (version(found[0]?.[1] ?? '') !== version(committed[0] ?? '')) return;
      expect(found).toEqual(found.map(([name], i) => [name, committed[i]]));
    },
    300_000,
  );
});
