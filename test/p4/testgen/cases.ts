import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../../support/paths';

const FOLDER = path.join(ROOT, 'test', 'p4', 'testgen', 'cases');
const SUFFIX = '.stf';
const TITLE = /^# test (\d+)$/m;

/** The tests that p4testgen has made of one program for one chip. */
export interface TestgenCases {
  readonly program: string;
  readonly chip: string;
  /** Digest of the sources that the program was made of. */
  readonly sourcesSha256: string;
  /** Digest of later sources that do the same on Intel's model of the chip; empty where none do. */
  readonly heldSha256: string;
  /** Share of the program's statements that the tests execute. */
  readonly coverage: string;
  /** By number, in our STF. */
  readonly tests: readonly (readonly [number: number, text: string])[];
}

/** Names of the files: `hpcc.tofino`. */
export const testgenNames = (): readonly string[] =>
  fs
    .readdirSync(FOLDER)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort();

export function readCases(name: string): TestgenCases {
  const [program = '', chip = ''] = name.split('.');
  const [head = '', ...parts] = fs
    .readFileSync(path.join(FOLDER, name + SUFFIX), 'utf8')
    .split(TITLE);
  const said = (what: string): string => new RegExp(`^# ${what}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  const tests = Array.from(
    { length: parts.length / 2 },
    (_, i) => [Number(parts[2 * i]), (parts[2 * i + 1] ?? '').trim()] as const,
  );
  return {
    program,
    chip,
    sourcesSha256: said('sources'),
    heldSha256: said('held on the Tofino model'),
    coverage: said('statements'),
    tests,
  };
}

export function writeCases(cases: TestgenCases): void {
  const { program, chip, sourcesSha256, heldSha256, coverage, tests } = cases;
  fs.mkdirSync(FOLDER, { recursive: true });
  const text = [
    `# What p4testgen expects of ${program} on ${chip}, for its model.`,
    `# sources: ${sourcesSha256}`,
    ...(heldSha256 === '' ? [] : [`# held on the Tofino model: ${heldSha256}`]),
    `# statements: ${coverage}`,
    ...tests.flatMap(([number, statements]) => [`# test ${number}`, statements]),
  ];
  fs.writeFileSync(path.join(FOLDER, `${program}.${chip}${SUFFIX}`), `${text.join('\n')}\n`);
}
