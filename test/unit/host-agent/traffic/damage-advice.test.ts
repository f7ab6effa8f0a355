import { HostLedger } from '../../../../host-agent/host/host';
import { damageAdvice } from '../../../../host-agent/traffic/damage-advice';

const after = (malformed: number, received: number): string | undefined => {
  const ledger = new HostLedger(undefined);
  for (let i = 0; i < malformed; i++) ledger.reject('malformed', 'bad checksum');
  return damageAdvice({ ...ledger.counters(), dataReceived: received });
};

describe('packets with wrong checksums', () => {
  test('are named where most are, with what is to be done', () => {
    expect(after(11, 10)).toContain('11 packets came with wrong lengths or checksums');
    expect(after(11, 10)).toContain('ethtool -K IF tx off');
  });

  test.each([
    [9, 0],
    [10, 10],
    [100, 1000],
  ])('are no matter where they are few or others come: %d of %d', (malformed, received) => {
    expect(after(malformed, received)).toBeUndefined();
  });
});
