import { Backlog, BACKLOG_WORDS } from '../../../../emulator/workers/backlog';

const goOn = (): void => undefined;

describe('a backlog', () => {
  it('holds who is more than two batches ahead, until they are read', () => {
    const memory = new SharedArrayBuffer(BACKLOG_WORDS * 4);
    const [worker, reader] = [new Backlog(memory), new Backlog(memory)];
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
    const worker = new Backlog(new SharedArrayBuffer(BACKLOG_WORDS * 4));
    const ended = (): void => {
      throw new Error('ended');
    };
    expect(() => worker.wait(3, ended)).toThrow('ended');
  });
});
