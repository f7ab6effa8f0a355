export { SIMPLE_SWITCH_GRPC, bmv2Available, startBmv2 } from '../../emulator/io/bmv2/process';
export type { Bmv2 } from '../../emulator/io/bmv2/process';
