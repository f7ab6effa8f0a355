import { verdictOf } from '../../../../../emulator/view/data/verdict';
import type { Result } from '../../../../../emulator/result/result';
import { RESULT } from '../../../../support/result';

const [FLOW] = RESULT.flows as [Result['flows'][number]];
const LINK = RESULT.links[0] as Result['links'][number];
const run = (part: Partial<Result>): Result => ({ ...RESULT, ...part });

const flows = (fctUs: (number | null)[]): Pick<Result, 'flows' | 'fctUs'> => ({
  flows: fctUs.map((each, i) => ({ ...FLOW, id: i + 1, fctUs: each, slowdown: each && each / 10 })),
  fctUs: { min: 10, median: 20, max: 30 },
});

test('a run in a sentence: flows, the fullest queue, and losses', () => {
  const bottleneck = {
    ...RESULT.bottleneck,
    link: 's1:1->h1:1',
    queuePeakBytes: 843_123,
    drainedAtUs: 107,
  };
  const links = [{ ...LINK, lostPackets: 0 }];
  const counters = { ...RESULT.counters, drops: {} };
  expect(verdictOf(run({ ...flows([10, 30]), bottleneck, links, counters }))).toBe(
    'All 2 flows finished, within 30.00 us and up to 3.00 times as long as alone; the queue from ' +
      's1 to h1 reached 843.1 KB and was down to 5 KB at 107.0 us; nothing was lost.',
  );
});

test.each<[string, Partial<Result>, string]>([
  ['one flow', flows([30]), 'The flow took 30.00 us, 3.00 times as long as alone'],
  ['flows that did not finish', flows([30, null]), '1 of 2 flows finished;'],
  [
    'losses of switches and links',
    {
      counters: { ...RESULT.counters, drops: { s1: 3 } },
      links: [{ ...LINK, lostPackets: 4 }],
    },
    '7 packets were lost.',
  ],
  [
    'a queue that stayed',
    { bottleneck: { ...RESULT.bottleneck, drainedAtUs: null } },
    'was never down to 5 KB again',
  ],
  [
    'a queue that nobody has sampled',
    { bottleneck: { ...RESULT.bottleneck, queuePeakBytes: 0, drainedAtUs: null } },
    'was not sampled;',
  ],
])('tells of %s', (_, part, text) => {
  expect(verdictOf(run(part))).toContain(text);
});

test.each<[string, Partial<Result>, RegExp]>([
  ['broken invariants', { violations: ['a', 'b'] }, /^INVALID, 2 invariants are broken\. /],
  ['no control', { uncontrolled: 'flow 1' }, /^INVALID, flows sent without control\. /],
  [
    'an end before its time',
    { violations: ['a'], interruptedAtUs: 3 },
    /^INVALID, 1 invariant is broken, the run was interrupted\. /,
  ],
])('begins with %s', (_, part, text) => {
  expect(verdictOf(run(part))).toMatch(text);
});
