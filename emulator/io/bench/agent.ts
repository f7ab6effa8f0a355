import type { BitsPerSecond, Instant } from '../../../common/units/units';
import { gigabitsPerSecond, microseconds, serialisationTime } from '../../../common/units/units';
import type {
  AckKind,
  CongestionControl,
  CongestionMetrics,
} from '../../../host-agent/algorithm/congestion-control';
import { HpccppWindow } from '../../../host-agent/algorithm/window-form';
import { HostAgent } from '../../../host-agent/transport/host';
import { measureSpeed } from './measure';

const LINK_RATE = gigabitsPerSecond(100);
const BASE_RTT = microseconds(8);
/** Share of the link that all flows together are paced at. */
const LOAD = 0.95;
const FLOW_COUNTS = [10, 100, 1000, 10_000];
const PACKETS = 1_000_000;
/** Rates of neighbouring flows differ by up to this factor. */
const WEIGHTS = 4;
const FLOW_ID_AT = 14 + 20 + 8 + 16 + 2;

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

/** Many flows at one interface: cost per packet, and how well each flow keeps its rate. */
export function benchAgent(rounds: number): object {
  const perFlows = FLOW_COUNTS.map((flows) => benchFlows(rounds, flows));
  return { load: LOAD, perFlows };
}

interface SentByFlow {
  readonly first: Instant[];
  readonly last: Instant[];
  readonly packets: number[];
}

function benchFlows(rounds: number, flows: number): object {
  const rates = ratesOf(flows);
  const sent: SentByFlow = { first: [], last: [], packets: new Array<number>(flows).fill(0) };
  const nic = new Interface(newAgent(rates), sent);
  const speed = measureSpeed(rounds, PACKETS, (packets) => nic.send(packets));
  return {
    flows,
    packetsPerSecond: speed.perSecond,
    nanosecondsPerPacket: Math.round(1e9 / speed.perCpuSecond),
    pacingErrorMax: Number(worstError(rates, sent).toExponential(2)),
    packetsOfSlowestFlow: Math.min(...sent.packets),
  };
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
  return agent;
}

/** Sends one packet after the other, in virtual time. */
class Interface {
  readonly #agent: HostAgent;
  readonly #sent: SentByFlow;
  #now: Instant = 0;

  constructor(agent: HostAgent, sent: SentByFlow) {
    this.#agent = agent;
    this.#sent = sent;
  }

  send(packets: number): void {
    for (let count = 0; count < packets;) {
      const packet = this.#agent.pollTransmit(this.#now);
      if (packet === undefined) {
        this.#now = this.#agent.pollWakeup() ?? this.#now;
        this.#agent.handleWakeup(this.#now);
        continue;
      }
      count++;
      const { bytes } = packet;
      this.#note(((bytes[FLOW_ID_AT] as number) << 8) | (bytes[FLOW_ID_AT + 1] as number));
      this.#now += serialisationTime(packet.length, LINK_RATE);
    }
  }

  #note(flow: number): void {
    const { first, last, packets } = this.#sent;
    first[flow] ??= this.#now;
    last[flow] = this.#now;
    packets[flow] = (packets[flow] as number) + 1;
  }
}

/** Largest relative difference of a flow's rate, from first to last packet, from what it shall be. */
function worstError(rates: readonly BitsPerSecond[], { first, last, packets }: SentByFlow): number {
  const frame = 1074;
  return rates.reduce((worst, rate, flow) => {
    const time = (last[flow] as number) - (first[flow] as number);
    const bits = ((packets[flow] as number) - 1) * frame * 8;
    return Math.max(worst, Math.abs((bits / time) * (1e12 / rate) - 1));
  }, 0);
}
