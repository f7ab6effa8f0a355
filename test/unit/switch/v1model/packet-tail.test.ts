import type { Packet } from '../../../../common/packet/packet';
import { hex, primitive } from '../support/json-values';
import { Network } from '../support/network';
import { programText } from '../support/program';
import { steering } from '../support/steering';
import type { Primitive } from '../support/json-values';

const PORTS = [1, 2].map((port) => ({ pacing: 'bmv2 packets/s' as const, port }));
const TAIL = Uint8Array.of(1, 2, 3, 4);
/** A packet of a kilobyte, with all but its first and its last four bytes virtual zeros. */
const PACKET: Packet = { bytes: Uint8Array.of(2, 0, 7, 7), length: 1000, tail: TAIL };

function through(packet: Packet, ...egress: readonly Primitive[]): Packet | undefined {
  const net = new Network({ ports: PORTS });
  net.switch.loadProgram(programText(steering([], egress)));
  net.arrive(0, 1, packet);
  return net.sent[0]?.packet;
}

describe('the tail of a packet with virtual payload', () => {
  test('leaves the switch as it came, while headers grow', () => {
    const packet = through({ ...PACKET, id: 5 });
    expect(packet).toMatchObject({ tail: TAIL, id: 5 });
    expect((packet?.length ?? 0) - (packet?.bytes.length ?? 0)).toBe(996);
  });

  test('is lost with what truncation cuts off', () => {
    const packet = through(PACKET, primitive('truncate', hex(100)));
    expect(packet?.length).toBe(100);
    expect(packet).not.toHaveProperty('tail');
  });

  test('does not appear where there was none', () => {
    expect(through({ bytes: PACKET.bytes, length: 1000 })).not.toHaveProperty('tail');
  });
});
