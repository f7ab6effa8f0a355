import { Random } from '../../../common/random/random';
import type { BitsPerSecond, Bytes, Duration } from '../../../common/units/units';
import { PS_PER_SECOND } from '../../../common/units/units';
import { checkParameter } from '../../algorithm/check-parameter';
import { scrambled } from '../scrambled';
import type { EntropySource, EntropySpace } from './entropy-source';
import { FlowletEntropy } from './flowlet-entropy';
import { MrcEntropy } from './mrc-entropy';
import { RandomEntropy } from './random-entropy';
import { RecycledEntropy } from './recycled-entropy';
import { RotatingEntropy } from './rotating-entropy';

/** Facts about a flow that the policies count in. */
export interface BalancedFlow {
  readonly linkRate: BitsPerSecond;
  readonly baseRtt: Duration;
  /** Payload bytes of a full segment. */
  readonly mss: Bytes;
  /** Segments of the flow that may be in flight. */
  readonly inFlightMax: number;
}

type Policy = (space: EntropySpace, flow: BalancedFlow, plan: BalancingPlan) => EntropySource;

/** Policies of hosts that choose an entropy per packet, by name. */
const POLICIES = {
  random: (space) => new RandomEntropy(space),
  'round-robin': (space) => new RotatingEntropy(space),
  flowlet: (space, { baseRtt }, { flowletGap = baseRtt / 2 }) =>
    new FlowletEntropy(space, flowletGap),
  reps: (space, { linkRate, baseRtt, mss }) => {
    const packetsInBdp = Math.ceil((linkRate * baseRtt) / PS_PER_SECOND / 8 / mss);
    return new RecycledEntropy(space, { baseRtt, packetsInBdp });
  },
  mrc: (space, flow) => new MrcEntropy(space, flow),
} as const satisfies Readonly<Record<string, Policy>>;

export type BalancingPolicy = keyof typeof POLICIES;
export const BALANCING_POLICIES = Object.keys(POLICIES) as BalancingPolicy[];

/** Load balancing by the host: an entropy per packet in place of one per flow. */
export interface BalancingOptions {
  readonly policy: BalancingPolicy;
  /** Source ports that a flow uses, 2 to 16384. Default 4096. */
  readonly entropies?: number;
  /** Pause in ps from which on packets are of another flowlet. Default: half the base RTT. */
  readonly flowletGap?: Duration;
  /** Seed of what is drawn; flows draw differently all the same. Default 0. */
  readonly seed?: number;
}

export type BalancingPlan = Required<Omit<BalancingOptions, 'flowletGap'>> &
  Pick<BalancingOptions, 'flowletGap'>;

/** The dynamic ports of RFC 6335. */
export const ENTROPIES_MAX = 16_384;
export const ENTROPIES = 4096;

/** Fills in defaults. Throws InputError naming the option that is out of range. */
export function checkBalancing(options: BalancingOptions): BalancingPlan {
  const { policy, entropies = ENTROPIES, flowletGap, seed = 0 } = options;
  const space = { low: 2, high: ENTROPIES_MAX, integer: true };
  const above0 = { low: 0, high: Number.MAX_SAFE_INTEGER, exclusiveLow: true };
  return {
    policy,
    entropies: checkParameter('entropies', entropies, space),
    seed,
    ...(flowletGap !== undefined && {
      flowletGap: checkParameter('flowletGap', flowletGap, above0),
    }),
  };
}

/**
 * The policy of one flow.
 * @param flow.name any number, another one for each flow.
 */
export function newEntropySource(
  plan: BalancingPlan,
  flow: BalancedFlow & { readonly name: number },
  ports: Pick<EntropySpace, 'portOf' | 'pathOf'>,
): EntropySource {
  const { policy, entropies: count, seed } = plan;
  const random = new Random(scrambled(flow.name ^ scrambled(seed)));
  return POLICIES[policy]({ count, random, ...ports }, flow, plan);
}
