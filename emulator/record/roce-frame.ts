import type { Packet } from '../../common/packet/packet';
import type { Bytes } from '../../common/units/units';
import { AETH_LENGTH } from '../../common/wire/roce/extended-headers';
import { BTH_ACKNOWLEDGE, BTH_CNP, BTH_LENGTH } from '../../common/wire/roce/bth';
import { BTH_TELEMETRY_REQUEST, BTH_TELEMETRY_RESPONSE } from '../../common/wire/roce/bth';
import { ROCE_PORT } from '../../common/wire/roce/bth';
import { readUint16, readUint24 } from '../../common/wire/bytes';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { WireFault } from '../../common/wire/fault';
import { INT_DSCP, INT_FIXED_LENGTH, intMdLength } from '../../common/wire/int/int-md';
import { IPV4_LENGTH } from '../../common/wire/ip/ipv4';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import { flowOfQpn } from '../../host-agent/roce/packets/connection-numbers';

const DSCP_AT = ETHERNET_LENGTH + 1;
const UDP_AT = ETHERNET_LENGTH + IPV4_LENGTH;
const AFTER_UDP = UDP_AT + UDP_LENGTH;
const DESTINATION_QP = 5;

/** What a RoCEv2 frame is for, as it leaves a host. */
export interface RoceFrameInfo {
  readonly purpose: 'data' | 'probe' | 'acknowledgement' | 'response';
  readonly flow: number;
  /** Telemetry within an acknowledgement. */
  readonly recordBytes: Bytes;
}

/** Undefined for frames of other protocols. */
export function roceFrameInfo(packet: Packet): RoceFrameInfo | undefined {
  const { bytes } = withoutTag(packet);
  if (bytes.length < AFTER_UDP + BTH_LENGTH || readUint16(bytes, UDP_AT + 2) !== ROCE_PORT) {
    return undefined;
  }
  const hasInt = (bytes[DSCP_AT] as number) >>> 2 === INT_DSCP;
  const bthAt = AFTER_UDP + (hasInt ? INT_FIXED_LENGTH : 0);
  const flow = flowOfQpn(readUint24(bytes, bthAt + DESTINATION_QP));
  const opcode = bytes[bthAt];
  if (opcode === BTH_TELEMETRY_REQUEST) return { purpose: 'probe', flow, recordBytes: 0 };
  if (opcode === BTH_TELEMETRY_RESPONSE || opcode === BTH_CNP) {
    return { purpose: 'response', flow, recordBytes: 0 };
  }
  if (opcode !== BTH_ACKNOWLEDGE) return { purpose: 'data', flow, recordBytes: 0 };
  const length = intMdLength(bytes, bthAt + BTH_LENGTH + AETH_LENGTH);
  const recordBytes = length instanceof WireFault ? 0 : length;
  return { purpose: 'acknowledgement', flow, recordBytes };
}
