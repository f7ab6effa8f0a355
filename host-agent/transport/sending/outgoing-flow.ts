import { assert } from '../../../common/assert';
import type { Packet } from '../../../common/packet/packet';
import type { Duration, Instant } from '../../../common/units/units';
import {
  HPCC_DATA,
  HPCC_EPOCH_SHIFT,
  HPCC_FLAG_FIN,
  HPCC_FLAG_RETRANSMIT,
  HPCC_FLAG_SELECTIVE,
  HPCC_PROBE,
} from '../../../common/wire/hpcc/hpcc-transport';
import { ReplayWindow } from '../../../common/wire/security/replay-window';
import type { CongestionControl } from '../../algorithm/congestion-control';
import type { CoordinationEffect, FlowCoordination } from '../../coordination/flow-coordination';
import { GatedControl } from '../../coordination/gated-control';
import { Prober } from '../../feedback/prober';
import { RemoteWindow } from '../../feedback/remote-window';
import type { ScheduledFlow } from '../../nic/flow-scheduler';
import { BASE_RTT_PROBES_FROM, BaseRttProber } from '../../path/base-rtt-prober';
import { PathSelector } from '../../path/path-selector';
import type { CongestionSample } from '../../feedback/congestion-sample';
import type { FrameOutput } from '../frames/frame-output';
import { FrameTemplate } from '../frames/frame-template';
import type { CheckedHostConfig, FlowSpec } from '../../host/host-config';
import type { SharedByFlows } from './shared-by-flows';
import { FlowSender } from './sender';

export interface FlowStart {
  readonly now: Instant;
  readonly generation: number;
  readonly shared: SharedByFlows;
}

/** One flow that a host sends: its state, and the frames that it consists of. */
export class OutgoingFlow implements ScheduledFlow {
  readonly spec: FlowSpec;
  readonly generation: number;
  readonly startedAt: Instant;
  readonly sender: FlowSender;
  /** Where the receiver runs the algorithm: what obeys it. */
  readonly remoteWindow: RemoteWindow | undefined;
  readonly #config: CheckedHostConfig;
  readonly #shared: SharedByFlows;
  #paths: PathSelector | undefined;
  readonly #baseRtt: BaseRttProber | undefined;
  #prober: Prober | undefined;
  readonly #coordination: FlowCoordination | undefined;
  #reroutes = 0;
  #frames: FlowFrames;
  #replayWindow: ReplayWindow | undefined = undefined;
  #sourcePort: number;
  #isMeasured = false;
  /** The path that the flow will use once nothing is in flight on the present one. */
  #nextPath: number | undefined = undefined;

  constructor(config: CheckedHostConfig, spec: FlowSpec, { now, generation, shared }: FlowStart) {
    this.#config = config;
    this.#shared = shared;
    this.spec = spec;
    this.generation = generation;
    this.startedAt = now;
    this.#sourcePort = this.#firstPort();
    this.#coordination = config.coordination?.open(spec.id, this.#keyOf(0));
    this.#frames = this.#newFrames();
    const control = this.#newControl();
    this.remoteWindow = control instanceof RemoteWindow ? control : undefined;
    this.sender = this.#newSender(now, control);
    this.#baseRtt = this.#newBaseRttProber(now);
    // Data waits until T is known, as does the choice of a path, which counts in T.
    if (this.#baseRtt !== undefined) this.sender.drain();
    else this.#paths = this.#newPathSelector(now, config.baseRtt);
  }

  /** PERF: made when signed feedback comes; it is a third of the memory of a flow. */
  get replayWindow(): ReplayWindow {
    return (this.#replayWindow ??= new ReplayWindow());
  }

  /** How often the flow has changed its path. */
  get moves(): number {
    return this.#paths?.moves ?? this.#reroutes;
  }

  /** UDP source port, by which the network chooses the path. */
  get sourcePort(): number {
    return this.#sourcePort;
  }

  canSend(now: Instant): boolean {
    return (
      this.sender.wantsProbe(now) ||
      this.#wantsPathProbe(now) ||
      this.#wantsBaseRttProbe(now) ||
      this.sender.canSend(now)
    );
  }

  wakeupAfter(now: Instant): Instant {
    const at = Math.min(this.sender.wakeupAfter(now), this.#coordination?.deadline ?? Infinity);
    const { isDrained } = this.sender;
    const pathProbeAt = isDrained ? Infinity : (this.#paths?.probeAt ?? Infinity);
    const measuresNow =
      this.#baseRtt !== undefined && (!isDrained || this.#baseRtt.T === undefined);
    const rttProbeAt = measuresNow ? this.#baseRtt.probeAt : Infinity;
    return earliestAfter(now, pathProbeAt, earliestAfter(now, rttProbeAt, at));
  }

  handleWakeup(now: Instant): void {
    this.sender.handleWakeup(now);
    this.#moveWhenDrained(now);
    if (this.#config.coordination?.expire(now, this.spec.id) === true) this.#followTag(now);
  }

  /** An acknowledgement says that a switch has marked the flow's data. */
  handleMark(now: Instant): void {
    if (this.#config.coordination?.onMark(now, this.spec.id) === true) this.#followTag(now);
  }

  /** A switch has said what it wants of the flow. */
  handleCoordination(now: Instant, effect: CoordinationEffect): void {
    if (effect === 'tagged' || effect === 'released') this.#followTag(now);
    if (effect !== 'reroute' || this.#nextPath !== undefined) return;
    this.#nextPath = this.#newPath();
    if (this.#nextPath === undefined) return;
    this.sender.drain();
    this.#moveWhenDrained(now);
  }

  /** The answer to a probe of another path, or to one that measures T. */
  handlePathResponse(now: Instant, id: number, sample: CongestionSample | undefined): void {
    if (id < BASE_RTT_PROBES_FROM) {
      this.#paths?.handleResponse(now, id, sample);
      return;
    }
    const links = sample?.kind === 'links' ? sample.telemetry : [];
    const T = this.#baseRtt?.handleResponse(now, id, links);
    if (T !== undefined) this.#adoptBaseRtt(now, T);
  }

  /** Feedback has arrived: the moment to think about the path. */
  considerPath(now: Instant, sample: CongestionSample | undefined): void {
    if (this.#paths === undefined) {
      this.#moveWhenDrained(now);
      return;
    }
    if (sample?.kind === 'links') this.#paths.noteOwnPath(now, sample.telemetry);
    if (this.#nextPath === undefined) {
      const { normalizedInflight: U, pacingRate: rate } = this.sender.congestionControl.metrics();
      this.#nextPath = this.#paths.decide(now, { U, rate });
      if (this.#nextPath !== undefined) this.sender.drain();
    }
    this.#moveWhenDrained(now);
  }

  /** The frame that leaves now; only if {@link canSend}. */
  emit(now: Instant, output: FrameOutput): Packet {
    if (this.sender.wantsProbe(now)) return this.#emitProbe(now, output);
    if (this.#wantsPathProbe(now)) return this.#emitPathProbe(now, output);
    if (this.#wantsBaseRttProbe(now)) return this.#emitBaseRttProbe(now, output);
    const segment = this.sender.takeSegment(now);
    const { sequence, length } = segment;
    const epoch = ((this.remoteWindow?.epoch ?? 0) & 0xf) << HPCC_EPOCH_SHIFT;
    const flags =
      epoch |
      (this.#config.lossRecovery === 'selective-repeat' ? HPCC_FLAG_SELECTIVE : 0) |
      (segment.isLast ? HPCC_FLAG_FIN : 0) |
      (segment.isRetransmission ? HPCC_FLAG_RETRANSMIT : 0);
    const template = segment.collects ? this.#frames.collecting : this.#frames.plain;
    const { payload } = this.spec;
    if (payload === undefined) return output.emit(template, { flags, sequence, length });
    const tail = new Uint8Array(length);
    payload(sequence, tail);
    return output.emit(template, { flags, sequence, length }, tail);
  }

  #emitProbe(now: Instant, output: FrameOutput): Packet {
    const { probe } = this.#frames;
    const sequence = this.sender.takeProbe(now, probe.headerLength);
    return output.emit(probe, { flags: 0, sequence, length: 0 }, NO_BODY);
  }

  #wantsPathProbe(now: Instant): boolean {
    return this.#paths !== undefined && this.#paths.probeAt <= now && !this.sender.isDrained;
  }

  /** Probes of other paths use no rate of this one. */
  #emitPathProbe(now: Instant, output: FrameOutput): Packet {
    assert(this.#paths !== undefined, 'only flows with several paths probe them');
    const { path, id } = this.#paths.takeProbe(now);
    const template = this.#newFrame(HPCC_PROBE, {
      intHopLimit: this.#config.intHopLimit,
      sourcePort: this.#portOf(path),
    });
    return output.emit(template, { flags: 0, sequence: id, length: 0 }, NO_BODY);
  }

  #wantsBaseRttProbe(now: Instant): boolean {
    const measured = this.#baseRtt;
    if (measured === undefined || measured.probeAt > now) return false;
    return measured.T === undefined || !this.sender.isDrained;
  }

  /** On the flow's own path, and before its data, so that it uses no rate of it. */
  #emitBaseRttProbe(now: Instant, output: FrameOutput): Packet {
    assert(this.#baseRtt !== undefined, 'only flows that measure T probe for it');
    const { intHopLimit } = this.#config;
    const template = this.#newFrame(HPCC_PROBE, { intHopLimit, sourcePort: this.#sourcePort });
    const sequence = this.#baseRtt.takeProbe(now);
    return output.emit(template, { flags: 0, sequence, length: 0 }, NO_BODY);
  }

  /** T is known, for the first time or anew. */
  #adoptBaseRtt(now: Instant, T: Duration): void {
    this.sender.handleBaseRtt(now, T);
    this.#prober?.onBaseRtt(T);
    this.#paths?.onBaseRtt(T);
    if (this.#isMeasured) return;
    this.#isMeasured = true;
    this.#paths = this.#newPathSelector(now, T);
    this.sender.resume(now);
  }

  /**
   * With packets in flight on the old path, those on a lighter one would overtake them, and the
   * receiver would ask for them again. So the flow pauses for the round trip that they need.
   */
  #moveWhenDrained(now: Instant): void {
    const path = this.#nextPath;
    if (path === undefined || !this.sender.isDrained) return;
    this.#nextPath = undefined;
    this.#paths?.onMoved(now, path);
    this.#baseRtt?.onMoved(now);
    if (this.#coordination !== undefined) {
      this.#reroutes = path;
      this.#config.coordination?.alias(this.spec.id, this.#keyOf(path));
    }
    this.#sourcePort = this.#portOf(path);
    this.#frames = this.#newFrames();
    this.sender.resume(now);
  }

  /** The CC indicator and the congestion control go together. */
  #followTag(now: Instant): void {
    const { congestionControl } = this.sender;
    this.sender.handleControlChange(now, () => {
      if (congestionControl instanceof GatedControl) congestionControl.onChange(now);
    });
    this.#frames = this.#newFrames();
  }

  /** The next one whose port no other flow to the destination has; undefined if all are taken. */
  #newPath(): number | undefined {
    for (let path = this.#reroutes + 1; path <= this.#reroutes + REROUTE_TRIES; path++) {
      if (this.#config.coordination?.isFree(this.#keyOf(path)) === true) return path;
    }
    return undefined;
  }

  #keyOf(path: number) {
    const { destinationAddress } = this.spec;
    return { destinationAddress, sourcePort: this.#portOf(path) };
  }

  /** The source ports of the paths follow each other, within the dynamic ports. */
  #portOf(path: number): number {
    return path === 0
      ? this.#firstPort()
      : DYNAMIC_PORTS + ((this.#firstPort() + PORT_STRIDE * path) % DYNAMIC_PORT_COUNT);
  }

  #firstPort(): number {
    return this.spec.sourcePort ?? DYNAMIC_PORTS + (this.spec.id % DYNAMIC_PORT_COUNT);
  }

  #newBaseRttProber(now: Instant): BaseRttProber | undefined {
    const { baseRtts } = this.#shared;
    const flow = { destination: this.spec.destinationAddress, guess: this.#config.baseRtt };
    return baseRtts && new BaseRttProber(now, baseRtts, flow);
  }

  #newPathSelector(now: Instant, baseRtt: Duration): PathSelector | undefined {
    const { pathSelection, linkRate, intHopLimit: maxHops, address } = this.#config;
    const environment = { linkRate, baseRtt, maxHops, flow: this.spec.id ^ address };
    return pathSelection && new PathSelector(now, pathSelection, environment);
  }

  #newSender(startedAt: Instant, congestionControl: CongestionControl): FlowSender {
    const { bytes, isOpen = false } = this.spec;
    const { baseRtt, feedback } = this.#config;
    const isByProbe = feedback.collectBy === 'probe';
    const options = { bytes, isOpen, startedAt, congestionControl };
    this.#prober = isByProbe ? new Prober(baseRtt) : undefined;
    const prober = this.#prober && { prober: this.#prober };
    return new FlowSender({ ...options, ...prober }, this.#shared.settings);
  }

  #newControl(): CongestionControl {
    const { linkRate, baseRtt, observe, congestionControl, feedback } = this.#config;
    const { id } = this.spec;
    const environment = {
      linkRate,
      baseRtt,
      ...(observe !== undefined && { sink: observeFlow(observe, id) }),
    };
    if (feedback.algorithmAt === 'receiver') return new RemoteWindow(environment);
    const state = this.#coordination;
    if (state === undefined) return congestionControl(environment);
    const path = { ...environment, maxHops: this.#config.intHopLimit };
    return new GatedControl(congestionControl, path, () => state.isControlled);
  }

  #newFrames(): FlowFrames {
    const { intHopLimit, feedback } = this.#config;
    const sourcePort = this.#sourcePort;
    const collecting = this.#newFrame(HPCC_DATA, { intHopLimit, sourcePort });
    const isUniform = feedback.collectBy === 'data' && feedback.collectEvery === 1;
    // PERF: with many flows, templates that are never used would fill the processor's caches.
    if (isUniform) return { collecting, plain: collecting, probe: collecting };
    return {
      collecting,
      plain: this.#newFrame(HPCC_DATA, { intHopLimit: undefined, sourcePort }),
      probe: this.#newFrame(HPCC_PROBE, { intHopLimit, sourcePort }),
    };
  }

  #newFrame(
    type: typeof HPCC_DATA | typeof HPCC_PROBE,
    way: { readonly intHopLimit: number | undefined; readonly sourcePort: number },
  ): FrameTemplate {
    const { spec, generation } = this;
    const { mac, address, feedback } = this.#config;
    const addressing = {
      sourceMac: mac,
      destinationMac: spec.destinationMac,
      sourceAddress: address,
      destinationAddress: spec.destinationAddress,
      asksSwitches: feedback.asksSwitches,
      asksSojourn: feedback.asksSojourn,
      ...(spec.dscp !== undefined && { dscp: spec.dscp }),
      ...(this.#coordination !== undefined && {
        coordinationTag: this.#config.coordination?.dsFlags(this.#coordination) ?? 0,
      }),
      ...way,
    };
    const transport = { type, flowId: spec.id, generation };
    return new FrameTemplate(addressing, transport, (common) => this.#shared.headers.find(common));
  }
}

/** The earlier of two instants; what is due already waits for the interface, not for the time. */
const earliestAfter = (now: Instant, probeAt: Instant, at: Instant): Instant =>
  probeAt > now && probeAt < at ? probeAt : at;

interface FlowFrames {
  /** Data that asks the switches for telemetry. */
  readonly collecting: FrameTemplate;
  readonly plain: FrameTemplate;
  readonly probe: FrameTemplate;
}

function observeFlow(observe: NonNullable<CheckedHostConfig['observe']>, id: number) {
  return (event: Parameters<typeof observe>[1]): void => observe(id, event);
}

const NO_BODY = new Uint8Array(0);

/** The dynamic ports of RFC 6335. */
const DYNAMIC_PORTS = 49152;
const DYNAMIC_PORT_COUNT = 16384;
/** Odd, so that the ports of neighbouring flows differ in many bits. */
const PORT_STRIDE = 4099;
/** Ports that a flow tries when it must leave its path. */
const REROUTE_TRIES = 64;
