import type { Packet } from '../../common/packet/packet';
import { HPCC_FLAG_AUTH } from '../../common/wire/hpcc/hpcc-transport';
import type { AuthRejection } from '../feedback/feedback-auth';
import type { CheckedHostConfig } from './host-config';
import type { ReceivedFrame } from '../transport/frames/received-frame';

/**
 * Returns the reason why a host refuses an answer of a switch; undefined if it is genuine and new, or if
 * the host has no keys at all and accepts all answers. Keys of hosts alone refuse every answer: they say
 * nothing of switches.
 */
export function answerRefusal(
  { answers, keyRing, address, carrier }: CheckedHostConfig,
  { transport, sourceAddress }: ReceivedFrame,
  { bytes }: Packet,
): AuthRejection | undefined {
  const { flags, headerAt: offset, bodyAt, length } = transport;
  const isSigned = (flags & HPCC_FLAG_AUTH) !== 0;
  if (answers === undefined) {
    if (keyRing !== undefined) return 'unauthenticated';
    return isSigned ? 'signed' : undefined;
  }
  if (!isSigned) return 'unauthenticated';
  const { addressBytes } = carrier.network;
  const path = { source: addressBytes(sourceAddress), destination: addressBytes(address) };
  return answers.check(path, { bytes, offset, bodyAt, end: bodyAt + length });
}
