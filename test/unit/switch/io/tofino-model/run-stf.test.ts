import { InputError } from '../../../../../common/errors';
import { runStfOnTofinoModel } from '../../../../../switch/io/tofino-model/run-stf';
import { parseStf } from '../../../../../switch/stf/text/parse-stf';
import { fakeTofinoModel } from './support/fake-harness';
import type { FakeModel } from './support/fake-harness';
import type { StfVerdict } from '../../../../../switch/stf/run/run-stf';

describe('packet tests on the Tofino model', () => {
  let model: FakeModel;
  beforeEach(() => {
    model = fakeTofinoModel();
  });
  afterEach(() => model.remove());

  const run = (text: string): Promise<StfVerdict> =>
    runStfOnTofinoModel(model.program, parseStf(text, 'a.stf'));

  test('become commands of its harness', async () => {
    const verdict = await run(
      [
        'member_create ecmp forward(number:2)',
        'add ipv4_route hdr.ipv4.dst_addr:0x0a000002/8 member(handle:0)',
        'add record standard_metadata.egress_port:2 set(number:7)',
        'packet 1 0200',
        'expect 2 0200 $',
      ].join('\n'),
    );
    expect(verdict).toMatchObject({ kind: 'pass' });
    expect(model.commands()).toEqual([
      'load PIPE',
      `add ingress.ipv4_route 31 hdr.ipv4.dst_addr:0b00001010${'*'.repeat(24)} ingress.forward(0, number:0x2)`,
      'add egress.record standard_metadata.egress_port:0x2 egress.set(number:0x7)',
      'packet 1 0200',
      'wait',
    ]);
  });

  test('fail where another packet comes', async () => {
    const verdict = await run('packet 1 0200\nexpect 2 0300 $');
    expect(verdict).toMatchObject({ kind: 'fail', difference: { line: 2 } });
  });

  test('place entries by their ranks, whatever their order', async () => {
    await run(
      'add watch 5 port:0b1*0* mark()\nadd watch 9 port:0b**** mark()\nadd watch 1 port:3 mark()',
    );
    const addresses = model
      .commands()
      .slice(1)
      .map((text) => text.split(' ').slice(2, 4));
    expect(addresses).toEqual([
      ['1', 'port:0b1*0*'],
      ['2', 'port:0b****'],
      ['0', 'port:0b0011'],
    ]);
  });

  test('say so when a TCAM has no place left between two entries', async () => {
    const adding = run(
      'add watch 5 port:1 mark()\nadd watch 9 port:2 mark()\nadd watch 7 port:3 mark()',
    );
    await expect(adding).rejects.toThrow("no place in the TCAM of 'ingress.watch'");
  });

  test('read counters and registers', async () => {
    const verdict = await run(
      'check_counter drops(2) packets == 3\ncheck_counter drops(2) bytes == 90\n' +
        'check_register tx_bytes(2) == 7',
    );
    expect(verdict).toMatchObject({ kind: 'pass' });
  });

  test('stop at what the harness refuses', async () => {
    await expect(run('add full.table port:1 NoAction()')).rejects.toThrow(
      "a.stf:1: the Tofino model refuses 'add full.table port:0x1 NoAction()': all ways in use",
    );
  });

  test.each([
    ['mirroring_add 5 9', 'makes no session of a mirror'],
    ['set_queue_rate 10 2', 'models no queue'],
    ['wait 1 s', 'lets no time pass'],
    ['register_write tx_bytes 2 5', 'writes no register'],
    ['member_create ecmp forward(number:2)\ngroup_create ecmp 0', 'binds no entry to a group'],
  ])('are refused by name for what the harness lacks: %s', async (text, lack) => {
    await expect(run(text)).rejects.toThrow(lack);
  });

  test('name a folder that has no program for Tofino', async () => {
    const test = parseStf('wait', 'a.stf');
    await expect(runStfOnTofinoModel('/nowhere', test)).rejects.toThrow(InputError);
    await expect(runStfOnTofinoModel('/nowhere', test)).rejects.toThrow(
      '/nowhere/pipe/context.json',
    );
  });
});
