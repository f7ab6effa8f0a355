import { parseStudy } from '../../../../emulator/study/study-document';

const BASE = 'name: s\nbase: incast16\n';

describe('the document of a study', () => {
  test('has defaults', () => {
    const { value } = parseStudy(`${BASE}figures: [fctUs.median]\n`, 's.yaml');
    expect(value).toEqual({
      name: 's',
      base: 'incast16',
      axes: [],
      seeds: 1,
      figures: ['fctUs.median'],
      plots: [],
      limits: { memoryMb: 2048, timeoutSeconds: 3600 },
      checkInvariants: true,
    });
  });

  test.each([
    ['an unknown key', 'figures: [jain]\naxis: []\n', /s\.yaml:1: study: .*axis/],
    [
      'an unknown figure',
      'figures: [fctUs.mode]\n',
      "s.yaml:3: figures[0]: no figure 'fctUs.mode'",
    ],
    ['a figure that is no number', 'figures: [fctUs]\n', 'it has min, median, max'],
    [
      'values and a range on one axis',
      'figures: [jain]\naxes:\n  - { path: a, values: [1], range: { from: 1, to: 2, step: 1 } }\n',
      /s\.yaml:5: axes\[0\]/,
    ],
    [
      'two axes on one path',
      'figures: [jain]\naxes:\n  - { path: a, values: [1] }\n  - { path: a, values: [2] }\n',
      's.yaml:5: axes[0]: must vary a path that no other axis varies',
    ],
    [
      'a plot over no axis',
      'figures: [jain]\naxes: [{ path: a, values: [1] }]\nplots: [{ figure: jain, x: b }]\n',
      's.yaml:5: plots[0].x: must be the path of an axis: a',
    ],
    [
      'a plot of a figure that is not kept',
      'figures: [jain]\nplots: [{ figure: fctUs.min }]\n',
      's.yaml:4: plots[0].figure: must be one of figures',
    ],
    [
      'a base and a scenario',
      'scenario: {}\nfigures: [jain]\n',
      'must have either base or scenario',
    ],
  ])('refuses %s with its line', (_what, text, message) => {
    expect(() => parseStudy(BASE + text, 's.yaml')).toThrow(message);
  });
});
