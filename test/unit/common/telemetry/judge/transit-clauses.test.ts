import { craftFrame } from '../../../../../common/telemetry/craft/kinds';
import { intMatchers } from '../../../../../common/telemetry/judge/matchers';
import { judgeTransit } from '../../../../../common/telemetry/judge/transit-clauses';

const hop = (nodeId: number) => ({ nodeId, ingressTimestamp: 10, egressTimestamp: 20 });

interface Parts {
  readonly ip?: object;
  readonly udp?: object;
  readonly shim?: object;
  readonly int?: object;
  readonly payload?: string;
  readonly ipv6?: true;
}

function frame(
  hops: object[],
  { ip, udp, shim, int, payload = 'abcd', ipv6 }: Parts = {},
): Uint8Array {
  return craftFrame([
    { kind: 'ethernet' },
    { kind: ipv6 === true ? 'ipv6' : 'ipv4', ...ip },
    { kind: 'udp', destinationPort: 5000, ...udp },
    { kind: 'int-shim', ...shim },
    { kind: 'int-md', remainingHops: 8, hopWords: 5, instructionBitmap: 0x8c00, hops, ...int },
    { kind: 'payload', text: payload },
  ]);
}

const sent = frame([hop(1)]);
const failures = (returned: Uint8Array | undefined, before = sent): string[] =>
  judgeTransit(before, returned).flatMap(({ clause, verdict }) =>
    verdict === 'fail' ? [clause] : [],
  );

const pushed = { remainingHops: 7 };

test('a transit hop that follows the specification fails no clause: hops left, none left, no room', () => {
  expect(failures(frame([hop(1), hop(2)], { int: pushed }))).toEqual([]);
  const last = frame([hop(1)], { int: { remainingHops: 0 } });
  expect(
    failures(frame([hop(1)], { int: { remainingHops: 0, hopLimitExceeded: true } }), last),
  ).toEqual([]);
  expect(failures(frame([hop(1)], { int: { mtuExceeded: true } }))).toEqual([]);
});

test('a hop that finds the MTU exceeded and pushes all the same fails', () => {
  const both = frame([hop(1), hop(2)], { int: { ...pushed, mtuExceeded: true } });
  expect(failures(both)).toEqual(['remaining-hop-count-decremented', 'one-hop-pushed']);
});

test('a hop that clears M fails, and so does one without a checksum over IPv6', () => {
  const marked = frame([hop(1)], { int: { mtuExceeded: true } });
  expect(failures(frame([hop(1), hop(2)], { int: pushed }), marked)).toEqual(['mtu-exceeded-kept']);
  const over6 = (hops: object[], parts: Parts): Uint8Array => frame(hops, { ...parts, ipv6: true });
  const none = over6([hop(1), hop(2)], { int: pushed, udp: { checksum: 0 } });
  expect(failures(none, over6([hop(1)], {}))).toEqual(['udp-checksum-right']);
});

test('clauses about the other kind of IP do not apply', () => {
  const verdicts = judgeTransit(sent, frame([hop(1), hop(2)], { int: pushed }));
  const skipped = verdicts.filter(({ verdict }) => verdict === 'not applicable');
  expect(skipped.map(({ clause }) => clause)).toContain('ip-payloadLength-right');
  expect(skipped.map(({ clause }) => clause)).not.toContain('ip-totalLength-right');
});

test('matchers say what is wrong', () => {
  const good = frame([hop(1), hop(2)], { int: pushed });
  expect(intMatchers.toFollow(good, sent).pass).toBe(true);
  const bad = intMatchers.toFollow(sent, sent);
  expect(bad.pass).toBe(false);
  expect(bad.message()).toContain('one-hop-pushed: words of the stack: wanted 10, found 5');
  expect(intMatchers.toCarryInt(good, 2).pass).toBe(true);
  expect(intMatchers.toCarryInt(good, 3).message()).toBe('wanted INT of 3 hops, found 2 hops');
  expect(intMatchers.toCarryInt(craftFrame(['ethernet'])).message()).toBe('wanted INT, found none');
});
