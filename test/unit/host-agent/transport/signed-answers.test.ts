import type { Packet } from '../../../../common/packet/packet';
import { HPCC_WINDOW } from '../../../../common/wire/hpcc/hpcc-transport';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { SwitchKeys } from '../../../../host-agent/feedback/switch-keys';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import type { HostConfig } from '../../../../host-agent/host/host-config';
import type { HostAgent } from '../../../../host-agent/transport/host';
import { flowTo, testHost } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';
import { hostAwaitingAnswers, switchAnswer } from '../../../support/switch-answer';
import { seenFrame } from '../../../support/transport-frames';

const KEY = new Uint8Array(16).fill(7);
const HOP = { timestamp: 3000, txBytes: 25_000, queueBytes: 600_000 };

const keyRing = (): KeyRing => new KeyRing(hmacSha256, 1, new Uint8Array(32));
const answerKeys = (): SwitchKeys =>
  new SwitchKeys(hmacSha256).add(1, { algorithm: 'siphash-2-4-64', bytes: KEY });
const answer = (number: number, key = KEY): Packet =>
  switchAnswer(HOP, { signed: { key, number } });
const window = (host: HostAgent): number => host.flowMetrics(0)?.congestion.windowBytes ?? NaN;

/** Tells if a host accepts an answer, and how often it has refused one by then, by reason. */
function outcome(given: () => Partial<HostConfig>, packets: readonly Packet[]) {
  const host = hostAwaitingAnswers(given());
  const before = window(host);
  packets.forEach((packet, i) => host.handlePacket(300_000 + i, packet));
  const rejected = Object.entries(host.counters().packetsRejected).filter(([, n]) => n > 0);
  return { isBelieved: window(host) < before / 2, rejected: Object.fromEntries(rejected) };
}

describe('an answer of a switch that has signed it', () => {
  it.each([
    ['keys for both', () => ({ keyRing: keyRing(), answerKeys: answerKeys() })],
    ['keys of switches only', () => ({ answerKeys: answerKeys() })],
  ] as const)('is believed once by a host with %s', (_, given) => {
    expect(outcome(given, [answer(1)])).toEqual({ isBelieved: true, rejected: {} });
    expect(outcome(given, [answer(1), answer(1)]).rejected).toEqual({ replayed: 1 });
    const forged = outcome(given, [answer(1, new Uint8Array(16)), switchAnswer(HOP)]);
    expect(forged).toEqual({ isBelieved: false, rejected: { unauthenticated: 2 } });
  });

  it('is refused by hosts that have no keys of switches', () => {
    const keyed = outcome(() => ({ keyRing: keyRing() }), [answer(1), switchAnswer(HOP)]);
    expect(keyed).toEqual({ isBelieved: false, rejected: { unauthenticated: 2 } });
    const open = outcome(() => ({}), [answer(1)]);
    expect(open).toEqual({ isBelieved: false, rejected: { signed: 1 } });
  });

  it('counts for nothing where nobody has asked, also as a number', () => {
    const host = hostAwaitingAnswers({ feedback: {}, answerKeys: answerKeys() });
    host.handlePacket(300_000, answer(1));
    expect(host.counters().packetsRejected).toMatchObject({ unrequested: 1, replayed: 0 });
  });

  it('is believed, or refused, by a receiver with the algorithm just so', () => {
    const feedback = { asksSwitches: true, algorithmAt: 'receiver' } as const;
    const config = { feedback, answerKeys: answerKeys() };
    const [sender, receiver] = [testHost(1, config), testHost(2, config)];
    sender.startFlow(0, flowTo(2, 0, 100_000));
    const first = sender.pollTransmit(0) as Packet;
    const zero = { switchId: 1, portId: 1, txBytes: 0, queueBytes: 300_000, capacity: 100e9 };
    receiver.handlePacket(0, pushHop(first, { ...zero, timestamp: 1000 }));
    while (receiver.pollTransmit(0) !== undefined);
    receiver.handlePacket(10, switchAnswer(HOP, { toReceiver: true }));
    expect(receiver.pollTransmit(10)).toBeUndefined();
    const signed = { key: KEY, number: 1 };
    receiver.handlePacket(20, switchAnswer(HOP, { toReceiver: true, signed }));
    expect(seenFrame(receiver.pollTransmit(20) as Packet).type).toBe(HPCC_WINDOW);
    expect(receiver.counters().packetsRejected.unauthenticated).toBe(1);
  });
});
