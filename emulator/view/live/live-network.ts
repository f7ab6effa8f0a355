import { jainIndex } from '../../../common/statistics/statistics';
import type { FlowSeries, LinkRecord, Result } from '../../result/result';
import { RESULT_SCHEMA } from '../../result/result';
import type { Timelines } from '../../result/timelines';
import { LiveFlows } from './live-flows';
import type { FlowLook, FlowName } from './live-flows';
import { LIVE_INTERVAL_US, LiveLinks } from './live-links';
import type { Counted } from './live-links';

/** A direction of a link, `s1:2->h1:1`. */
export interface WatchedLink {
  readonly name: string;
  readonly rateGbps: number;
}

export interface WatchedNetwork {
  /** For people, and of the scenario that it is. */
  readonly title: string;
  readonly name: string;
  readonly topology: Result['topology'];
  readonly links: readonly WatchedLink[];
  readonly parameters: Result['parameters'];
  /** Names of the switch and of the program that counts. */
  readonly generator: Result['generator'];
}

const JAIN_PARTS = 60;
const NOTHING = { sentBytes: 0, queuePeakBytes: 0 };

/** Record of a network of real switches and hosts while it is watched, in bounded memory. */
export class LiveNetwork {
  readonly #o: WatchedNetwork;
  readonly #links: LiveLinks;
  readonly #flows = new LiveFlows();
  #telemetryRecords = 0;

  constructor(watched: WatchedNetwork) {
    this.#o = watched;
    this.#links = new LiveLinks(watched.links.map(({ name }) => name));
  }

  /** Up to where it is known, in us. */
  get us(): number {
    return this.#links.us;
  }

  /** Flows that are not kept one by one. */
  get flowsOmitted(): number {
    return this.#flows.omitted;
  }

  /** Notes the queue length before a link. */
  waited(us: number, link: string, bytes: number): void {
    this.#telemetryRecords++;
    this.#links.waited(us, link, bytes);
  }

  flow(key: string, name: FlowName, us: number, look: FlowLook): void {
    this.#flows.note(key, name, us, look);
  }

  /** Takes the counters of an instant. */
  counted(us: number, counted: Counted): void {
    this.#links.counted(us, counted);
  }

  /** Result so far, in the form of a finished run. */
  result(): Result {
    const { title, name, topology, parameters, generator } = this.#o;
    const timelines = this.#links.timelines();
    const flows = this.#flows.records();
    const series = this.#flows.series();
    const { us, droppedPackets } = this.#links;
    return {
      schema: RESULT_SCHEMA,
      generator,
      scenario: { name, title },
      seed: 0,
      parameters,
      topology,
      frames: { dataAtHostBytes: 0, dataAtBottleneckBytes: 0, ackBytes: 0, segmentBytes: 0 },
      durationUs: us,
      flows,
      fctUs: null,
      ...this.#bottleneck(timelines),
      timelines,
      links: this.#linkRecords(),
      traffic: NO_TRAFFIC,
      series,
      jain: null,
      jainTimeline: jainTimeline(series, us),
      counters: {
        packetHops: 0,
        events: 0,
        telemetryRecords: this.#telemetryRecords,
        drops: { counted: droppedPackets },
        hostRejections: {},
      },
      violations: [],
    };
  }

  /** The link with the longest queue, or the one that has sent most. */
  #bottleneck(timelines: Timelines): Pick<Result, 'bottleneck' | 'queueTimeline'> {
    const { totals, us } = this.#links;
    let most = 0;
    totals.forEach(({ sentBytes, queuePeakBytes }, i) => {
      const best = totals[most] ?? NOTHING;
      const isLonger = queuePeakBytes > best.queuePeakBytes;
      const isBusier = queuePeakBytes === best.queuePeakBytes && sentBytes > best.sentBytes;
      if (isLonger || isBusier) most = i;
    });
    const { name: link = '', rateGbps = 0 } = this.#o.links[most] ?? {};
    const { queuePeakBytes: peak, sentBytes } = totals[most] ?? NOTHING;
    const bytes = timelines.links[most]?.queuePeakBytes ?? [];
    const { intervalUs } = timelines;
    const capacity = rateGbps * 125 * us;
    return {
      bottleneck: {
        link,
        queuePeakBytes: peak,
        queuePeakAtUs: Math.max(0, bytes.indexOf(peak)) * intervalUs,
        queueP99Bytes: peak,
        drainedAtUs: null,
        settledAtUs: null,
        utilization: capacity === 0 ? 0 : sentBytes / capacity,
      },
      queueTimeline: { link, startUs: 0, intervalUs, bytes: [...bytes] },
    };
  }

  #linkRecords(): LinkRecord[] {
    return this.#o.links.map(({ name, rateGbps }, i) => {
      const { sentBytes, queuePeakBytes } = this.#links.totals[i] ?? NOTHING;
      const bytes = Math.round(sentBytes);
      return { name, rateGbps, packets: 0, bytes, lostPackets: 0, queuePeakBytes };
    });
  }
}

const NO_TRAFFIC: Result['traffic'] = {
  data: { packets: 0, bytes: 0 },
  probes: { packets: 0, bytes: 0 },
  acks: { packets: 0, bytes: 0 },
  feedback: { packets: 0, bytes: 0 },
};

/** Jain's index of the flows' goodput over parts of the time; empty without goodput. */
function jainTimeline(series: readonly FlowSeries[], us: number): Result['jainTimeline'] {
  const told = series.filter(({ deliveredBytes }) => (deliveredBytes.at(-1) ?? 0) > 0);
  const length = Math.max(us / JAIN_PARTS, LIVE_INTERVAL_US * 5);
  const parts: Result['jainTimeline'] = [];
  for (let startUs = 0; told.length > 1 && startUs + length <= us; startUs += length) {
    const endUs = startUs + length;
    const active = told.filter(
      ({ timeUs }) => (timeUs[0] ?? Infinity) <= startUs && (timeUs.at(-1) ?? 0) >= endUs,
    );
    if (active.length < 2) continue;
    const bytes = active.map((one) => deliveredAt(one, endUs) - deliveredAt(one, startUs));
    parts.push({ startUs, endUs, jain: jainIndex(bytes) });
  }
  return parts;
}

function deliveredAt({ timeUs, deliveredBytes }: FlowSeries, us: number): number {
  const i = timeUs.findLastIndex((at) => at <= us);
  return deliveredBytes[Math.max(0, i)] ?? 0;
}
