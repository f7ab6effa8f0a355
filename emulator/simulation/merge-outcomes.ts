import { assert } from '../../common/assert';
import type { Duration, Instant } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import type { ChannelLedger } from '../network/link-rows';
import { addReordering } from '../result/reordering';
import type { FlowSeries } from '../result/result';
import type { Timelines } from '../result/timelines';
import { mergeCoordination } from './coordination-outcome';
import type { FlowOutcome } from './flow-outcome';
import type { LinkOutcome, Outcome, PortOutcome, SwitchOutcome } from './outcome';

/** Laws that were broken, as one observer has seen it. */
type Reports = Pick<Outcome, 'reports' | 'omitted'>;

/**
 * Merges the outcomes of the parts of a run.
 * @param whole reports of the observer that sees all parts at once
 */
export function mergeOutcomes(parts: readonly Outcome[], whole?: Reports): Outcome {
  const [first] = parts;
  assert(first !== undefined, 'a run has a part');
  const { samples, queueInterval, flowInterval } = first;
  return {
    endedAt: largest(parts.map(({ endedAt }) => endedAt)),
    // An event that is not run in a part counts 0 there; observers have the same events in all
    // parts.
    events: first.events.map((_, i) => largest(parts.map(({ events }) => events[i] ?? 0))),
    flows: first.flows.map((_, i) => mergeFlow(each(parts, (part) => part.flows[i]))),
    links: first.links.map((_, i) => mergeLink(each(parts, (part) => part.links[i]))),
    ports: first.ports.map((_, i) => mergePort(each(parts, (part) => part.ports[i]))),
    samples,
    queueInterval,
    flowInterval,
    switches: first.switches.map((_, i) => mergeSwitch(each(parts, (part) => part.switches[i]))),
    series: first.series.map((_, i) =>
      mergeSeries(
        each(parts, (part) => part.series[i]),
        flowInterval,
      ),
    ),
    timelines: mergeTimelines(parts.map(({ timelines }) => timelines)),
    traffic: mergeTraffic(parts),
    reordering: parts.map(({ reordering }) => reordering).reduce(addReordering),
    trimmed: total(parts.map(({ trimmed }) => trimmed)),
    ackBytesMax: largest(parts.map(({ ackBytesMax }) => ackBytesMax)),
    hostRejections: sumOf(parts.map((part) => part.hostRejections)),
    telemetryRejections: sumOf(parts.map((part) => part.telemetryRejections)),
    telemetryRecords: total(parts.map((part) => part.telemetryRecords)),
    coordination: mergeCoordination(each(parts, (part) => part.coordination)),
    reports: [...parts.flatMap(({ reports }) => reports), ...(whole?.reports ?? [])],
    omitted: total(parts.map(({ omitted }) => omitted)) + (whole?.omitted ?? 0),
  };
}

function each<T>(parts: readonly Outcome[], of: (part: Outcome) => T | undefined): readonly T[] {
  return parts.flatMap((part) => of(part) ?? []);
}

const largest = (values: readonly number[]): number =>
  values.reduce((most, one) => Math.max(most, one), -Infinity);

const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of counts) {
    for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

function mergeFlow(parts: readonly FlowOutcome[]): FlowOutcome {
  const known = (times: readonly (Instant | undefined)[]): Instant | undefined =>
    times.find((time) => time !== undefined);
  return {
    // Elsewhere it is the earliest instant at which the flow may have started.
    startsAt: largest(parts.map(({ startsAt }) => startsAt)),
    deliveredBytes: largest(parts.map(({ deliveredBytes }) => deliveredBytes)),
    completedAt: known(parts.map(({ completedAt }) => completedAt)),
    retransmittedSegments: total(parts.map((part) => part.retransmittedSegments)),
    uncontrolledTime: largest(parts.map((part) => part.uncontrolledTime)),
    switchResponses: largest(parts.map((part) => part.switchResponses)),
    span: {
      from: known(parts.map(({ span }) => span.from)),
      to: known(parts.map(({ span }) => span.to)),
    },
  };
}

/** One part sends, and perhaps another one delivers. */
function mergeLink(parts: readonly LinkOutcome[]): LinkOutcome {
  const sum = (of: (ledger: Readonly<ChannelLedger>) => number): number =>
    total(parts.map(({ ledger }) => of(ledger)));
  const most = (of: (ledger: Readonly<ChannelLedger>) => number): number =>
    largest(parts.map(({ ledger }) => of(ledger)));
  return {
    ledger: {
      sentPackets: sum((ledger) => ledger.sentPackets),
      sentBytes: sum((ledger) => ledger.sentBytes),
      lostPackets: sum((ledger) => ledger.lostPackets),
      lostBytes: sum((ledger) => ledger.lostBytes),
      deliveredPackets: sum((ledger) => ledger.deliveredPackets),
      deliveredBytes: sum((ledger) => ledger.deliveredBytes),
      largestPacket: most((ledger) => ledger.largestPacket),
      firstStart: most((ledger) => ledger.firstStart),
      lastEnd: most((ledger) => ledger.lastEnd),
    },
    bytesOnTheWay: total(parts.map(({ bytesOnTheWay }) => bytesOnTheWay)),
    forgeries: total(parts.map(({ forgeries }) => forgeries)),
  };
}

function mergePort(parts: readonly PortOutcome[]): PortOutcome {
  return parts.reduce((best, one) => (one.peak.bytes > best.peak.bytes ? one : best));
}

function mergeSwitch(parts: readonly SwitchOutcome[]): SwitchOutcome {
  return {
    drops: sumOf(parts.map(({ drops }) => drops)),
    programs: sumOf(parts.map(({ programs }) => programs)),
  };
}

/**
 * The part with the sender knows windows and rates, the one with the receiver what has arrived, and U where
 * the algorithm runs there.
 */
function mergeSeries(parts: readonly FlowSeries[], interval: Duration): FlowSeries {
  const [first] = parts;
  assert(first !== undefined, 'a run has a part');
  const sender = parts.find(({ timeUs }) => timeUs.length > 0);
  // A flow that has not started has no samples, though its receiver has some.
  if (sender === undefined) return { ...first, deliveredBytes: [], normalizedInflight: [] };
  const receiver = parts.find((one) => one !== sender && one.deliveredBytes.length > 0);
  if (receiver === undefined) return sender;
  const sampleAt = (timeUs: number): number => Math.round((timeUs * PS_PER_US) / interval);
  const seen = (column: readonly number[]): number[] =>
    sender.timeUs.map((time) => column[sampleAt(time)] ?? 0);
  return {
    ...sender,
    deliveredBytes: seen(receiver.deliveredBytes),
    ...(receiver.normalizedInflight.length > 0 && {
      normalizedInflight: seen(receiver.normalizedInflight),
    }),
  };
}

/** All parts have sampled at the same instants, so that their intervals are the same. */
function mergeTimelines(parts: readonly Timelines[]): Timelines {
  const [first] = parts;
  assert(first !== undefined, 'a run has a part');
  const sum = (of: (part: Timelines) => readonly number[] | undefined): number[] =>
    of(first)?.map((_, i) => total(parts.map((part) => of(part)?.[i] ?? 0))) ?? [];
  return {
    intervalUs: first.intervalUs,
    links: first.links.map(({ name }, i) => ({
      name,
      sentBytes: sum((part) => part.links[i]?.sentBytes),
      // Only one part has the switch before the link.
      queuePeakBytes: sum((part) => part.links[i]?.queuePeakBytes),
    })),
    droppedPackets: sum((part) => part.droppedPackets),
    feedbackPackets: sum((part) => part.feedbackPackets),
  };
}

function mergeTraffic(parts: readonly Outcome[]): Outcome['traffic'] {
  const of = (kind: keyof Outcome['traffic']) => ({
    packets: total(parts.map(({ traffic }) => traffic[kind].packets)),
    bytes: total(parts.map(({ traffic }) => traffic[kind].bytes)),
  });
  return { data: of('data'), probes: of('probes'), acks: of('acks'), feedback: of('feedback') };
}
