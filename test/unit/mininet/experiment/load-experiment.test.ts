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

  describe('an exchange', () => {
    const exchange = (what: string): string =>
      TEXT.replace(/^ {2}- .*$/m, `  - {name: x, kind: exchange, ${what}}`);
    const WHOLE = 'senders: [h1, h3], receivers: [h2, h4, h6], start: 1, every: 5, seconds: 4';

    test('is a flow of each sender to each receiver, one per round and host', () => {
      const [own] = load(exchange(`${WHOLE}, options: [--dscp, 8]`));
      const flows = own?.document.flows.map(({ name, from, to, start, ...rest }) => {
        expect(rest).toMatchObject({ kind: 'hpcc', seconds: 4, options: ['--dscp', '8'] });
        return [name, from, to, start];
      });
      expect(flows).toEqual([
        ['x-h1-h2', 'h1', 'h2', 1],
        ['x-h3-h4', 'h3', 'h4', 1],
        ['x-h1-h4', 'h1', 'h4', 6],
        ['x-h3-h6', 'h3', 'h6', 6],
        ['x-h1-h6', 'h1', 'h6', 11],
        ['x-h3-h2', 'h3', 'h2', 11],
      ]);
    });

    test.each([
      [WHOLE.replace('h4', 'h1'), "'h1' is there twice; a host sends or receives"],
      [WHOLE.replace('every: 5', 'every: 4'), 'wanted rounds every more than 4 s, found 4'],
      [WHOLE.replace('[h2, h4, h6]', '[h2]'), 'wanted at least as many receivers as senders'],
      [WHOLE.replace('seconds: 4', 'from: h1, seconds: 4'), 'from'],
    ])('is refused: %s', (what, sentence) => {
      expect(() => load(exchange(what))).toThrow(sentence);
    });
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
