export { Bmv2Dataplane } from '../../emulator/io/bmv2/dataplane';
export type { PortPacket } from '../../emulator/io/bmv2/dataplane';
