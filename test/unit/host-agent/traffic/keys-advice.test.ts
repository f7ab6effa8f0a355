import { HostLedger } from '../../../../host-agent/host/host';
import { keysAdvice } from '../../../../host-agent/traffic/keys-advice';

describe('row 18: keys on one side only', () => {
  const after = (reason?: 'signed' | 'unauthenticated'): string | undefined => {
    const ledger = new HostLedger(undefined);
    if (reason !== undefined) ledger.reject(reason, '');
    return keysAdvice(ledger.counters());
  };

  test.each([
    ['signed', '1 answers were refused: they are signed, and this host has no --keys; run both'],
    ['unauthenticated', 'they are not signed with the --keys of this host; run both hosts with'],
  ] as const)('are named: %s', (reason, sentence) => {
    expect(after(reason)).toContain(sentence);
  });

  test('are no matter when nothing was refused', () => {
    expect(after()).toBeUndefined();
  });
});
