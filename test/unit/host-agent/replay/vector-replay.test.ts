import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { InputError } from '../../../../common/errors';
import { presetForHops } from '../../../../host-agent/replay/vector-replay';
import type { ReplayResult } from '../../../../host-agent/replay/vector-replay';
import { VectorReplay } from '../../../../host-agent/replay/vector-replay';
import { fixture } from '../../../support/paths';

const HEADER =
  't_ns,src,dst,sport,ack_seq,kind,last_update_seq_before,snd_nxt,snd_una,U,inc_stage,' +
  'rate_bps,rc_bps,win_bytes,nhop,q0,b0,ts0,q1,b1,ts1,q2,b2,ts2,q3,b3,ts3,q4,b4,ts4';
const FIRST =
  '2000004188,2,1,10000,1000,first,0,49000,1000,1.000000000,0,100000000000,100000000000,52000,' +
  '1,0,0,3512383';
const SECOND =
  '2000004275,2,1,10000,2000,fast,49000,50000,2000,0.998778846,0,95166151454,100000000000,49486,' +
  '1,0,1024,3512470';

function replay(lines: readonly string[], hopsMax = 1, maxStage = 5): ReplayResult {
  const vectors = new VectorReplay(presetForHops(hopsMax, maxStage));
  for (const line of lines) vectors.feed(line);
  return vectors.result();
}

const linesOf = (name: string): string[] =>
  gunzipSync(readFileSync(fixture('ns3', name)))
    .toString()
    .split('\n');

describe('replaying recorded runs', () => {
  it.each([
    ['incast16-mi5.csv.gz', 1, 5],
    ['incast16-mi0.csv.gz', 1, 0],
    ['multihop-mi5.csv.gz', 3, 5],
  ])('reproduces every acknowledgement of %s', (name, hopsMax, maxStage) => {
    expect(replay(linesOf(name), hopsMax, maxStage)).toEqual({
      acks: 1999,
      mismatches: 0,
      firstMismatch: undefined,
    });
  });

  describe('of another T', () => {
    const LONGER = FIRST.replace('52000', '102000');

    it('says which T the run had, and how to give it', () => {
      expect(() => replay([HEADER, LONGER])).toThrow(
        new InputError(
          'line 2: the first window is 102000 bytes, so T was 8160 ns, and not 4160 ns: ' +
            'give --base-rtt-us 8.16',
        ),
      );
    });

    it('takes the T that is given', () => {
      const vectors = new VectorReplay(presetForHops(1, 5, 8160));
      for (const line of [HEADER, LONGER]) vectors.feed(line);
      expect(vectors.result()).toMatchObject({ acks: 1, mismatches: 0 });
    });

    it.each([
      [1, 4160],
      [3, 8200],
    ])('that is the network of %s hops own changes nothing', (hops, baseRttNs) => {
      expect(presetForHops(hops, 5, baseRttNs)).toEqual(presetForHops(hops, 5));
    });
  });

  it('detects the wrong maxStage', () => {
    expect(replay(linesOf('incast16-mi0.csv.gz'), 1, 5).mismatches).toBeGreaterThan(0);
  });

  it.each([
    ['kind', 'fast', 'update'],
    ['last_update_seq_before', ',49000,', ',49001,'],
    ['U', '0.998778846', '0.998778849'],
    ['inc_stage', '846,0,', '846,1,'],
    ['rate_bps', '95166151454', '95166151455'],
    ['rc_bps', ',100000000000,49486', ',99999999999,49486'],
    ['win_bytes', '49486', '49487'],
  ])('names line, column and both values of the first mismatch in %s', (column, from, to) => {
    const result = replay([HEADER, FIRST, SECOND.replace(from, to), '']);
    expect(result).toMatchObject({ acks: 2, mismatches: 1, firstMismatch: { line: 3, column } });
    const { expected, got } = result.firstMismatch ?? { expected: '', got: '' };
    expect(expected).not.toBe(got);
  });

  it('keeps flows apart by source, destination and port', () => {
    const other = FIRST.replace('2,1,10000', '2,1,10001');
    expect(replay([HEADER, FIRST, other, SECOND]).mismatches).toBe(0);
  });

  it.each([
    ['a missing header', [FIRST], 'line 1: wanted the header "t_ns,src,dst,...", got "20000'],
    ['a number that is none', [HEADER, FIRST.replace('49000', 'x')], 'line 2: column snd_nxt'],
    ['a fraction', [HEADER, FIRST.replace('49000', '4.5')], 'column snd_nxt must be an integer'],
    ['a negative number', [HEADER, FIRST.replace('49000', '-4')], 'column snd_nxt must be'],
    ['a line cut short', [HEADER, FIRST.slice(0, 60)], 'line 2: column nhop is missing'],
    ['a hop cut short', [HEADER, FIRST, SECOND.slice(0, -8)], 'line 3: column ts0 is missing'],
    ['an unknown path length', [HEADER, FIRST.replace(',1,0,0,', ',0,0,0,')], 'for 0 hops'],
  ])('refuses %s, naming where', (_name, lines, message) => {
    expect(() => replay(lines)).toThrow(InputError);
    expect(() => replay(lines)).toThrow(message);
  });
});
