import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';
import type { WireFormat } from '../fixed-format';

/** Every field of an IPv4 header, right or wrong. */
export interface RawIpv4 {
  readonly version: number;
  /** Words of the header with its options. */
  readonly headerWords: number;
  readonly dscp: number;
  readonly ecn: number;
  readonly totalLength: number;
  readonly identification: number;
  readonly reservedFlag: boolean;
  readonly dontFragment: boolean;
  readonly moreFragments: boolean;
  readonly fragmentOffset: number;
  readonly ttl: number;
  readonly protocol: number;
  readonly checksum: number;
  /** Addresses as unsigned 32-bit integers. */
  readonly source: number;
  readonly destination: number;
  /** Whole words. */
  readonly options: Uint8Array;
}

/** Offset of the checksum. */
export const IPV4_CHECKSUM_AT = 10;

/** The fields before the options (RFC 791 section 3.1). */
export const IPV4_FIELDS = new FixedFormat<Omit<RawIpv4, 'options'>>('ipv4', {
  version: 4,
  headerWords: 4,
  dscp: 6,
  ecn: 2,
  totalLength: 16,
  identification: 16,
  reservedFlag: 'flag',
  dontFragment: 'flag',
  moreFragments: 'flag',
  fragmentOffset: 13,
  ttl: 8,
  protocol: 8,
  checksum: 16,
  source: 32,
  destination: 32,
});

/**
 * IPv4 as it stands in a frame, for those who write wrong headers on purpose; {@link parseIpv4} is for those who
 * receive. Refuses other versions and headers that are not there.
 */
export const RAW_IPV4: WireFormat<RawIpv4> = {
  parse(bytes, offset = 0, end = bytes.length) {
    const fields = IPV4_FIELDS.parse(bytes, offset, end);
    if (fields instanceof WireFault) return fields;
    const { version, headerWords } = fields;
    if (version !== 4) return new WireFault('ipv4', offset, `version must be 4, found ${version}`);
    const length = 4 * headerWords;
    if (length < IPV4_FIELDS.size) {
      const reason = `header length must be at least 20, found ${length}`;
      return new WireFault('ipv4', offset, reason);
    }
    if (end < offset + length) return truncated('ipv4', offset, length, end);
    return { ...fields, options: bytes.subarray(offset + IPV4_FIELDS.size, offset + length) };
  },
  emit(header, bytes, offset = 0) {
    IPV4_FIELDS.emit(header, bytes, offset);
    bytes.set(header.options, offset + IPV4_FIELDS.size);
  },
  length: ({ options }) => IPV4_FIELDS.size + options.length,
};
