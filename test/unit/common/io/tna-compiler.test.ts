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

const STAGE = {
  logical_tables: { ids: [{}, {}], size: 16 },
  rams: { srams: [{}], nRows: 8, nColumns: 10 },
  tcams: { tcams: [{}, {}, {}], nRows: 12, nColumns: 2 },
  hash_bits: { bits: [], nBits: 52, nFunctions: 8 },
  vliw: { instructions: [{}], size: 32 },
};
const BF_RT = {
  tables: [
    { name: 'pipe.b', table_type: 'MatchAction_Direct' },
    { name: 'pipe.snapshot.cfg', table_type: 'SnapshotCfg' },
    { name: 'pipe.a', table_type: 'Action' },
  ],
};
const LOGS = {
  'resources.json': {
    compiler_version: '9.13.4',
    resources: {
      mau: { nStages: 20, mau_stages: [STAGE] },
      parser: {
        parsers: [
          { gress: 'egress', nStates: 256, states: [{}, {}] },
          { gress: 'ingress', nStates: 256, states: [{}] },
        ],
      },
    },
  },
  'phv.json': { containers: [{ bit_width: 32 }, { bit_width: 8 }, { bit_width: 8 }] },
};

describe('programs for Tofino', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tna-'));
  const own = process.env['PATH'];

  /** A command of that name, which is the only one of its name on PATH. */
  const command = (name: string, script: string): void => {
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };

  /** A compiler that writes down how it is called, and leaves these logs. */
  const compiler = (logs: object): void => {
    const made = path.join(folder, 'made');
    fs.mkdirSync(path.join(made, 'pipe', 'logs'), { recursive: true });
    for (const [name, log] of Object.entries(logs))
      fs.writeFileSync(path.join(made, 'pipe', 'logs', name), JSON.stringify(log));
    fs.writeFileSync(path.join(made, 'hpcc.p4info.txtpb'), 'pkg_info {}');
    fs.writeFileSync(path.join(made, 'hpcc.bf-rt.json'), JSON.stringify(BF_RT));
    const copy = `while [ "$1" != -o ]; do shift; done; /bin/cp -r ${made}/. "$2"`;
    command('p4c', `echo "$@" >> ${folder}/calls; ${copy}`);
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
    compiler(LOGS);
    const builds = await buildForTofino(['hpcc'], path.join(folder, 'out'));
    expect(builds.map((build) => build.folder)).toEqual(
      ['tofino', 'tofino2'].map((chip) => path.join(folder, 'out', chip, 'hpcc')),
    );
    const calls = fs.readFileSync(path.join(folder, 'calls'), 'utf8').trimEnd().split('\n');
    expect(calls).toEqual([
      expect.stringMatching(
        /^--target tofino --arch tna --std p4-16 -I \. -g -o .*programs.hpcc.hpcc\.p4$/,
      ),
      expect.stringMatching(
        /^--target tofino2 --arch t2na --std p4-16 -I \. -DCELL_SHIFT=7 -g -o .*hpcc\.p4$/,
      ),
    ]);
  });

  test('leave what is committed: P4Info, names of tables, and what they take of all stages', async () => {
    command('p4c-barefoot', 'exit 0');
    compiler(LOGS);
    const [, { artifacts } = { artifacts: new Map<string, string>() }] = await buildForTofino(
      ['hpcc'],
      path.join(folder, 'out'),
    );
    expect([...artifacts.keys()]).toEqual(
      ['report.json', 'p4info.txtpb'].map((suffix) => `hpcc.tofino2.${suffix}`),
    );
    expect(JSON.parse(artifacts.get('hpcc.tofino2.report.json') ?? '')).toMatchObject({
      chip: 'tofino2',
      compiler: '9.13.4',
      flags: ['CELL_SHIFT=7'],
      stages: { used: 1, of: 20 },
      logicalTables: { used: 2, of: 20 * 16 },
      sramBlocks: { used: 1, of: 20 * 80 },
      tcamBlocks: { used: 3, of: 20 * 24 },
      hashBits: { used: 0, of: 20 * 416 },
      vliwInstructions: { used: 1, of: 20 * 32 },
      parserRows: { ingress: { used: 1, of: 256 }, egress: { used: 2, of: 256 } },
      phvContainers: { 8: 2, 32: 1 },
      bfRtTables: ['pipe.a', 'pipe.b'],
    });
  });

  test('are refused with the place, if the compiler reports in another form', async () => {
    command('p4c-barefoot', 'exit 0');
    compiler({ ...LOGS, 'phv.json': { containers: [{}] } });
    await expect(buildForTofino(['hpcc'], path.join(folder, 'out'))).rejects.toThrow(
      "phv.json of p4c's Tofino back end: containers[0].bit_width: is missing",
    );
  });

  test('quote what the compiler refuses', async () => {
    command('p4c-barefoot', 'exit 0');
    command('p4c', 'echo "error: table placement cannot make any more progress" >&2; exit 1');
    await expect(buildForTofino(['hpcc'], folder)).rejects.toThrow(
      'p4c tofino/programs/hpcc/hpcc.p4 failed:\nerror: table placement cannot make any more progress',
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
    const { stderr } = spawnSync(
      'p4c-bm2-ss',
      ['-I', '.', '-I', TNA ?? '', ...flags, String(program)],
      {
        cwd: p4SourceFolder(),
        encoding: 'utf8',
      },
    );
    expect(stderr.match(/error: .*/g)).toEqual([
      'error: package Switch: main package  match the expected model',
    ]);
  });
});
