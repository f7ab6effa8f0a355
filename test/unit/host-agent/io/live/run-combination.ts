import type { Leg } from '../../../../../bench/live/test-bed';
import { percentileOf } from '../../../../../common/statistics/statistics';
import { wordsAt } from '../../../../../host-agent/settings/idle';
import type { AgentReport } from '../../../../../host-agent/io/live/run-agent';
import type { Combination } from '../../../../support/combinations';
import type { SendReport } from '../../../../support/live-hosts';
import { RATE_BPS, hostOptions } from '../../../../support/live/live-combinations';
import type { KeyFiles } from '../../../../support/live/live-combinations';
import type { StartedGroup } from '../../../../support/live/started-group';
import { countsAt } from '../../../../support/live/trios';
import type { LiveSwitch, Trio, TrioHost } from '../../../../support/live/trios';

const SECONDS = 1.1;
const FLOWS_PER_SENDER = 2;
export const FLOWS = 2 * FLOWS_PER_SENDER;
/** Flows have found their rates, and code is compiled. */
const WARM_UP_SECONDS = 0.35;
const SAMPLE_MS = 8;
const DRAINED_MS = 1000;

/** Figures of flows from two hosts to one. */
export interface LiveOutcome {
  /** Use of the bottleneck: bits, or packets where the switch counts those. */
  readonly utilisation: number;
  /** Packets that had come from the senders and not gone to the receiver. */
  readonly queueP90: number;
  readonly lost: number;
  readonly finished: number;
  readonly intact: number;
  readonly resent: number;
  /** Counts by reason, without those that nothing was refused for. */
  readonly refused: Readonly<Record<string, number>>;
  readonly exitCodes: readonly (number | null)[];
}

interface Sample {
  readonly ms: number;
  readonly waiting: number;
  readonly packets: number;
  readonly bytes: number;
}

/** Switch, hosts and keys that combinations run on. */
export interface LiveBed {
  readonly kind: LiveSwitch;
  readonly hosts: StartedGroup;
  readonly keys: KeyFiles;
  readonly frameBytes: number;
}

let runs = 0;

/** Runs the combination between the hosts of the trio, on the switch as it is. */
export async function runCombination(
  bed: LiveBed,
  combination: Combination,
  { receiver, senders }: Trio,
): Promise<LiveOutcome> {
  const { hosts, keys } = bed;
  const options = hostOptions(combination, keys);
  const name = `run${++runs}`;
  const start = (part: string, { leg }: TrioHost, argv: readonly string[]): string => {
    const node = `${name}-${part}`;
    const does = { starts: argv[0] === 'send', answers: argv[0] === 'agent' };
    const run = [...argv, '-i', leg.inner, ...wordsAt(options, does)];
    hosts.start(node, run, { namespace: namespaceFile(leg) });
    return node;
  };
  const agent = start('receiver', receiver, ['agent']);
  await hosts.wrote(`${agent}.err`, /"msg":"ready"/);
  const watch = new QueueWatch(receiver, senders);
  const sending = senders.map((host, i) =>
    start(`sender${i}`, host, [
      'send',
      receiver.address,
      '--peer-mac',
      receiver.mac,
      '-t',
      String(SECONDS),
      '-P',
      String(FLOWS_PER_SENDER),
      '--json',
    ]),
  );
  const ended = await Promise.all(sending.map((node) => codeOf(hosts, node)));
  const samples = await watch.stop();
  hosts.tell({ signal: 'SIGTERM', node: agent });
  const exitCodes = [...ended, await codeOf(hosts, agent)];
  const report = (node: string): unknown => JSON.parse(hosts.text(`${node}.out`));
  const sent = sending.map((node) => report(node) as SendReport);
  return { ...seen(samples, bed), ...told(sent, report(agent) as AgentReport), exitCodes };
}

const namespaceFile = ({ namespace }: Leg): string => `/run/netns/${namespace}`;

async function codeOf(hosts: StartedGroup, node: string): Promise<number | null> {
  const end = await hosts.event({ node, event: 'ended' });
  return 'exitCode' in end ? end.exitCode : null;
}

/** Counts packets that are in the switch, again and again. */
class QueueWatch {
  readonly #samples: Sample[] = [];
  readonly #before: Sample;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly receiver: TrioHost,
    private readonly senders: readonly TrioHost[],
  ) {
    this.#before = this.#look();
    this.#timer = setInterval(() => this.#samples.push(this.#since()), SAMPLE_MS);
  }

  /** Resolves when nothing waits any more, or will not leave. */
  async stop(): Promise<readonly Sample[]> {
    clearInterval(this.#timer);
    const deadline = performance.now() + DRAINED_MS;
    do {
      this.#samples.push(this.#since());
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    } while ((this.#samples.at(-1)?.waiting ?? 0) > 0 && performance.now() < deadline);
    return this.#samples;
  }

  #since(): Sample {
    const now = this.#look();
    const { waiting, packets, bytes } = this.#before;
    return {
      ms: now.ms,
      waiting: now.waiting - waiting,
      packets: now.packets - packets,
      bytes: now.bytes - bytes,
    };
  }

  #look(): Sample {
    // Packets that leave meanwhile came in before: the receiver's port comes first.
    const { packetsOut: packets, bytesOut: bytes } = countsAt(this.receiver);
    const came = this.senders.reduce((sum, host) => sum + countsAt(host).packetsIn, 0);
    return { ms: performance.now(), waiting: came - packets, packets, bytes };
  }
}

/** Figures of the time in which both flows send, from when they have settled. */
function seen(
  samples: readonly Sample[],
  { kind, frameBytes }: LiveBed,
): Pick<LiveOutcome, 'utilisation' | 'queueP90' | 'lost'> {
  const begin = samples.find(({ packets }) => packets > 0)?.ms ?? Infinity;
  const [from, to] = [begin + 1000 * WARM_UP_SECONDS, begin + 1000 * (SECONDS - 0.1)];
  const steady = samples.filter(({ ms }) => ms >= from && ms <= to);
  const [first, last] = [steady[0], steady.at(-1)];
  // Packets of the kernels after a process has gone never leave the switch.
  const lost = Math.min(...samples.filter(({ ms }) => ms > to).map(({ waiting }) => waiting));
  if (first === undefined || last === undefined) return { utilisation: 0, queueP90: NaN, lost };
  const seconds = (last.ms - first.ms) / 1000;
  const bits =
    kind === 'bmv2'
      ? (last.packets - first.packets) * 8 * frameBytes
      : 8 * (last.bytes - first.bytes);
  const waiting = steady.map((each) => each.waiting);
  return { utilisation: bits / seconds / RATE_BPS, queueP90: percentileOf(waiting, 0.9), lost };
}

function told(
  reports: readonly SendReport[],
  receiver: AgentReport,
): Pick<LiveOutcome, 'finished' | 'intact' | 'resent' | 'refused'> {
  const flows = reports.flatMap(({ sent }) => sent?.flows ?? []);
  const arrived = new Set(receiver.received.map(({ sha256 }) => sha256));
  const refused: Record<string, number> = {};
  const count = (reason: string, n: number): void => {
    if (n > 0) refused[reason] = (refused[reason] ?? 0) + n;
  };
  for (const { host, coordination } of [receiver, ...reports]) {
    for (const [reason, n] of Object.entries(host.packetsRejected)) count(reason, n);
    for (const reason of ['unauthenticated', 'malformed', 'replayed'] as const)
      count(`${reason} notification`, coordination?.[reason] ?? 0);
  }
  for (const { telemetryRejected } of flows) count('telemetry', telemetryRejected);
  return {
    finished: flows.filter(({ isComplete }) => isComplete).length,
    intact: flows.filter(({ sha256 }) => sha256 !== undefined && arrived.has(sha256)).length,
    resent: flows.reduce((sum, { segmentsRetransmitted }) => sum + segmentsRetransmitted, 0),
    refused,
  };
}
