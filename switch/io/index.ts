/**
 * `hpcc-plus-plus/switch`: the embedded switch, which runs p4c's BMv2 JSON. {@link EmbeddedSwitch} is the
 * switch for tests of a program, {@link startSwitch} the one with servers and interfaces.
 *
 * @module switch
 */
import { InputError } from '../../common/errors';
import { readSwitchFlags } from './flags/switch-flags';
import { openLog } from '../../common/io/log';
import { switchLog } from './run-switch';
import type { RunningSwitch } from './start-switch';

export type { ExecutorName } from '../codegen/executor-names';
export { StfError } from '../stf/text/tokens';
export type { LinkPortOptions, PacedPortOptions, PortOptions } from '../v1model/options';
export type { QueueLimit } from '../v1model/options';
export type { BitsPerSecond, Bytes, PortNumber } from '../../common/units/units';
export { EmbeddedSwitch } from './embedded-switch';
export type { EmbeddedSwitchOptions, SentPacket } from './embedded-switch';
export type { RunningSwitch } from './start-switch';
export type { SwitchSummary } from './start-switch';
export type { LosslessSummary, StoppedQueue } from './pause-report';
export type { LatenessCounts } from '../../common/io/net/lateness';
export { InputError };

/** Callbacks for the program that runs a switch. */
export interface SwitchListener {
  /** Receives a sentence about a request that has no effect. */
  readonly warn?: (sentence: string) => void;
  /** The switch has ended by itself. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Starts a switch inside this process, with P4Runtime and Thrift servers.
 *
 * @param args as behind `hpcc switch`; server ports of 0 take free ones, which the result names.
 * @throws InputError naming the flag, interface, file or address that cannot be used.
 */
export async function startSwitch(
  args: readonly string[],
  { warn = () => undefined, failed = rethrow }: SwitchListener = {},
): Promise<RunningSwitch> {
  const request = readSwitchFlags(args);
  if (request.kind !== 'run') throw new InputError(`--${request.kind} starts no switch`);
  const { flags } = request;
  const { log, close } = openLog('hpcc-switch', switchLog(flags));
  flags.warnings.forEach(warn);
  // Servers take longer to load than a test of a program takes.
  const { startSwitch: start } = await import('./start-switch.js');
  try {
    const running = await start(flags, { log, warn, failed });
    return { ...running, stop: () => running.stop().finally(close) };
  } catch (error) {
    close();
    throw error;
  }
}

function rethrow(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error));
}
