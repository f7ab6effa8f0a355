import { AUTH_TRAILER_LENGTH } from '../../../../common/wire/security/message-mac';
import { emitHpccTransport, HPCC_FLAG_AUTH } from '../../../../common/wire/hpcc/hpcc-transport';
import { HPCC_FLAG_ECHO, HPCC_TELEMETRY } from '../../../../common/wire/hpcc/hpcc-transport';
import { HPCC_TRANSPORT_LENGTH } from '../../../../common/wire/hpcc/hpcc-transport';
import { ReplayWindow } from '../../../../common/wire/security/replay-window';
import { signFeedback, verifyFeedback } from '../../../../host-agent/feedback/feedback-auth';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';

const PATH = { source: 0x0a00_0002, destination: 0x0a00_0001 };
const BODY = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]);
const BODY_LENGTH = BODY.length + AUTH_TRAILER_LENGTH;
const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const ring = (): KeyRing => new KeyRing(hmacSha256, 1, key(1));

function signed(keys: KeyRing, sequence: number): Uint8Array {
  const header = {
    type: HPCC_TELEMETRY,
    flags: HPCC_FLAG_AUTH | HPCC_FLAG_ECHO,
    flowId: 7,
    generation: 3,
    sequence: 1000,
    length: BODY_LENGTH,
  } as const;
  const bytes = new Uint8Array(HPCC_TRANSPORT_LENGTH + BODY_LENGTH);
  emitHpccTransport(header, bytes, 0);
  bytes.set(signFeedback(keys, PATH, header, { body: BODY, sequence }), HPCC_TRANSPORT_LENGTH);
  return bytes;
}

function verify(keys: KeyRing, bytes: Uint8Array, window = new ReplayWindow(), path = PATH) {
  return verifyFeedback(
    keys,
    path,
    { bytes, offset: 0, end: HPCC_TRANSPORT_LENGTH + BODY_LENGTH },
    window,
  );
}

describe('signed feedback', () => {
  it('is accepted once, by who has the key', () => {
    const window = new ReplayWindow();
    const bytes = signed(ring(), 1);
    expect(bytes.subarray(16, 24)).toEqual(BODY);
    expect(verify(ring(), bytes, window)).toBeUndefined();
    expect(verify(ring(), bytes, window)).toBe('replayed');
  });

  it('is refused with any bit changed, and its number stays unused', () => {
    const window = new ReplayWindow();
    const bytes = signed(ring(), 1);
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      // Three bytes of the trailer are reserved, but the code covers them.
      const changed = bytes.slice();
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(verify(ring(), changed, window)).toBe('unauthenticated');
    }
    expect(verify(ring(), bytes, window)).toBeUndefined();
  });

  it('is refused between other hosts and with another key', () => {
    const bytes = signed(ring(), 1);
    for (const path of [
      { ...PATH, source: PATH.source + 1 },
      { ...PATH, destination: PATH.destination + 1 },
      { source: PATH.destination, destination: PATH.source },
    ]) {
      expect(verify(ring(), bytes, new ReplayWindow(), path)).toBe('unauthenticated');
    }
    expect(verify(new KeyRing(hmacSha256, 1, key(2)), bytes)).toBe('unauthenticated');
    expect(verify(new KeyRing(hmacSha256, 2, key(1)), bytes)).toBe('unauthenticated');
  });

  it('may be reordered within the window', () => {
    const window = new ReplayWindow();
    const accepted = [1, 70, 8, 7, 6].map((n) => verify(ring(), signed(ring(), n), window));
    expect(accepted).toEqual([undefined, undefined, undefined, undefined, 'replayed']);
  });

  it('stays valid while keys are rotated: add to both, use on both, remove', () => {
    const [receiver, sender] = [ring(), ring()];
    const window = new ReplayWindow();
    const onItsWay = signed(receiver, 1);
    receiver.add(2, key(2));
    sender.add(2, key(2));
    receiver.use(2);
    expect(verify(sender, signed(receiver, 2), window)).toBeUndefined();
    expect(verify(sender, onItsWay, window)).toBeUndefined();
    sender.use(2);
    sender.remove(1);
    expect(verify(sender, signed(receiver, 3), window)).toBeUndefined();
    expect(verify(sender, signed(ring(), 4), window)).toBe('unauthenticated');
  });
});
