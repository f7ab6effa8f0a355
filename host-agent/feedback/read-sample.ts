import type { Packet } from '../../common/packet/packet';
import type { HopRecord } from '../../common/hop/hop';
import { WireFault } from '../../common/wire/fault';
import { readLoadRatio } from '../../common/wire/hpcc/feedback-records';
import {
  congestionRecordLength,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_RATIO,
} from '../../common/wire/hpcc/hpcc-transport';
import { loadOfDigest, parsePathShim, PATH_SHIM_LENGTH } from '../../common/wire/hpcc/path-shim';
import type { TelemetryReader } from '../carrier/carrier';
import type { CongestionSample } from '../carrier/congestion-sample';
import type { ReceivedFrame } from '../transport/frames/received-frame';

/**
 * The record of an ACK or TELEMETRY. Undefined without one, and for an echo that the host's carrier
 * does not read or of another length than the packet says.
 */
export function readSample(
  frame: ReceivedFrame,
  packet: Packet,
  reader: TelemetryReader,
): CongestionSample | undefined {
  const { flags } = frame.transport;
  if ((flags & HPCC_FLAG_RATIO) !== 0) {
    return { kind: 'load', ...readLoadRatio(packet.bytes, frame.bodyAt) };
  }
  if ((flags & HPCC_FLAG_ECHO) === 0) return undefined;
  const length = congestionRecordLength(frame.transport);
  // No carrier has an echo of that length.
  if (length === PATH_SHIM_LENGTH) return readShim(packet.bytes, frame.bodyAt);
  return reader.read(packet.bytes, frame.bodyAt, length);
}

function readShim(bytes: Uint8Array, offset: number): CongestionSample | undefined {
  const shim = parsePathShim(bytes, offset);
  if (shim instanceof WireFault) return undefined;
  const { digest, sentAtNs } = shim;
  const load = digest === undefined ? undefined : loadOfDigest(digest);
  return { kind: 'links', telemetry: NO_HOPS, isIncomplete: false, load, sentAtNs };
}

const NO_HOPS: readonly HopRecord[] = [];
