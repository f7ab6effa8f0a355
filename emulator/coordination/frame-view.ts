import type { Packet } from '../../common/packet/packet';
import { readUint16, readUint32 } from '../../common/wire/bytes';
import type { CcmNotification } from '../../common/wire/ccm-notification';
import { CCM_PORT, parseCcmNotification } from '../../common/wire/ccm-notification';
import type { CcmIndicators } from '../../common/wire/ccm-tag';
import { indicatorsOfDsFlags } from '../../common/wire/ccm-tag';
import { ETHERNET_LENGTH } from '../../common/wire/ethernet';
import { WireFault } from '../../common/wire/fault';
import { HPCC_DATA, HPCC_TRANSPORT_PORT } from '../../common/wire/hpcc-transport';
import { INT_DSCP, INT_FIXED_LENGTH, intMdLength } from '../../common/wire/int-md';
import { IPV4_LENGTH } from '../../common/wire/ipv4';
import { UDP_LENGTH } from '../../common/wire/udp';

const DSCP_AT = ETHERNET_LENGTH + 1;
const SOURCE_AT = ETHERNET_LENGTH + 12;
const DESTINATION_AT = ETHERNET_LENGTH + 16;
const UDP_AT = ETHERNET_LENGTH + IPV4_LENGTH;
const AFTER_UDP = UDP_AT + UDP_LENGTH;
const DS_FLAGS_AT = AFTER_UDP + INT_FIXED_LENGTH - 2;
const FLOW_ID = 2;

/** What observers of coordination look for in a frame of an emulated network. */
export type FrameView =
  | {
      readonly kind: 'data';
      readonly source: number;
      readonly destination: number;
      readonly sourcePort: number;
      readonly flowId: number;
      readonly tag: CcmIndicators;
    }
  | {
      readonly kind: 'notification';
      readonly source: number;
      readonly destination: number;
      readonly notification: CcmNotification;
    };

/** Undefined for what is neither data with telemetry nor a notification. */
export function viewFrame({ bytes }: Packet): FrameView | undefined {
  if (bytes.length < AFTER_UDP) return undefined;
  const port = readUint16(bytes, UDP_AT + 2);
  const source = readUint32(bytes, SOURCE_AT);
  const destination = readUint32(bytes, DESTINATION_AT);
  if (port === CCM_PORT) {
    const notification = parseCcmNotification(bytes, AFTER_UDP);
    if (notification instanceof WireFault) return undefined;
    return { kind: 'notification', source, destination, notification };
  }
  const hasTelemetry = (bytes[DSCP_AT] as number) >>> 2 === INT_DSCP;
  if (port !== HPCC_TRANSPORT_PORT || !hasTelemetry) return undefined;
  const length = intMdLength(bytes, AFTER_UDP);
  if (length instanceof WireFault) return undefined;
  const transportAt = AFTER_UDP + length;
  if (((bytes[transportAt] ?? 0) & 0xf) !== HPCC_DATA) return undefined;
  const flowId = readUint16(bytes, transportAt + FLOW_ID);
  const sourcePort = readUint16(bytes, UDP_AT);
  const tag = indicatorsOfDsFlags(readUint16(bytes, DS_FLAGS_AT));
  return { kind: 'data', source, destination, sourcePort, flowId, tag };
}
