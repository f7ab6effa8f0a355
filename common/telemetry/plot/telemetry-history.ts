import type { CarrierHop } from '../../hop/hop';
import { wrappedDifference } from '../../hop/hop';
import type { CaptureTime } from '../../wire/capture/records';
import type { DecodedFrame } from '../decode/decode-frame';
import type { Telemetry } from '../decode/telemetry';
import { endOfPathText } from '../../wire/ip/usid';
import { TimeBuckets } from './time-buckets';

/** Series of one link. Points are missing where the carrier does not carry the value. */
export interface LinkHistory {
  /** `switch 1 port 3`. */
  readonly link: string;
  /** Longest queue of each bucket, in bytes. */
  readonly queueBytes: TimeBuckets;
  /** Longest hop latency of each bucket, in ns. */
  readonly latencyNs: TimeBuckets;
  /** Bytes that left, and the time of the switch's clock in which they did. */
  readonly sentBytes: TimeBuckets;
  readonly sentNs: TimeBuckets;
}

/** A flow whose packets came another way than those before. */
export interface PathChange {
  /** Since the first frame. */
  readonly ns: number;
  readonly flow: string;
  readonly from: string;
  readonly to: string;
}

interface Counters {
  readonly timestamp: number;
  readonly txBytes: number;
}

interface TrackedLink extends LinkHistory {
  last: Counters | undefined;
}

const LINKS_MAX = 64;
const FLOWS_MAX = 10_000;
const CHANGES_MAX = 500;
const NS_PER_SECOND = 1e9;

/**
 * Telemetry of links and paths over time, in bounded memory: the first 64 links, the first 10,000
 * flows and their first 500 changes of path; the rest is counted.
 */
export class TelemetryHistory {
  readonly #links = new Map<string, TrackedLink>();
  readonly #paths = new Map<string, string>();
  readonly #changes: PathChange[] = [];
  #origin: CaptureTime | undefined;
  /** Hop records of links beyond the first ones. */
  otherHops = 0;
  /** Changes of path beyond the first ones. */
  otherChanges = 0;

  /** Telemetry of a frame; without a time it is left out. */
  add(time: CaptureTime | undefined, frame: DecodedFrame, telemetry: Telemetry): void {
    if (time === undefined || 'fault' in telemetry) return;
    this.#origin ??= time;
    const seconds = time.seconds - this.#origin.seconds;
    const since = seconds * NS_PER_SECOND + time.nanoseconds - this.#origin.nanoseconds;
    // Captures of several interfaces may step back a little.
    const ns = Math.max(0, since);
    for (const hop of telemetry.hops) this.#addHop(ns, hop);
    this.#addPath(ns, flowName(frame), telemetry.hops);
  }

  get links(): readonly LinkHistory[] {
    return [...this.#links.values()];
  }

  get changes(): readonly PathChange[] {
    return this.#changes;
  }

  #addHop(ns: number, hop: CarrierHop): void {
    const link = this.#linkOf(hop);
    if (link === undefined) return;
    if (hop.queueBytes !== undefined) link.queueBytes.add(ns, hop.queueBytes);
    const latency = hop.sojournNs ?? numberOf(hop.fields?.['hopLatencyNs']);
    const longest = latency ?? numberOf(hop.fields?.['transitDelayNs']);
    if (longest !== undefined) link.latencyNs.add(ns, longest);
    addRate(ns, hop, link);
  }

  #linkOf({ switchId, portId }: CarrierHop): TrackedLink | undefined {
    if (switchId === undefined) return undefined;
    const name = `switch ${switchId} port ${portId ?? '?'}`;
    const known = this.#links.get(name);
    if (known !== undefined) return known;
    if (this.#links.size >= LINKS_MAX) {
      this.otherHops++;
      return undefined;
    }
    const fresh = {
      link: name,
      queueBytes: new TimeBuckets('greatest'),
      latencyNs: new TimeBuckets('greatest'),
      sentBytes: new TimeBuckets('sum'),
      sentNs: new TimeBuckets('sum'),
      last: undefined,
    };
    this.#links.set(name, fresh);
    return fresh;
  }

  #addPath(ns: number, flow: string | undefined, hops: readonly CarrierHop[]): void {
    if (flow === undefined || hops.length === 0) return;
    if (hops.some(({ switchId }) => switchId === undefined)) return;
    const path = hops.map(({ switchId, portId }) => `${switchId}:${portId ?? '?'}`).join(' ');
    const before = this.#paths.get(flow);
    if (before === path) return;
    if (before === undefined && this.#paths.size >= FLOWS_MAX) return;
    this.#paths.set(flow, path);
    if (before === undefined) return;
    if (this.#changes.length < CHANGES_MAX)
      this.#changes.push({ ns, flow, from: before, to: path });
    else this.otherChanges++;
  }
}

/** Adds the rate between two records of a link, if the second one is the younger. */
function addRate(ns: number, hop: CarrierHop, link: TrackedLink): void {
  const { timestamp, timestampModulus, txBytes, txBytesModulus } = hop;
  if (timestamp === undefined || txBytes === undefined) return;
  if (timestampModulus === undefined || txBytesModulus === undefined) return;
  const { last } = link;
  if (last !== undefined) {
    const elapsed = wrappedDifference(timestamp, last.timestamp, timestampModulus);
    // For a packet that was overtaken, the difference is nearly the whole modulus.
    if (elapsed === 0 || elapsed > timestampModulus / 2) return;
    link.sentNs.add(ns, elapsed);
    link.sentBytes.add(ns, wrappedDifference(txBytes, last.txBytes, txBytesModulus));
  }
  link.last = { timestamp, txBytes };
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** Source and destination of a flow. On paths of uSIDs the source port tells the path, and so no flow. */
function flowName({ ip, transport }: DecodedFrame): string | undefined {
  if (ip === undefined) return undefined;
  const end = endOfPathText(ip.destination);
  const from = transport && end === undefined ? `:${transport.sourcePort}` : '';
  const to = transport ? `:${transport.destinationPort}` : '';
  const protocol = transport?.protocol ?? String(ip.protocol);
  return `${ip.source}${from} to ${end ?? ip.destination}${to} ${protocol}`;
}
