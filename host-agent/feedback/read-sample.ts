import type { HopRecord } from '../../common/hop/hop';
import { WireFault } from '../../common/wire/fault';
import { readLoadRatio } from '../../common/wire/hpcc/feedback-records';
import type { ReceivedTransport } from '../../common/wire/hpcc/hpcc-transport';
import { HPCC_FLAG_ECHO, HPCC_FLAG_RATIO } from '../../common/wire/hpcc/hpcc-transport';
import { loadOfDigest, parsePathShim, PATH_SHIM_LENGTH } from '../../common/wire/hpcc/path-shim';
import type { TelemetryReader } from '../carrier/carrier';
import type { CongestionSample } from '../carrier/congestion-sample';

/**
 * Reads the record at `at` of an ACK or TELEMETRY; that at `bodyAt` is the latest of several. Returns
 * undefined without one, and for an echo that the host's carrier does not read.
 */
export function readSample(
  bytes: Uint8Array,
  at: number,
  { flags, recordLength }: ReceivedTransport,
  reader: TelemetryReader,
): CongestionSample | undefined {
  if ((flags & HPCC_FLAG_RATIO) !== 0) return { kind: 'load', ...readLoadRatio(bytes, at) };
  if ((flags & HPCC_FLAG_ECHO) === 0) return undefined;
  // No carrier has an echo of that length.
  if (recordLength === PATH_SHIM_LENGTH) return readShim(bytes, at);
  return reader.read(bytes, at, recordLength);
}

/** Reads what an ACK tells of packets before the latest, from the oldest on; before that is read. */
export function readEarlierSamples(
  bytes: Uint8Array,
  transport: ReceivedTransport,
  reader: TelemetryReader,
): readonly CongestionSample[] {
  const { bodyAt, recordsLength, recordLength: length } = transport;
  const samples: CongestionSample[] = [];
  for (let at = bodyAt + length; at + length <= bodyAt + recordsLength; at += length) {
    const sample = readSample(bytes, at, transport, reader);
    if (sample !== undefined) samples.push(kept(sample));
  }
  return samples;
}

/** Readers may fill the same records in again for the next sample. */
function kept(sample: CongestionSample): CongestionSample {
  if (sample.kind !== 'links') return { ...sample };
  return { ...sample, telemetry: sample.telemetry.map((hop) => ({ ...hop })) };
}

function readShim(bytes: Uint8Array, offset: number): CongestionSample | undefined {
  const shim = parsePathShim(bytes, offset);
  if (shim instanceof WireFault) return undefined;
  const { digest, sentAtNs } = shim;
  const load = digest === undefined ? undefined : loadOfDigest(digest);
  return { kind: 'links', telemetry: NO_HOPS, isIncomplete: false, load, sentAtNs };
}

const NO_HOPS: readonly HopRecord[] = [];
