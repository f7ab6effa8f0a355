import type { Packet } from '../../common/packet/packet';
import { readUint16 } from '../../common/wire/bytes';
import { HPCC_DATA } from '../../common/wire/hpcc/hpcc-transport';
import { INT_DSCP, INT_FIXED_LENGTH } from '../../common/wire/int/int-md';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { IPV4_LENGTH } from '../../common/wire/ip/ipv4';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import { roceFrameInfo } from './roce-frame';

const DSCP_AT = ETHERNET_LENGTH + 1;
const AFTER_UDP = ETHERNET_LENGTH + IPV4_LENGTH + UDP_LENGTH;
const FLOW_AT = 2;
/** Where the shim keeps the DSCP that INT has taken the place of. */
const CLASS_AT = AFTER_UDP + 3;

/** Id, at its sender, of the flow whose data a frame carries as it leaves a host; else undefined. */
export function dataFlowOf(packet: Packet): number | undefined {
  const roce = roceFrameInfo(packet);
  if (roce !== undefined) return roce.purpose === 'data' ? roce.flow : undefined;
  const { bytes } = packet;
  const hasInt = (bytes[DSCP_AT] as number) >>> 2 === INT_DSCP;
  const at = hasInt ? AFTER_UDP + INT_FIXED_LENGTH : AFTER_UDP;
  if (bytes.length < at + FLOW_AT + 2 || ((bytes[at] as number) & 0xf) !== HPCC_DATA) {
    return undefined;
  }
  return readUint16(bytes, at + FLOW_AT);
}

/** DSCP of the class of a packet. */
export function classOf(packet: Packet): number {
  const { bytes } = withoutTag(packet);
  const dscp = (bytes[DSCP_AT] as number) >>> 2;
  return dscp === INT_DSCP ? (bytes[CLASS_AT] as number) >>> 2 : dscp;
}
