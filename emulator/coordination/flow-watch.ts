import type { Instant, PortNumber, BitsPerSecond, Duration } from '../../common/units/units';
import type { CcmIndicators } from '../../common/wire/coordination/ccm-tag';
import type { FlowCoordinationRecord } from '../result/coordination-record';
import { DecisionOrder } from './decision-order';

/** Port, tag and time of one packet of the flow at one switch. */
export interface Sighting {
  readonly port: PortNumber;
  readonly tag: CcmIndicators;
  /** When it left. */
  readonly at: Instant;
}

/** A sighting, with its differences from the one before. */
export interface Novelty {
  readonly sighting: Sighting;
  readonly isNewPath: boolean;
  readonly isNewTag: boolean;
}

interface LastSeen {
  /** Undefined after a packet that was sprayed. */
  port: PortNumber | undefined;
  tag: CcmIndicators;
}

/** A rate below this part of the fair one wastes what the flow could have. */
const FAIR_PART = 0.75;
/** Rates differ by so much before they count as another rate. */
const RATE_STEP = 0.1;

/** State of one flow, as observers know it. */
export class FlowWatch {
  readonly #atSwitch = new Map<string, LastSeen>();
  readonly #orders = new Map<string, DecisionOrder<Sighting>>();
  #latestArrival = -1;
  #isTagged = false;
  #rate: BitsPerSecond | undefined = undefined;
  #loggedRate: BitsPerSecond | undefined = undefined;
  #reducedAt: Instant = -Infinity;
  readonly #record: { -readonly [Name in keyof FlowCoordinationRecord]: number };

  /** @param isSprayed packets without the CC indicator take all paths, so that another one is no news. */
  constructor(
    id: number,
    private readonly isSprayed = false,
  ) {
    this.#record = {
      id,
      packets: 0,
      reordered: 0,
      reroutes: 0,
      taggedReroutes: 0,
      sourceReroutes: 0,
      tagged: 0,
      reductionsBelowFair: 0,
    };
  }

  get record(): FlowCoordinationRecord {
    return { ...this.#record };
  }

  get isTagged(): boolean {
    return this.#isTagged;
  }

  /** A packet arrives at a switch. */
  onSwitchArrival(node: string, packet: number): void {
    let order = this.#orders.get(node);
    if (order === undefined) this.#orders.set(node, (order = new DecisionOrder()));
    order.onArrival(packet);
  }

  /** A packet leaves a switch. Returns what is new, in the order of the switch's decisions. */
  onSwitchDeparture(node: string, packet: number, sighting: Sighting): Novelty[] {
    const due = this.#orders.get(node)?.onDeparture(packet, sighting) ?? [];
    return due.flatMap((each) => this.#compare(node, each));
  }

  #compare(node: string, sighting: Sighting): Novelty[] {
    const { tag } = sighting;
    const port = this.isSprayed && !tag.congestionControl ? undefined : sighting.port;
    const last = this.#atSwitch.get(node);
    if (last === undefined) {
      this.#atSwitch.set(node, { port, tag });
      return [{ sighting, isNewPath: true, isNewTag: true }];
    }
    const isNewPath = port !== undefined && last.port !== undefined && last.port !== port;
    const isNewTag =
      last.tag.congestionControl !== tag.congestionControl ||
      last.tag.reroutingPoint !== tag.reroutingPoint;
    if (isNewPath) this.#record.reroutes++;
    if (isNewPath && tag.congestionControl) this.#record.taggedReroutes++;
    last.port = port;
    last.tag = tag;
    return isNewPath || isNewTag ? [{ sighting, isNewPath, isNewTag }] : [];
  }

  /** A packet leaves for its receiver, in the order in which it will arrive. */
  onArrival(packet: number): void {
    this.#record.packets++;
    if (packet < this.#latestArrival) this.#record.reordered++;
    else this.#latestArrival = packet;
  }

  onTag(isTagged: boolean): void {
    if (isTagged) this.#record.tagged++;
    this.#isTagged = isTagged;
  }

  onSourceReroute(): void {
    this.#record.sourceReroutes++;
  }

  /**
   * The sender's rate changed. Returns whether it is worth a line: the first one, and those that
   * differ from the last line by a tenth.
   */
  onRate(
    now: Instant,
    rate: BitsPerSecond,
    { baseRtt, fairRate }: { readonly baseRtt: Duration; readonly fairRate: () => BitsPerSecond },
  ): boolean {
    const isReduction = this.#rate !== undefined && rate < this.#rate;
    this.#rate = rate;
    // A window that moves with each acknowledgement is one reduction per round trip.
    if (isReduction && now - this.#reducedAt >= baseRtt && rate < FAIR_PART * fairRate()) {
      this.#reducedAt = now;
      this.#record.reductionsBelowFair++;
    }
    const logged = this.#loggedRate;
    const isWorthLine = logged === undefined || Math.abs(rate - logged) > logged * RATE_STEP;
    if (isWorthLine) this.#loggedRate = rate;
    return isWorthLine;
  }
}
