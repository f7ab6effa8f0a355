import type { WireFault } from '../../common/wire/fault';
import type { Bytes, Duration } from '../../common/units/units';
import type { CongestionSample } from './congestion-sample';
import type { NetworkLayer } from './network-layer';

/** Request of a packet to the switches on its way. */
export interface TelemetryRequest {
  /** Switches that may answer. */
  readonly hops: number;
  /** Class of the packet: its DSCP, whose place the carrier may take. */
  readonly dscp: number;
  /** Flags of INT's domain. */
  readonly dsFlags: number;
  /** Number of the carrier's question, from 0 to one less than their count. */
  readonly question: number;
}

/** Place of a carrier's headers in a frame that came in. */
export interface FoundHeaders {
  /** Bytes from where they begin to what follows them. */
  readonly skip: Bytes;
  /**
   * Place of the telemetry that switches wrote, as it goes back to the sender; length 0 if it cannot be
   * used.
   */
  readonly telemetryAt: number;
  readonly telemetryLength: Bytes;
  /** Reason to refuse the telemetry, although the headers behind it could be found. */
  readonly fault?: WireFault | undefined;
}

/** Headers that a carrier adds at one place of a frame. */
export interface CarrierHeaders {
  /** Bytes as they leave the host. */
  readonly length: Bytes;
  emit(request: TelemetryRequest, bytes: Uint8Array, at: number): void;
  /** Reads what came in; only where {@link Carrier} says that it is there. */
  find(bytes: Uint8Array, at: number, end: number): FoundHeaders | WireFault;
}

/** Reads what the packets of one flow bring. */
export interface TelemetryReader {
  /** Reads the telemetry of `length` bytes at `at`. Undefined if it is not of this carrier. */
  read(bytes: Uint8Array, at: number, length: Bytes): CongestionSample | undefined;
}

/**
 * Protocol by which packets ask the switches for telemetry and carry it. One host speaks one carrier; its
 * algorithm gets the same list of records from every carrier that has one.
 *
 * A carrier adds headers at up to two places of a frame, and marks the frame so that they are found:
 *
 *     Ethernet | link | IP | network | UDP | datagram | transport header ...
 */
export interface Carrier {
  readonly name: string;
  readonly network: NetworkLayer;
  /** Behind the Ethernet header, announced by this EtherType; its last two bytes are the true one. */
  readonly linkHeaders?: CarrierHeaders & { readonly etherType: number };
  /** Behind the IP header, announced by this protocol number. */
  readonly networkHeaders?: CarrierHeaders & { readonly protocol: number };
  /**
   * Behind the UDP header, announced by a DSCP, or present with the headers behind IP. Whether the
   * length and checksum of UDP know of them depends on the carrier.
   */
  readonly datagramHeaders?: CarrierHeaders & { readonly isCounted: boolean };
  /** DSCP of packets that ask; undefined: they keep that of their class. */
  readonly dscp: number | undefined;
  /** True if the class of a packet is lost where {@link dscp} takes its place. */
  readonly losesClass: boolean;
  /** Bytes of all headers together. */
  readonly headerLength: Bytes;
  /** Bytes that each switch adds. */
  readonly hopLength: Bytes;
  /** Most switches that can answer. */
  readonly hopsMax: number;
  /**
   * Granularity of the telemetry: a record per link with its name, a record per link, or one summary of the
   * path.
   */
  readonly shows: 'named-links' | 'links' | 'summary';
  /** Questions that the packets of a flow ask in turn. */
  readonly questions: number;
  /** Bytes that go back to the sender: those of no hop, and those of each. */
  readonly echoLength: { readonly fixed: Bytes; readonly hop: Bytes };
  /**
   * A reader for one flow, whose T it may need.
   * @param lends what it reads may be filled in again by the next one. Default false.
   */
  newReader(baseRtt: Duration, lends?: boolean): TelemetryReader;
  /**
   * Returns the part of `bytes.subarray(at, at + length)` that goes back to the sender. Default: all of it.
   */
  shorten?(bytes: Uint8Array, at: number, length: Bytes): Uint8Array;
}

/** The bytes that go back to the sender of a packet. */
export const echoBytes = (
  carrier: Carrier,
  bytes: Uint8Array,
  at: number,
  length: Bytes,
): Uint8Array => carrier.shorten?.(bytes, at, length) ?? bytes.subarray(at, at + length);
