import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import {
  FEEDBACK_KINDS,
  FRAMINGS,
  LOG_LEVELS,
  TRANSPORTS,
} from '../../host-agent/io/options/agent-options';
import { LOSS_RECOVERIES } from '../../host-agent/transport/recovery/loss-recovery';
import { ROCE_OPERATIONS } from '../../host-agent/roce/queue-pair/roce-config';
import type { AgentOptions, SendOptions } from '../../host-agent/io/options/agent-options';
import { numberOption, wholeOption } from './options';

const SCALES: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9 };

/** A positive number with a decimal suffix, such as 2.5G, for commander. */
export function scaledOption(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(text);
  const value = Number(match?.[1]) * (SCALES[match?.[2]?.toUpperCase() ?? ''] ?? NaN);
  if (value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0, such as 5000, 2.5M or 10G.');
}

/** The same for whole numbers of bytes. */
export function bytesOption(text: string): number {
  const value = scaledOption(text);
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('must be a whole number of bytes, such as 5000 or 2.5M.');
}

export function positiveOption(text: string): number {
  const value = numberOption(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0.');
}

/** T in us, or that it is to be measured, for commander. */
export function baseRttOption(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('must be a number above 0, or auto.');
}

function countOption(text: string): number {
  const value = wholeOption(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('must be a whole number, 1 or more.');
}

/** Options of a host, as commander collects them. */
export type HostFlags = Omit<AgentOptions, 'linkRate' | 'retransmissionMs' | 'acknowledgeEvery'> & {
  readonly linkRateBps?: number;
  readonly rtoMs: number;
  readonly ackEvery: number;
};

export function withHostOptions(command: Command, logLevel: AgentOptions['logLevel']): Command {
  return command
    .requiredOption('-i, --interface <name>', 'network interface')
    .addOption(
      new Option('--transport <name>', 'raw frames, or datagrams of a UDP socket without rights')
        .choices(TRANSPORTS)
        .default('packet'),
    )
    .addOption(
      new Option(
        '--framing <name>',
        'what packets look like, on both hosts (default: hpcc)',
      ).choices(FRAMINGS),
    )
    .addOption(
      new Option('--operation <name>', 'with RoCEv2, what carries flows (default: write)').choices(
        ROCE_OPERATIONS,
      ),
    )
    .option('--address <ipv4>', 'own address, instead of the one of the interface')
    .option('--mac <mac>', 'own MAC address, instead of the one of the interface')
    .option(
      '--link-rate-bps <n>',
      'rate of the own link, instead of what the interface says',
      scaledOption,
    )
    .option('--base-rtt-us <n>', 'T of the idle network; auto: measured', baseRttOption, 1000)
    .option('--rto-ms <n>', 'time without progress before a flow goes back', positiveOption, 50)
    .addOption(lossRecoveryOption())
    .option('--mss <bytes>', 'payload of a full segment (default: 1000)', countOption)
    .option('--hop-limit <n>', 'switches that may add telemetry', countOption, 8)
    .option('--ack-every <n>', 'one acknowledgement for so many packets', countOption, 1)
    .addOption(
      new Option('--feedback <kind>', 'what brings telemetry to the algorithm; on both hosts')
        .choices(FEEDBACK_KINDS)
        .default('ack'),
    )
    .option('--collect-every <k>', 'one data packet in k collects telemetry', countOption)
    .option('--count-flows', 'the receiver counts flows, for a fair W_ai; on both hosts', false)
    .option('--hide-links', 'the receiver tells loads and no links; on both hosts', false)
    .option('--paths <n>', 'distinct paths for each flow to choose among', countOption)
    .option('--keys <file>', 'sign feedback with keys of this file; on both hosts')
    .option(
      '--coordination <file>',
      'obey notifications of switches, signed with keys of this file',
    )
    .option(
      '--coordination-hold-ms <n>',
      'release a flow so long after the last request (default: 10 T)',
      positiveOption,
    )
    .option('--no-source-rerouting', 'stay on the path when switches ask for another one')
    .option('--target-utilization <eta>', 'of the fullest link (default: 0.95)', positiveOption)
    .option(
      '--max-stage <n>',
      'additive steps before a multiplicative one (default: 5)',
      wholeOption,
    )
    .option('--expected-flows <n>', 'N, from which W_ai follows (default: 100)', countOption)
    .option('--checksum', 'send bytes instead of zeros, and tell their SHA-256', false)
    .option('--user <name>', 'become this user once the sockets are open')
    .option('--metrics-addr <host:port>', 'serve Prometheus metrics there')
    .addOption(
      new Option('--log-level <level>', 'of the log on standard error')
        .choices(LOG_LEVELS)
        .default(logLevel),
    );
}

function lossRecoveryOption(): Option {
  const text = 'whether flows repeat all from a gap on, or what is missing (default: go-back-n)';
  return new Option('--loss-recovery <name>', text).choices(LOSS_RECOVERIES);
}

/** Options of flows, as commander collects them. */
export interface SendFlags {
  readonly bytes?: number;
  readonly time?: number;
  readonly parallel: number;
  readonly rate?: number;
  readonly peerMac?: string;
  readonly firstFlow?: number;
  readonly timeout: number;
  readonly interval: number;
  readonly trace?: string;
  readonly startAt?: number;
}

export function withSendOptions(command: Command): Command {
  return command
    .addOption(
      new Option('-n, --bytes <n>', 'payload per flow, such as 5M')
        .argParser(bytesOption)
        .conflicts('time'),
    )
    .option('-t, --time <seconds>', 'send for so long (default: 10)', positiveOption)
    .option('-P, --parallel <n>', 'flows at the same time', countOption, 1)
    .option('-b, --rate <bps>', 'limit of each flow on the wire, such as 100M', scaledOption)
    .option('--peer-mac <mac>', 'MAC address of the next hop, instead of looking it up')
    .option('--first-flow <id>', 'id of the first flow, instead of a random one', wholeOption)
    .option(
      '--timeout <seconds>',
      'give up when nothing is acknowledged so long',
      positiveOption,
      5,
    )
    .option('--interval <seconds>', 'between reports', positiveOption, 1)
    .option('--trace <file>', 'write a line of JSON for each update of a window')
    .option('--start-at <unix>', 'begin at that Unix time in seconds, not at once', positiveOption);
}

export function agentOptions(flags: HostFlags): AgentOptions {
  const { linkRateBps, rtoMs, ackEvery, ...rest } = flags;
  const linkRate = linkRateBps === undefined ? {} : { linkRate: linkRateBps };
  return { ...rest, ...linkRate, retransmissionMs: rtoMs, acknowledgeEvery: ackEvery };
}

const SECONDS = 10;

export function sendOptions(destination: string, flags: SendFlags): SendOptions {
  const { bytes, time = SECONDS, peerMac, rate, firstFlow, trace, startAt } = flags;
  return {
    destination,
    amount: bytes === undefined ? { kind: 'time', seconds: time } : { kind: 'bytes', bytes },
    parallel: flags.parallel,
    timeoutSeconds: flags.timeout,
    intervalSeconds: flags.interval,
    ...(peerMac !== undefined && { peerMac }),
    ...(rate !== undefined && { rate }),
    ...(firstFlow !== undefined && { firstFlow }),
    ...(trace !== undefined && { trace }),
    ...(startAt !== undefined && { startAt }),
  };
}
