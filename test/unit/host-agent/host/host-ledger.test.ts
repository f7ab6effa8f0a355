import { HostLedger } from '../../../../host-agent/host/host';

describe('the ledger of a host', () => {
  it('refuses a clock that goes back, and allows one that stands still', () => {
    const ledger = new HostLedger(undefined);
    ledger.advance(5);
    ledger.advance(5);
    expect(ledger.now).toBe(5);
    expect(() => {
      ledger.advance(4);
    }).toThrow('time does not go backwards');
  });

  it('counts what was late apart from what was dropped, which is an event too', () => {
    const ledger = new HostLedger(undefined);
    ledger.advance(7);
    ledger.note('late', 'nobody reads this');
    ledger.note('replayed', 'flow 1');
    ledger.reject('malformed', 'a byte');
    ledger.reject('malformed', 'another');
    const { acksLate, packetsRejected } = ledger.counters();
    expect(acksLate).toBe(1);
    expect(packetsRejected).toMatchObject({ replayed: 1, malformed: 2, unrequested: 0 });
    const kind = 'packet-rejected';
    expect(ledger.pollEvent()).toEqual({ kind, at: 7, reason: 'replayed', detail: 'flow 1' });
    expect(ledger.pollEvent()).toMatchObject({ reason: 'malformed', detail: 'a byte' });
    expect(ledger.pollEvent()).toMatchObject({ detail: 'another' });
    expect(ledger.pollEvent()).toBeUndefined();
  });

  it('hands out copies of its counters', () => {
    const ledger = new HostLedger(undefined);
    const before = ledger.counters();
    ledger.counts.dataSent++;
    ledger.reject('malformed', '');
    expect(before.dataSent).toBe(0);
    expect(before.packetsRejected.malformed).toBe(0);
    expect(ledger.counters().dataSent).toBe(1);
  });

  it('knows of no notifications where the host does not listen to switches', () => {
    const ledger = new HostLedger(undefined);
    const packet = { bytes: new Uint8Array(64), length: 64 };
    const apply = jest.fn();
    expect(ledger.handleNotification(packet, apply)).toBe(false);
    expect(apply).not.toHaveBeenCalled();
    expect(ledger.coordination()).toBeUndefined();
  });
});
