import { MessageLog } from '../../../../../host-agent/roce/queue-pair/message-log';

/** 600 bytes of WRITE, a READ of 700 bytes, and a WRITE without payload, at an MTU of 256. */
function newLog() {
  const log = new MessageLog(256, 0xff_fffe);
  const long = log.append({ kind: 'write', length: 600, offset: 0, immediate: 1 });
  const read = log.append({ kind: 'read', length: 700, offset: 0 });
  const empty = log.append({ kind: 'write', length: 0, offset: 0 });
  return { log, long, read, empty };
}

describe('the messages of a queue pair', () => {
  test('take a PSN per packet, a READ those of its responses, and never wrap here', () => {
    const { log, long, read, empty } = newLog();
    expect([long, read, empty].map(({ psn, packets }) => [psn, packets])).toEqual([
      [0xff_fffe, 3],
      [0x100_0001, 3],
      [0x100_0004, 1],
    ]);
    expect(log.nextPsn).toBe(0x100_0005);
  });

  test('take a number of the sequence per byte, and one without bytes', () => {
    const { long, read, empty } = newLog();
    expect([long, read, empty].map(({ start, units }) => [start, units])).toEqual([
      [0, 600],
      [600, 1],
      [601, 1],
    ]);
  });

  test.each([
    [0, 'first', 256, 256],
    [256, 'middle', 256, 256],
    [512, 'last', 88, 88],
    [600, 'only', 1, 1],
    [601, 'only', 1, 0],
  ])('have at %d their %s packet', (sequence, position, units, payload) => {
    const { log } = newLog();
    const place = log.at(sequence);
    expect(place.positionFrom(0)).toBe(position);
    expect(log.lengthAt(sequence)).toBe(units);
    expect(place.payloadLength).toBe(place.message.kind === 'read' ? 1 : payload);
  });

  test.each([
    // RETH; nothing; immediate data; RETH for one number; RETH in place of payload.
    [0, 16],
    [256, 0],
    [512, 4],
    [600, 15],
    [601, 15],
  ])('cost at %d besides their payload %d bytes of the wire', (sequence, extra) => {
    expect(newLog().log.extraAt(sequence)).toBe(extra);
  });

  test('cost padding to whole words', () => {
    const log = new MessageLog(256, 0);
    log.append({ kind: 'send', length: 5, offset: 0 });
    expect(log.extraAt(0)).toBe(3);
  });

  test.each([
    [0xff_fffd, 0],
    [0xff_fffe, 256],
    [0xff_ffff, 512],
    [0x100_0000, 600],
    // Any PSN of the READ acknowledges its request.
    [0x100_0001, 601],
    [0x100_0003, 601],
    [0x100_0004, 602],
    [0x100_0009, 602],
  ])('are acknowledged up to PSN %d to sequence %d', (psn, sequence) => {
    expect(newLog().log.sequenceAfter(psn)).toBe(sequence);
  });

  test('are forgotten in order, up to the first that must stay', () => {
    const { log, long, read } = newLog();
    expect(log.release(599)).toEqual([]);
    expect(log.release(602, (message) => message !== read)).toEqual([long]);
    expect(log.sequenceAfter(0)).toBe(600);
    expect(log.release(602)).toHaveLength(2);
    expect(log.pending).toEqual([]);
    expect(log.sequenceAfter(0x100_0004)).toBe(602);
  });

  test('are found by a PSN among theirs', () => {
    const { log, long, read } = newLog();
    expect(log.containing(0x100_0000)).toBe(long);
    expect(log.containing(0x100_0002)).toBe(read);
    expect(log.containing(0x100_0005)).toBeUndefined();
  });
});
