// node build/test/p4/testgen/hold.js [NAME...]: runs what p4testgen expects of programs for Tofino on
// Intel's models of the chips, and says in the files of which sources the programs were.
import * as path from 'node:path';
import { TNA_PROGRAMS } from '../../../common/io/p4-profiles';
import { loadTofinoReport, tofinoDigest } from '../../../common/io/tna-compiler';
import { runStfOnTofinoModel } from '../../../switch/io/tofino-model/run-stf';
import { parseStf } from '../../../switch/stf/text/parse-stf';
import { ROOT } from '../../support/paths';
import { readCases, testgenNames, writeCases } from './cases';

/** Ports of a pipe with a plug, of 128 numbers that it has: others lead to the CPU, back, or nowhere. */
const PORTS_OF_PIPE = 64;
const NUMBERS_OF_PIPE = 128;

const hasPlug = (port: number): boolean => port % NUMBERS_OF_PIPE < PORTS_OF_PIPE;

/** Cases that need a chip of their own have statements besides packets. */
const setsUp = (text: string): boolean => /^(?!packet|expect|no_packet|\s*$)/m.test(text);

const leavesChip = (text: string): boolean =>
  [...text.matchAll(/^expect (\d+)/gm)].some(([, port]) => !hasPlug(Number(port)));

async function hold(name: string): Promise<boolean> {
  const cases = readCases(name);
  const program = TNA_PROGRAMS.find((each) => each.name === cases.program);
  if (program === undefined) throw new Error(`no program ${cases.program}`);
  const { chip } = cases;
  const { sourcesSha256: built } = loadTofinoReport(program, chip);
  if (built !== tofinoDigest(program, chip)) throw new Error(`${program.name} is not built anew`);
  const folder = path.join(ROOT, 'out', 'tna', chip, program.name);
  const possible = cases.tests.filter(([, text]) => !leavesChip(text));
  const without = possible.filter(([, text]) => !setsUp(text)).map(([, text]) => text);
  const runs: (readonly [string, string])[] = [
    ['those without entries', without.join('\n')],
    ...possible
      .filter(([, text]) => setsUp(text))
      .map(([number, text]) => [String(number), text] as const),
  ];
  const wrong: string[] = [];
  for (const [number, text] of runs) {
    const verdict = await runStfOnTofinoModel(folder, parseStf(text, `${name}-${number}`));
    if (verdict.kind === 'fail') wrong.push(`${number}: ${verdict.difference.message}`);
  }
  const left = cases.tests.length - possible.length;
  const count = `${possible.length} of ${cases.tests.length}, ${left} to ports without a plug`;
  process.stdout.write(`${name}: ${count}; ${wrong.length} differ ${wrong.join('; ')}\n`);
  if (wrong.length > 0) return false;
  writeCases({ ...cases, heldSha256: tofinoDigest(program, chip) });
  return true;
}

async function main(): Promise<void> {
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : testgenNames()) {
    if (!(await hold(name))) process.exitCode = 1;
  }
}

void main();
