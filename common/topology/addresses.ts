/** Text of addresses, which the project keeps as numbers. */

/** Dotted decimal of an unsigned 32-bit number. */
export function formatIpv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}

/** Reads dotted decimal; undefined for anything else. */
export function parseIpv4(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  const bytes = match?.slice(1).map(Number);
  if (bytes === undefined || bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Six hexadecimal pairs with colons, of an unsigned 48-bit number. */
export function formatMac(address: number): string {
  const digits = address.toString(16).padStart(12, '0');
  return (digits.match(/../g) ?? []).join(':');
}

/** Reads six hexadecimal pairs with colons; undefined for anything else. */
export function parseMac(text: string): number | undefined {
  if (!/^([\da-f]{2}:){5}[\da-f]{2}$/i.test(text)) return undefined;
  return parseInt(text.replaceAll(':', ''), 16);
}
