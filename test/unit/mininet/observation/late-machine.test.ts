import { lateMachineText } from '../../../../mininet/observation/late-machine';
import { preparedCases } from '../../../support/mininet-fixture';

function prepared(name: string, set: readonly string[] = []) {
  const [first] = preparedCases(name, { set });
  if (first === undefined) throw new Error(`${name} has no case`);
  return first;
}

/** Time of five packets of 1106 bytes at 20 Mb/s. */
const FIVE_PACKETS_US = (5 * 1106 * 8) / 20;

describe('a machine that is busy before a run', () => {
  test('is told of the bar of the queue, with the next step, once it wakes processes too late', () => {
    const own = prepared('loops', ['rate=20']);
    expect(lateMachineText(own, FIVE_PACKETS_US)).toBeUndefined();
    expect(lateMachineText(own, FIVE_PACKETS_US + 1)).toBe(
      'this machine is too busy now: it wakes one process in a hundred 2.21 ms late or more, and 5 packets ' +
        'take 2.21 ms, so the bar of the queue cannot be met; wait until it is quiet, run with --realtime, or ' +
        'try fewer Mb/s (--set rate=N, below 20)',
    );
  });

  test('is not judged by experiments without such a bar', () => {
    expect(lateMachineText(prepared('fat-tree'), 1e6)).toBeUndefined();
  });
});
