import {
  declaredParameters,
  parameterValues,
  substitute,
} from '../../../../mininet/experiment/parameters';
import type { ParameterDocument } from '../../../../mininet/experiment/experiment';

const declared: Record<string, ParameterDocument> = {
  seconds: { default: 30, about: 'how long', min: 1, max: 60 },
  rate: { default: { embedded: 20, bmv2: 10 }, about: 'Mb/s', capacityShare: 0.5 },
  congestion: { default: 'cubic', about: 'of the kernel' },
};

describe('parameters of an experiment', () => {
  test('each kind of switch has its defaults', () => {
    expect(parameterValues(declared, { kind: 'bmv2', set: [] })).toEqual({
      seconds: 30,
      rate: 10,
      congestion: 'cubic',
    });
    expect(parameterValues(declared, { kind: 'embedded', set: [] })).toMatchObject({ rate: 20 });
  });

  test('what is set wins', () => {
    const set = ['seconds=5', 'congestion=bbr', 'rate=100'];
    expect(parameterValues(declared, { kind: 'bmv2', set })).toEqual({
      seconds: 5,
      rate: 100,
      congestion: 'bbr',
    });
  });

  test('a default is lowered to its share of what the machine carries', () => {
    const capacity = { packetsPerSecond: { embedded: 2500 }, frameBytes: 1000 };
    // 2500 packets/s of 1000 bytes are 20 Mb/s, of which one half is used.
    const choice = { set: [], capacity };
    expect(parameterValues(declared, { kind: 'embedded', ...choice })).toMatchObject({ rate: 10 });
    expect(parameterValues(declared, { kind: 'bmv2', ...choice })).toMatchObject({ rate: 10 });
  });

  describe('that follow a rate', () => {
    const following: Record<string, ParameterDocument> = {
      rate: declared.rate ?? { default: 20, about: 'Mb/s' },
      hostRate: { default: 40, about: 'Mb/s', follows: { parameter: 'rate', by: 'factor' } },
      rttUs: { default: 5000, about: 'us', follows: { parameter: 'rate', by: 'inverse' } },
    };
    const values = (...set: string[]) => parameterValues(following, { kind: 'embedded', set });

    test.each([
      [['rate=10'], { rate: 10, hostRate: 20, rttUs: 10_000 }],
      [['rate=40'], { rate: 40, hostRate: 80, rttUs: 5000 }],
      [['rate=10', 'rttUs=100'], { rate: 10, hostRate: 20, rttUs: 100 }],
      [[], { rate: 20, hostRate: 40, rttUs: 5000 }],
    ])('%j', (set, expected) => {
      expect(values(...set)).toEqual(expected);
    });

    test('name one that is declared', () => {
      const text =
        'parameters:\n  a: {default: 1, about: b, follows: {parameter: c, by: factor}}\n';
      expect(() => declaredParameters(text, 'e.yaml')).toThrow(
        'e.yaml: parameters.a.follows: there is no parameter c',
      );
    });
  });

  test.each([
    ['second=5', 'did you mean seconds?'],
    ['zzz=5', 'there are seconds, rate, congestion'],
    ['seconds', 'wanted NAME=VALUE'],
    ['seconds=0', 'wanted a number from 1 to 60 (how long)'],
    ['seconds=61', 'wanted a number from 1 to 60'],
    ['seconds=soon', 'wanted a number from 1 to 60'],
    ['rate=', 'wanted a number of 0 or more'],
  ])('%s is refused: %s', (text, message) => {
    const choice = { kind: 'embedded' as const, set: [text] };
    expect(() => parameterValues(declared, choice)).toThrow(message);
  });

  test('values take the place of their names', () => {
    const values = { rate: 20, name: 'x' };
    expect(substitute('a: $rate Mb/s, b: "${rate}M", c: $name', 'f', values)).toBe(
      'a: 20 Mb/s, b: "20M", c: x',
    );
  });

  test('a name without a value is named with its line', () => {
    expect(() => substitute('a: 1\nb: $rat', 'e.yaml', { rate: 1 })).toThrow(
      'e.yaml:2: $rat is none of the parameters',
    );
  });
});
