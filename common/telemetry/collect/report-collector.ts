import type { CarrierHop } from '../../hop/hop';
import { WireFault } from '../../wire/fault';
import { decodeFrameAt } from '../decode/decode-frame';
import { decodeReport } from '../decode/decode-messages';
import { DEFAULT_DECODE_SETTINGS } from '../decode/decode-settings';
import type { DecodeSettings } from '../decode/decode-settings';
import { flowOf } from '../decode/frame-layers';
import type { InnerFrame } from '../decode/inner-frame';
import { IdleClock } from './idle-clock';
import { timeToLiveAt } from './inner-packet';
import { SequenceGaps } from './sequence-gaps';
import type { ReportSource, SourceCounts } from './sequence-gaps';

/** One datagram of reports, with the stacks of the packets inside of it. */
export interface CollectedReport {
  readonly nodeId: number | null;
  readonly hardwareId: number;
  readonly sequence: number;
  /** Datagrams of this source that are missing before this one. */
  readonly lostBefore: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** Metadata of the reporting node, in the order of the reports that have some. */
  readonly hops: readonly CarrierHop[];
  readonly inner: readonly CollectedPacket[];
}

/** A packet that a report holds. */
export interface CollectedPacket {
  /** Number of its report in the datagram, from 1. */
  readonly report: number;
  /** Null where the packet is damaged, or no IP. */
  readonly flow: object | null;
  /** As the packet had it at the reporting node. */
  readonly timeToLive: number | null;
  /** Upstream hops in path order; none of a packet without telemetry. */
  readonly hops: readonly CarrierHop[];
  /** The Direct Export option of IOAM for which it was reported: namespace, flow id and sequence number. */
  readonly directExport?: Readonly<Record<string, unknown>>;
  /** Why the packet, or its telemetry, could not be read. */
  readonly fault?: string;
}

/** Sequence numbers of version 2.0 have 22 bits, those of older ones 32. */
const MODULUS = 2 ** 22;
const OLDER_MODULUS = 2 ** 32;

/** Takes datagrams of telemetry reports of any version, and counts what is missing. Its memory is bounded. */
export class ReportCollector {
  /** Datagrams that were reports. */
  reports = 0;
  /** Datagrams that were none. */
  faults = 0;
  readonly settings: DecodeSettings;
  readonly clock: IdleClock;
  readonly gaps: SequenceGaps;

  /** @param clock how long sources are remembered. */
  constructor(settings: Partial<DecodeSettings> = {}, clock = new IdleClock()) {
    this.settings = { ...DEFAULT_DECODE_SETTINGS, ...settings };
    this.clock = clock;
    this.gaps = new SequenceGaps(clock);
  }

  /** Reads the payload of a datagram; a fault where it is no report. */
  add(datagram: Uint8Array): CollectedReport | WireFault {
    const found = this.#read(datagram);
    if (found instanceof WireFault) this.faults += 1;
    else this.reports += 1;
    return found;
  }

  /** Counts a datagram that somebody else has read. @returns how many are missing right before it. */
  count(source: ReportSource, sequence: number): number {
    this.reports += 1;
    return this.gaps.add(source, sequence, MODULUS);
  }

  /** Counts of each source: node and hardware id. */
  sources(): readonly SourceCounts[] {
    return this.gaps.sources();
  }

  /** Reports of sources beyond the 65,536 that are told apart: gaps among them are not known. */
  get untold(): number {
    return this.gaps.others;
  }

  #read(datagram: Uint8Array): CollectedReport | WireFault {
    const { telemetry, inner } = decodeReport(datagram, 0, datagram.length, this.settings);
    if ('fault' in telemetry) return telemetry.fault;
    const { details, hops } = telemetry;
    const {
      hardwareId,
      sequence,
      nodeId = hops[0]?.switchId ?? null,
    } = details as unknown as Numbers;
    const modulus = 'version' in details ? OLDER_MODULUS : MODULUS;
    const lostBefore = this.gaps.add({ nodeId, hardwareId }, sequence, modulus);
    return {
      nodeId,
      hardwareId,
      sequence,
      lostBefore,
      details,
      hops,
      inner: inner.flatMap((each) => packetsOf(each, this.settings)),
    };
  }
}

interface Numbers {
  readonly hardwareId: number;
  readonly sequence: number;
  readonly nodeId?: number | null;
}

/** The packet, once for each telemetry in it, such as of the frame in a tunnel. */
function packetsOf({ place, details }: InnerFrame, settings: DecodeSettings): CollectedPacket[] {
  const report = details['report'] as number;
  const decoded = decodeFrameAt(place, settings, 'auto');
  if (decoded instanceof WireFault) {
    return [{ report, flow: null, timeToLive: null, hops: [], fault: decoded.toString() }];
  }
  const flow = flowOf(decoded) ?? null;
  const { ip } = decoded;
  const timeToLive = ip === undefined ? null : timeToLiveAt(place.bytes, ip.offset);
  const found = decoded.telemetry.map((each): CollectedPacket => {
    if ('fault' in each)
      return { report, flow, timeToLive, hops: [], fault: each.fault.toString() };
    const { innerFlow = flow, kind, ...details } = each.details;
    const directExport = kind === 'direct-export' ? { directExport: details } : {};
    return { report, flow: innerFlow as object, timeToLive, hops: each.hops, ...directExport };
  });
  return found.length > 0 ? found : [{ report, flow, timeToLive, hops: [] }];
}
