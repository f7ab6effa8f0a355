import type { HopRecord } from '../../common/hop/hop';
import { wrappedDifference } from '../../common/hop/hop';
import type { Duration, Instant } from '../../common/units/units';
import { PS_PER_NS, PS_PER_SECOND } from '../../common/units/units';
import { asciiBytes, LineBytes } from './line-bytes';
import type { ControlUpdate } from './metered-control';

const T = asciiBytes('{"t":');
const FLOW = asciiBytes(',"flow":');
const WINDOW_BYTES = asciiBytes(',"windowBytes":');
const RATE_BPS = asciiBytes(',"rateBps":');
const QUEUE_BYTES = asciiBytes(',"queueBytes":');
const HOPS = asciiBytes(',"hops":[');
const FIRST_HOP = asciiBytes('[');
const NEXT_HOP = asciiBytes(',[');
const COMMA = asciiBytes(',');
const HOP_END = asciiBytes(']');
const NORMALIZED_INFLIGHT = asciiBytes('],"normalizedInflight":');
const ENDS_ROUND = asciiBytes(',"endsRound":true');
const GOES_ON = asciiBytes(',"endsRound":false');
const ROUND_UNKNOWN = asciiBytes(',"endsRound":null');

const MICRO = 1e6;
const BITS_PER_BYTE = 8;

/** Makes the lines of one flow, each with its line break. */
export class ControlTrace {
  readonly #flow: number;
  readonly #origin: number;
  readonly #meters: LinkMeter[] = [];
  readonly #line = new LineBytes();
  readonly #baseRttNs: number;
  readonly #end: Uint8Array;

  /**
   * @param origin Unix time in seconds at instant 0 of the host's clock.
   * @param source address of the flow's sender, where that is another host.
   */
  constructor(
    flow: number,
    { origin, baseRtt, source }: { origin: number; baseRtt: Duration; source?: string },
  ) {
    this.#end = asciiBytes(source === undefined ? '}\n' : `,"source":"${source}"}\n`);
    this.#flow = flow;
    this.#origin = origin;
    this.#baseRttNs = baseRtt / PS_PER_NS;
  }

  /**
   * Formats one update of the flow's congestion control as JSON with its line break: Unix time in seconds
   * (`t`), so that traces of several processes of a machine have one axis; `flow`; the window in bytes and
   * the rate in bits/s; the longest queue of the path in bytes, null where links are hidden; `hops` of
   * switch id, queue in bytes and used share of the capacity or null; U of the draft
   * (`normalizedInflight`); whether the reference window changed too (`endsRound`); and `source`, the
   * address of the sender, where the algorithm of a flow runs at its receiver. There the sender's own
   * lines have no hops, and null for queue, U and round.
   * @returns bytes that are lent until the next line.
   */
  line(update: ControlUpdate): Uint8Array {
    const { now, telemetry, normalizedInflight, endsRound } = update;
    const line = this.#line.text(T).decimal(this.#seconds(now)).text(FLOW).whole(this.#flow);
    line.text(WINDOW_BYTES).whole(update.windowBytes);
    line.text(RATE_BPS).whole(update.pacingRate);
    line.text(QUEUE_BYTES).whole(telemetry.length === 0 ? null : longestQueue(telemetry));
    line.text(HOPS);
    for (let i = 0; i < telemetry.length; i++) this.#traceHop(telemetry[i] as HopRecord, i);
    line.text(NORMALIZED_INFLIGHT).decimal(normalizedInflight);
    const round = endsRound === null ? ROUND_UNKNOWN : endsRound ? ENDS_ROUND : GOES_ON;
    return line.text(round).text(this.#end).finish();
  }

  #seconds(now: Instant): number {
    return rounded(this.#origin + now / PS_PER_SECOND);
  }

  #traceHop(hop: HopRecord, position: number): void {
    const meter = (this.#meters[position] ??= new LinkMeter(this.#baseRttNs));
    const line = this.#line.text(position === 0 ? FIRST_HOP : NEXT_HOP).whole(hop.switchId);
    line.text(COMMA).whole(hop.queueBytes);
    line.text(COMMA).decimal(meter.utilisation(hop)).text(HOP_END);
  }
}

/**
 * Share of its capacity that a link has carried during the last interval of a base RTT or more: between two
 * acknowledgements there may be one packet, of which nobody could tell a utilisation.
 */
class LinkMeter {
  readonly #intervalNs: number;
  #from: HopRecord | undefined;
  #latest: number | null = null;

  constructor(intervalNs: number) {
    this.#intervalNs = intervalNs;
  }

  utilisation(hop: HopRecord): number | null {
    const from = this.#from;
    if (from?.switchId !== hop.switchId || from.portId !== hop.portId) {
      this.#from = hop;
      this.#latest = null;
      return null;
    }
    const ns = wrappedDifference(hop.timestamp, from.timestamp, hop.timestampModulus);
    // In the upper half of the modulus lie packets that were overtaken.
    if (ns < this.#intervalNs || ns > hop.timestampModulus / 2) return this.#latest;
    const bytes = wrappedDifference(hop.txBytes, from.txBytes, hop.txBytesModulus);
    this.#from = hop;
    this.#latest = rounded((BITS_PER_BYTE * bytes) / (hop.capacity * ns * 1e-9));
    return this.#latest;
  }
}

function longestQueue(telemetry: readonly HopRecord[]): number {
  let longest = 0;
  for (const { queueBytes } of telemetry) if (queueBytes > longest) longest = queueBytes;
  return longest;
}

const rounded = (value: number): number => Math.round(value * MICRO) / MICRO;
