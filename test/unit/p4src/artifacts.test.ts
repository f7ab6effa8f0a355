import * as fs from 'node:fs';
import * as path from 'node:path';
import { loadP4Artifacts, p4ArtifactFolder, sourcesDigest } from '../../../common/io/p4-artifacts';
import { P4_PROGRAMS, compileP4, p4cVersion } from '../../../common/io/p4-compiler';
import { HP_DOMAIN, INT_MD_LENGTH, INT_SHIM_LENGTH } from '../../../common/wire/int-md';
import { ETHERNET_LENGTH } from '../../../common/wire/ethernet';
import { IPV4_LENGTH } from '../../../common/wire/ipv4';
import { UDP_LENGTH } from '../../../common/wire/udp';
import { describeIf } from '../../support/requires';

interface HeaderType {
  readonly name: string;
  readonly fields: readonly (readonly [string, number, boolean?])[];
}

describe('the committed P4 artefacts', () => {
  test.each(P4_PROGRAMS)('of %s were made from the present sources', (program) => {
    expect(loadP4Artifacts(program).manifest.sourcesSha256).toBe(sourcesDigest());
  });

  test.each(P4_PROGRAMS)('of %s name the compiler that made them', (program) => {
    expect(loadP4Artifacts(program).manifest.p4c).toMatch(/^1\.2\.\d+/);
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
  test.each(P4_PROGRAMS)('makes the committed artefacts of %s again', (program) => {
    const { manifest } = loadP4Artifacts(program);
    // Another version may order or name things otherwise: then only the program must compile.
    const isComparable = manifest.p4c === version;
    for (const [name, text] of compileP4(program)) {
      const committed = fs.readFileSync(path.join(p4ArtifactFolder(), name), 'utf8');
      if (isComparable) expect(text === committed ? name : `${name} differs`).toBe(name);
    }
  });
});
