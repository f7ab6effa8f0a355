import {
  emitUsids,
  endPath,
  formatUsid,
  formatUsidAddress,
  hasHostUsid,
  HOST_BLOCK,
  HOST_BLOCK_TEXT,
  hostOfUsid,
  ipv4OfUsids,
  USID_HOSTS_MAX,
  usidAddress,
  usidLocator,
  usidOfHost,
} from '../../../../../common/wire/ip/usid';
import { readIpv6Address } from '../../../../../common/wire/ip/ipv6';
import { USID_LAYER } from '../../../../../host-agent/carrier/network-layer';
import { checksumWords, finishChecksum } from '../../../../../common/wire/ip/checksum';

const FIRST = 0x0a00_0001;
const LAST = 0x0a00_0000 + USID_HOSTS_MAX;
const HOSTS = [FIRST, 0x0a00_00ff, 0x0a00_1234, LAST];

describe('addresses of hosts among uSIDs', () => {
  test('are the block and one uSID, which is none of a switch or a port', () => {
    expect(formatUsidAddress(FIRST)).toBe('fd48:5044:8001::');
    expect(formatUsidAddress(LAST)).toBe('fd48:5044:dfff::');
    expect(`${formatUsid(HOST_BLOCK, 1).slice(0, 9)}::/32`).toBe(HOST_BLOCK_TEXT);
    expect(usidLocator(0xfcbb_bb00, 0xe003)).toBe(0xfcbb_bb00_e003);
  });

  test.each(HOSTS)('are of the host %i, and paths to it are not', (ipv4) => {
    expect(hasHostUsid(ipv4)).toBe(true);
    expect(hostOfUsid(usidOfHost(ipv4))).toBe(ipv4);
    expect(ipv4OfUsids(usidAddress(ipv4))).toBe(ipv4);
    for (const switches of [[], [1], [1, 2, 3], [0xe001, 2, 3, 4, 5]]) {
      const path = emitUsids(HOST_BLOCK, [...switches, usidOfHost(ipv4)]);
      const isAtEnd = switches.length === 0;
      expect(ipv4OfUsids(readIpv6Address(path, 0))).toBe(isAtEnd ? ipv4 : undefined);
      endPath(path, 0);
      expect(ipv4OfUsids(readIpv6Address(path, 0))).toBe(ipv4);
    }
  });

  test('are no others', () => {
    for (const ipv4 of [0x0a00_0000, LAST + 1, 0x0a01_0001, 0xc0a8_0001]) {
      expect(hasHostUsid(ipv4)).toBe(false);
    }
    const [block, usid] = usidAddress(FIRST);
    expect(ipv4OfUsids([block + 1, usid, 0, 0])).toBeUndefined();
    for (const usids of [[], [1], [0x8001, 2], [0x8000], [0xe001]]) {
      const path = readIpv6Address(emitUsids(HOST_BLOCK, usids), 0);
      expect(ipv4OfUsids(path)).toBeUndefined();
    }
  });

  test('count in checksums as the words that they are', () => {
    for (const source of HOSTS) {
      for (const destination of HOSTS) {
        const own = [source, destination].map((each) => USID_LAYER.addressBytes(each));
        const words = own.reduce((sum, each) => sum + checksumWords(each, 0, 16), 0);
        const halves = (each: number): number => (each >>> 16) + (each & 0xffff);
        const ours = USID_LAYER.prefixSum + halves(source) + halves(destination);
        expect(finishChecksum(ours)).toBe(finishChecksum(words));
      }
    }
  });
});
