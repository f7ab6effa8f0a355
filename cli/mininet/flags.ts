import type { BOTH_KINDS, SwitchKind } from '../../mininet/experiment/switch-kinds';

/** Options of `hpcc mininet`. */
export interface MininetFlags {
  readonly switch: SwitchKind | typeof BOTH_KINDS;
  readonly bmv2: string;
  readonly set: readonly string[];
  readonly out?: string;
  readonly pcap: boolean;
  readonly json: boolean;
  readonly check: boolean;
  readonly compare: boolean;
  readonly realtime: boolean;
  readonly dryRun: boolean;
  readonly doctor: boolean;
  readonly save: boolean;
  readonly list: boolean;
  readonly separate: boolean;
}

/** Exit code of `--check` when a run is not valid, had flows without control, or has missed a bar. */
export const MISSED = 3;
