import { ifaHops } from '../../common/telemetry/ifa-hops';
import type { HopUnits } from '../../common/hop/hop-units';
import { WireFault } from '../../common/wire/fault';
import {
  emitIfaHeader,
  emitIfaMetadata,
  IFA_FLAG_IN_BAND,
  IFA_HEADER_LENGTH,
  IFA_METADATA_HEADER_LENGTH,
  IFA_OWN_NAMESPACES,
  IFA_PROTOCOL,
  IFA_RECORD_LENGTH,
  IFA_RECORD_WORDS,
  ifaMetadataLength,
  parseIfaHeader,
  parseIfaMetadata,
} from '../../common/wire/ifa/ifa2';
import { PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import type { Carrier, FoundHeaders, TelemetryReader } from './carrier';
import { sampleOf } from './hop-samples';
import { IPV4_LAYER } from './network-layer';

/** The length of the metadata is told in 8 bits of words. */
const HOPS_MAX = Math.floor(255 / IFA_RECORD_WORDS);

/** IFA 2.0 as draft-miao-tsv-hpcc-info maps HPCC++ to it: a header behind IP, and metadata behind UDP. */
export function ifaCarrier(units: HopUnits): Carrier {
  const reader: TelemetryReader = {
    read(bytes, at, length) {
      const metadata = parseIfaMetadata(bytes, at, at + length);
      if (metadata instanceof WireFault || ifaMetadataLength(metadata) !== length) return undefined;
      return sampleOf(ifaHops(metadata, units), false);
    },
  };
  return {
    name: 'ifa',
    network: IPV4_LAYER,
    networkHeaders: {
      protocol: IFA_PROTOCOL,
      length: IFA_HEADER_LENGTH,
      emit({ hops }, bytes, at) {
        const header = {
          version: 2,
          globalNamespace: IFA_OWN_NAMESPACES,
          nextHeader: PROTOCOL_UDP,
          flags: IFA_FLAG_IN_BAND,
          wordsMax: hops * IFA_RECORD_WORDS,
        };
        emitIfaHeader(header, bytes, at);
      },
      find: findHeader,
    },
    datagramHeaders: {
      length: IFA_METADATA_HEADER_LENGTH,
      isCounted: false,
      emit: ({ hops }, bytes, at) =>
        emitIfaMetadata({ request: 0, action: 0, hopLimit: hops, records: [] }, bytes, at),
      find: findMetadata,
    },
    dscp: undefined,
    losesClass: false,
    headerLength: IFA_HEADER_LENGTH + IFA_METADATA_HEADER_LENGTH,
    hopLength: IFA_RECORD_LENGTH,
    hopsMax: HOPS_MAX,
    shows: 'named-links',
    questions: 1,
    echoLength: { fixed: IFA_METADATA_HEADER_LENGTH, hop: IFA_RECORD_LENGTH },
    newReader: () => reader,
  };
}

function findHeader(bytes: Uint8Array, at: number, end: number): FoundHeaders | WireFault {
  const header = parseIfaHeader(bytes, at, Math.min(end, bytes.length));
  if (header instanceof WireFault) return header;
  if (header.nextHeader !== PROTOCOL_UDP || header.flags !== IFA_FLAG_IN_BAND) {
    return new WireFault('ifa', at, 'only UDP with metadata in front of its payload is read');
  }
  return { skip: IFA_HEADER_LENGTH, telemetryAt: at, telemetryLength: 0 };
}

function findMetadata(bytes: Uint8Array, at: number, end: number): FoundHeaders | WireFault {
  const metadata = parseIfaMetadata(bytes, at, Math.min(end, bytes.length));
  if (metadata instanceof WireFault) return metadata;
  const skip = ifaMetadataLength(metadata);
  return { skip, telemetryAt: at, telemetryLength: skip };
}
