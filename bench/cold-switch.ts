import { InputError } from '../common/errors';
import { realTime } from './live/real-time';
import { middle, runFirstFlow } from './live/slow-port';

const PORT = { rate: 100e6, bytes: 20e6, baseRttUs: 1500 };

/**
 * Measures the share of a slow link that the first flow through a fresh switch fills. Medians of
 * rounds.
 */
export async function benchColdSwitch(rounds: number): Promise<object> {
  if (process.getuid?.() !== 0) {
    throw new InputError('needs root, because it makes network namespaces');
  }
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) found.push(await runFirstFlow(PORT));
  const isRealTime = realTime().length > 0;
  return {
    bottleneckBps: PORT.rate,
    flowBytes: PORT.bytes,
    baseRttUs: PORT.baseRttUs,
    isRealTime,
    utilisation: middle(found, 3),
    all: found.map((share) => middle([share], 3)),
  };
}
