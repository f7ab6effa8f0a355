import { createInterpreter } from '../../../../../switch/interpreter/interpreter';
import { EmbeddedTarget } from '../../../../../switch/stf/embedded/embedded-target';
import { readOutline } from '../../../../../switch/stf/run/outline';
import { parseStf } from '../../../../../switch/stf/text/parse-stf';
import { runStf } from '../../../../../switch/stf/run/run-stf';
import { programJson } from '../../../../p4/support/test-programs';
import { messageOf } from '../support/message-of';

function run(program: string, text: string): unknown {
  const json = programJson(program);
  const target = new EmbeddedTarget(json, createInterpreter);
  const verdict = runStf(parseStf(text, 'a.stf'), readOutline(json), target);
  return verdict.kind === 'fail' ? verdict.difference : verdict.kind;
}

describe('the embedded switch as a target', () => {
  test('passes a test that agrees with it', () => {
    expect(run('tbl_default', 'packet 0 00 0000 0000 0000\nexpect 1 0000005678*234$')).toBe('pass');
  });

  test('fails one that does not, with both byte strings', () => {
    expect(run('tbl_default', 'packet 0 00 0000 0000 0000\nexpect 1 0000005678ABCD')).toEqual({
      line: 2,
      message:
        'packet 1 at port 1 differs from digit 11 on:\n' +
        '  wanted 0000005678ABCD\n  found  00000056781234',
    });
  });

  test.each([
    [
      'tbl_default',
      'setdefault constant other(b:1)',
      "table 'TestIngress.constant': its default action is constant",
    ],
    [
      'tbl_exact',
      'add pairs a:1 discard()\nadd pairs a:1 discard()',
      "table 'TestIngress.pairs': it has an entry with that key",
    ],
    ['registers', 'check_register cells(9) == 0', "'TestIngress.cells' has no cell 9"],
    ['registers', 'register_write cells 4 1', "'TestIngress.cells' has no cell 4"],
    ['counters', 'check_counter volume(4)', "'TestIngress.volume' has no cell 4"],
    ['counters', 'counter_write volume 4 1 1', "'TestIngress.volume' has no cell 4"],
    [
      'counters',
      'counter_read hits 0',
      "counter 'TestIngress.hits' belongs to entries: wanted NAME($ENTRY)",
    ],
    [
      'tbl_profile',
      'add indirect a:1 member(handle:0)',
      "action profile 'TestIngress.hops': it has no member 0",
    ],
  ])('refuses on %s: %s', (program, text, reason) => {
    const line = text.split('\n').length;
    expect(messageOf(() => run(program, text))).toBe(`a.stf:${line}: ${reason}`);
  });

  test('lets packets of one burst arrive in order, and settles before other statements', () => {
    const text =
      'packet 0 03 0001 0001 0000\npacket 0 03 0001 0001 0000\ncheck_register cells(1) == 2\n' +
      'expect 1 03 0001 0001 0001\nexpect 1 03 0001 0001 0002';
    expect(run('registers', text)).toBe('pass');
  });
});
