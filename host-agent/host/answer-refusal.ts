import type { Packet } from '../../common/packet/packet';
import { HPCC_FLAG_AUTH, hpccTransportLength } from '../../common/wire/hpcc/hpcc-transport';
import type { AuthRejection } from '../feedback/feedback-auth';
import type { CheckedHostConfig } from './host-config';
import type { ReceivedFrame } from '../transport/frames/received-frame';

/**
 * Why a host refuses an answer of a switch; undefined if it is genuine and new, or if the host has no
 * keys at all and believes what it is told. Keys of hosts alone refuse every answer: they say nothing
 * of switches.
 */
export function answerRefusal(
  { answers, keyRing, address, carrier }: CheckedHostConfig,
  { transport, sourceAddress, bodyAt }: ReceivedFrame,
  { bytes }: Packet,
): AuthRejection | undefined {
  const isSigned = (transport.flags & HPCC_FLAG_AUTH) !== 0;
  if (answers === undefined) {
    if (keyRing !== undefined) return 'unauthenticated';
    return isSigned ? 'signed' : undefined;
  }
  if (!isSigned) return 'unauthenticated';
  const { addressBytes } = carrier.network;
  const path = { source: addressBytes(sourceAddress), destination: addressBytes(address) };
  const offset = bodyAt - hpccTransportLength(transport);
  return answers.check(path, { bytes, offset, bodyAt, end: bodyAt + transport.length });
}
