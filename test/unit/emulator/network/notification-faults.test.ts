import { Random } from '../../../../common/random/random';
import { CCM_PORT } from '../../../../common/wire/coordination/ccm-notification';
import { NotificationFaults } from '../../../../emulator/network/notification-faults';
import { notificationFaultSchema } from '../../../../emulator/scenario/data-plane-schema';
import type { Packet } from '../../../../common/packet/packet';

const RECEIVER = 0x0a00_0001;
const FRAME = 14 + 20 + 8 + 64;

/** A frame with the port and address of a notification, of bytes that tell their place. */
function notification(receiver = RECEIVER, port = CCM_PORT): Packet {
  const bytes = Uint8Array.from({ length: FRAME }, (_, i) => i);
  const view = new DataView(bytes.buffer);
  view.setUint32(30, receiver);
  view.setUint16(36, port);
  return { bytes, length: FRAME };
}

const faults = (document: object): NotificationFaults =>
  new NotificationFaults(notificationFaultSchema.parse(document), RECEIVER, new Random(1));

describe('faults of notifications', () => {
  test('leave alone what is none, or for somebody else', () => {
    const always = faults({ loss: 1, forge: 1, replay: 1 });
    for (const packet of [notification(RECEIVER + 1), notification(RECEIVER, 50_002)]) {
      expect(always.pass(0, packet)).toEqual([{ packet, by: 0 }]);
    }
    const { counts } = always;
    expect(Object.values(counts)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('lose, repeat and delay by less than was asked for', () => {
    expect(faults({ loss: 1 }).pass(0, notification())).toEqual([]);
    const copies = faults({ duplicate: 1, reorder: 1, delayUs: 2 }).pass(0, notification());
    expect(copies).toHaveLength(2);
    for (const { by } of copies) expect(by > 0 && by <= 2 * 2e6).toBe(true);
  });

  test('replay only what has arrived', () => {
    const replaying = faults({ replay: 1 });
    expect(replaying.pass(10, notification())).toHaveLength(1);
    expect(replaying.pass(11, notification())).toHaveLength(2);
    expect(replaying.counts.replayed).toBe(1);
  });

  test('forge every byte of the message, sooner or later', () => {
    const forging = faults({ forge: 1 });
    const changed = new Set<number>();
    for (let round = 0; round < 10_000; round++) {
      const forged = forging.pass(round, notification())[1]?.packet;
      const places = [...(forged?.bytes ?? [])].flatMap((byte, at) => (byte === at ? [] : [at]));
      const inMessage = places.filter((at) => at >= 42);
      if (inMessage.length === 1) changed.add(inMessage[0] ?? 0);
    }
    expect([...changed].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 64 }, (_, i) => 42 + i),
    );
  });

  test('forge what differs in message or code, and leave the original as it is', () => {
    const forging = faults({ forge: 1 });
    for (let round = 0; round < 100; round++) {
      const [genuine, forged] = forging.pass(round, notification());
      expect(genuine?.packet).toEqual(notification());
      const differs = forged?.packet.bytes.some((byte, at) => at >= 42 && byte !== at);
      expect(differs).toBe(true);
    }
  });
});
