import { Lag, LAG_WORDS } from '../../../../emulator/workers/lag';

const goOn = (): void => undefined;

describe('a lag', () => {
  it('holds who is more than two batches ahead, until they are read', () => {
    const memory = new SharedArrayBuffer(LAG_WORDS * 4);
    const [worker, reader] = [new Lag(memory), new Lag(memory)];
    worker.wait(2, goOn);
    reader.advance(3);
    worker.wait(5, goOn);
    let looks = 0;
    worker.wait(6, () => {
      // Who waits looks whether anybody reads before it sleeps.
      if (++looks === 1) reader.advance(1);
    });
    expect(looks).toBe(1);
  });

  it('holds nobody in a run that has been ended', () => {
    const worker = new Lag(new SharedArrayBuffer(LAG_WORDS * 4));
    const ended = (): void => {
      throw new Error('ended');
    };
    expect(() => worker.wait(3, ended)).toThrow('ended');
  });
});
