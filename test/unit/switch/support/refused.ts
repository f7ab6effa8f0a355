import { StateError } from '../../../../switch/control/table-control';
import type { StateErrorCode } from '../../../../switch/control/table-control';

/** Expects a write to be refused with this code and with these words in the message. */
export function refused(code: StateErrorCode, words: string, act: () => void): void {
  const error = errorOf(act);
  expect(error).toBeInstanceOf(StateError);
  expect(error).toMatchObject({ code });
  expect(String(error)).toContain(words);
}

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
