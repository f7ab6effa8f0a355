import { Random } from '../../../../common/random/random';
import { gigabitsPerSecond } from '../../../../common/units/units';
import { LinkPort } from '../../../../switch/v1model/link-port';
import type { PortOptions, SwitchOptions } from '../../../../switch/v1model/options';
import { Network } from '../support/network';
import type { Sent } from '../support/network';
import { hex, primitive } from '../support/json-values';
import type { Primitive } from '../support/json-values';
import { programText } from '../support/program';
import { steering, when } from '../support/steering';

const PACKETS = 200;
const PORTS: PortOptions[] = [1, 2, 3].map((port) => ({
  port,
  pacing: 'bits/s',
  rate: gigabitsPerSecond(1),
  queueLimit: { bytes: 60 },
}));

const clone = (direction: 'ingress' | 'egress'): Primitive =>
  primitive(`clone_${direction}_pkt_to_egress`, hex(5), hex(1));
const isNormal = when('standard_metadata.instance_type', 0, { at: 0, count: 1 });

/** Packets of random lengths to random ports of a switch whose clones go to all ports. */
function run(ingress: readonly Primitive[], egress: readonly Primitive[]): readonly Sent[] {
  const options: Omit<SwitchOptions, 'output'> = { ports: PORTS, priorityQueues: 2 };
  const net = new Network(options);
  net.switch.loadProgram(programText(steering(ingress, egress)));
  const replicas = [2, 3, 1].map((port) => ({ port, instance: port }));
  net.switch.cloneSessions.setSession(5, { replicas, packetLengthMax: undefined });
  const random = new Random(1);
  let now = 0;
  for (let i = 0; i < PACKETS; i++) {
    now += 1 + random.below(400_000);
    const rest = new Array<number>(1 + random.below(70)).fill(i & 0xff);
    const bytes = Uint8Array.of(1 + random.below(3), random.below(2), ...rest);
    net.arrive(now, 1 + random.below(3), { bytes, length: bytes.length });
  }
  net.advance();
  return net.sent;
}

describe('a packet that finds its port idle', () => {
  test.each([
    ['alone', [], []],
    ['cloned in ingress', [clone('ingress')], []],
    ['cloned in egress', [], [isNormal, clone('egress')]],
  ])('leaves as through its queue: %s', (_, ingress, egress) => {
    const passing = run(ingress, egress);
    const isIdle = jest.spyOn(LinkPort.prototype, 'isIdle').mockReturnValue(false);
    const queued = run(ingress, egress);
    isIdle.mockRestore();
    expect(passing.length).toBeGreaterThan(PACKETS / 2);
    expect(passing).toEqual(queued);
  });
});
