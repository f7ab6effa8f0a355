import type { AgentOptions } from '../../../../../host-agent/io/options/agent-options';
import {
  checkCombinations,
  feedbackOf,
} from '../../../../../host-agent/io/options/feedback-options';

const BASE: AgentOptions = {
  ...{ interface: 'eth0', transport: 'packet', feedback: 'ack', logLevel: 'info' },
  ...{ baseRttUs: 1000, retransmissionMs: 50, hopLimit: 8, acknowledgeEvery: 1, checksum: false },
};
const with_ = (options: Partial<AgentOptions>): AgentOptions => ({ ...BASE, ...options });

describe('options of feedback', () => {
  test.each<[Partial<AgentOptions>, object]>([
    [{}, { collectBy: 'data', returnBy: 'ack', algorithmAt: 'sender' }],
    [{ feedback: 'notification' }, { collectBy: 'data', returnBy: 'notification' }],
    [{ feedback: 'probe' }, { collectBy: 'probe', returnBy: 'response', algorithmAt: 'sender' }],
    [{ feedback: 'receiver' }, { collectBy: 'data', returnBy: 'window', algorithmAt: 'receiver' }],
    [
      { collectEvery: 4, acknowledgeEvery: 2 },
      { collectEvery: 4, acknowledgeEvery: 2 },
    ],
    [
      { countFlows: true, hideLinks: true },
      { countsFlows: true, hidesLinks: true },
    ],
  ])('%j ask for %j', (options, plan) => {
    expect(feedbackOf(with_(options))).toMatchObject(plan);
    expect(() => checkCombinations(with_(options))).not.toThrow();
  });

  test.each<[Partial<AgentOptions>, string]>([
    [{ collectEvery: 4, feedback: 'probe' }, '--collect-every is about data'],
    [{ hideLinks: true, feedback: 'receiver' }, '--hide-links keeps links from the sender'],
    [{ paths: 4, feedback: 'receiver' }, '--paths needs the links of each path at the sender'],
    [{ paths: 4, hideLinks: true }, '--paths needs the links of each path, which --hide-links'],
    [{ paths: 4, transport: 'udp' }, '--paths needs a source port per path'],
    [{ coordination: 'k', paths: 2 }, '--coordination needs the algorithm at the sender and one'],
    [{ baseRttUs: 'auto', feedback: 'receiver' }, '--base-rtt-us auto is measured by senders'],
    [{ baseRttUs: 'auto', framing: 'rocev2' }, '--base-rtt-us auto is measured by senders'],
    [{ baseRttUs: 'auto', coordination: 'k' }, '--base-rtt-us auto is measured by senders'],
    [{ coordinationHoldMs: 5 }, '--coordination-hold-ms is about notifications'],
    [{ sourceRerouting: false }, '--no-source-rerouting is about notifications'],
    [{ paths: 2, framing: 'rocev2' }, '--paths is about --framing hpcc'],
    [{ hideLinks: true, framing: 'rocev2' }, '--hide-links is about --framing hpcc'],
    [{ countFlows: true, framing: 'rocev2' }, '--count-flows is about --framing hpcc'],
    [{ collectEvery: 2, framing: 'rocev2' }, '--collect-every is about --framing hpcc'],
  ])('%j are refused', (options, message) => {
    expect(() => checkCombinations(with_(options))).toThrow(message);
  });

  test('a limit of the rate needs the algorithm at the sender', () => {
    expect(() => checkCombinations(BASE, 1e6)).not.toThrow();
    expect(() => checkCombinations(with_({ feedback: 'receiver' }), 1e6)).toThrow('--rate limits');
  });
});
