import { InputError } from '../../../common/errors';
import type { Algorithm, Operation } from './collective';
import {
  directAllToAll,
  directGather,
  directScatter,
  disseminationBarrier,
  pairwiseAllToAll,
} from './direct';
import {
  doublingAllGather,
  halvingDoublingAllReduce,
  halvingReduceScatter,
} from './halving-doubling';
import {
  hierarchicalAllGather,
  hierarchicalAllReduce,
  hierarchicalAllToAll,
  hierarchicalReduceScatter,
} from './hierarchical';
import { ringAllGather, ringAllReduce, ringReduceScatter } from './ring';
import { treeAllReduce, treeBroadcast, treeReduce } from './tree';

/** Ways to do collectives. */
export const ALGORITHM_NAMES = [
  'ring',
  'tree',
  'halving-doubling',
  'pairwise',
  'direct',
  'hierarchical',
] as const;

export type AlgorithmName = (typeof ALGORITHM_NAMES)[number];

type Ways = Partial<Readonly<Record<AlgorithmName, Algorithm>>>;

/** Ways to do each operation; the first one unless another is chosen. */
export const ALGORITHMS: Readonly<Record<Operation, Ways>> = {
  'all-reduce': {
    ring: ringAllReduce,
    tree: treeAllReduce,
    'halving-doubling': halvingDoublingAllReduce,
    hierarchical: hierarchicalAllReduce,
  },
  'all-gather': {
    ring: ringAllGather,
    'halving-doubling': doublingAllGather,
    hierarchical: hierarchicalAllGather,
  },
  'reduce-scatter': {
    ring: ringReduceScatter,
    'halving-doubling': halvingReduceScatter,
    hierarchical: hierarchicalReduceScatter,
  },
  'all-to-all': {
    pairwise: pairwiseAllToAll,
    direct: directAllToAll,
    hierarchical: hierarchicalAllToAll,
  },
  broadcast: { tree: treeBroadcast },
  reduce: { tree: treeReduce },
  gather: { direct: directGather },
  scatter: { direct: directScatter },
  barrier: { direct: disseminationBarrier },
};

/** The way that is taken unless another is chosen. */
export const defaultAlgorithm = (operation: Operation): AlgorithmName =>
  Object.keys(ALGORITHMS[operation])[0] as AlgorithmName;

/** @throws InputError for a way that the operation does not have. */
export function algorithmOf(operation: Operation, name: AlgorithmName): Algorithm {
  const found = ALGORITHMS[operation][name];
  if (found !== undefined) return found;
  const known = Object.keys(ALGORITHMS[operation]).join(', ');
  throw new InputError(`${operation} is done by ${known}, not by ${name}`);
}
