import type { Packet } from '../../common/packet/packet';
import { BTH_CNP, parseBth, ROCE_PORT } from '../../common/wire/roce/bth';
import { readUint16 } from '../../common/wire/bytes';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import {
  CCM_PORT,
  ccmNotificationLength,
  parseCcmNotification,
} from '../../common/wire/coordination/ccm-notification';
import type { CcmIndicators } from '../../common/wire/coordination/ccm-tag';
import { indicatorsOfDsFlags } from '../../common/wire/coordination/ccm-tag';
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
import { afterIpIn, destinationIn, dscpIn, sourceIn } from '../../common/wire/ip/plain-frame';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { tagOf, withoutTag } from '../../common/wire/coordination/tagged-frame';
import { flowOfQpn } from '../../host-agent/roce/packets/connection-numbers';
import { rcOpcode } from '../../host-agent/roce/packets/opcodes';

/** Within INT, from its shim on. */
const DS_FLAGS = INT_FIXED_LENGTH - 2;
/** Within the header of the transport. */
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
      /** Addresses of the outer IP header, or the IPv4 addresses in them. */
      readonly source: number;
      readonly destination: number;
      readonly notification: CcmNotification;
      /** Bytes that the code covers. */
      readonly covered: Uint8Array;
    };

/** Undefined for what is neither a notification nor data. */
export function viewFrame(packet: Packet): FrameView | undefined {
  const { bytes } = withoutTag(packet);
  const udpAt = afterIpIn(bytes);
  const afterUdp = udpAt + UDP_LENGTH;
  if (bytes.length < afterUdp) return undefined;
  const port = readUint16(bytes, udpAt + 2);
  const source = sourceIn(bytes);
  const destination = destinationIn(bytes);
  if (port === CCM_PORT) {
    const notification = parseCcmNotification(bytes, afterUdp);
    if (notification instanceof WireFault) return undefined;
    const end = afterUdp + ccmNotificationLength(notification) - notification.mac.length;
    const covered = bytes.subarray(afterUdp, end);
    return { kind: 'notification', source, destination, notification, covered };
  }
  const hasInt = dscpIn(bytes) === INT_DSCP;
  const length = hasInt ? intMdLength(bytes, afterUdp) : 0;
  if (length instanceof WireFault) return undefined;
  const flowId = flowOf(bytes, afterUdp + length, port);
  if (flowId === undefined) return undefined;
  const sourcePort = readUint16(bytes, udpAt);
  const tag = hasInt
    ? indicatorsOfDsFlags(readUint16(bytes, afterUdp + DS_FLAGS))
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
  const udpAt = afterIpIn(bytes);
  const afterUdp = udpAt + UDP_LENGTH;
  if (bytes.length < afterUdp + HPCC_TRANSPORT_LENGTH) return undefined;
  const port = readUint16(bytes, udpAt + 2);
  if (port === ROCE_PORT) {
    const bth = parseBth(bytes, afterUdp);
    const isNotice = !(bth instanceof WireFault) && bth.opcode === BTH_CNP;
    return isNotice ? flowOfQpn(bth.destinationQp) : undefined;
  }
  if (port !== HPCC_TRANSPORT_PORT) return undefined;
  const hasTelemetry = dscpIn(bytes) === INT_DSCP;
  const isAck = ((bytes[afterUdp] as number) & 0xf) === HPCC_ACK;
  if (hasTelemetry || !isAck) return undefined;
  const isMarked = ((bytes[afterUdp + FLAGS] as number) & HPCC_FLAG_MARKED) !== 0;
  return isMarked ? readFlowId(bytes, afterUdp) : undefined;
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
