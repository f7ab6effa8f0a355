import { loadCases } from '../../../../mininet/experiment/load-experiment';

const TEXT = `
experiment: sample
title: A sample
topology: chain
parameters:
  rate: {default: 10, about: Mb/s}
bottleneck: "s1:3"
frameBytes: 1106
algorithm: {baseRttUs: 1000}
flows:
  - {name: f1, kind: hpcc, from: h1, to: h2, seconds: 5, rateBps: $rate}
`;

const load = (text: string, set: readonly string[] = []) =>
  loadCases({ file: 'sample.yaml', text }, { kind: 'embedded', set });

describe('reading an experiment', () => {
  test('an experiment without cases has one', () => {
    const cases = load(TEXT, ['rate=7']);
    expect(cases.map(({ name, values }) => [name, values])).toEqual([['only', { rate: 7 }]]);
    expect(cases[0]?.document.flows[0]).toMatchObject({ rateBps: 7, start: 0 });
  });

  test('cases have values of their own', () => {
    const cases = load(`${TEXT}cases: [{name: a}, {name: b, set: {rate: 3}}]\n`);
    expect(cases.map(({ name, values }) => [name, values['rate']])).toEqual([
      ['a', 10],
      ['b', 3],
    ]);
  });

  test('a ramp is a case for each step', () => {
    const ramp =
      '{parameter: rate, factor: 2, steps: 3, untilLeftBelow: 0, untilUtilisationBelow: 0}';
    const cases = load(`${TEXT}ramp: ${ramp}\n`);
    expect(cases.map(({ name }) => name)).toEqual(['rate-10', 'rate-20', 'rate-40']);
    const halved = load(`${TEXT}ramp: ${ramp.replace('}', ', halvings: 1}')}\n`);
    expect(halved.map(({ name, isStep }) => [name, isStep])).toEqual([
      ['rate-10', true],
      ['rate-14', false],
      ['rate-20', true],
      ['rate-28', false],
      ['rate-40', true],
    ]);
  });

  test.each([
    ['a key that is none', TEXT.replace('title:', 'titel:'), 'sample.yaml'],
    [
      'an experiment without algorithm',
      TEXT.replace(/^algorithm.*$/m, ''),
      'sample.yaml:2: algorithm: is missing; wanted a section with baseRttUs',
    ],
    [
      'a flow without its sender',
      TEXT.replace('from: h1, ', ''),
      'sample.yaml:11: flows[0].from: is missing; wanted a text',
    ],
    ['a flow without an end', TEXT.replace('seconds: 5, ', ''), 'give either seconds or bytes'],
    ['two flows of one name', TEXT + TEXT.slice(TEXT.indexOf('  - {')), "two flows 'f1'"],
    ['a bar without a limit', `${TEXT}bars: [{figure: drops}]\n`, 'give either atLeast or atMost'],
    [
      'a bar about nothing',
      `${TEXT}bars: [{figure: speed, atMost: 1}]\n`,
      'sample.yaml:12: bars[0].figure',
    ],
    [
      'a ramp of words',
      `${TEXT}ramp: {parameter: r, factor: 2, steps: 3, untilLeftBelow: 0,
  untilUtilisationBelow: 0}\n`,
      "'r' is no parameter with a number",
    ],
  ])('%s is refused', (_what, text, message) => {
    expect(() => load(text)).toThrow(message);
  });
});
