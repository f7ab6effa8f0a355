import { hmacSha256 } from '../../../../../host-agent/io/keys/hmac';
import { toHex } from '../../../../support/hex';

describe('HMAC-SHA-256', () => {
  it('has the value of RFC 4231, case 1', () => {
    const key = new Uint8Array(20).fill(0x0b);
    const code = hmacSha256(key, new TextEncoder().encode('Hi There'));
    expect(toHex(code)).toBe('b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7');
  });
});
