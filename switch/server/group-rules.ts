import { RpcError } from '../../common/p4runtime/codes';
import type { ActionProfileInfo } from '../../common/p4runtime/p4info';

/** Every member of a group has a weight of at least 1. @throws RpcError INVALID_ARGUMENT */
export function checkWeight(profile: ActionProfileInfo, weight: number): void {
  if (weight < 1) throw invalid(profile, `wanted a weight of at least 1, found ${weight}`);
}

/** Ports are always up here, so nothing can be watched. @throws RpcError UNIMPLEMENTED */
export function checkWatchPort(
  profile: ActionProfileInfo,
  member: { readonly hasWatch: boolean; readonly hasWatchPort: boolean; watchPort: Uint8Array },
): void {
  const watches = member.hasWatch || (member.hasWatchPort && member.watchPort.length > 0);
  if (!watches) return;
  const reason = 'watch ports are not supported';
  throw new RpcError('UNIMPLEMENTED', `action profile '${profile.name}': ${reason}`);
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
  const size = weights.reduce((sum, weight) => sum + weight, 0);
  if (maxSize > 0 && size > maxSize) {
    const reason = `weights add up to ${size}, above max_size ${maxSize}`;
    throw new RpcError('RESOURCE_EXHAUSTED', `action profile '${profile.name}': ${reason}`);
  }
}

function invalid(profile: ActionProfileInfo, reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `action profile '${profile.name}': ${reason}`);
}
