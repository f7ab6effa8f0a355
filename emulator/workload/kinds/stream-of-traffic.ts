import { Random } from '../../../common/random/random';
import type { Connection } from '../connection';
import { mergeByStart, startUsOf } from '../merge-by-start';
import type { FlowSource } from '../merge-by-start';
import type { PassingFlow } from '../passing-schedule';
import { StreamSchedule } from '../stream-schedule';
import type { HostPair, StreamedWorkload, TrafficStream } from '../traffic-stream';
import { jittered, plainConnection, workloadRandom } from './connections';
import type { Traffic, TrafficContext } from './connections';
import { expandWorkload, hasRanks, streamOf } from './workload';

/** From so many flows on, a scenario's flows are made when they are due. */
export const STREAMED_FROM = 100_000;
/** First flows of a stream, by number, which are kept whole. */
const FIRST_FLOWS = 1000;

interface Source {
  readonly flows: FlowSource;
  /** Flows by number, where that is not the order in which they start. */
  readonly byNumber: readonly Connection[] | undefined;
  readonly workload: number | undefined;
}

/**
 * The traffic of a scenario as a stream: the same flows with the same numbers as `connectionsOf`. Undefined for less than
 * `from` flows, and where messages wait for each other.
 * @throws InputError as `connectionsOf` does.
 */
export function trafficStreamOf(
  traffic: Traffic,
  context: TrafficContext,
  from = STREAMED_FROM,
): TrafficStream | undefined {
  const { seed, hosts } = context;
  const expected = traffic.workloads.reduce(
    (sum, workload) => sum + (streamOf(workload)?.expected(workload, hosts) ?? 0),
    traffic.flows.length,
  );
  if (expected < from) return undefined;
  const jitter = new Random(seed);
  const plain = traffic.flows.map(plainConnection);
  const sources: Source[] = [listSource(plain, undefined)];
  for (const [i, workload] of traffic.workloads.entries()) {
    const given = { first: 0, hosts, random: workloadRandom(seed, i) };
    if (hasRanks(workload)) return undefined;
    const flows = streamOf(workload)?.of(workload, given);
    if (flows !== undefined) {
      sources.push({ flows, byNumber: undefined, workload: i });
      continue;
    }
    const own = jittered(workload, expandWorkload(workload, given), jitter);
    if (!own.every(isSingle)) return undefined;
    sources.push(listSource(own, i));
  }
  return streamOfSources(sources, traffic);
}

const isSingle = ({ messages }: Connection): boolean =>
  messages.length === 1 && messages[0]?.after.length === 0;

function listSource(connections: readonly Connection[], workload: number | undefined): Source {
  const sorted = [...connections].sort((a, b) => startUsOf(a) - startUsOf(b));
  return { flows: () => sorted, byNumber: connections, workload };
}

function streamOfSources(sources: readonly Source[], { workloads }: Traffic): TrafficStream {
  const pairs = new Map<string, HostPair>();
  const first: Connection[] = [];
  const offsets: number[] = [];
  const sums: StreamedWorkload[] = [];
  let [count, bytes] = [0, 0];
  for (const { flows, byNumber, workload } of sources) {
    offsets.push(count);
    const own = { connections: 0, bytes: 0 };
    for (const connection of byNumber ?? flows()) {
      const { from, to, messages } = connection;
      own.connections++;
      own.bytes += messages[0]?.bytes ?? 0;
      const key = `${from} ${to}`;
      if (!pairs.has(key)) pairs.set(key, { from, to });
      if (first.length < FIRST_FLOWS) first.push(connection);
    }
    count += own.connections;
    bytes += own.bytes;
    const named = workload === undefined ? undefined : workloads[workload];
    if (named !== undefined) sums.push({ name: named.name, kind: named.kind, ...own });
  }
  const flows = (): Iterable<PassingFlow> =>
    mergeByStart(
      sources.map((source, i) => numbered(source, offsets[i] ?? 0)),
      ({ connection }) => startUsOf(connection),
    );
  const newSchedule = (): StreamSchedule =>
    new StreamSchedule({ count, bytes, workloads: sums, flows: flows() });
  return { pairs: [...pairs.values()], first, workloads: sums, newSchedule };
}

function* numbered({ flows, byNumber, workload }: Source, offset: number): Iterable<PassingFlow> {
  const places = byNumber && new Map(byNumber.map((connection, i) => [connection, i]));
  let next = 0;
  for (const connection of flows()) {
    const place = places?.get(connection) ?? next++;
    yield { index: offset + place, connection, workload };
  }
}
