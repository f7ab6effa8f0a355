import { WireFault } from '../../wire/fault';
import { parseHpccPadding } from '../../wire/hpcc/hpcc-padding';
import type { HpccPadding } from '../../wire/hpcc/hpcc-padding';
import { NS3_INT_SLOTS, parseNs3Int } from '../../wire/hpcc/ns3-int-header';
import { ns3Hops, paddingHops } from '../compact-hops';
import type { DecodeSettings } from './decode-settings';
import type { TransportLayer } from './frame-layers';
import type { Telemetry } from './telemetry';

/** Sequence and priority group, which the simulator has between UDP and its telemetry. */
const NS3_SEQUENCE_LENGTH = 6;

/** HPCC's padding after the UDP header of RoCEv2, in the form that the settings name. */
export function decodePadding(
  bytes: Uint8Array,
  { protocol, destinationPort, payloadOffset, end }: TransportLayer,
  { padding, rocePort }: DecodeSettings,
): Telemetry[] {
  if (padding === 'none' || protocol !== 'udp' || destinationPort !== rocePort) return [];
  if (padding === 'ns3')
    return [ns3(bytes, Math.min(payloadOffset + NS3_SEQUENCE_LENGTH, end), end)];
  const found = parseHpccPadding(bytes, payloadOffset, end, padding === 'aligned');
  if (found instanceof WireFault) return [{ format: 'padding', fault: found }];
  return [paddingTelemetry(found, padding)];
}

/** Padding that was read, as telemetry. */
export function paddingTelemetry(padding: HpccPadding, kind: string): Telemetry {
  const details = { kind, pathId: `0x${padding.pathId.toString(16).padStart(3, '0')}` };
  return { format: 'padding', details, hops: paddingHops(padding) };
}

function ns3(bytes: Uint8Array, offset: number, end: number): Telemetry {
  const header = parseNs3Int(bytes, offset, end);
  if (header instanceof WireFault) return { format: 'padding', fault: header };
  if (header.hopCount > NS3_INT_SLOTS) {
    const reason = `nhop must be at most 5, found ${header.hopCount}`;
    return { format: 'padding', fault: new WireFault('ns3-int', offset + 40, reason) };
  }
  const details = { kind: 'ns3', hopCount: header.hopCount };
  return { format: 'padding', details, hops: ns3Hops(header) };
}
