import { Option } from 'commander';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { milliseconds } from '../../common/units/units';
import { checkRoute, FEEDBACK_PRESETS } from '../../host-agent/feedback/feedback-plan';
import type { FeedbackRoute } from '../../host-agent/feedback/feedback-plan';
import type {
  AgentOptions,
  SendOptions,
  TcpAgentOptions,
} from '../../host-agent/io/options/agent-options';
import type { HostFlags } from './host-flags';
import type { Asked, HostOption } from './host-option';
import { HOST_OPTIONS } from './host-options';

/** Adds the options of a host, in sections. @param isAgent whether it can stay, and control TCP. */
export function withHostOptions(
  command: Command,
  { isAgent, logLevel }: { readonly isAgent: boolean; readonly logLevel: AgentOptions['logLevel'] },
): Command {
  for (const row of HOST_OPTIONS) {
    if (row.agentOnly === true && !isAgent) continue;
    const option = new Option(row.flags, row.text).helpGroup(row.section);
    if (row.value !== undefined) option.argParser(row.value);
    if (row.choices !== undefined) option.choices(row.choices);
    if (row.default !== undefined) option.default(row.default);
    if (row.flags.startsWith('--log-level')) option.default(logLevel);
    command.addOption(option.makeOptionMandatory(row.isRequired === true));
  }
  return command;
}

/**
 * Checks what was given against the table of options.
 * @param sends whether flows leave this host.
 * @throws InputError for an option that would have no effect, or that makes another one pointless.
 */
export function checkHostOptions(command: Command, flags: HostFlags, sends: boolean): void {
  const asked: Asked = { flags, sends, route: routeOf(flags) };
  for (const row of HOST_OPTIONS) {
    const option = new Option(row.flags);
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    const isGiven = command.getOptionValueSource(name) === 'cli' && value !== row.idle;
    if (isGiven) checkGiven(row, option.long ?? row.flags, asked);
  }
}

function checkGiven(
  { withTcp, framing, rules = [] }: HostOption,
  long: string,
  asked: Asked,
): void {
  const { tcp = false, framing: used = 'hpcc' } = asked.flags;
  if (tcp && withTcp === undefined) {
    throw new InputError(`${long} is about the own transport, not --tcp`);
  }
  if (!tcp && withTcp === 'needed') throw new InputError(`${long} needs --tcp`);
  if (framing !== undefined && framing !== used) {
    const isOurs = framing === 'hpcc';
    const text = isOurs ? 'is about --framing hpcc, not about rocev2' : 'needs --framing rocev2';
    throw new InputError(`${long} ${text}`);
  }
  for (const [isRefused, sentence] of rules) if (isRefused(asked)) throw new InputError(sentence);
}

/** By name, or by the three settings, of which those left open follow from the others. */
function routeOf({ feedback, collect, return: back, controlAt }: HostFlags): FeedbackRoute {
  if (feedback !== undefined) return FEEDBACK_PRESETS[feedback];
  try {
    return checkRoute({
      ...(collect !== undefined && { collectBy: collect }),
      ...(back !== undefined && { returnBy: back }),
      ...(controlAt !== undefined && { algorithmAt: controlAt }),
    });
  } catch (error) {
    const { message } = error as Error;
    throw new InputError(`--collect, --return and --control-at do not go together: ${message}`);
  }
}

/** What the flags say about a host of the own transport. */
export function agentOptions(flags: HostFlags): AgentOptions {
  const { linkRateBps, rtoMs, ackEvery, ...rest } = flags;
  const linkRate = linkRateBps === undefined ? {} : { linkRate: linkRateBps };
  const renamed = { retransmissionMs: rtoMs, acknowledgeEvery: ackEvery };
  return { ...rest, ...linkRate, ...renamed, feedback: routeOf(flags) };
}

const SECONDS = 10;

/** What the flags say about the flows that leave a host. */
export function sendOptions(destination: string, flags: HostFlags): SendOptions {
  const { bytes, time = SECONDS, peerMac, rate, dscp, firstFlow, trace } = flags;
  const { startAt, rehearse: rehearsalSeconds } = flags;
  return {
    destination,
    amount: bytes === undefined ? { kind: 'time', seconds: time } : { kind: 'bytes', bytes },
    parallel: flags.parallel,
    timeoutSeconds: flags.timeout,
    intervalSeconds: flags.interval,
    ...defined({ peerMac, rate, dscp, firstFlow, trace, startAt, rehearsalSeconds }),
    ...defined({ admission: admissionOf(flags) }),
  };
}

function admissionOf({ admitBelow, admitWithinMs }: HostFlags): SendOptions['admission'] {
  if (admitBelow === undefined) return undefined;
  const within = admitWithinMs === undefined ? undefined : milliseconds(admitWithinMs);
  return { loadBelow: admitBelow, ...defined({ within }) };
}

/** What the flags say about the kernel's TCP. */
export function tcpAgentOptions(command: Command, flags: HostFlags): TcpAgentOptions {
  const { interface: name, hopLimit, logLevel, baseRttUs } = flags;
  const { address, targetUtilization, maxStage, expectedFlows, user, metrics, trace, logFile } =
    flags;
  const isMeasured = baseRttUs === 'auto' || command.getOptionValueSource('baseRttUs') !== 'cli';
  return {
    ...{ interface: name, hopLimit, logLevel, ports: flags.tcpPorts ?? [] },
    rewritesWindows: flags.rewriteWindow === true,
    ...defined({
      observeEveryMs: flags.tcpObserve === true ? flags.probeIntervalMs : undefined,
      baseRttUs: isMeasured ? undefined : baseRttUs,
      linkRate: flags.linkRateBps,
      ...{ address, targetUtilization, maxStage, expectedFlows, user, metrics, trace, logFile },
    }),
  };
}

/** Without what is undefined. */
function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
