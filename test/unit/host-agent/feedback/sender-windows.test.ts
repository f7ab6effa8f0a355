import { SenderWindows } from '../../../../host-agent/feedback/sender-windows';

const SENDERS_MAX = 65_536;
const first = { high: 1, low: 1 };

describe('windows of senders', () => {
  it('let each number through once for a sender and key', () => {
    const windows = new SenderWindows();
    expect(windows.accept(2, 3, first)).toBe(true);
    expect(windows.accept(2, 3, first)).toBe(false);
    expect(windows.accept(2, 4, first)).toBe(true);
    expect(windows.accept(3, 3, first)).toBe(true);
  });

  it('refuse who is beyond those that are remembered, and no other', () => {
    const windows = new SenderWindows();
    for (let node = 1; node <= SENDERS_MAX; node++) windows.accept(node, 1, first);
    expect(windows.accept(SENDERS_MAX + 1, 1, first)).toBe(false);
    expect(windows.accept(SENDERS_MAX, 1, { high: 1, low: 2 })).toBe(true);
  });
});
