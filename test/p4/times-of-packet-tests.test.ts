import * as fs from 'node:fs';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { slowDown } from '../../switch/stf/run/slow-down';
import {
  PROFILE_TESTS,
  VIRTUAL_TIME_ONLY,
  profileOf,
  readProfileTest,
} from './support/profile-tests';
import { allTests, testPath } from './support/test-programs';
import type { Command, Literal } from '../../switch/stf/text/statements';

/**
 * bmv2 runs by the machine's clock, so what a packet test expects of it must not change when the
 * machine is busy: an age that it sets is one that every packet reaches, or none.
 */
const REACHED_NS = 1000n;
const NEVER_REACHED_NS = 60_000_000_000n;

/** Ages between them, each of which a later packet has to reach, and why load does not matter. */
const EXCEPTIONS = [
  // Asked again after eight of them, and the packet comes after one and a half.
  'hpcc-ccm.times interval_ns 2000000000',
];

const argumentsOf = (command: Command): readonly { name: string; value: Literal }[] => {
  const isEntry = command.kind === 'add' || command.kind === 'setdefault';
  return isEntry ? command.action.arguments : [];
};

test('no packet test on bmv2 sets an age that a busy machine may cross', () => {
  const found = PROFILE_TESTS.filter((name) => !VIRTUAL_TIME_ONLY.has(name)).flatMap((name) => {
    const { statements } = readProfileTest(name, profileOf(name));
    const all = statements.flatMap(({ command }) => argumentsOf(command));
    const clocks = all.filter((argument) => argument.name === 'clock_unit_ns');
    const isStopped = clocks.every(({ value }) => value.value === 0n);
    const ages = all.filter(
      (argument) => argument.name.endsWith('_ns') && !clocks.includes(argument),
    );
    return ages
      .filter(
        ({ value: { value } }) => !isStopped && value > REACHED_NS && value < NEVER_REACHED_NS,
      )
      .map((argument) => `${name} ${argument.name} ${argument.value.value}`);
  });
  expect(found).toEqual(EXCEPTIONS);
});

test('what needs virtual time are tests of profiles', () => {
  expect(PROFILE_TESTS).toEqual(expect.arrayContaining([...VIRTUAL_TIME_ONLY.keys()]));
});

const MICROSECONDS_NEVER_REACHED = 60e6;

test('meters of packet tests have a token again at once, or never while they run', () => {
  const found = allTests().flatMap((name) =>
    parseStf(fs.readFileSync(testPath(name), 'utf8'), name).statements.flatMap(({ command }) => {
      const sets = command.kind === 'meter-set-rates' || command.kind === 'meter-set-entry-rates';
      const rates = sets ? command.rates.map((rate) => rate.perMicrosecond) : [];
      return rates.filter((rate) => rate < 1 && rate * MICROSECONDS_NEVER_REACHED >= 1);
    }),
  );
  expect(found).toEqual([]);
});

test('a test that paces queues runs at a fraction of its pace, others stay', () => {
  const paced = parseStf('set_queue_rate 10 1\nwait 20 ms\npacket 0 00', 'paced');
  const slower = parseStf('set_queue_rate 2 1\nwait 100 ms\npacket 0 00', 'paced');
  expect(slowDown(paced, 5)).toEqual(slower);
  expect(slowDown(paced, 3)).toEqual(paced);
  const unpaced = parseStf('wait 20 ms\npacket 0 00', 'unpaced');
  expect(slowDown(unpaced, 5)).toEqual(unpaced);
});
