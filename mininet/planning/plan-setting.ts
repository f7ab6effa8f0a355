import type { HostPlace, Programs } from './commands';
import type { PlanProcess } from './plan';

/** What a plan depends on besides experiment and network. */
export interface PlanSetting {
  readonly run: string;
  /** Absolute path of an existing folder. */
  readonly output: string;
  /** The controller's document, written there. */
  readonly networkFile: string;
  readonly programs: Programs;
  readonly artifacts: { readonly name: string; readonly p4info: string; readonly config: string };
  /** Whether the bottleneck is captured. */
  readonly pcap: boolean;
  /** Unix time in seconds, rather late, at which flows begin that begin together. */
  readonly togetherAt: number;
}

/** A host with its address. */
export type HostPlaceAt = HostPlace & { readonly address: string };

/** A process whose output goes to files of its name. */
export function logged(name: string, argv: readonly string[]): PlanProcess {
  return { name, argv: [...argv], stdout: `${name}.out`, stderr: `${name}.err` };
}
