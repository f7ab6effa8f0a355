import { everyTogether } from '../../../../../common/io/loop/shared-interval';

describe('a shared interval', () => {
  beforeEach(() => jest.useFakeTimers());

  afterEach(() => jest.useRealTimers());

  test('calls all of one period by one timer, each until it ends', () => {
    const calls: string[] = [];
    const act = (name: string) => (): void => void calls.push(name);
    const endFirst = everyTogether(100, act('first'));
    jest.advanceTimersByTime(50);
    const endSecond = everyTogether(100, act('second'));
    const endOther = everyTogether(70, act('other'));
    expect(jest.getTimerCount()).toBe(2);
    jest.advanceTimersByTime(50);
    expect(calls).toEqual(['first', 'second']);
    endFirst();
    endFirst();
    endOther();
    jest.advanceTimersByTime(100);
    expect(calls).toEqual(['first', 'second', 'second']);
    endSecond();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('one that ends itself leaves the others', () => {
    const calls: string[] = [];
    const end = everyTogether(10, () => {
      calls.push('once');
      end();
    });
    const endOther = everyTogether(10, () => void calls.push('other'));
    jest.advanceTimersByTime(20);
    expect(calls).toEqual(['once', 'other', 'other']);
    endOther();
  });
});
