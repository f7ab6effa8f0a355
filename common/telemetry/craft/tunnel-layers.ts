import { writeUint16 } from '../../wire/bytes';
import { WireFault, truncated } from '../../wire/fault';
import { INT_GENEVE_CLASSES, INT_GPE_PROTOCOLS } from '../../wire/int/int-tunnels';
import { INT_GENEVE_OPTION, INT_GRE_SHIM, INT_VXLAN_GPE_SHIM } from '../../wire/int/int-tunnels';
import { checksumWords, finishChecksum } from '../../wire/ip/checksum';
import {
  VXLAN_GPE,
  emitGeneve,
  emitGre,
  greLength,
  parseGeneve,
  parseGre,
} from '../../wire/ip/tunnels';
import type { GeneveHeader, GreHeader } from '../../wire/ip/tunnels';
import { announceInt, intTypeOf, intWordsOf } from './int-layers';
import { codecKind, fixedKind } from './layer';
import type { Fields, Inside, LayerKind, Reading } from './layer';
import { etherTypeOf, kindOfEtherType, nextKind } from './next-kind';
import { bytes as bytesField, bytesText, flag, hexBytes, uint } from './values';

const VXLAN = fixedKind('vxlan', VXLAN_GPE, {
  text: 'VXLAN (RFC 7348), with an Ethernet frame behind it',
  defaults: { flags: 0x08 },
  next: () => 'ethernet',
});

/** Next protocols of VXLAN-GPE. */
const GPE_KINDS: readonly (readonly [number, string])[] = [
  [1, 'ipv4'],
  [2, 'ipv6'],
  [3, 'ethernet'],
  [4, 'nsh'],
  ...INT_GPE_PROTOCOLS.map((number): readonly [number, string] => [number, 'int-gpe-shim']),
];
const gpeKind = (protocol: unknown): string | undefined =>
  GPE_KINDS.find(([number]) => number === protocol)?.[1];
const gpeProtocol = (kind: string | undefined): number =>
  GPE_KINDS.find(([, name]) => name === kind)?.[0] ?? 0;

const GPE = fixedKind('vxlan-gpe', VXLAN_GPE, {
  text: 'VXLAN-GPE; nextProtocol by what follows',
  defaults: { flags: 0x0c },
  derive: (_, inside) => ({ nextProtocol: gpeProtocol(nextKind(inside)) }),
  next: ({ nextProtocol }) => gpeKind(nextProtocol),
});

/** The first layer behind INT. */
const behindInt = ({ layers }: Inside): string | undefined =>
  layers.find(({ layer: { kind } }) => kind !== 'int-md' && kind !== 'int-mx')?.layer.kind;

const GPE_SHIM = fixedKind('int-gpe-shim', INT_VXLAN_GPE_SHIM, {
  text: 'shim of INT over VXLAN-GPE; type, words and nextProtocol by what follows',
  derive: (_, inside) => ({
    type: intTypeOf(inside),
    words: intWordsOf(inside),
    nextProtocol: gpeProtocol(behindInt(inside)),
  }),
  next: ({ type, words, nextProtocol }, reading, length) =>
    announceInt(
      reading,
      type as number,
      reading.at + length + 4 * (words as number),
      gpeKind(nextProtocol),
    ),
});

const GRE_HAS_CHECKSUM = 0x80;
const GRE_CHECKSUM_AT = 4;

const GRE = codecKind(
  'gre',
  {
    parse: (bytes, offset = 0, end = bytes.length) => parseGre(bytes, offset, end),
    emit: (header, bytes, offset = 0) => emitGre(header as GreHeader, bytes, offset),
    length: (header) => greLength(header as GreHeader),
  },
  { protocol: uint(16), hasChecksum: flag, checksum: uint(16), key: uint(32), sequence: uint(32) },
  {
    text: 'GRE (RFC 2784, 2890); protocol by what follows; checksum, key and sequence are there if given, with hasChecksum the right one',
    optional: ['hasChecksum', 'checksum', 'key', 'sequence'],
    toHeader: ({ hasChecksum, ...fields }) =>
      hasChecksum === true ? { checksum: 0, ...fields } : fields,
    toFields: (header) =>
      (header as GreHeader).checksum === undefined
        ? (header as Fields)
        : { ...header, hasChecksum: true },
    seal: {
      field: 'checksum',
      compute: ({ bytes, at, end }) =>
        finishChecksum(
          checksumWords(bytes, at, at + GRE_CHECKSUM_AT) +
            checksumWords(bytes, at + GRE_CHECKSUM_AT + 2, end),
        ),
      put: ({ bytes, at }, value) => {
        if ((bytes[at] as number) >= GRE_HAS_CHECKSUM)
          writeUint16(bytes, at + GRE_CHECKSUM_AT, value);
      },
    },
    derive: (_, inside) => ({ protocol: etherTypeOf(nextKind(inside), inside.settings) }),
    next: ({ protocol }, { settings }) =>
      protocol === settings.intGreProtocol ? 'int-gre-shim' : kindOfEtherType(protocol, settings),
  },
);

const GRE_SHIM = fixedKind('int-gre-shim', INT_GRE_SHIM, {
  text: 'shim of INT over GRE; type, words and nextProtocol by what follows',
  derive: (_, inside) => ({
    type: intTypeOf(inside),
    words: intWordsOf(inside),
    nextProtocol: etherTypeOf(behindInt(inside), inside.settings),
  }),
  next: ({ type, words, nextProtocol }, reading, length) => {
    const intEnd = reading.at + length + 4 * (words as number);
    return announceInt(
      reading,
      type as number,
      intEnd,
      kindOfEtherType(nextProtocol, reading.settings),
    );
  },
});

const GENEVE_LENGTH = 8;
const IN_GENEVE: ReadonlySet<string> = new Set(['geneve-option', 'int-md', 'int-mx']);

const GENEVE: LayerKind = {
  name: 'geneve',
  text: 'Geneve (RFC 8926), with layers geneve-option behind it; optionWords and protocol by what follows',
  shape: { optionWords: uint(6), control: flag, critical: flag, protocol: uint(16), vni: uint(24) },
  defaults: { control: false, critical: false, vni: 0 },
  derive: (_, { layers, settings }) => {
    const after = layers.findIndex(({ layer }) => !IN_GENEVE.has(layer.kind));
    const options = after < 0 ? layers : layers.slice(0, after);
    const length = options.reduce((sum, option) => sum + option.length, 0);
    const protocol = etherTypeOf(layers[options.length]?.layer.kind, settings);
    return { optionWords: Math.floor(length / 4) % 64, protocol };
  },
  length: () => GENEVE_LENGTH,
  write: (fields, bytes, at) => {
    emitGeneve({ ...fields, options: new Uint8Array() } as unknown as GeneveHeader, bytes, at);
    bytes[at] = fields['optionWords'] as number;
  },
  read: (reading) => {
    const { bytes, at, end, notes, settings } = reading;
    const header = parseGeneve(bytes, at, end);
    if (header instanceof WireFault) return header;
    const { options, ...rest } = header;
    const then = kindOfEtherType(header.protocol, settings) ?? 'payload';
    notes.plan.set(at + GENEVE_LENGTH + options.length, then);
    const next = options.length > 0 ? 'geneve-option' : then;
    return { fields: { ...rest, optionWords: options.length / 4 }, length: GENEVE_LENGTH, next };
  },
};

const OPTION: LayerKind = {
  name: 'geneve-option',
  text: 'option of Geneve: INT behind it as a layer of its own, or data; type and words by these',
  shape: { optionClass: uint(16), type: uint(8), words: uint(5), data: bytesField() },
  defaults: { optionClass: INT_GENEVE_CLASSES[0], data: '' },
  derive: (fields, inside) => ({
    type: intTypeOf(inside),
    words: (Math.floor((fields['data'] as string).length / 8) || intWordsOf(inside)) % 32,
  }),
  length: (fields) => INT_GENEVE_OPTION.size + (fields['data'] as string).length / 2,
  write: (fields, bytes, at) => {
    INT_GENEVE_OPTION.emit(fields as never, bytes, at);
    bytes.set(hexBytes(fields['data'] as string), at + INT_GENEVE_OPTION.size);
  },
  read: readOption,
};

function readOption(reading: Reading) {
  const { bytes, at, end } = reading;
  const option = INT_GENEVE_OPTION.parse(bytes, at, end);
  if (option instanceof WireFault) return option;
  const dataAt = at + INT_GENEVE_OPTION.size;
  const optionEnd = dataAt + 4 * option.words;
  if (end < optionEnd) return truncated('geneve-option', at, optionEnd - at, end);
  const then = optionEnd < end ? 'geneve-option' : reading.notes.plan.get(optionEnd);
  if (INT_GENEVE_CLASSES.includes(option.optionClass) && option.words > 0) {
    const next = announceInt(reading, option.type, optionEnd, then) ?? 'payload';
    return { fields: { ...option, data: '' }, length: INT_GENEVE_OPTION.size, next };
  }
  const data = bytesText(bytes.subarray(dataAt, optionEnd));
  return { fields: { ...option, data }, length: optionEnd - at, next: then };
}

export const TUNNEL_KINDS: readonly LayerKind[] = [
  VXLAN,
  GPE,
  GPE_SHIM,
  GRE,
  GRE_SHIM,
  GENEVE,
  OPTION,
];
