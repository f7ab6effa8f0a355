import { p4cVersion } from '../../common/io/p4-compiler';
import { bmv2RunsStf } from '../../switch/io/bmv2/run-stf';
import { describeIf } from '../support/requires';
import { differenceOf } from './compare-program';
import { p4Text, randomProgram, smaller } from './random-program';
import { textOf, withoutOne } from './statement';

const hasCompiler = p4cVersion() !== undefined;

describeIf(hasCompiler, 'random programs', 'p4c-bm2-ss is not on PATH', () => {
  test.each([1, 2])('both executors send the same (seed %i)', async (seed) => {
    const comparison = { seed, packets: 30, withBmv2: false };
    expect(await differenceOf(randomProgram(seed), comparison)).toBeUndefined();
  });

  const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
  describeIf(bmv2RunsStf(), 'on bmv2', lack, () => {
    test('bmv2 sends what the embedded switch sends (seed 3)', async () => {
      const comparison = { seed: 3, packets: 20, withBmv2: true };
      expect(await differenceOf(randomProgram(3), comparison)).toBeUndefined();
    });
  });

  test('a program that p4c refuses is a difference', async () => {
    const program = { ...randomProgram(1), ingress: [{ head: 'no_such_thing();' }] };
    const comparison = { seed: 1, packets: 1, withBmv2: false };
    expect(await differenceOf(program, comparison)).toContain('no_such_thing');
  });
});

describe('a random program', () => {
  test('is the same for the same seed', () => {
    expect(p4Text(randomProgram(7))).toBe(p4Text(randomProgram(7)));
    expect(p4Text(randomProgram(7))).not.toBe(p4Text(randomProgram(8)));
  });

  test('becomes smaller by each of its statements, inner ones too', () => {
    const list = [{ head: 'a;' }, { head: 'if (b) {', inside: [{ head: 'c;' }], tail: '}' }];
    expect([...withoutOne(list)].map((each) => textOf(each, ''))).toEqual([
      'if (b) {\n  c;\n}\n',
      'a;\n',
      'a;\nif (b) {\n}\n',
    ]);
    const program = randomProgram(7);
    const lengths = [...smaller(program)].map((each) => p4Text(each).length);
    expect(Math.max(...lengths)).toBeLessThan(p4Text(program).length);
  });
});
