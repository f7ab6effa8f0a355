export { SIMPLE_SWITCH_GRPC, bmv2Available, startBmv2 } from '../../switch/io/bmv2/process';
export type { Bmv2 } from '../../switch/io/bmv2/process';
