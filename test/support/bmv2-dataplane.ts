export { Bmv2Dataplane } from '../../switch/io/bmv2/dataplane';
export type { PortPacket } from '../../switch/io/bmv2/dataplane';
