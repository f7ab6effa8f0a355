import { StfError } from '../../../../../switch/stf/text/tokens';

/** The message of the StfError that a call throws; any other end is an error of the test. */
export function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof StfError) return error.message;
    throw error;
  }
  throw new Error('nothing was thrown');
}
