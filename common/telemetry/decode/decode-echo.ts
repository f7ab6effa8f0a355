import { CSIG_LENGTH } from '../../wire/csig/csig';
import { readUint16 } from '../../wire/bytes';
import { WireFault } from '../../wire/fault';
import { hpccPaddingLength, parseHpccPadding } from '../../wire/hpcc/hpcc-padding';
import { loadOfDigest, parsePathShim, PATH_SHIM_LENGTH } from '../../wire/hpcc/path-shim';
import { ifaMetadataLength, parseIfaMetadata } from '../../wire/ifa/ifa2';
import { parseIntHead } from '../../wire/int/int-packet';
import { parseIoamTrace } from '../../wire/ioam/ioam-trace';
import { PATH_SHIM } from '../../wire/transport-layouts';
import { ifaHops } from '../ifa-hops';
import { endOfInt, intTelemetry } from './decode-int';
import { ioamTelemetry } from './decode-ioam';
import { paddingTelemetry } from './decode-padding';
import type { DecodeSettings } from './decode-settings';
import { decodeCsig } from './decode-tags';
import type { Telemetry } from './telemetry';

/** Where an echo lies, without what surrounds it. */
interface Place {
  readonly at: number;
  readonly end: number;
}

type Reader = (bytes: Uint8Array, place: Place, settings: DecodeSettings) => Telemetry | undefined;

/**
 * Telemetry that feedback echoes as the receiver has got it. An echo does not say of which format it is;
 * each format has a length or a length field that the others cannot have at the same time.
 *
 * @param of details that say which packet the echo belongs to.
 */
export function decodeEcho(
  bytes: Uint8Array,
  place: Place,
  of: Readonly<Record<string, unknown>>,
  settings: DecodeSettings,
): Telemetry {
  for (const read of READERS) {
    const found = read(bytes, place, settings);
    if (found === undefined) continue;
    return 'fault' in found ? found : { ...found, details: { ...found.details, ...of } };
  }
  const length = place.end - place.at;
  const reason = `an echo of ${length} bytes is of no known format`;
  return { format: 'hpcc', fault: new WireFault('echo', place.at, reason) };
}

const readInt: Reader = (bytes, { at, end }, settings) => {
  const head = parseIntHead(bytes, at, end);
  if (head instanceof WireFault || endOfInt(head, at) !== end) return undefined;
  return intTelemetry(bytes, at, head, settings);
};

/** The only one whose length is no whole number of words. */
const readPadding: Reader = (bytes, { at, end }) => {
  if ((end - at) % 4 === 0) return undefined;
  const padding = parseHpccPadding(bytes, at, end);
  if (padding instanceof WireFault || hpccPaddingLength(padding) !== end - at) return undefined;
  return paddingTelemetry(padding, 'published');
};

const readCsig: Reader = (bytes, { at, end }, settings) =>
  end - at === CSIG_LENGTH && readUint16(bytes, at) === settings.csigTpid
    ? decodeCsig(bytes, at, settings)
    : undefined;

/** Fields of a time or digest, and the load that the digest stands for. */
export function shimDetails(bytes: Uint8Array, at: number): Record<string, unknown> {
  const fields = PATH_SHIM.read(bytes, at);
  const load = loadOfDigest(fields['digest'] as number);
  return load === undefined ? fields : { ...fields, load };
}

const readShim: Reader = (bytes, { at, end }) => {
  if (end - at !== PATH_SHIM_LENGTH || parsePathShim(bytes, at) instanceof WireFault)
    return undefined;
  return { format: 'hpcc', details: { kind: 'path-shim', ...shimDetails(bytes, at) }, hops: [] };
};

const readIfa: Reader = (bytes, { at, end }, { units }) => {
  const metadata = parseIfaMetadata(bytes, at, end);
  if (metadata instanceof WireFault || ifaMetadataLength(metadata) !== end - at) return undefined;
  const { request, action, hopLimit } = metadata;
  return { format: 'ifa', details: { request, action, hopLimit }, hops: ifaHops(metadata, units) };
};

const readIoam: Reader = (bytes, { at, end }, settings) => {
  const trace = parseIoamTrace(bytes, at, end);
  return trace instanceof WireFault ? undefined : ioamTelemetry({ kind: 'trace', trace }, settings);
};

const READERS: readonly Reader[] = [readInt, readPadding, readCsig, readShim, readIfa, readIoam];
