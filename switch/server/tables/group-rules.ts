import { RpcError } from '../../../common/p4runtime/codes';
import type { ActionProfileInfo } from '../../../common/p4runtime/p4info';
import { portNumber } from '../state/watched-groups';

/** Shares of a group at most: the data plane keeps a list as long as the sum of the weights. */
const SHARES_MAX = 65_536;

/** The weight that a member may have, by P4Info. @throws RpcError INVALID_ARGUMENT */
export function checkWeight(profile: ActionProfileInfo, weight: number): void {
  if (profile.weightsDisallowed && weight !== 0) throw invalid(profile, 'it takes no weights');
  if (!profile.weightsDisallowed && weight < 1) {
    throw invalid(profile, `wanted a weight of at least 1, found ${weight}`);
  }
  const limit = profile.maxMemberWeight;
  if (limit > 0 && weight > limit) throw invalid(profile, `weight ${weight} is above ${limit}`);
}

/** The size of a group as P4Info counts it. @throws RpcError RESOURCE_EXHAUSTED */
export function groupSize(profile: ActionProfileInfo, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum > SHARES_MAX) {
    const reason = `weights add up to ${sum}, above ${SHARES_MAX}`;
    throw new RpcError('RESOURCE_EXHAUSTED', `action profile '${profile.name}': ${reason}`);
  }
  return profile.sizeSemantics === 'sum-of-members' ? weights.length : sum;
}

/** Ports of v1model have 9 bits; the last is the drop port. */
const PORT_MAX = 511;

/**
 * The port that a member watches, empty when it watches none.
 * @throws RpcError INVALID_ARGUMENT for what is no port, UNIMPLEMENTED for the older form.
 */
export function watchPortOf(
  profile: ActionProfileInfo,
  member: { readonly hasWatch: boolean; readonly hasWatchPort: boolean; watchPort: Uint8Array },
): Uint8Array {
  if (member.hasWatch) {
    const reason = 'watch is not supported, watch_port is';
    throw new RpcError('UNIMPLEMENTED', `action profile '${profile.name}': ${reason}`);
  }
  if (!member.hasWatchPort || member.watchPort.length === 0) return new Uint8Array(0);
  const port = portNumber(member.watchPort);
  if (port < PORT_MAX) return member.watchPort;
  throw invalid(profile, `wanted a watch_port below ${PORT_MAX}, found ${port}`);
}

/** The rules on max_size of P4Runtime 1.5.0, section "Group Programming". @throws RpcError */
export function checkMaxSize(
  profile: ActionProfileInfo,
  maxSize: number,
  weights: readonly number[],
): void {
  const limit = profile.maxGroupSize;
  if (maxSize < 0 || (limit > 0 && (maxSize === 0 || maxSize > limit))) {
    throw invalid(profile, `wanted a max_size from 1 to ${limit}, found ${maxSize}`);
  }
  const size = groupSize(profile, weights);
  if (maxSize > 0 && size > maxSize) {
    const reason = `weights add up to ${size}, above max_size ${maxSize}`;
    throw new RpcError('RESOURCE_EXHAUSTED', `action profile '${profile.name}': ${reason}`);
  }
}

function invalid(profile: ActionProfileInfo, reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `action profile '${profile.name}': ${reason}`);
}
