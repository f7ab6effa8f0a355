/**
 * `hpcc-plus-plus/switch`: the embedded switch, which runs p4c's BMv2 JSON. {@link startSwitch} is the
 * switch with its servers, {@link V1ModelSwitch} the same without clock and sockets.
 *
 * @module switch
 */
import { InputError } from '../../common/errors';
import { readSwitchFlags } from './flags/switch-flags';
import { Log } from './live/log';
import { startSwitch as start } from './start-switch';
import type { RunningSwitch } from './start-switch';

export { generatedExecutors } from '../codegen/generated-executor';
export { V1ModelSwitch } from '../v1model/v1model-switch';
export type { SwitchOptions } from '../v1model/options';
export type { RunningSwitch } from './start-switch';
export type { SwitchSummary } from './start-switch';
export { InputError };

/** What whoever runs a switch should hear of. */
export interface SwitchListener {
  /** What was asked for and does not happen, as a sentence. */
  readonly warn?: (sentence: string) => void;
  /** The switch has ended by itself. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Starts a switch inside this process, with P4Runtime and Thrift servers.
 *
 * @param args as behind `hpcc switch`; server ports of 0 take free ones, which the result tells.
 * @throws InputError naming the flag, interface, file or address that cannot be used.
 */
export async function startSwitch(
  args: readonly string[],
  { warn = () => undefined, failed = rethrow }: SwitchListener = {},
): Promise<RunningSwitch> {
  const request = readSwitchFlags(args);
  if (request.kind !== 'run') throw new InputError(`--${request.kind} starts no switch`);
  const { flags } = request;
  const log = new Log({ level: flags.logLevel, console: flags.logToConsole, file: flags.logFile });
  flags.warnings.forEach(warn);
  return start(flags, { log, warn, failed });
}

function rethrow(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error));
}
