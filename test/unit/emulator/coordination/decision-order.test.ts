import { DecisionOrder } from '../../../../emulator/coordination/decision-order';

describe('the order of decisions', () => {
  it('is that of arrivals, although packets leave from two ports in turns', () => {
    const order = new DecisionOrder<string>();
    for (const packet of [1, 2, 3, 4]) order.onArrival(packet);
    expect(order.onDeparture(3, 'b')).toEqual([]);
    expect(order.onDeparture(1, 'a')).toEqual(['a']);
    expect(order.onDeparture(4, 'b')).toEqual([]);
    expect(order.onDeparture(2, 'a')).toEqual(['a', 'b', 'b']);
  });

  it('goes on although packets were dropped, once many others have come', () => {
    const order = new DecisionOrder<number>();
    order.onArrival(0);
    const outcomes: number[] = [];
    for (let packet = 1; packet <= 9000; packet++) {
      order.onArrival(packet);
      outcomes.push(...order.onDeparture(packet, packet));
    }
    expect(outcomes[0]).toBe(1);
    expect(outcomes).toEqual([...outcomes].sort((a, b) => a - b));
    expect(outcomes.at(-1)).toBe(9000);
  });

  it('knows nothing of packets that never came', () => {
    expect(new DecisionOrder<number>().onDeparture(7, 7)).toEqual([]);
  });
});
