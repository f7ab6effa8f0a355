import { asHandler } from '../../../../../switch/server/thrift/service-calls';

type Handler = Record<string, (...parameters: unknown[]) => unknown>;

const changed = jest.fn();
const handler = asHandler(
  {
    double: (value: number) => 2 * value,
    fail: (reason: string) => {
      throw new Error(reason);
    },
    nothing: () => 'result',
    failAtOnce: () => {
      throw new Error('refused');
    },
  },
  changed,
) as Handler;

describe('the handler of a service', () => {
  test('answers a call with its result', () => {
    const answer = jest.fn();
    handler['double']?.(21, answer);
    expect(answer).toHaveBeenCalledWith(null, 42);
  });

  test('answers with what a call throws', () => {
    const answer = jest.fn();
    handler['fail']?.('refused', answer);
    expect(answer).toHaveBeenCalledWith(new Error('refused'));
  });

  test('tells of a possible change before each answer, also of a failure and of a promise', async () => {
    const order: string[] = [];
    changed.mockImplementation(() => order.push('changed'));
    const answer = (): number => order.push('answer');
    handler['double']?.(21, answer);
    handler['fail']?.('refused', answer);
    await Promise.resolve(handler['nothing']?.()).then(answer);
    await Promise.resolve(handler['failAtOnce']?.()).catch(answer);
    expect(order).toEqual(Array.from({ length: 4 }, () => ['changed', 'answer']).flat());
  });

  test('refuses a call that lacks a parameter', () => {
    const answer = jest.fn();
    handler['double']?.(null, answer);
    expect(answer).toHaveBeenCalledWith(
      new Error('double wants 1 parameters, and has no parameter 1'),
    );
  });

  test('does not answer twice when the answer itself fails', () => {
    const answer = jest.fn(() => {
      throw new Error('connection lost');
    });
    expect(() => handler['double']?.(21, answer)).toThrow('connection lost');
    expect(answer).toHaveBeenCalledTimes(1);
  });

  test('promises the result of a call without parameters', async () => {
    await expect(handler['nothing']?.()).resolves.toBe('result');
    await expect(handler['failAtOnce']?.()).rejects.toThrow('refused');
  });
});
