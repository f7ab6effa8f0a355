import { droppedBySwitches, lostOnLinks } from '../../emulator/result/losses';
import { NO_INT_FIGURES } from './int-figures';
import type { Result } from '../../emulator/result/result';
import { percentileOf } from '../../common/statistics/statistics';
import { bottleneckOf } from '../observation/bottleneck';
import type { Bottleneck, QueueSample } from '../observation/bottleneck';
import { emulatedFlows, firstStart } from './emulate';
import { drainRtts, isSprayed, isTogether } from './figures';
import type { Figures } from './figures';
import {
  fairAfterSeconds,
  firstFailure,
  firstShare,
  jainSecondHalf,
  miceFct,
  recoverySeconds,
  throughputMbps,
} from './flow-figures';
import type { FlowCourse } from './flow-figures';
import { isMeasured } from '../observation/observation';
import type { FlowBytes, Observation } from '../observation/observation';

const US_PER_SECOND = 1e6;
const BITS_PER_BYTE = 8;

/** Figures of an emulated run that the real one has too, at the same link. */
export function emulatedFigures(result: Result, observation: Observation): Figures {
  const bottleneck = bottleneckOf(observation);
  const courses = flowCourses(result, observation);
  const measured = courses.filter(isMeasured);
  const failed = firstFailure(observation);
  const failedAt = failed === undefined ? undefined : failed - firstStart(observation);
  const { flows } = result;
  const end = Math.max(...measured.map(({ endsAt }) => endsAt));
  return {
    ...queueFigures(result, observation),
    utilisation: utilisation(result, bottleneck),
    throughputMbps: throughputMbps(measured, { from: observation.own.document.warmUp, to: end }),
    drops: droppedBySwitches(result) + lostOnLinks(result),
    retransmissions: flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0),
    timeouts: null,
    trimmedPackets:
      observation.network.text.trim === undefined ? null : (result.trimming?.headers ?? 0),
    reorderedPackets: isSprayed(observation) ? (result.reordering?.packets ?? 0) : null,
    jainSecondHalf: jainSecondHalf(measured),
    fairAfterSeconds: fairAfterSeconds(measured),
    firstShare: firstShare(measured),
    feedbackPerData: null,
    controlUpdatesPerRtt: null,
    recoverySeconds: recoverySeconds(measured, failedAt),
    lostBytes: flows.reduce((sum, { bytes, deliveredBytes }) => sum + bytes - deliveredBytes, 0),
    miceFctP99Ms: miceFct(courses),
    rateMbps: bottleneck.rateBps / 1e6,
    controlRequired: null,
    controlReleased: null,
    reroutingRequired: null,
    pathChanges: null,
    ...NO_INT_FIGURES,
  };
}

/** Samples of the bottleneck's queue; none where another link had the longest one. */
export function emulatedQueue(
  { queueTimeline }: Result,
  observation: Observation,
): readonly QueueSample[] {
  if (!isLink(queueTimeline.link, bottleneckOf(observation))) return [];
  const { bytes, startUs, intervalUs } = queueTimeline;
  return bytes.map((length, i) => [(startUs + i * intervalUs) / US_PER_SECOND, length]);
}

/** Queueing delays at the bottleneck in ms, one per sample after the time to warm up. */
export function emulatedDelays(result: Result, observation: Observation): number[] {
  const { rateBps } = bottleneckOf(observation);
  const { warmUp } = observation.own.document;
  const samples = emulatedQueue(result, observation).filter(([at]) => at >= warmUp);
  return samples.map(([, bytes]) => (1e3 * BITS_PER_BYTE * bytes) / rateBps);
}

type QueueFigures = Pick<
  Figures,
  'queueP99Packets' | 'queueMaxPackets' | 'queueDelayP99Ms' | 'drainRtts'
>;

function queueFigures(result: Result, observation: Observation): QueueFigures {
  const { document } = observation.own;
  const { rateBps } = bottleneckOf(observation);
  const samples = emulatedQueue(result, observation);
  if (samples.length === 0) {
    return { queueP99Packets: null, queueMaxPackets: null, queueDelayP99Ms: null, drainRtts: null };
  }
  const end = result.durationUs / US_PER_SECOND;
  const busy = samples.filter(([at]) => at >= document.warmUp && at <= end);
  const p99 = percentileOf(
    busy.map(([, bytes]) => bytes),
    0.99,
  );
  return {
    queueP99Packets: p99 / document.frameBytes,
    queueMaxPackets:
      busy.reduce((most, [, bytes]) => Math.max(most, bytes), 0) / document.frameBytes,
    queueDelayP99Ms: (1e3 * BITS_PER_BYTE * p99) / rateBps,
    drainRtts: document.flows.some(isTogether) ? drainRtts(busy, document) : null,
  };
}

/** Share of the link's rate from the first start to the last end, with the few T of start-up. */
function utilisation({ links, durationUs }: Result, bottleneck: Bottleneck): number | null {
  const link = links.find(({ name }) => isLink(name, bottleneck));
  if (link === undefined) return null;
  return (BITS_PER_BYTE * link.bytes * US_PER_SECOND) / (bottleneck.rateBps * durationUs);
}

/** Ports have other numbers in the emulator, and no two nodes have two links. */
function isLink(name: string, { from, to }: Bottleneck): boolean {
  const [a, b] = name.split('->').map((end) => end.slice(0, end.lastIndexOf(':')));
  return a === from.node && b === to.node;
}

function flowCourses(
  { flows, series, durationUs }: Result,
  observation: Observation,
): FlowCourse[] {
  return emulatedFlows(observation).flatMap(({ sender }, i): FlowCourse[] => {
    const record = flows[i];
    if (record === undefined) return [];
    const samples = series.find(({ flow }) => flow === record.id);
    const startsAt = record.startUs / US_PER_SECOND;
    const endsAt =
      (record.fctUs === null ? durationUs : record.startUs + record.fctUs) / US_PER_SECOND;
    const points = (samples?.timeUs ?? []).map((us, at): Point => ({
      at: us / US_PER_SECOND,
      bytes: samples?.deliveredBytes[at] ?? 0,
    }));
    const end = { at: endsAt, bytes: record.deliveredBytes };
    const intervals = intervalsOf([{ at: startsAt, bytes: 0 }, ...points, end]);
    return [{ sender, startsAt, endsAt, isComplete: record.fctUs !== null, intervals }];
  });
}

/** Payload delivered until an instant. */
interface Point {
  readonly at: number;
  readonly bytes: number;
}

const intervalsOf = (points: readonly Point[]): FlowBytes[] =>
  points.slice(1).map(({ at, bytes }, i) => {
    const before = points[i] ?? { at, bytes };
    return { from: before.at, to: at, bytes: bytes - before.bytes };
  });
