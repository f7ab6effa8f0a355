import type { HopRecord } from '../../common/hop/hop';
import type { Duration, Instant } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import type { FlowMetrics } from '../../host-agent/host/agent';
import type { HostNode } from '../node/host-node';
import type { ControlState, TracedVerdict } from '../result/packet-story';
import type { FlowFrame, FrameReading } from './flow-frame';
import { LinkLoads } from './link-loads';
import { listingSteps } from './listing-steps';

/** Properties of the run that a trace uses. */
export interface TraceScene {
  /** Reader of the run's frames. */
  readonly reading: FrameReading;
  readonly eta: number;
  readonly maxStage: number;
  readonly baseRtt: Duration;
  readonly latestQueueFrom: number;
  /** Share of links that the flows' queue is guaranteed; undefined: the whole link. */
  readonly queueShare: number | undefined;
  /** Name of a host by its IPv4 address. */
  readonly hostAt: (address: number) => string | undefined;
  /** Number of a flow by its sender and its id there. */
  readonly flowNumber: (host: string | undefined, id: number) => number | undefined;
  readonly nodeId: (name: string) => number | undefined;
  readonly linkName: (hop: HopRecord) => string;
}

/** Effect of one acknowledgement, without its place among packets. */
export type Verdict = Omit<TracedVerdict, 'of' | 'next'>;

interface Metrics extends Pick<FlowMetrics, 'congestion'> {
  readonly inflightBytes: number | null;
}

/** Compares what a flow's congestion control was before and after each acknowledgement. */
export class VerdictTrace {
  readonly #loads = new Map<string, LinkLoads>();
  #before: Metrics | undefined;

  constructor(private readonly scene: TraceScene) {}

  before(host: HostNode, frame: FlowFrame): void {
    this.#before = this.#metrics(host, frame);
  }

  /** State after an acknowledgement; undefined for unknown flows and flows that have ended. */
  after(host: HostNode, frame: FlowFrame, now: Instant): Verdict | undefined {
    const { sequence, sample } = frame;
    const before = this.#before;
    const after = this.#metrics(host, frame);
    if (before === undefined || after === undefined || sample === undefined) return undefined;
    const telemetry = sample.kind === 'links' ? sample.telemetry : [];
    const isIncomplete = sample.kind === 'links' && sample.isIncomplete;
    const ack = { ackSequence: sequence, nextSequence: 0, telemetry, isIncomplete, now };
    const links = this.#loadsOf(host, frame).take(ack);
    const told = {
      kind: kindOf(before, after),
      links,
      before: stateOf(before),
      after: stateOf(after),
    };
    const { eta, maxStage, baseRtt } = this.scene;
    const baseRttNs = Math.ceil(baseRtt / PS_PER_NS);
    return { ...told, steps: listingSteps(told, { eta, maxStage, baseRttNs }) };
  }

  /** Metrics of the algorithm that takes the frame; a receiver does not know what is in flight. */
  #metrics({ agent }: HostNode, { source, flow }: FlowFrame): Metrics | undefined {
    if (this.scene.reading.controlsAtReceiver !== true) return agent.flowMetrics(flow);
    const congestion = agent.receiverMetrics(source, flow);
    return congestion && { congestion, inflightBytes: null };
  }

  #loadsOf(host: HostNode, { source, flow }: FlowFrame): LinkLoads {
    const key = `${host.name} ${source} ${flow}`;
    const known = this.#loads.get(key);
    if (known !== undefined) return known;
    const { baseRtt, latestQueueFrom, queueShare, linkName } = this.scene;
    const T = Math.ceil(baseRtt / PS_PER_NS);
    const nicRate = host.linkRate;
    const made = new LinkLoads(
      {
        T,
        nicRate,
        Winit: (nicRate * T) / 8e9,
        latestQueueFrom,
        ...(queueShare !== undefined && { sharedQueue: { share: queueShare } }),
      },
      linkName,
    );
    this.#loads.set(key, made);
    return made;
  }
}

function kindOf({ congestion: before }: Metrics, { congestion: after }: Metrics): Verdict['kind'] {
  if (after.commits > before.commits) return 'update';
  if (after.acksProcessed > before.acksProcessed) return 'fast';
  const isRefused =
    after.telemetryRejected > before.telemetryRejected ||
    after.telemetryStale > before.telemetryStale;
  return isRefused || before.acksProcessed > 0 ? 'ignored' : 'first';
}

function stateOf({ congestion, inflightBytes }: Metrics): ControlState {
  const { normalizedInflight, windowBytes, referenceWindowBytes, pacingRate } = congestion;
  return {
    U: normalizedInflight ?? 0,
    windowBytes,
    referenceWindowBytes,
    rateGbps: pacingRate / 1e9,
    incStage: congestion.incStage,
    inflightBytes,
  };
}
