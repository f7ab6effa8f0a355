import { createHmac } from 'node:crypto';
import { Random } from '../../common/random/random';
import type { OpeningOptions } from '../../host-agent/feedback/flow-tokens';

/** Makes the randomness for opening flows in a test: the same tokens for the same seed. */
export function testOpening(seed: number): OpeningOptions {
  const random = new Random(seed);
  const word = (): number => Math.floor(random.uniform() * 0x1_0000_0000);
  return {
    nonce: () => ({ high: word(), low: word() }),
    secret: new Uint8Array(32).fill(seed),
    mac: (key, message) => createHmac('sha256', key).update(message).digest(),
  };
}
