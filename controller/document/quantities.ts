import { z } from 'zod';
import { parseIpv4, parseMac } from '../../common/topology/topology';
import { PS_PER_MS, PS_PER_NS, PS_PER_SECOND, PS_PER_US } from '../../common/units/units';

const RATE_UNITS: Readonly<Record<string, number>> = {
  'bit/s': 1,
  'kb/s': 1e3,
  'Mb/s': 1e6,
  'Gb/s': 1e9,
};

const TIME_UNITS: Readonly<Record<string, number>> = {
  ns: PS_PER_NS,
  us: PS_PER_US,
  ms: PS_PER_MS,
  s: PS_PER_SECOND,
};

/** Range of rates: a bit per second to 100 Tb/s; anything beyond is a slip of the pen. */
const RATE_MIN = 1;
const RATE_MAX = 1e14;
/** Instants are exact up to two and a half hours. */
const DURATION_MAX = 9000 * PS_PER_SECOND;

/** A rate in bits per second, written with its unit: `100 Gb/s`. */
export const rateSchema = quantitySchema('a rate such as 10 Mb/s', RATE_UNITS, {
  min: RATE_MIN,
  max: RATE_MAX,
});

/** A duration in picoseconds, written with its unit: `1.5 us`. */
export const durationSchema = quantitySchema('a duration such as 1.5 us', TIME_UNITS, {
  min: 0,
  max: DURATION_MAX,
});

/** An IPv4 address as an unsigned 32-bit number. */
export const ipv4Schema = textSchema('an IPv4 address such as 10.0.0.1', parseIpv4);

/** A MAC address as an unsigned 48-bit number. */
export const macSchema = textSchema('a MAC address such as 02:00:00:00:00:01', parseMac);

/** An IPv6 address in its text form. */
export const ipv6Schema = z.ipv6('wanted an IPv6 address such as fd00::1').toLowerCase();

/** An IPv4 or IPv6 prefix in its text form. */
export const prefixSchema = z.union(
  [z.cidrv4(), z.cidrv6()],
  'wanted a prefix such as 10.0.0.0/24 or fd00::/64',
);

/** Host and port of a server. */
export const addressSchema = textSchema('host:port such as 127.0.0.1:9559', (text) =>
  /^(\[[\da-fA-F:.]+\]|[^\s:/]+):\d{1,5}$/.test(text) && portOf(text) <= 65535 ? text : undefined,
);

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));

function quantitySchema(
  wanted: string,
  units: Readonly<Record<string, number>>,
  { min, max }: { readonly min: number; readonly max: number },
): z.ZodType<number, string> {
  return textSchema(wanted, (text) => {
    const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([A-Za-z/]+)$/.exec(text) ?? [];
    const factor = units[unit];
    if (digits === undefined || factor === undefined) return undefined;
    const value = Math.round(Number(digits) * factor);
    return value >= min && value <= max ? value : undefined;
  });
}

/** Text that `read` understands. */
function textSchema<T>(
  wanted: string,
  read: (text: string) => T | undefined,
): z.ZodType<T, string> {
  return z.string(`wanted ${wanted}`).transform((text, context) => {
    const value = read(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `wanted ${wanted}, found '${text}'` });
    return z.NEVER;
  });
}
