import type { Bytes } from '../../../common/units/units';
import { ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import { RETH_LENGTH } from '../../../common/wire/roce/extended-headers';
import { roceDataHeaderLength } from '../../roce/packets/peer-frames';
import type { PayloadWriter } from '../../roce/queue-pair/roce-config';
import { RoceHost } from '../../roce/roce-host';
import { PayloadPattern } from '../../traffic/payload-pattern';
import type { Carrier } from '../../carrier/carrier';
import type { Agent } from '../../host/agent';
import type { Delivery, HostConfig } from '../../host/host-config';
import type { HostSettings } from '../../settings/settings';

/** Headers of the longest packet that can lead a message, from IP on. */
export const roceIpHeaders = (carrier: Carrier): Bytes =>
  roceDataHeaderLength(carrier) + RETH_LENGTH - ETHERNET_LENGTH;

/** A host that speaks RoCEv2. With `--checksum`, what peers read from it can be checked too. */
export function newRoceAgent({ checksum }: HostSettings, config: HostConfig): Agent {
  return new RoceHost({
    ...config,
    ...(config.deliver && { deliver: inOrder(config.deliver) }),
    ...(checksum && { readSource: patternOf }),
  });
}

/**
 * Peers choose the addresses that they write to. What does not follow the bytes before it is no flow
 * of ours, and its bytes are left out.
 */
function inOrder(deliver: (delivery: Delivery) => void): (delivery: Delivery) => void {
  const ends = new Map<string, number>();
  return (delivery) => {
    const { sourceAddress, flow, sequence, length } = delivery;
    const key = `${sourceAddress}/${flow}`;
    if (sequence !== 0 && sequence !== ends.get(key)) return;
    ends.set(key, sequence + length);
    deliver(delivery);
  };
}

/** The bytes of a flow, as its sender would write them. */
function patternOf(flow: number): PayloadWriter {
  const pattern = new PayloadPattern(flow);
  return (sequence, into) => into.set(pattern.at(sequence, into.length));
}
