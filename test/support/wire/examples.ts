import { fromHex } from '../hex';
import { CODECS } from './codecs';
import type { CodecName } from './codecs';
import { VECTORS } from './vectors';

/** Good inputs of our own for the formats that no worked example shows. */
const OWN_EXAMPLES: Partial<Record<CodecName, readonly string[]>> = {
  'auth-trailer': ['0100000000000001 00000002 000102030405060708090a0b0c0d0e0f'],
  geneve: ['0000 6558 123456 00', '02c0 0800 00000100 01030101 d4004850'],
  gre: ['0000 0800', 'b000 6558 1234 0000 cafef00d 00000007'],
  'hpcc-padding-aligned': ['2365 0000 2123456abcde0102 4123a00000100000'],
  'hpcc-transport': ['3100 0001 0004 000007 00000000000400 48504343'],
  ifa1: [
    'deadbeefa5a5deed1001011000ff00010501000005dc0020abcd0000' +
      '0000a101 00127f03 0000654f5e10 1dcd6500 1dcd69b0 000f 0003 0011 34567880',
  ],
  'int-geneve-option': ['0103 0101 d4004850'],
  'int-gre-shim': ['18010800 d4004850'],
  'int-hp-domain': [
    '100b000020000804d4004850c0000000' +
      '0000000100030011030004b000009cfe362a00000000001234567880000186a0',
  ],
  'int-packet': [
    // Every instruction bit, two words of a domain, one block.
    '10170000 20001404 ffff4850 c0000000 00000001 00030011 00000064 030004b0' +
      '0000000011111111 0000000022222222 0000000300000011 000003e6 05000007' +
      'ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff 00000012 34567880 00001234',
    // v0.5 with every instruction, of two switches.
    '01001400 00080802 ff000000' +
      '00000002 00010002 000005dd 03000008 00002711 00002905 04000007 00000032' +
      '00000001 00010002 000005dd 03000008 00002711 00002905 04000007 00000032 1113880a',
    // v1.0 with times of 64 bits.
    '01000d00 10000a02 ff000000 00000001 00010002 000002bd 03000029' +
      '00060a24181e4001 00060a24181e4385 00070008 00000037',
  ],
  'int-vxlan-gpe-shim': ['10018003 d4004850'],
  'ioam-node-ffffff': [
    '3fabcdef 11112222 6b00c7ed 00066a2f ffffffff deadbee0 00000000 ffffffff 3fabcdef01234567' +
      '1111111122222222 cafec0caf00dc0de ffffffff 00000001 00000002 00000003 00000004 00000005' +
      '00000006 00000007 00000008 00000009 0000000a 02000007 4850434364617461',
  ],
  'ioam-option': [
    '0000 007b0805 80000000 0000000000000000000000000000000000000000',
    '0001 007b1005 82000000 3f00000100000000 4000000200000010',
    '0003 007bf000 0000000100000002 00000003 00000004 1dcd6500',
    '0004 007b00e0 d2000000 00000001 00000002 00000003',
  ],
  'ipv6-options': ['3a000502 00000100', '11000104 00000000'],
  nsh: ['0782 0206 000009fe', '2fc6 0101 00000aff 00112233 44556677 8899aabb ccddeeff'],
  'nsh-ioam': ['01030001'],
  reth: ['00007f1234567000 00001234 00100000'],
  tcp: [
    '1f90d431 00000001 00000002 b018 0200 0000 0000 020405b4 0402080a 0000000a00000014 01030307 00000000',
  ],
  'telemetry-report': [
    // Open-ended, inner packet only; and a drop report with queue and reason.
    '2000000100000002 05ff0080 48504343aabb',
    '2000000100000002 10050380 10010000 00000000 030004b0 03110000 0000002a',
  ],
  vlan: ['8100 6123', '88a8 1fff'],
  'vxlan-gpe': ['0c000003 12345600'],
};

/** All good inputs of a format. */
export function examplesOf(name: CodecName): Uint8Array[] {
  const worked = VECTORS.flatMap(({ parts }) => parts)
    .filter(({ codec }) => codec === name)
    .map(({ hex }) => hex);
  return [...worked, ...(OWN_EXAMPLES[name] ?? [])].map(fromHex);
}

export const CODEC_NAMES = Object.keys(CODECS) as readonly CodecName[];

export const ownExamples = (): [CodecName, string][] =>
  CODEC_NAMES.flatMap((name) =>
    (OWN_EXAMPLES[name] ?? []).map((hex): [CodecName, string] => [name, hex.replace(/\s/g, '')]),
  );
