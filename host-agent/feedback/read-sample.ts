import type { Packet } from '../../common/packet/packet';
import type { HopRecord } from '../../common/hop/hop';
import { WireFault } from '../../common/wire/fault';
import { readLoadRatio } from '../../common/wire/hpcc/feedback-records';
import { accumulatedLength } from '../../common/wire/hpcc/accumulated-records';
import {
  congestionRecordLength,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_RATIO,
  isAccumulated,
} from '../../common/wire/hpcc/hpcc-transport';
import { loadOfDigest, parsePathShim, PATH_SHIM_LENGTH } from '../../common/wire/hpcc/path-shim';
import type { TelemetryReader } from '../carrier/carrier';
import type { CongestionSample } from '../carrier/congestion-sample';
import type { ReceivedFrame } from '../transport/frames/received-frame';

/**
 * The record of an ACK or TELEMETRY, of several the latest. Undefined without one, and for an echo that
 * the host's carrier does not read or of another length than the packet says.
 */
export function readSample(
  frame: ReceivedFrame,
  packet: Packet,
  reader: TelemetryReader,
): CongestionSample | undefined {
  const { transport, bodyAt } = frame;
  const total = congestionRecordLength(transport);
  const isOne = !isAccumulated(transport);
  const length = isOne ? total : (accumulatedLength(packet.bytes, bodyAt, total) ?? 0);
  return readRecord(packet, { flags: transport.flags, at: bodyAt, length }, reader);
}

/** What an ACK tells of packets before the latest, from the oldest on; to be read before that. */
export function readEarlierSamples(
  { transport, bodyAt }: ReceivedFrame,
  packet: Packet,
  reader: TelemetryReader,
): readonly CongestionSample[] {
  if (!isAccumulated(transport)) return NO_SAMPLES;
  const total = congestionRecordLength(transport);
  const length = accumulatedLength(packet.bytes, bodyAt, total) ?? 0;
  const samples: CongestionSample[] = [];
  for (let at = bodyAt + length; at + length <= bodyAt + total; at += length) {
    const sample = readRecord(packet, { flags: transport.flags, at, length }, reader);
    if (sample !== undefined) samples.push(kept(sample));
  }
  return samples;
}

/** Readers may fill the same records in again for the next sample. */
function kept(sample: CongestionSample): CongestionSample {
  if (sample.kind !== 'links') return { ...sample };
  return { ...sample, telemetry: sample.telemetry.map((hop) => ({ ...hop })) };
}

interface RecordPlace {
  /** Of the packet. */
  readonly flags: number;
  readonly at: number;
  readonly length: number;
}

function readRecord(
  { bytes }: Packet,
  { flags, at, length }: RecordPlace,
  reader: TelemetryReader,
): CongestionSample | undefined {
  if ((flags & HPCC_FLAG_RATIO) !== 0) return { kind: 'load', ...readLoadRatio(bytes, at) };
  if ((flags & HPCC_FLAG_ECHO) === 0) return undefined;
  // No carrier has an echo of that length.
  if (length === PATH_SHIM_LENGTH) return readShim(bytes, at);
  return reader.read(bytes, at, length);
}

function readShim(bytes: Uint8Array, offset: number): CongestionSample | undefined {
  const shim = parsePathShim(bytes, offset);
  if (shim instanceof WireFault) return undefined;
  const { digest, sentAtNs } = shim;
  const load = digest === undefined ? undefined : loadOfDigest(digest);
  return { kind: 'links', telemetry: NO_HOPS, isIncomplete: false, load, sentAtNs };
}

const NO_HOPS: readonly HopRecord[] = [];
const NO_SAMPLES: readonly CongestionSample[] = [];
