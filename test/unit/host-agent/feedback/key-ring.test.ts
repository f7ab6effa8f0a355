import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const ring = (): KeyRing => new KeyRing(hmacSha256, 1, key(1));

describe('a ring of keys', () => {
  it('signs with the first key until it is told to use another', () => {
    const keys = ring();
    expect(keys.signing).toBe(1);
    keys.add(2, key(2));
    expect(keys.signing).toBe(1);
    keys.use(2);
    expect(keys.signing).toBe(2);
    keys.remove(1);
    expect(keys.key(1)).toBeUndefined();
    expect(keys.key(2)).toEqual(key(2));
  });

  it('keeps a copy of its keys', () => {
    const bytes = key(1);
    const keys = new KeyRing(hmacSha256, 1, bytes);
    bytes.fill(0);
    expect(keys.key(1)).toEqual(key(1));
  });

  it.each([
    ['an id beyond 8 bits', (keys: KeyRing) => keys.add(256, key(2)), 'from 0 to 255, got 256'],
    ['a key that is there', (keys: KeyRing) => keys.add(1, key(2)), 'key 1 is in the ring already'],
    ['a short key', (keys: KeyRing) => keys.add(2, new Uint8Array(31)), 'must have 32 bytes'],
    ['the use of a missing key', (keys: KeyRing) => keys.use(9), 'key 9 is not in the ring'],
    ['the loss of the signing key', (keys: KeyRing) => keys.remove(1), 'key 1 signs'],
  ])('refuses %s', (_what, act, message) => {
    expect(() => act(ring())).toThrow(message);
  });
});
