import type { Packet } from '../../common/packet/packet';
import type { Bytes } from '../../common/units/units';
import { AETH_LENGTH } from '../../common/wire/roce/extended-headers';
import { BTH_ACKNOWLEDGE, BTH_CNP, BTH_LENGTH } from '../../common/wire/roce/bth';
import { BTH_TELEMETRY_REQUEST, BTH_TELEMETRY_RESPONSE } from '../../common/wire/roce/bth';
import { ROCE_PORT } from '../../common/wire/roce/bth';
import { readUint16, readUint24 } from '../../common/wire/bytes';
import { WireFault } from '../../common/wire/fault';
import { ICRC_LENGTH } from '../../common/wire/roce/icrc';
import { afterIpIn, dscpIn } from '../../common/wire/ip/plain-frame';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import type { Carrier } from '../../host-agent/carrier/carrier';
import { flowOfQpn } from '../../host-agent/roce/packets/connection-numbers';
import { rcCode } from '../../host-agent/roce/packets/opcodes';

const DESTINATION_QP = 5;
const READ_REQUEST = rcCode('read-request', 'only');

/** Purpose of a RoCEv2 frame, as it leaves a host. */
export interface RoceFrameInfo {
  readonly purpose: 'data' | 'probe' | 'acknowledgement' | 'response';
  readonly flow: number;
  /** Telemetry within an acknowledgement. */
  readonly recordBytes: Bytes;
  /** It asks for data by READ. */
  readonly isRequest?: true;
}

/** Properties of the carrier by which a frame is read. */
type FrameCarrier = Pick<Carrier, 'dscp' | 'headerLength' | 'datagramHeaders'>;

/** Undefined for frames of other protocols. */
export function roceFrameInfo(
  packet: Packet,
  { dscp, headerLength, datagramHeaders }: FrameCarrier,
): RoceFrameInfo | undefined {
  const { bytes } = withoutTag(packet);
  const udpAt = afterIpIn(bytes);
  const afterUdp = udpAt + UDP_LENGTH;
  if (bytes.length < afterUdp + BTH_LENGTH || readUint16(bytes, udpAt + 2) !== ROCE_PORT) {
    return undefined;
  }
  const isAsking = dscpIn(bytes) === dscp;
  const bthAt = afterUdp + (isAsking ? headerLength : 0);
  const flow = flowOfQpn(readUint24(bytes, bthAt + DESTINATION_QP));
  const opcode = bytes[bthAt];
  if (opcode === BTH_TELEMETRY_REQUEST) return { purpose: 'probe', flow, recordBytes: 0 };
  if (opcode === BTH_TELEMETRY_RESPONSE || opcode === BTH_CNP) {
    return { purpose: 'response', flow, recordBytes: 0 };
  }
  if (opcode === READ_REQUEST) return { purpose: 'data', flow, recordBytes: 0, isRequest: true };
  if (opcode !== BTH_ACKNOWLEDGE) return { purpose: 'data', flow, recordBytes: 0 };
  const end = bytes.length - ICRC_LENGTH;
  const record = datagramHeaders?.find(bytes, bthAt + BTH_LENGTH + AETH_LENGTH, end);
  const recordBytes = record === undefined || record instanceof WireFault ? 0 : record.skip;
  return { purpose: 'acknowledgement', flow, recordBytes };
}
