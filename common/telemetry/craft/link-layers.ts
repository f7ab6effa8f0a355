import { readUint16, writeUint16 } from '../../wire/bytes';
import { CCM_TAG_LENGTH, emitCcmTag, parseCcmTag } from '../../wire/coordination/ccm-tag';
import type { CcmIndicators } from '../../wire/coordination/ccm-tag';
import { CSIG_LENGTH, CSIG_WIDE, emitCsig, parseCsig } from '../../wire/csig/csig';
import type { CsigDialect, CsigTag, CsigWideTag } from '../../wire/csig/csig';
import { WireFault, truncated } from '../../wire/fault';
import { FixedFormat } from '../../wire/fixed-format';
import type { Word64 } from '../../wire/bytes';
import { ETHERNET_LENGTH, VLAN, emitEthernet, parseEthernet } from '../../wire/ip/ethernet';
import type { EthernetHeader, VlanTag } from '../../wire/ip/ethernet';
import { MPLS } from '../../wire/ip/mpls';
import { codecKind, fixedKind, shapeOfFormat, zerosOf } from './layer';
import type { Fields, Inside, LayerKind, Reading } from './layer';
import { etherTypeOf, kindOfEtherType, kindOfVersion, nextKind } from './next-kind';
import { flag, mac, macNumber, macText, oneOf, uint } from './values';
import type { Shape } from './values';

const byEtherType = (fields: Fields, { settings }: Reading): string | undefined =>
  kindOfEtherType(fields['etherType'], settings);

const derivedType = (_: Fields, inside: Inside): Fields => ({
  etherType: etherTypeOf(nextKind(inside), inside.settings),
});

const ETHERNET = codecKind(
  'ethernet',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseEthernet(bytes.subarray(0, end), offset),
    emit: (header, bytes, offset = 0) => emitEthernet(header as EthernetHeader, bytes, offset),
    length: () => ETHERNET_LENGTH,
  },
  { destination: mac, source: mac, etherType: uint(16) },
  {
    text: 'Ethernet II; etherType by what follows',
    defaults: { destination: '02:00:00:00:00:02', source: '02:00:00:00:00:01' },
    derive: derivedType,
    next: byEtherType,
    toHeader: (fields) => ({
      ...fields,
      destination: macNumber(fields['destination'] as string),
      source: macNumber(fields['source'] as string),
    }),
    toFields: (header) => {
      const { destination, source, etherType } = header as EthernetHeader;
      return { destination: macText(destination), source: macText(source), etherType };
    },
  },
);

/** Codec of a tag with the EtherType in front of it, which here belongs to the layer before. */
interface TagCodec {
  readonly length: number;
  readonly emit: (fields: Fields, bytes: Uint8Array) => void;
  readonly parse: (reading: Reading, at: number) => object | WireFault;
}

/** A tag: what lies between one EtherType and the next. */
function tagKind(
  name: string,
  text: string,
  shape: Shape,
  codec: TagCodec & { readonly optional?: readonly string[] },
): LayerKind {
  const all = { ...shape, etherType: uint(16) };
  return {
    name,
    text,
    shape: all,
    defaults: zerosOf(shape, codec.optional),
    derive: derivedType,
    length: () => codec.length,
    write: (fields, bytes, at) => {
      const tag = new Uint8Array(codec.length);
      codec.emit(fields, tag);
      bytes.set(tag.subarray(2), at);
      writeUint16(bytes, at + codec.length - 2, fields['etherType'] as number);
    },
    read: (reading) => {
      const { bytes, at, end } = reading;
      if (at < 2 || end < at + codec.length) return truncated(name, at, codec.length, end);
      const tag = codec.parse(reading, at - 2);
      if (tag instanceof WireFault) return tag;
      const etherType = readUint16(bytes, at + codec.length - 2);
      const known = Object.entries(tag).filter(
        ([key, value]) => key in shape && value !== undefined,
      );
      const fields: Fields = { ...Object.fromEntries(known), etherType };
      return { fields, length: codec.length, next: byEtherType(fields, reading) };
    },
  };
}

const TAGS: readonly LayerKind[] = [
  tagKind('vlan', 'tag of IEEE 802.1Q', shapeOfFormat(VLAN, ['tpid']), {
    length: VLAN.size,
    emit: (fields, bytes) => VLAN.emit({ ...fields, tpid: 0 } as VlanTag, bytes),
    parse: ({ bytes, end }, at) => VLAN.parse(bytes, at, end),
  }),
  tagKind(
    'csig',
    'compact tag of CSIG, in the dialect of the IETF or of the UEC',
    {
      type: uint(3),
      signal: uint(5),
      locator: uint(7),
      doNotUpdate: flag,
      dialect: oneOf(['ietf', 'uec']),
    },
    {
      length: CSIG_LENGTH,
      optional: ['dialect'],
      emit: ({ dialect = 'ietf', ...fields }, bytes) =>
        emitCsig({ ...fields, tpid: 0 } as CsigTag, bytes, 0, dialect as CsigDialect),
      parse: ({ bytes, end, settings: { csigDialect } }, at) => {
        const tag = parseCsig(bytes, at, end, csigDialect);
        return tag instanceof WireFault ? tag : { ...tag, dialect: csigDialect };
      },
    },
  ),
  tagKind('csig-wide', 'wide tag of CSIG (UEC)', shapeOfFormat(CSIG_WIDE, ['tpid']), {
    length: CSIG_WIDE.size,
    emit: (fields, bytes) => CSIG_WIDE.emit({ ...fields, tpid: 0 } as CsigWideTag, bytes),
    parse: ({ bytes, end }, at) => CSIG_WIDE.parse(bytes, at, end),
  }),
  tagKind(
    'ccm-tag',
    'tag of coordinated congestion management',
    { congestionControl: flag, reroutingPoint: uint(32) },
    {
      length: CCM_TAG_LENGTH,
      optional: ['reroutingPoint'],
      emit: (fields, bytes) => emitCcmTag(fields as unknown as CcmIndicators, bytes, 0),
      parse: ({ bytes, end }, at) => parseCcmTag(bytes, at, end),
    },
  ),
];

/** Cooked headers of Linux (linktypes 113 and 276). */
const SLL = new FixedFormat<{
  packetType: number;
  hardwareType: number;
  addressLength: number;
  address: Word64;
  etherType: number;
}>('sll', {
  packetType: 16,
  hardwareType: 16,
  addressLength: 16,
  address: 'word64',
  etherType: 16,
});
const SLL2 = new FixedFormat<{
  etherType: number;
  interfaceIndex: number;
  hardwareType: number;
  packetType: number;
  addressLength: number;
  address: Word64;
}>('sll2', {
  etherType: 16,
  r1: 16,
  interfaceIndex: 32,
  hardwareType: 16,
  packetType: 8,
  addressLength: 8,
  address: 'word64',
});

export const LINK_KINDS: readonly LayerKind[] = [
  ETHERNET,
  ...TAGS,
  fixedKind('mpls', MPLS, {
    text: 'entry of a stack of labels of MPLS (RFC 3032); isBottom by what follows',
    defaults: { ttl: 64 },
    derive: (_, inside) => ({ isBottom: nextKind(inside) !== 'mpls' }),
    next: ({ isBottom }, { bytes, at }, length) =>
      isBottom === true ? kindOfVersion(bytes, at + length) : 'mpls',
  }),
  fixedKind('sll', SLL, {
    text: 'Linux cooked header, first in a frame',
    derive: derivedType,
    next: byEtherType,
  }),
  fixedKind('sll2', SLL2, {
    text: 'Linux cooked header v2, first in a frame',
    derive: derivedType,
    next: byEtherType,
  }),
];
