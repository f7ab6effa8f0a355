import { checksumWords, finishChecksum } from '../../../common/wire/ip/checksum';

/** Action profiles of the members of tables with a selector, by the name of the table. */
export type Profiles = ReadonlyMap<string, string>;

const IPV4_AT = 14;
const CHECKSUM_AT = 24;
const IPV4_END = 34;

/**
 * A test of p4testgen for Tofino as one in our STF for a model: routes with members where the model has selectors,
 * right checksums in the IPv4 headers that arrive, any in those that leave, and nothing else leaves.
 */
export function toStf(text: string, profiles: Profiles): string {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  let members = 0;
  const converted = lines.flatMap((line) => {
    const [word = '', ...rest] = line.split(' ');
    if (word === 'packet') return [`packet ${rest[0]} ${withChecksum(rest[1] ?? '')}`];
    if (word === 'expect') return [`expect ${rest[0]} ${anyChecksum(rest[1] ?? '')}`];
    const [, table = '', keys = '', action = ''] =
      /^add (\S+) (?:\d+ )?(.*?) ?(\S+\(.*\))$/.exec(line) ?? [];
    const profile = profiles.get(table);
    if (profile === undefined) return [line];
    const member = `add ${table} ${keys} member(handle:${members++})`;
    return [`member_create ${profile} ${action}`, member];
  });
  return [...converted, 'no_packet'].join('\n');
}

/** Digits of the frame's EtherType. */
const isIpv4 = (frame: string): boolean => frame.slice(24, 28) === '0800';

function withChecksum(frame: string): string {
  if (!isIpv4(frame)) return frame;
  const bytes = Buffer.from(frame, 'hex');
  bytes.writeUInt16BE(0, CHECKSUM_AT);
  const sum = finishChecksum(checksumWords(bytes, IPV4_AT, IPV4_END));
  bytes.writeUInt16BE(sum, CHECKSUM_AT);
  return bytes.toString('hex').toUpperCase();
}

function anyChecksum(frame: string): string {
  if (!isIpv4(frame)) return frame;
  return `${frame.slice(0, 2 * CHECKSUM_AT)}****${frame.slice(2 * CHECKSUM_AT + 4)}`;
}
