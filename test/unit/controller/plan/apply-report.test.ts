import { reportJson, reportText } from '../../../../controller/plan/apply-report';
import type { SwitchOutcome } from '../../../../controller/plan/apply-report';
import type { Change } from '../../../../controller/plan/diff';

const session = (sessionId: number): Change['entity'] => ({
  kind: 'clone-session',
  sessionId,
  replicas: [{ port: 1, instance: 0 }],
  classOfService: 0,
  packetLengthBytes: 0,
});
const change = (type: Change['type'], sessionId: number): Change => ({
  type,
  entity: session(sessionId),
});

const done: SwitchOutcome = {
  switch: 's1',
  status: 'done',
  programLoaded: false,
  refused: [],
  queuesSet: [],
  portsSet: [],
  done: [change('insert', 1), change('insert', 2), change('modify', 3), change('delete', 4)],
};
const unread: SwitchOutcome = {
  switch: 's2',
  status: 'incomplete',
  programLoaded: true,
  done: [],
  portsSet: [],
  refused: [
    { update: change('insert', 5), codeName: 'RESOURCE_EXHAUSTED', reason: 'it holds 2 sessions' },
  ],
  queuesSet: [{ port: 1, depthPackets: 8 }],
  error: 'the stream has ended',
};
const refused: SwitchOutcome = {
  ...unread,
  missing: {
    switch: 's2',
    load: { program: 'hpcc', reason: 'the switch has no program' },
    stages: [[change('insert', 5)], [change('delete', 6)]],
    queues: [{ port: 2, depthPackets: 9 }],
    ports: [
      { port: 4, name: '1/0', leaf: 'port-speed', found: 'SPEED_40GB', wanted: 'SPEED_100GB' },
    ],
  },
};

describe('the report of an apply', () => {
  test('counts what is there', () => {
    expect(reportText([done])).toBe('s1: done: 2 inserted, 1 modified, 1 deleted');
  });

  test('says what was refused, why it ended, and what is missing', () => {
    expect(reportText([done, refused]).split('\n').slice(1)).toEqual([
      's2: incomplete: program loaded, 0 inserted, 0 modified, 0 deleted',
      '  ! the stream has ended',
      '  refused: insert clone session 5: RESOURCE_EXHAUSTED: it holds 2 sessions',
      '  missing: ! program hpcc',
      '  missing: + clone session 5: ports 1',
      '  missing: - clone session 6',
      '  missing: ~ port 4 (1/0), port-speed: SPEED_40GB -> SPEED_100GB',
      '  missing: = queue of port 2: depth 9 packets',
    ]);
  });

  test('says when nobody knows what is missing, but only of what was begun', () => {
    expect(reportText([unread])).toContain('\n  what it holds now could not be read');
    expect(reportText([{ ...unread, status: 'untouched' }])).not.toContain('could not be read');
  });

  test('a program that runs is not missing', () => {
    const missing = { switch: 's2', stages: [], queues: [], ports: [] };
    expect(reportText([{ ...refused, missing }])).not.toContain('missing');
  });

  test('is complete for programs when every switch is done', () => {
    expect(reportJson('net', [done])).toStrictEqual({
      network: 'net',
      complete: true,
      switches: [
        {
          switch: 's1',
          status: 'done',
          programLoaded: false,
          updates: { insert: 2, modify: 1, delete: 1 },
          done: done.done.map(({ type, entity }) => ({ type, entity })),
          refused: [],
          queuesSet: [],
          portsSet: [],
        },
      ],
    });
  });

  test('has for programs what is missing, too', () => {
    expect(reportJson('net', [done, refused])).toMatchObject({
      complete: false,
      switches: [
        {},
        {
          error: 'the stream has ended',
          missing: {
            load: { program: 'hpcc' },
            updates: [{ type: 'insert' }, { type: 'delete' }],
            queues: [{ port: 2 }],
          },
        },
      ],
    });
  });
});
