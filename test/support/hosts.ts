import type { CongestionControlFactory } from '../../host-agent/algorithm/congestion-control';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import { HostAgent } from '../../host-agent/transport/host';
import type { FlowSpec, HostConfig } from '../../host-agent/host/host-config';

/** Host `n` of a test: address 10.0.0.n, MAC 02:00:00:00:00:0n, 100 Gb/s, T = 5 us. */
export function testHost(n: number, given: Partial<HostConfig> = {}): HostAgent {
  const congestionControl: CongestionControlFactory = hpccppFactory();
  return new HostAgent({
    address: addressOf(n),
    mac: macOf(n),
    linkRate: 100e9,
    baseRtt: 5_000_000,
    congestionControl,
    ...given,
  });
}

export const addressOf = (n: number): number => 0x0a00_0000 + n;
export const macOf = (n: number): number => 0x0200_0000_0000 + n;

/** A flow of `bytes` to host `n`. */
export function flowTo(n: number, id: number, bytes: number): FlowSpec {
  return { id, destinationAddress: addressOf(n), destinationMac: macOf(n), bytes };
}
