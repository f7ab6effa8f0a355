import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { InputError } from '../../common/errors';
import type { TcpAgentOptions } from '../../host-agent/io/options/agent-options';
import type { HostFlags } from './agent-options';
import { positiveOption } from './agent-options';

/** Options of the control of TCP connections, as commander collects them. */
export interface TcpFlags {
  readonly tcp: boolean;
  readonly tcpPorts: readonly number[];
  readonly tcpObserve: boolean;
  readonly probeIntervalMs: number;
  readonly rewriteWindow: boolean;
  readonly trace?: string;
}

export function withTcpOptions(command: Command): Command {
  return command
    .option('--tcp', "control the kernel's TCP connections instead; see docs/tcp.md", false)
    .option('--tcp-ports <list>', 'with --tcp: only connections with one of these ports', ports, [])
    .option('--tcp-observe', 'with --tcp: measure queues and control nothing', false)
    .option('--probe-interval-ms <n>', 'with --tcp-observe: between probes', positiveOption, 5)
    .option('--rewrite-window', 'with --tcp: lower the window in acknowledgements too', false);
}

function ports(text: string): number[] {
  const list = text.split(',').map(Number);
  if (list.every((port) => Number.isInteger(port) && port > 0 && port <= 0xffff)) return list;
  throw new InvalidArgumentError('must be ports from 1 to 65535, parted by commas.');
}

/** What `--tcp` reads; all other options are about the own transport. */
const READ: ReadonlySet<string> = new Set([
  ...['interface', 'address', 'linkRateBps', 'baseRttUs', 'hopLimit', 'targetUtilization'],
  ...['maxStage', 'expectedFlows', 'user', 'metricsAddr', 'logLevel', 'trace'],
  ...['tcp', 'tcpPorts', 'tcpObserve', 'probeIntervalMs', 'rewriteWindow'],
]);

/**
 * What the flags say about TCP.
 * @throws InputError for a flag that would have no effect.
 */
export function tcpAgentOptions(command: Command, flags: HostFlags & TcpFlags): TcpAgentOptions {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  for (const option of command.options) {
    if (READ.has(option.attributeName()) || !isGiven(option.attributeName())) continue;
    throw new InputError(`${option.long ?? option.flags} is about the own transport, not --tcp`);
  }
  if (isGiven('probeIntervalMs') && !flags.tcpObserve) {
    throw new InputError('--probe-interval-ms needs --tcp-observe: control probes once per round');
  }
  if (flags.rewriteWindow && flags.tcpObserve) {
    throw new InputError('--rewrite-window is control, and --tcp-observe controls nothing');
  }
  const { interface: name, hopLimit, logLevel, linkRateBps, baseRttUs } = flags;
  const { address, targetUtilization, maxStage, expectedFlows, user, metricsAddr, trace } = flags;
  return {
    ...{ interface: name, hopLimit, logLevel, ports: flags.tcpPorts },
    rewritesWindows: flags.rewriteWindow,
    ...(flags.tcpObserve && { observeEveryMs: flags.probeIntervalMs }),
    ...(isGiven('baseRttUs') && baseRttUs !== 'auto' && { baseRttUs }),
    ...(linkRateBps !== undefined && { linkRate: linkRateBps }),
    ...(address !== undefined && { address }),
    ...(targetUtilization !== undefined && { targetUtilization }),
    ...(maxStage !== undefined && { maxStage }),
    ...(expectedFlows !== undefined && { expectedFlows }),
    ...(user !== undefined && { user }),
    ...(metricsAddr !== undefined && { metricsAddr }),
    ...(trace !== undefined && { trace }),
  };
}

/** @throws InputError for a flag of TCP without `--tcp`. */
export function checkNoTcp(command: Command): void {
  for (const [name, flag] of Object.entries(OF_TCP)) {
    if (command.getOptionValueSource(name) === 'cli') throw new InputError(`${flag} needs --tcp`);
  }
}

const OF_TCP = {
  tcpPorts: '--tcp-ports',
  tcpObserve: '--tcp-observe',
  probeIntervalMs: '--probe-interval-ms',
  rewriteWindow: '--rewrite-window',
} as const;
