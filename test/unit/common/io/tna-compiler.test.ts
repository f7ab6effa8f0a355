import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { p4cVersion } from '../../../../common/io/p4-compiler';
import { p4SourceFolder, TNA_PROGRAMS } from '../../../../common/io/p4-profiles';
import { buildForTofino } from '../../../../common/io/tna-compiler';
import { describeIf } from '../../../support/requires';

const INCLUDES = ['/usr/local/share/p4c/p4include', '/usr/share/p4c/p4include'];
const TNA = INCLUDES.find((folder) => fs.existsSync(path.join(folder, 'tna.p4')));

describe('programs for Tofino', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tna-'));
  const own = process.env['PATH'];

  /** A command of that name, which is the only one of its name on PATH. */
  const command = (name: string, script: string): void => {
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };

  beforeEach(() => {
    fs.rmSync(folder, { recursive: true });
    fs.mkdirSync(folder);
    process.env['PATH'] = folder;
  });

  afterEach(() => {
    process.env['PATH'] = own;
  });

  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('are not compiled without the back end, which is named', async () => {
    command('p4c', 'exit 0');
    await expect(buildForTofino(['hpcc'], folder)).rejects.toThrow(
      'needs p4c and p4c-barefoot on PATH: p4c that was built with ENABLE_TOFINO',
    );
    expect(fs.readdirSync(folder)).toEqual(['p4c']);
  });

  test('are compiled for both chips, each with the size of its cells', async () => {
    command('p4c-barefoot', 'exit 0');
    command('p4c', `echo "$@" >> ${folder}/calls`);
    const folders = await buildForTofino(['hpcc'], path.join(folder, 'out'));
    expect(folders).toEqual(
      ['tofino', 'tofino2'].map((chip) => path.join(folder, 'out', chip, 'hpcc')),
    );
    const calls = fs.readFileSync(path.join(folder, 'calls'), 'utf8').trimEnd().split('\n');
    expect(calls).toEqual([
      expect.stringMatching(/^--target tofino --arch tna --std p4-16 -o .*tna.hpcc\.p4$/),
      expect.stringMatching(
        /^--target tofino2 --arch tna --std p4-16 -DCELL_SHIFT=7 -o .*hpcc\.p4$/,
      ),
    ]);
  });

  test('quote what the compiler refuses', async () => {
    command('p4c-barefoot', 'exit 0');
    command('p4c', 'echo "error: table placement cannot make any more progress" >&2; exit 1');
    await expect(buildForTofino(['hpcc'], folder)).rejects.toThrow(
      'p4c targets/tna/hpcc.p4 failed:\nerror: table placement cannot make any more progress',
    );
  });

  test('are refused by a name that there is not', async () => {
    await expect(buildForTofino(['hpcc-ccm'], folder)).rejects.toThrow(
      "no program 'hpcc-ccm' for Tofino: expected one of hpcc",
    );
  });
});

const lack = 'p4c-bm2-ss is not on PATH, or has no tna.p4 in its folder of includes';
describeIf(p4cVersion() !== undefined && TNA !== undefined, "p4c's front end", lack, () => {
  const chips = TNA_PROGRAMS.flatMap(({ program }) => [1, 2].map((chip) => [program, chip]));

  /** Its own back end then asks for V1Switch, which is the first error that there may be. */
  test.each(chips)('finds no error in %s for Tofino %i', (program, chip) => {
    const flags = [`-D__TARGET_TOFINO__=${chip}`, '--std', 'p4-16', '-o', '/dev/null'];
    const { stderr } = spawnSync('p4c-bm2-ss', ['-I', TNA ?? '', ...flags, String(program)], {
      cwd: p4SourceFolder(),
      encoding: 'utf8',
    });
    expect(stderr.match(/error: .*/g)).toEqual([
      'error: package Switch: main package  match the expected model',
    ]);
  });
});
