import { ObserverList } from '../../../../emulator/kernel/observer-list';

interface Events {
  sent(what: string): void;
  received(what: string): void;
}

test('each event goes to those who have a method for it, in their order', () => {
  const seen: string[] = [];
  const observers = new ObserverList<Events>();
  observers.add({ sent: (what) => seen.push(`first sent ${what}`) });
  const sent = observers.of('sent');
  observers.add({ received: (what) => seen.push(`second received ${what}`) });
  observers.add({
    sent: (what) => seen.push(`third sent ${what}`),
    received: (what) => seen.push(`third received ${what}`),
  });
  for (const each of sent) each.sent('a');
  for (const each of observers.of('received')) each.received('b');
  expect(seen).toEqual(['first sent a', 'third sent a', 'second received b', 'third received b']);
  expect(observers.of('sent')).toBe(sent);
});
