import { holds } from './target';
import type { FuzzTarget } from './target';

/** A fault that chance would not find in a lifetime, to see that guidance finds it. */
export const target: FuzzTarget = {
  about: 'a fault behind five comparisons',
  bytesMax: 32,
  inSuite: 0,
  seeds: () => [Buffer.from('harmless')],
  start: () => (input) => {
    if (input[0] !== 0xd7 || input[1] !== 0x1f) return;
    if (input[2] !== input.length || input[3] !== 0x6b) return;
    holds(input[4] !== 0xe4, () => 'the planted fault');
  },
};
