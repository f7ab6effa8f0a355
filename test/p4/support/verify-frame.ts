import { internetChecksum } from '../../../common/wire/ip/checksum';

const ETHERNET = 14;
const IPV6_TYPE = 0x86dd;
const UDP = 17;

/** Names the wrong length or checksum of an IPv4 or IPv6 frame of UDP or TCP, if any. */
export function faultOfFrame(bytes: Uint8Array): string | undefined {
  const at = (offset: number): number => ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0);
  const isIpv6 = at(12) === IPV6_TYPE;
  const header = isIpv6 ? 40 : 4 * ((bytes[ETHERNET] ?? 0) & 0xf);
  const payload = isIpv6 ? at(ETHERNET + 4) : at(ETHERNET + 2) - header;
  const end = ETHERNET + header + payload;
  if (end !== bytes.length) return `the frame has ${bytes.length} bytes, IP says ${end}`;
  if (!isIpv6 && internetChecksum(bytes.subarray(ETHERNET, ETHERNET + header)) !== 0) {
    return 'the checksum of IPv4 is wrong';
  }
  const protocol = bytes[ETHERNET + (isIpv6 ? 6 : 9)] ?? 0;
  const l4 = ETHERNET + header;
  if (protocol === UDP && at(l4 + 4) !== payload) {
    return `UDP says ${at(l4 + 4)} bytes, IP leaves ${payload}`;
  }
  if (protocol === UDP && at(l4 + 6) === 0) return undefined;
  const addresses = bytes.subarray(ETHERNET + (isIpv6 ? 8 : 12), ETHERNET + (isIpv6 ? 40 : 20));
  const pseudo = [...addresses, 0, protocol, payload >> 8, payload & 0xff];
  const sum = internetChecksum(Uint8Array.from([...pseudo, ...bytes.subarray(l4)]));
  return sum === 0 ? undefined : `the checksum of protocol ${protocol} is wrong`;
}
