import { parseIpv4, parseMac } from '../../common/topology/topology';

/**
 * P4Info does not tell addresses from numbers of the same width, so the client writes numbers of 32
 * and 48 bits as addresses.
 * @returns such an address as a number, and other text as it is.
 */
export function plainNumber(text: string): string {
  return String(parseIpv4(text) ?? parseMac(text) ?? text);
}
