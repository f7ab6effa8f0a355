import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { PacketHeaderInfo } from '../../../common/p4runtime/p4info-externs';
import { packPacketOut, unpackPacketIn } from './packet-metadata';
import type { RoleScope } from '../../../common/p4runtime/role-config';
import type { Roles } from '../roles/roles';

/** What the packets of one device need of it. */
export interface PacketDevice {
  readonly roles: Roles;
  /** P4Info of the running program. @throws RpcError FAILED_PRECONDITION before the first. */
  p4info(): P4InfoIndex;
  /** Takes a packet in at the CPU port; undefined when the switch has no such port. */
  readonly inject: ((bytes: Uint8Array) => void) | undefined;
  /** What happens to metadata that a packet-out leaves out. */
  readonly missingMetadata: 'refused' | 'zero';
}

/** Packets between the controllers and the CPU port of one device. */
export class ControllerPackets {
  constructor(private readonly device: PacketDevice) {}

  /** @throws RpcError when the metadata is not that of the program, or there is no CPU port. */
  send(packet: p4.PacketOut): void {
    const info = this.device.p4info();
    const header = headerOf(info, 'packet_out');
    const bytes = packPacketOut(header, packet, this.device.missingMetadata);
    const { inject } = this.device;
    if (inject === undefined) {
      throw new RpcError('UNIMPLEMENTED', 'packet-out: this switch has no CPU port');
    }
    inject(bytes);
  }

  /** A packet has left through the CPU port. One without room for its header is dropped. */
  receive(bytes: Uint8Array): void {
    const { roles } = this.device;
    if (roles.losesPacketIn()) return;
    const packet = unpackPacketIn(headerOf(this.device.p4info(), 'packet_in'), bytes);
    if (packet === undefined) return;
    const message = new p4.StreamMessageResponse({ packet });
    roles.tellPrimaries(message, (scope) => wantsPacket(scope, packet));
  }
}

function headerOf(info: P4InfoIndex, name: string): PacketHeaderInfo | undefined {
  return info.packetHeaders.all.find((each) => each.name === name);
}

function wantsPacket(scope: RoleScope | undefined, packet: p4.PacketIn): boolean {
  if (scope === undefined) return true;
  const { packetInFilter: filter, receivesPacketIns } = scope;
  if (!receivesPacketIns || filter === undefined) return receivesPacketIns;
  const found = packet.metadata.find((each) => each.metadataId === filter.metadataId);
  return found !== undefined && Buffer.from(found.value).equals(filter.value);
}
