import { InputError } from '../../../common/errors';
import type { Bytes } from '../../../common/units/units';

/** Payload of a full packet, as InfiniBand knows it (volume 1, section 9.4.3). */
export const PATH_MTUS: readonly Bytes[] = [256, 512, 1024, 2048, 4096];

/** Returns `mtu`, or throws InputError naming the values that there are. */
export function checkPathMtu(mtu: Bytes): Bytes {
  if (PATH_MTUS.includes(mtu)) return mtu;
  throw new InputError(`the path MTU of RoCEv2 must be ${PATH_MTUS.join(', ')}, got ${mtu}`);
}

/** Packets of a message; one without payload takes one too. */
export const packetCount = (length: Bytes, mtu: Bytes): number =>
  Math.max(1, Math.ceil(length / mtu));
