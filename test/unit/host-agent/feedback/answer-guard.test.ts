import { answerCode } from '../../../../common/wire/hpcc/answer-code';
import { MAC_LENGTH } from '../../../../common/wire/security/message-mac';
import { AnswerGuard } from '../../../../host-agent/feedback/answer-guard';
import { SwitchKeys } from '../../../../host-agent/feedback/switch-keys';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import { fromHex } from '../../../support/hex';

const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
const IPV4 = 14;
const HEADER = 16;
const TRAILER = 28;
/** Offset of the node in the body, behind eight bytes of what the answer is about. */
const NODE_AT = HEADER + 8;
/** Offset of the sequence number in the trailer. */
const SEQUENCE_AT = 4;

/** Answers that hpcc-feedback-signed has sent (test/p4/profiles/hpcc-feedback-signed.sender.stf). */
const ANSWERS = {
  IPv4: {
    frame: fromHex(`
      02000000000b02000000000a080045c00070000040003f1126bb0a0000020a00
      00019c40c352005c04b61610004d00440003000000123456789aff01113f9c40
      c352000000020001000200000000000000000000000000000000000000000001
      86a00300000000000007000000014f6c016e9f6cd9790000000000000000`),
    addressAt: IPV4 + 12,
    addressLength: 4,
    offset: IPV4 + 20 + 8,
  },
  IPv6: {
    frame: fromHex(`
      02000000000b02000000000a86dd6c000000005c113f20010db8000000000000
      00000000000220010db80000000000000000000000019c40c352005c11211610
      004d004400030000000000000099ff01113f9c40c35200000002000100020000
      00000000000000000000000000000000004e000186a003000000000000070000
      00023f47bb8b62cbc45f0000000000000000`),
    addressAt: IPV4 + 8,
    addressLength: 16,
    offset: IPV4 + 40 + 8,
  },
} as const;

const guardWith = (id = 3, bytes = KEY): AnswerGuard =>
  new AnswerGuard(new SwitchKeys(hmacSha256).add(id, { algorithm: 'siphash-2-4-64', bytes }));

function placed({
  frame,
  addressAt,
  addressLength,
  offset,
}: (typeof ANSWERS)[keyof typeof ANSWERS]) {
  const bytes = frame.slice();
  const source = bytes.slice(addressAt, addressAt + addressLength);
  const destination = bytes.slice(addressAt + addressLength, addressAt + 2 * addressLength);
  const place = { bytes, offset, bodyAt: offset + HEADER, end: bytes.length };
  return { addresses: { source, destination }, place };
}

/** The same answer with other bytes and its right code. */
function signed(change: (message: Uint8Array) => void, key = KEY) {
  const answer = placed(ANSWERS.IPv4);
  const { bytes, offset, end } = answer.place;
  change(bytes.subarray(offset));
  const code = answerCode(key, answer.addresses, bytes.subarray(offset, end - MAC_LENGTH));
  bytes.set(code, end - MAC_LENGTH);
  return answer;
}

const check = (guard: AnswerGuard, { addresses, place }: ReturnType<typeof placed>) =>
  guard.check(addresses, place);

describe('the guard of answers of switches', () => {
  it.each(['IPv4', 'IPv6'] as const)(
    'lets what the program has signed through once: %s',
    (name) => {
      const guard = guardWith();
      expect(check(guard, placed(ANSWERS[name]))).toBeUndefined();
      expect(check(guard, placed(ANSWERS[name]))).toBe('replayed');
    },
  );

  it('refuses it with any bit changed', () => {
    const guard = guardWith();
    const { place } = placed(ANSWERS.IPv4);
    for (let bit = 8 * place.offset; bit < 8 * place.end; bit++) {
      const changed = placed(ANSWERS.IPv4);
      const { bytes } = changed.place;
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(check(guard, changed)).toBe('unauthenticated');
    }
    expect(check(guard, placed(ANSWERS.IPv4))).toBeUndefined();
  });

  it.each(['source', 'destination'] as const)('refuses it with another %s', (end) => {
    const answer = placed(ANSWERS.IPv4);
    answer.addresses[end][3] = 9;
    expect(check(guardWith(), answer)).toBe('unauthenticated');
  });

  it('refuses it without its key, with another, and with one for HMAC', () => {
    const answer = placed(ANSWERS.IPv4);
    expect(check(guardWith(4), answer)).toBe('unauthenticated');
    expect(check(guardWith(3, new Uint8Array(16)), answer)).toBe('unauthenticated');
    const hmac = { algorithm: 'hmac-sha-256-128', bytes: new Uint8Array(32) } as const;
    const guard = new AnswerGuard(new SwitchKeys(hmacSha256).add(3, hmac));
    expect(check(guard, answer)).toBe('unauthenticated');
  });

  it('counts for each switch and key, and bears with answers that overtake each other', () => {
    const guard = guardWith();
    const numbered = (n: number, node = 2) =>
      signed((message) => {
        message[message.length - TRAILER + SEQUENCE_AT + 7] = n;
        message[NODE_AT + 3] = node;
      });
    expect([3, 1, 2].map((n) => check(guard, numbered(n)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(check(guard, numbered(2))).toBe('replayed');
    expect(check(guard, numbered(2, 5))).toBeUndefined();
  });

  it('knows keys of single switches', () => {
    const own = new Uint8Array(16).fill(9);
    const keys = new SwitchKeys(hmacSha256)
      .add(3, { algorithm: 'siphash-2-4-64', bytes: KEY })
      .add(3, { algorithm: 'siphash-2-4-64', bytes: own }, 2);
    expect(check(new AnswerGuard(keys), placed(ANSWERS.IPv4))).toBe('unauthenticated');
    expect(
      check(
        new AnswerGuard(keys),
        signed(() => undefined, own),
      ),
    ).toBeUndefined();
  });
});
