import { TNA_PROGRAMS } from '../../../common/io/p4-profiles';
import { tofinoDigest } from '../../../common/io/tna-compiler';
import { EXECUTORS } from '../../../switch/codegen/executors';
import { DEFAULT_EXECUTOR } from '../../../switch/codegen/executor-names';
import { EmbeddedTarget } from '../../../switch/stf/embedded/embedded-target';
import { readOutline } from '../../../switch/stf/run/outline';
import { runStf } from '../../../switch/stf/run/run-stf';
import { parseStf } from '../../../switch/stf/text/parse-stf';
import { outcomeOf, profileJson } from '../support/profile-tests';
import { sampled } from '../../support/sampled';
import { readCases, testgenNames } from './cases';

const interpreted = sampled('programs by the interpreter', testgenNames(), 3);

describe.each(testgenNames())('what p4testgen expects of %s', (name) => {
  const { program, chip, sourcesSha256, heldSha256, tests } = readCases(name);
  const json = profileJson(`${program}-model`);
  const outline = readOutline(json);

  const executors = [...EXECUTORS].filter(
    ([each]) => each === DEFAULT_EXECUTOR || interpreted.includes(name),
  );
  test.each(executors)('is what its model does on the executor %s', (_name, executor) => {
    const outcomes = tests.map(([number, text]) => {
      const target = new EmbeddedTarget(json, executor);
      return [number, outcomeOf(runStf(parseStf(text, `${name}-${number}`), outline, target))];
    });
    expect(outcomes).toEqual(tests.map(([number]) => [number, 'pass']));
  });

  test('has packets that leave, packets that grow, and packets that are dropped', () => {
    const lengths = tests.map(([, text]) => /^expect \d+ (\S+)/m.exec(text)?.[1]?.length ?? 0);
    const sent = Math.min(...lengths.filter((length) => length > 0));
    expect(lengths).toContain(0);
    expect(lengths.filter((length) => length > sent + 1).length).toBeGreaterThan(0);
  });

  // npm run testgen makes them again, and hold.ts runs them on the Tofino model.
  test('is of the present sources, or is what they do on the Tofino model', () => {
    const found = TNA_PROGRAMS.find((each) => each.name === program);
    expect([sourcesSha256, heldSha256]).toContain(found && tofinoDigest(found, chip));
  });
});

/** The generator cannot follow the first, and has not been run on the second. */
const WITHOUT = new Set(['hpcc-edge', 'hpcc-trim']);

test('every program for Tofino but two has such tests, on both chips', () => {
  const names = TNA_PROGRAMS.map((each) => each.name).filter((name) => !WITHOUT.has(name));
  const both = names.flatMap((each) => [`${each}.tofino`, `${each}.tofino2`]);
  expect(testgenNames()).toEqual(both.sort());
});
