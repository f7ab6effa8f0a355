import type { RoceConfig } from '../../../../../host-agent/roce/queue-pair/roce-config';
import { roceHost } from '../../../../support/roce-hosts';

describe('the configuration of a host over RoCEv2', () => {
  test.each([256, 512, 1024, 2048, 4096])('may have a path MTU of %d', (mss) => {
    expect(() => roceHost(1, { mss })).not.toThrow();
  });

  test.each<[Partial<RoceConfig>, string]>([
    [{ mss: 1000 }, 'the path MTU of RoCEv2 must be 256, 512, 1024, 2048, 4096, got 1000'],
    [{ messageBytes: 0 }, 'messageBytes must be an integer at least 1 and at most 2147483648'],
    [{ readsOutstanding: 0 }, 'readsOutstanding must be an integer at least 1 and at most 128'],
    [{ retryCount: 8 }, 'retryCount must be an integer at least 0 and at most 7, got 8'],
    [{ rnrRetryCount: -1 }, 'rnrRetryCount must be an integer at least 0 and at most 7, got -1'],
    [{ rnrTimer: 32 }, 'rnrTimer must be an integer at least 0 and at most 31, got 32'],
    [{ feedback: { countsFlows: true } }, 'flowCount is about framing: hpcc, not about rocev2'],
    [
      { feedback: { asksSwitches: true } },
      'switchResponses is about framing: hpcc, not about rocev2',
    ],
    [{ feedback: { asksSojourn: true } }, 'queueMeasure is about framing: hpcc, not about rocev2'],
    [{ feedback: { hidesLinks: true } }, 'links is about framing: hpcc, not about rocev2'],
    [{ pathSelection: { paths: 2 } }, 'paths is about framing: hpcc, not about rocev2'],
    [{ linkRate: 0 }, 'linkRate must be'],
  ])('is refused with %j', (given, message) => {
    expect(() => roceHost(1, given)).toThrow(message);
  });
});
