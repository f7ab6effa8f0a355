import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { p4cVersion } from '../../common/io/p4-compiler';
import { isOnPath, reportSkipped } from '../support/requires';
import { ROOT } from '../support/paths';
import { pathWithoutBmv2 } from '../support/path-without-bmv2';
import type { OtherPath } from '../support/path-without-bmv2';

const PAGE = fs.readFileSync(path.join(ROOT, 'docs', 'tutorial.md'), 'utf8');
const MAIN = path.join(__dirname, '..', '..', 'cli', 'main.js');
const PYTHON = '/usr/bin/python3';
const LIMIT_MS = 240_000;

/** Commands of the page that belong together, with what their fence says that they need. */
interface Block {
  readonly step: string;
  readonly needs: readonly string[];
  readonly commands: string;
}

function blocks(): Block[] {
  let step = '';
  return [...PAGE.matchAll(/^## (.*)$|^```sh(.*)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, heading, needs = '', commands]) => {
      step = heading ?? step;
      if (commands === undefined) return [];
      return [{ step, needs: needs.split(' ').filter((word) => word !== ''), commands }];
    },
  );
}

const hasModule = (name: string): boolean =>
  spawnSync(PYTHON, ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0;

/** Programs of runs under Mininet, with captures and iperf3. */
const NETWORK_PROGRAMS: readonly string[] = [
  'ip',
  'tc',
  'ethtool',
  'mnexec',
  'ping',
  'tcpdump',
  'iperf3',
];

const IS_THERE: Readonly<Record<string, () => boolean>> = {
  root: () => process.getuid?.() === 0,
  mininet: () => hasModule('mininet.net') && hasModule('yaml') && NETWORK_PROGRAMS.every(isOnPath),
  p4c: () => p4cVersion() !== undefined,
};

/** Output that somebody who follows the page looks for. */
const SHOWN: Readonly<Record<string, readonly RegExp[]>> = {
  '1': [/peak queue .* 843 KB/, /out\/demo\/report\.html/],
  '2': [/violations +none/],
  '3': [/6\/6 received|report: /, /iperf Done|\d: (?:valid|INVALID)|bottleneck +10 Mb\/s/],
  '4': [/bounce\.stf: pass/],
  '5': [/telemetry headers/],
};

describe('the tutorial, as printed and without bmv2 on PATH', () => {
  let checkout: string;
  let others: OtherPath;

  /** A folder that is like a checkout, and whose `hpcc` is the build that the tests run on. */
  beforeAll(() => {
    checkout = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tutorial-'));
    for (const name of fs.readdirSync(ROOT)) {
      if (['hpcc', 'out', '.git'].includes(name)) continue;
      fs.symlinkSync(path.join(ROOT, name), path.join(checkout, name));
    }
    others = pathWithoutBmv2();
    fs.mkdirSync(path.join(checkout, 'bin'));
    script('hpcc', `exec ${process.execPath} ${MAIN} "$@"`);
    // Who is root already may have no sudo.
    script('bin/sudo', 'exec "$@"');
  });

  afterAll(() => {
    others.remove();
    fs.rmSync(checkout, { recursive: true });
  });

  const script = (name: string, command: string): void =>
    fs.writeFileSync(path.join(checkout, name), `#!/bin/sh\n${command}\n`, { mode: 0o755 });

  function run(commands: string): { readonly status: number | null; readonly output: string } {
    const env = {
      ...process.env,
      PATH: [path.join(checkout, 'bin'), others.value].join(path.delimiter),
      HPCC_COMMAND: `${process.execPath} ${MAIN}`,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const shell = ['-e', '-c', commands];
    const done = spawnSync('sh', shell, { cwd: checkout, env, encoding: 'utf8' });
    return { status: done.status, output: done.stdout + done.stderr };
  }

  for (const [i, { step, needs, commands }] of blocks().entries()) {
    const name = `${step}, block ${i + 1}`;
    const missing = needs.filter((need) => IS_THERE[need]?.() !== true);
    if (missing.length > 0) {
      reportSkipped(name, `needs ${missing.join(', ')}`);
      continue;
    }
    test(
      name,
      () => {
        const { status, output } = run(commands);
        if (status !== 0) throw new Error(`exit code ${String(status)}\n${output}`);
        for (const pattern of SHOWN[step.slice(0, 1)] ?? []) expect(output).toMatch(pattern);
      },
      LIMIT_MS,
    );
  }

  test('leads through a demo, a network, flows, a program and a capture', () => {
    const steps = new Set(blocks().map(({ step }) => step.slice(0, 1)));
    expect([...steps]).toEqual(Object.keys(SHOWN));
  });
});
