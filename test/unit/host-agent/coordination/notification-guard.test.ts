import type { CcmNotification } from '../../../../common/wire/coordination/ccm-notification';
import type { CcmKey } from '../../../../common/wire/coordination/ccm-notification';
import { parseCcmNotification } from '../../../../common/wire/coordination/ccm-notification';
import { WireFault } from '../../../../common/wire/fault';
import { IP_LAYERS, IP_VERSIONS } from '../../../../host-agent/carrier/network-layer';
import { NotificationGuard } from '../../../../host-agent/coordination/notification-guard';
import { SwitchKeys } from '../../../../host-agent/feedback/switch-keys';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import { addressOf } from '../../../support/hosts';
import type { GivenNotification } from '../../../support/notifications';
import { networkKeys, notificationAt, notificationFrame } from '../../../support/notifications';
import { SIPHASH_KEY, SWITCH_ADDRESS } from '../../../support/notifications';

const PATH = { source: SWITCH_ADDRESS, destination: addressOf(1) };
const HMAC_KEY: CcmKey = { algorithm: 'hmac-sha-256-128', bytes: new Uint8Array(32).fill(9) };

function messageOf(given: Partial<GivenNotification> = {}): Uint8Array {
  const frame = notificationFrame({
    type: 'control-required',
    number: 1,
    sourcePort: 49152,
    ...given,
  });
  return frame.bytes.subarray(notificationAt(given.version ?? 'ipv4'));
}

function parsed(message: Uint8Array): CcmNotification {
  const notification = parseCcmNotification(message, 0);
  if (notification instanceof WireFault) throw new Error(notification.toString());
  return notification;
}

const check = (guard: NotificationGuard, message: Uint8Array, path = PATH) =>
  guard.check(parsed(message), message, path);

describe('the guard of notifications', () => {
  it.each([
    ['SipHash', 1, SIPHASH_KEY],
    ['HMAC', 2, HMAC_KEY],
  ] as const)('lets a genuine one through once, with %s', (_name, keyId, key) => {
    const guard = new NotificationGuard(networkKeys().add(2, HMAC_KEY));
    const message = messageOf({ keyId, key });
    expect(check(guard, message)).toBeUndefined();
    expect(check(guard, message)).toBe('replayed');
  });

  it('refuses it with any bit changed that the parser lets pass', () => {
    const guard = new NotificationGuard(networkKeys());
    const message = messageOf();
    let passed = 0;
    for (let bit = 0; bit < 8 * message.length; bit++) {
      const changed = message.slice();
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      const notification = parseCcmNotification(changed, 0);
      if (notification instanceof WireFault) continue;
      passed++;
      expect(guard.check(notification, changed, PATH)).toBe('unauthenticated');
    }
    expect(passed).toBeGreaterThan(450);
    expect(check(guard, message)).toBeUndefined();
  });

  it('refuses one without a code, under an unknown key, and under a key of another kind', () => {
    const guard = new NotificationGuard(networkKeys());
    expect(check(guard, messageOf({ keyId: 3 }))).toBe('unauthenticated');
    expect(check(guard, messageOf({ key: HMAC_KEY }))).toBe('unauthenticated');
    const bare = { ...parsed(messageOf()), keyId: 0, mac: new Uint8Array(0) };
    expect(guard.check(bare, messageOf(), PATH)).toBe('unauthenticated');
  });

  it.each(IP_VERSIONS)(
    'binds HMAC to the addresses of %s that the packet travels between',
    (version) => {
      const keys = new SwitchKeys(hmacSha256).add(2, HMAC_KEY);
      const guard = new NotificationGuard(keys, IP_LAYERS[version]);
      const message = messageOf({ keyId: 2, key: HMAC_KEY, version });
      expect(check(guard, message, { ...PATH, source: SWITCH_ADDRESS + 1 })).toBe(
        'unauthenticated',
      );
      expect(check(guard, message)).toBeUndefined();
    },
  );

  it('keeps a window for every sender and key: late ones pass, old and repeated ones do not', () => {
    const guard = new NotificationGuard(networkKeys().add(2, HMAC_KEY));
    const passes = (given: Partial<GivenNotification>): boolean =>
      check(guard, messageOf(given)) === undefined;
    expect([5, 3, 3, 70, 6, 7, 7].map((number) => passes({ number }))).toEqual([
      true,
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(passes({ number: 3, senderNode: 8 })).toBe(true);
    expect(passes({ number: 3, keyId: 2, key: HMAC_KEY })).toBe(true);
    // A switch that has restarted counts from 1 again, under the next boot number.
    expect(passes({ sequence: { high: 2, low: 1 } })).toBe(true);
  });
});

describe('keys of notifications', () => {
  it('can be rotated while notifications are on their way', () => {
    const keys = networkKeys();
    const guard = new NotificationGuard(keys);
    keys.add(2, HMAC_KEY);
    expect(check(guard, messageOf({ number: 1 }))).toBeUndefined();
    expect(check(guard, messageOf({ number: 1, keyId: 2, key: HMAC_KEY }))).toBeUndefined();
    keys.remove(1);
    expect(check(guard, messageOf({ number: 2 }))).toBe('unauthenticated');
  });

  it('are refused by name when they make no sense', () => {
    const keys = networkKeys();
    expect(() => keys.add(1, HMAC_KEY)).toThrow('key 1 of switches is known already');
    expect(() => keys.add(0, HMAC_KEY)).toThrow('from 1 to 255, got 0');
    const short = { algorithm: 'siphash-2-4-64', bytes: new Uint8Array(5) } as const;
    expect(() => keys.add(3, short)).toThrow('key 3 of switches must have 16 bytes, got 5');
  });
});
