import {
  LINK_ETHERNET,
  LINK_NULL,
  LINK_RAW,
  LINK_SLL,
  LINK_SLL2,
} from '../../../common/wire/capture/link-type';
import { emitEthernet } from '../../../common/wire/ip/ethernet';
import { emitIpv4 } from '../../../common/wire/ip/ipv4';
import { fromHex, toHex } from '../hex';

/** Ethernet, IPv4 and UDP from port 4607 around a payload; UDP has no checksum. */
function udp(port: number, payload: string, dscp = 0): string {
  const body = fromHex(payload);
  const bytes = new Uint8Array(42 + body.length);
  bytes.set(body, 42);
  emitEthernet({ destination: 0x020000000002, source: 0x020000000001, etherType: 0x800 }, bytes);
  const addresses = { source: 0x0a000101, destination: 0x0a000202 };
  const fields = { dscp, ecn: 0, identification: 1, ttl: 64, protocol: 17 };
  emitIpv4({ ...addresses, ...fields, totalLength: 28 + body.length }, bytes, 14);
  new DataView(bytes.buffer).setUint16(34, 4607);
  new DataView(bytes.buffer).setUint16(36, port);
  new DataView(bytes.buffer).setUint16(38, 8 + body.length);
  return toHex(bytes);
}

/** Two blocks of every metadata of v0.5, of switches 2 and 1. */
const v05Block = (id: number): string =>
  [
    `0000000${id}`,
    '00010002',
    '000005dd',
    '03000008',
    '00002711',
    '00002905',
    '04000007',
    '00000032',
  ].join('');
const INT_V05 =
  `01001400` + '00080802' + 'ff000000' + v05Block(2) + v05Block(1) + '1113880a' + 'cafe';

/** The same of v1.0, with times of 64 bits and level-2 interfaces of 16, in ten words. */
const wideBlock = (id: number): string =>
  [`0000000${id}`, '00010002', '000002bd', '03000029'].join('') +
  ['00060a24181e4001', '00060a24181e4385', '00070008', '00000037'].join('');
const INT_V1_WIDE = `01001700` + '10000a02' + 'ff000000' + wideBlock(2) + wideBlock(1) + 'cafe';

/** v1.0 as it is defined, of switches 2 and 1. */
const v1Block = (id: number): string => `0000000${id}` + '00010002' + '00002711';
const INT_V1 = `01000900` + '10000306' + 'c8000000' + v1Block(2) + v1Block(1) + 'cafe';
const V1_FRAME = udp(5000, INT_V1, 23);

/** Telemetry that other programs write, by name, with the switches of its hops in path order. */
export const FOREIGN_FRAMES: readonly (readonly [string, Uint8Array, readonly number[]])[] = [
  ['INT v0.5', fromHex(udp(50000, INT_V05)), [1, 2]],
  ['INT v1.0', fromHex(V1_FRAME), [1, 2]],
  ['INT v1.0 with clocks of 64 bits', fromHex(udp(5000, INT_V1_WIDE, 23)), [1, 2]],
  [
    'report v0.5 of a flow',
    fromHex(udp(50003, `00200005` + '00000011' + '0001869f' + V1_FRAME)),
    [1, 2],
  ],
  [
    'report v0.5 of a drop',
    fromHex(
      udp(
        50003,
        `01800005` + '00000011' + '0001869f' + '00000007' + '00030004' + '02500000' + V1_FRAME,
      ),
    ),
    [7, 1, 2],
  ],
  [
    'report v0.5 of a switch',
    fromHex(
      udp(
        50003,
        `02200005` +
          '00000011' +
          '0001869f' +
          '00000007' +
          '00030004' +
          '0100000c' +
          '00018894' +
          V1_FRAME,
      ),
    ),
    [7, 1, 2],
  ],
  [
    'report v1.0',
    fromHex(udp(50003, `14000043` + '00000007' + '00000029' + '0001e240' + V1_FRAME)),
    [7, 1, 2],
  ],
  [
    'report v1.0 with all metadata, of IPv4',
    fromHex(
      udp(
        50003,
        `1a3f81c3` +
          '00000007' +
          '00000029' +
          '0001e240' +
          '00030004' +
          '000002bc' +
          '0100000c' +
          '0001e4fc' +
          '02500000' +
          '00000032' +
          V1_FRAME.slice(28),
      ),
    ),
    [7, 1, 2],
  ],
  [
    'report v2.0',
    fromHex(
      udp(
        50003,
        `20000005` + '00000007' + '13ff0120' + '40000000' + '00000000' + '00030004' + V1_FRAME,
      ),
    ),
    [7, 1, 2],
  ],
  ['VXLAN', fromHex(udp(4789, `08000000` + '00002a00' + V1_FRAME)), [1, 2]],
  [
    'MPLS',
    fromHex(`0200000000020200000000018847` + '00010040' + '00011140' + V1_FRAME.slice(28)),
    [1, 2],
  ],
];

const IP = V1_FRAME.slice(28);

/** One frame under each link of captures. */
export const LINK_FRAMES: readonly (readonly [string, number, Uint8Array])[] = [
  ['Ethernet', LINK_ETHERNET, fromHex(V1_FRAME)],
  ['Ethernet that bmv2 has captured', LINK_NULL, fromHex(V1_FRAME)],
  ['loopback', LINK_NULL, fromHex(`02000000${IP}`)],
  ['loopback of a big-endian machine', LINK_NULL, fromHex(`00000002${IP}`)],
  ['raw IP', LINK_RAW, fromHex(IP)],
  ['SLL', LINK_SLL, fromHex(`0000000100060200000000010000` + `0800${IP}`)],
  ['SLL2', LINK_SLL2, fromHex(`080000000000000200010006` + `0200000000010000${IP}`)],
];
