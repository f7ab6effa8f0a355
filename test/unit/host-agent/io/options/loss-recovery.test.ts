import { lossRecoveryOf } from '../../../../../host-agent/io/options/loss-recovery';

describe('loss recovery of flows on interfaces', () => {
  test('goes back unless told otherwise', () => {
    expect(lossRecoveryOf({})).toBe('go-back-n');
    expect(lossRecoveryOf({ lossRecovery: 'selective-repeat' })).toBe('selective-repeat');
  });

  test('repeats what is missing where switches move flows, unless told otherwise', () => {
    const coordination = 'keys.json';
    expect(lossRecoveryOf({ coordination })).toBe('selective-repeat');
    expect(lossRecoveryOf({ coordination, lossRecovery: 'go-back-n' })).toBe('go-back-n');
  });

  test('goes back over RoCEv2, whose receivers take packets in order only', () => {
    expect(lossRecoveryOf({ coordination: 'keys.json', framing: 'rocev2' })).toBe('go-back-n');
  });
});
