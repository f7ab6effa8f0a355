import { CauseSums } from '../../../../emulator/causes/cause-sums';
import { clipped } from '../../../../emulator/causes/piece';
import { PortUse } from '../../../../emulator/causes/port-use';
import { Transmissions } from '../../../../emulator/causes/transmissions';
import { causeGroups, causeVerdict, placeText } from '../../../../emulator/result/cause-text';
import type { FlowCauses } from '../../../../emulator/result/flow-causes';

const US = 1e6;

test('what an interface sent divides an interval without gaps', () => {
  const sent = new Transmissions();
  sent.add({ start: 0, end: 10, flow: 1 });
  sent.add({ start: 10, end: 20, flow: null });
  sent.add({ start: 30, end: 40, flow: 2 });
  expect(sent.between(5, 45)).toEqual([
    { from: 5, to: 10, flow: 1 },
    { from: 10, to: 20, flow: null },
    { from: 20, to: 30, flow: undefined },
    { from: 30, to: 40, flow: 2 },
    { from: 40, to: 45, flow: undefined },
  ]);
  sent.forgetBefore(35);
  expect(sent.between(30, 40)).toEqual([{ from: 30, to: 40, flow: 2 }]);
  sent.forgetBefore(40);
  expect(sent.between(30, 40)).toEqual([{ from: 30, to: 40, flow: undefined }]);
});

test('a part of a piece has its part of the flows', () => {
  const piece = { cause: 'sharing' as const, from: 0, to: 100, others: new Map([[7, 100]]) };
  expect(clipped([piece], 50, 75)).toEqual([
    { ...piece, from: 50, to: 75, others: new Map([[7, 25]]) },
  ]);
  expect(clipped([piece], 100, 200)).toEqual([]);
});

test('a port says who used it in a window, and for how long it was paused', () => {
  const use = new PortUse(100e9, 4 * US, { at: 0, paused: 0 });
  use.sent({ start: 5 * US, bytes: 12_500, other: 3, waiting: 0 });
  use.sent({ start: 6 * US, bytes: 12_500, other: undefined, waiting: 0 });
  use.notePaused(8 * US, 0.5 * US);
  const { others, own, paused, load } = use.use(5 * US, 8 * US);
  expect([[...others], own, paused]).toEqual([[[3, US]], US, 0.5 * US]);
  expect(load).toBeCloseTo(2.5 / 8, 6);
});

describe('sums by cause', () => {
  const sums = new CauseSums(0, 256 * US);
  for (let at = 0; at < 250; at++) {
    const cause = at >= 100 && at < 150 ? ('queue' as const) : ('pacing' as const);
    sums.add({ cause, from: at * US, to: (at + 1) * US, at: 'h1', way: 'data' });
  }
  sums.add({ cause: 'propagation', from: 250 * US, to: 256 * US, at: 'h1' });
  const parts = sums.parts();

  test('are all of the time, the longest first, with the moment of each', () => {
    expect(parts.map(({ cause, timeUs }) => [cause, timeUs])).toEqual([
      ['pacing', 200],
      ['queue', 50],
      ['propagation', 6],
    ]);
    expect(parts[1]).toMatchObject({ fromUs: 100, toUs: 125 });
  });

  const causes: FlowCauses = {
    flow: 4,
    source: 'h1',
    destination: 'h2',
    startUs: 0,
    fctUs: 256,
    idealFctUs: 128,
    slowdown: 2,
    parts,
  };

  test('are told in a sentence, and in groups', () => {
    expect(causeVerdict(causes)).toBe(
      'Flow 4, h1 to h2, took 256.0 us, 2.00 times as long as alone: 78.1 % of it its own pacing ' +
        'rate held it back while its path had room.',
    );
    expect(causeGroups(causes).map(({ cause, at }) => [cause, at])).toEqual([
      ['pacing', 'h1'],
      ['queue', 'h1'],
      ['propagation', undefined],
    ]);
  });

  test('places are named as people name them', () => {
    expect([placeText('leaf1:17->h17:1'), placeText('h3'), placeText(undefined)]).toEqual([
      'leaf1 to h17',
      'h3',
      '',
    ]);
  });
});
