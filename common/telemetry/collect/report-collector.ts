import type { CarrierHop } from '../../hop/hop';
import { WireFault } from '../../wire/fault';
import { writeUint16 } from '../../wire/bytes';
import { ETHERNET_LENGTH } from '../../wire/ip/ethernet';
import { IPV6_LENGTH } from '../../wire/ip/ipv6';
import { UDP_LENGTH } from '../../wire/ip/udp';
import type { Telemetry } from '../decode/telemetry';
import { decodeFrame } from '../decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../decode/decode-settings';
import type { DecodeSettings } from '../decode/decode-settings';
import { craftFrame } from '../craft/kinds';
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
  /** Metadata of the reporting node. */
  readonly hops: readonly CarrierHop[];
  /** Flows and upstream hops of the packets that are reported, in path order. */
  readonly inner: readonly { readonly flow: unknown; readonly hops: readonly CarrierHop[] }[];
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
  readonly #gaps = new SequenceGaps();
  readonly #settings: DecodeSettings;
  readonly #head: Uint8Array;

  constructor(settings: Partial<DecodeSettings> = {}) {
    this.#settings = { ...DEFAULT_DECODE_SETTINGS, ...settings };
    const udp = { kind: 'udp', destinationPort: this.#settings.reportPort };
    this.#head = craftFrame([{ kind: 'ethernet' }, { kind: 'ipv6' }, udp]);
  }

  /** Reads the payload of a datagram; a fault where it is no report. */
  add(datagram: Uint8Array): CollectedReport | WireFault {
    const found = this.#read(datagram);
    if (found instanceof WireFault) this.faults += 1;
    else this.reports += 1;
    return found;
  }

  /** Counts a datagram that somebody else has read. */
  count(source: ReportSource, sequence: number): void {
    this.reports += 1;
    this.#gaps.add(source, sequence, MODULUS);
  }

  /** Counts of each source: node and hardware id. */
  sources(): readonly SourceCounts[] {
    return this.#gaps.sources();
  }

  /** Reports of sources beyond the 65,536 that are told apart: gaps among them are not known. */
  get untold(): number {
    return this.#gaps.others;
  }

  /** Decoders read frames: the headers around the datagram are made up. */
  #telemetry(datagram: Uint8Array): readonly Telemetry[] | WireFault {
    const frame = new Uint8Array(this.#head.length + datagram.length);
    frame.set(this.#head);
    frame.set(datagram, this.#head.length);
    const length = UDP_LENGTH + datagram.length;
    writeUint16(frame, ETHERNET_LENGTH + IPV6_PAYLOAD_LENGTH_AT, length);
    writeUint16(frame, ETHERNET_LENGTH + IPV6_LENGTH + UDP_LENGTH_AT, length);
    const decoded = decodeFrame(frame, frame.length, this.#settings, 'auto');
    return decoded instanceof WireFault ? decoded : decoded.telemetry;
  }

  #read(datagram: Uint8Array): CollectedReport | WireFault {
    const telemetry = this.#telemetry(datagram);
    if (telemetry instanceof WireFault) return telemetry;
    const [report, ...inner] = telemetry;
    if (report === undefined || report.format !== 'report') {
      return new WireFault('telemetry-report', 0, 'the datagram is no report');
    }
    if ('fault' in report) return report.fault;
    const { details, hops } = report;
    const {
      hardwareId,
      sequence,
      nodeId = hops[0]?.switchId ?? null,
    } = details as unknown as Numbers;
    const modulus = 'version' in details ? OLDER_MODULUS : MODULUS;
    const lostBefore = this.#gaps.add({ nodeId, hardwareId }, sequence, modulus);
    return {
      nodeId,
      hardwareId,
      sequence,
      lostBefore,
      details,
      hops,
      inner: inner.flatMap(stackOf),
    };
  }
}

const IPV6_PAYLOAD_LENGTH_AT = 4;
const UDP_LENGTH_AT = 4;

const stackOf = (found: Telemetry): CollectedReport['inner'] =>
  'fault' in found ? [] : [{ flow: found.details['innerFlow'] ?? null, hops: found.hops }];

interface Numbers {
  readonly hardwareId: number;
  readonly sequence: number;
  readonly nodeId?: number | null;
}
