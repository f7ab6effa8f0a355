import * as fs from 'node:fs';
import { failureText, InputError, isOperationalError } from '../../../common/errors';

function failureOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

describe('what is told of a failure', () => {
  test('is its sentence where somebody can mend it', () => {
    const error = new InputError('--seed: wanted a number');
    expect([isOperationalError(error), failureText(error)]).toEqual([
      true,
      '--seed: wanted a number',
    ]);
  });

  test('names call, file and reason where the system refuses', () => {
    const error = failureOf(() => fs.readFileSync('/proc/none'));
    expect(isOperationalError(error)).toBe(true);
    expect(failureText(error)).toBe('cannot open /proc/none: no such file or directory (ENOENT)');
  });

  test('has the place in the code where only a programmer can mend it', () => {
    const error = new Error('Internal error: no flow');
    expect(isOperationalError(error)).toBe(false);
    expect(failureText(error)).toContain('errors.test');
  });
});
