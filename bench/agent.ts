import { assert } from '../common/assert';
import { readUint24 } from '../common/wire/bytes';
import { TRANSPORT } from '../common/wire/transport-layouts';
import type { BitsPerSecond, Instant, InstantCell, Duration } from '../common/units/units';
import { gigabitsPerSecond, microseconds, serialisationTime } from '../common/units/units';
import type { AckKind, CongestionControl } from '../host-agent/algorithm/congestion-control';
import type { CongestionMetrics } from '../host-agent/algorithm/congestion-control';
import { HpccppWindow } from '../host-agent/algorithm/window-form';
import { HostAgent } from '../host-agent/transport/host';
import { measureInterleaved } from './measure';
import { FlowScheduler } from '../host-agent/nic/flow-scheduler';
import type { ScheduledFlow } from '../host-agent/nic/flow-scheduler';

const LINK_RATE = gigabitsPerSecond(100);
const BASE_RTT = microseconds(8);
/** Share of the link that all flows together are paced at. */
const LOAD = 0.95;
/** A host's flows take a kilobyte each; a scheduler alone has many more. */
const FLOW_COUNTS = [10, 100, 1000, 10_000, 60_000];
const SCHEDULED_COUNTS = [10, 100, 1000, 10_000, 100_000];
const PACKETS = 300_000;
/** Rates of neighbouring flows differ by up to this factor. */
const WEIGHTS = 4;
const FRAME = 1074;
/** Numbers that are noted of each flow, and one to fill half a cache line. */
const NOTES = 4;
const FLOW_ID_AT = 14 + 20 + 8 + 16 + TRANSPORT.at('flowId');

/** One flow with a rate that nothing changes and a window that never closes. */
class FixedRate implements CongestionControl {
  readonly windowBytes = Number.MAX_SAFE_INTEGER;

  constructor(readonly pacingRate: BitsPerSecond) {}

  onAck(): AckKind {
    return 'ignored';
  }

  onLoad(): AckKind {
    return 'ignored';
  }

  onFlowCount(): void {
    // The rate is fixed.
  }

  onIdleRestart(): void {
    // The rate is fixed.
  }

  metrics(): CongestionMetrics {
    return new HpccppWindow({ linkRate: LINK_RATE, baseRtt: BASE_RTT }).metrics();
  }
}

/**
 * Many flows at one interface: cost per packet, and how well each flow keeps its rate. All counts of
 * flows take turns, so that a change of the machine's speed meets all of them.
 *
 * `host` is the whole path of a packet. Its state is a kilobyte per flow, which 10,000 flows do not
 * keep in the processor's caches; `scheduler` is whose turn it is alone, over flows of 24 bytes.
 */
export function benchAgent(rounds: number): object {
  const hosts = FLOW_COUNTS.map((flows) => new HostLoad(flows));
  const schedulers = SCHEDULED_COUNTS.map(
    (flows) => new SchedulerLoad(flows, serialisationTime(FRAME, LINK_RATE) / LOAD),
  );
  const times = measureInterleaved(Math.max(rounds, 5), PACKETS, [...hosts, ...schedulers]);
  const relative = (at: number, to: number): number => {
    return Number(((times[at] ?? NaN) / (times[to] ?? NaN)).toFixed(2));
  };
  return {
    load: LOAD,
    host: hosts.map((host, i) => ({
      flows: host.flows,
      nanosecondsPerPacket: Math.round(times[i] ?? NaN),
      timesTenFlows: relative(i, 0),
      ...host.accuracy(),
    })),
    scheduler: SCHEDULED_COUNTS.map((flows, i) => ({
      flows,
      nanosecondsPerPacket: Math.round(times[hosts.length + i] ?? NaN),
      timesTenFlows: relative(hosts.length + i, hosts.length),
    })),
  };
}

/** A host whose flows are paced at rates of several proportions, in virtual time. */
class HostLoad {
  readonly #rates: readonly BitsPerSecond[];
  readonly #agent: HostAgent;
  #now: Instant = 0;
  /** Times of the first and the latest packet and their number, three values per flow. */
  readonly #notes: Float64Array;

  constructor(readonly flows: number) {
    this.#rates = ratesOf(flows);
    this.#agent = newAgent(this.#rates);
    this.#notes = new Float64Array(NOTES * flows);
  }

  run(packets: number): void {
    for (let count = 0; count < packets;) {
      const packet = this.#agent.pollTransmit(this.#now);
      if (packet === undefined) {
        this.#now = this.#agent.pollWakeup() ?? this.#now;
        this.#agent.handleWakeup(this.#now);
        continue;
      }
      count++;
      this.#note(readUint24(packet.bytes, FLOW_ID_AT));
      this.#now += serialisationTime(packet.length, LINK_RATE);
    }
  }

  /** Largest relative difference of a flow's rate, from first to last packet, from what it shall be. */
  accuracy(): { readonly pacingErrorMax: number; readonly packetsOfSlowestFlow: number } {
    let worst = 0;
    let fewest = Infinity;
    this.#rates.forEach((rate, flow) => {
      const [first = NaN, last = NaN, packets = NaN] = this.#notes.subarray(NOTES * flow);
      const bits = (packets - 1) * FRAME * 8;
      worst = Math.max(worst, Math.abs((bits / (last - first)) * (1e12 / rate) - 1));
      fewest = Math.min(fewest, packets);
    });
    assert(fewest > 0, 'every flow has sent');
    return { pacingErrorMax: Number(worst.toExponential(2)), packetsOfSlowestFlow: fewest };
  }

  #note(flow: number): void {
    const at = NOTES * flow;
    const packets = this.#notes[at + 2] as number;
    if (packets === 0) this.#notes[at] = this.#now;
    this.#notes[at + 1] = this.#now;
    this.#notes[at + 2] = packets + 1;
  }
}

/** Rates in the proportions 1 to {@link WEIGHTS}, together {@link LOAD} of the link. */
function ratesOf(flows: number): BitsPerSecond[] {
  const weights = Array.from({ length: flows }, (_, i) => 1 + (i % WEIGHTS));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (LINK_RATE * LOAD * weight) / sum);
}

function newAgent(rates: readonly BitsPerSecond[]): HostAgent {
  // The first call is the configuration's trial.
  let made = -1;
  const agent = new HostAgent({
    address: 0x0a00_0001,
    mac: 1,
    linkRate: LINK_RATE,
    baseRtt: BASE_RTT,
    expectedHops: 0,
    retransmissionTimeout: Number.MAX_SAFE_INTEGER / 256,
    congestionControl: () => new FixedRate(rates[made++] ?? LINK_RATE),
  });
  const peer = { destinationAddress: 0x0a00_0002, destinationMac: 2 };
  rates.forEach((_, id) => agent.startFlow(0, { id, ...peer, bytes: Number.MAX_SAFE_INTEGER }));
  while (agent.pollEvent() !== undefined);
  return agent;
}

/** A flow that is nothing but an instant to send at; all share one array. */
class PacedFlow implements ScheduledFlow {
  constructor(
    readonly index: number,
    readonly starts: Float64Array,
  ) {}

  canSend(now: Instant): boolean {
    return (this.starts[this.index] as number) <= now;
  }

  writeWakeup(_now: Instant, into: InstantCell): void {
    into[0] = this.starts[this.index] as number;
  }

  handleWakeup(): void {
    // Nothing is due beside the packet.
  }
}

/** A scheduler of many flows without anything around it, in virtual time. */
class SchedulerLoad {
  readonly #scheduler = new FlowScheduler<PacedFlow>();
  readonly #starts: Float64Array;
  readonly #spacings: Float64Array;
  readonly #perPacket: Duration;
  #now: Instant = 0;

  /** @param perPacket how far apart the packets of all flows together are. */
  constructor(flows: number, perPacket: Duration) {
    const mean = (WEIGHTS + 1) / 2;
    this.#perPacket = Math.floor(perPacket);
    this.#spacings = Float64Array.from({ length: flows }, (_, i) =>
      Math.floor((flows * perPacket * mean) / (1 + (i % WEIGHTS))),
    );
    this.#starts = this.#spacings.map((spacing, i) => Math.floor((spacing * i) / flows));
    for (let i = 0; i < flows; i++) this.#scheduler.add(0, new PacedFlow(i, this.#starts));
  }

  run(packets: number): void {
    for (let count = 0; count < packets;) {
      const flow = this.#scheduler.take(this.#now);
      if (flow === undefined) {
        this.#now = this.#scheduler.wakeupAfter(this.#now);
        continue;
      }
      count++;
      const { index } = flow;
      const spacing = this.#spacings[index] as number;
      this.#starts[index] = (this.#starts[index] as number) + spacing;
      this.#scheduler.update(this.#now, flow);
      this.#now += this.#perPacket * 0.95;
    }
  }
}
