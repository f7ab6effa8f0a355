import { EXECUTORS } from '../../../../switch/codegen/executors';
import { acceptState, extract } from '../support/program';
import { bench, runPacket } from '../support/run';

describe.each([...EXECUTORS])('%s', (_, factory) => {
  test.each([false, true])('a field of no bits takes none of a packet (signed: %s)', (signed) => {
    const made = bench(factory, {
      types: {
        t: [
          ['none', 0, signed],
          ['high', 4],
          ['wide', 0, signed],
          ['low', 12, signed],
        ],
      },
      headers: [['h', 't']],
      states: [acceptState('start', [extract('h')])],
    });
    expect([...runPacket(made, Uint8Array.of(0xab, 0xcd, 7)).bytes]).toEqual([0xab, 0xcd, 7]);
  });
});
