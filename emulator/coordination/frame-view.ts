import type { Packet } from '../../common/packet/packet';
import { BTH_CNP, parseBth, ROCE_PORT } from '../../common/wire/roce/bth';
import { readUint16, readUint32 } from '../../common/wire/bytes';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import {
  CCM_PORT,
  ccmNotificationLength,
  parseCcmNotification,
} from '../../common/wire/coordination/ccm-notification';
import type { CcmIndicators } from '../../common/wire/coordination/ccm-tag';
import { indicatorsOfDsFlags } from '../../common/wire/coordination/ccm-tag';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { WireFault } from '../../common/wire/fault';
import {
  HPCC_ACK,
  HPCC_DATA,
  HPCC_FLAG_MARKED,
  HPCC_TRANSPORT_LENGTH,
  HPCC_TRANSPORT_PORT,
  readFlowId,
} from '../../common/wire/hpcc/hpcc-transport';
import { INT_DSCP, INT_FIXED_LENGTH, intMdLength } from '../../common/wire/int/int-md';
import { IPV4_LENGTH } from '../../common/wire/ip/ipv4';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { tagOf, withoutTag } from '../../common/wire/coordination/tagged-frame';
import { flowOfQpn } from '../../host-agent/roce/packets/connection-numbers';
import { rcOpcode } from '../../host-agent/roce/packets/opcodes';

const DSCP_AT = ETHERNET_LENGTH + 1;
const SOURCE_AT = ETHERNET_LENGTH + 12;
const DESTINATION_AT = ETHERNET_LENGTH + 16;
const UDP_AT = ETHERNET_LENGTH + IPV4_LENGTH;
const AFTER_UDP = UDP_AT + UDP_LENGTH;
const DS_FLAGS_AT = AFTER_UDP + INT_FIXED_LENGTH - 2;
const FLAGS = 1;

/** Content of a frame of an emulated network that observers of coordination use. */
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
      /** Bytes that the code covers. */
      readonly covered: Uint8Array;
    };

/** Undefined for what is neither a notification nor data. */
export function viewFrame(packet: Packet): FrameView | undefined {
  const { bytes } = withoutTag(packet);
  if (bytes.length < AFTER_UDP) return undefined;
  const port = readUint16(bytes, UDP_AT + 2);
  const source = readUint32(bytes, SOURCE_AT);
  const destination = readUint32(bytes, DESTINATION_AT);
  if (port === CCM_PORT) {
    const notification = parseCcmNotification(bytes, AFTER_UDP);
    if (notification instanceof WireFault) return undefined;
    const end = AFTER_UDP + ccmNotificationLength(notification) - notification.mac.length;
    const covered = bytes.subarray(AFTER_UDP, end);
    return { kind: 'notification', source, destination, notification, covered };
  }
  const hasInt = (bytes[DSCP_AT] as number) >>> 2 === INT_DSCP;
  const length = hasInt ? intMdLength(bytes, AFTER_UDP) : 0;
  if (length instanceof WireFault) return undefined;
  const flowId = flowOf(bytes, AFTER_UDP + length, port);
  if (flowId === undefined) return undefined;
  const sourcePort = readUint16(bytes, UDP_AT);
  const tag = hasInt
    ? indicatorsOfDsFlags(readUint16(bytes, DS_FLAGS_AT))
    : (tagOf(packet) ?? UNTAGGED);
  return { kind: 'data', source, destination, sourcePort, flowId, tag };
}

/** The last switch takes the stand-alone tag of data out. */
const UNTAGGED: CcmIndicators = { congestionControl: false, reroutingPoint: undefined };

/**
 * Id of the flow that an acknowledgement, or a CNP of RoCEv2, says a switch has marked with CE;
 * undefined otherwise.
 */
export function markedFlow({ bytes }: Packet): number | undefined {
  if (bytes.length < AFTER_UDP + HPCC_TRANSPORT_LENGTH) return undefined;
  const port = readUint16(bytes, UDP_AT + 2);
  if (port === ROCE_PORT) {
    const bth = parseBth(bytes, AFTER_UDP);
    const isNotice = !(bth instanceof WireFault) && bth.opcode === BTH_CNP;
    return isNotice ? flowOfQpn(bth.destinationQp) : undefined;
  }
  if (port !== HPCC_TRANSPORT_PORT) return undefined;
  const hasTelemetry = (bytes[DSCP_AT] as number) >>> 2 === INT_DSCP;
  const isAck = ((bytes[AFTER_UDP] as number) & 0xf) === HPCC_ACK;
  if (hasTelemetry || !isAck) return undefined;
  const isMarked = ((bytes[AFTER_UDP + FLAGS] as number) & HPCC_FLAG_MARKED) !== 0;
  return isMarked ? readFlowId(bytes, AFTER_UDP) : undefined;
}

/** The flow of the data whose transport header is at `at`; undefined for other packets. */
function flowOf(bytes: Uint8Array, at: number, port: number): number | undefined {
  if (port === HPCC_TRANSPORT_PORT) {
    return ((bytes[at] ?? 0) & 0xf) === HPCC_DATA ? readFlowId(bytes, at) : undefined;
  }
  const bth = port === ROCE_PORT ? parseBth(bytes, at) : undefined;
  if (bth === undefined || bth instanceof WireFault) return undefined;
  const kind = rcOpcode(bth.opcode)?.kind;
  const isData = kind === 'write' || kind === 'send' || kind === 'read-response';
  return isData ? flowOfQpn(bth.destinationQp) : undefined;
}
