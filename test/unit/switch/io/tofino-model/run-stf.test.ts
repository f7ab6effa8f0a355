import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../../../../common/errors';
import { MODEL_CHIPS } from '../../../../../switch/io/tofino-model/chips';
import { runStfOnTofinoModel } from '../../../../../switch/io/tofino-model/run-stf';
import { parseStf } from '../../../../../switch/stf/text/parse-stf';
import { fakeTofinoModel } from './support/fake-harness';
import type { FakeModel } from './support/fake-harness';
import type { StfReply } from '../../../../../switch/stf/run/requests';
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

  test('fill the last stage alone where those of a table have words of several widths', async () => {
    await run('add wide 5 port:0b1*0* note()');
    expect(model.commands().slice(1)).toEqual(['add ingress.wide 7 port:0b1*0* ingress.note()']);
  });

  test('read counters and registers', async () => {
    const verdict = await run(
      'check_counter drops(2) packets == 3\ncheck_counter drops(2) bytes == 90\n' +
        'check_register tx_bytes(2) == 7',
    );
    expect(verdict).toMatchObject({ kind: 'pass' });
  });

  test('write the word of a register with its other cells, and the block that spares one', async () => {
    await run('register_write tx_bytes 2 5');
    expect(model.commands().filter((text) => !text.startsWith('check_register'))).toEqual([
      'load PIPE',
      'selector egress.tx_bytes$words(0) add 0',
      `write_raw_sram 3:7:0 ${['7', '5', '7', '7'].map((cell) => cell.padStart(8, '0')).join('')}`,
      `write_raw_sram 3:9:0 ${['7', '5', '7', '7'].map((cell) => cell.padStart(8, '0')).join('')}`,
    ]);
  });

  test.each([
    ['register_write tx_bytes 5000 1', "'egress.tx_bytes' has no cell 5000"],
    ['register_write nowhere 0 1', "does not say where the register 'egress.nowhere' is"],
  ])('name a register that cannot be written: %s', async (text, lack) => {
    await expect(run(text)).rejects.toThrow(lack);
  });

  test('make sessions of mirrors, and set default actions again, which the harness forgets', async () => {
    await run('setdefault watch mark()\nmirroring_add 5 9');
    expect(model.commands()).toEqual([
      'load PIPE',
      'setdefault ingress.watch ingress.mark()',
      'load REGISTERS',
      'setdefault ingress.watch ingress.mark()',
    ]);
  });

  test('bind an entry to a group, whose members lie side by side in each stage', async () => {
    await run(
      [
        'member_create ecmp forward(number:2)',
        'member_create ecmp forward(number:3)',
        'group_create ecmp 1 0',
        'add ipv4_route hdr.ipv4.dst_addr:0/0 group(handle:0)',
      ].join('\n'),
    );
    const entry = `add ingress.ipv4_route 31 hdr.ipv4.dst_addr:0b${'*'.repeat(32)} ingress.forward`;
    const selected = 'meter_addr:0, meter_pfe:0x800000';
    expect(model.commands().slice(1)).toEqual([
      'selector ingress.ecmp(0) add 0, 1',
      'selector ingress.ecmp(16) add 0, 1',
      `${entry}(513, number:0x2, ${selected})`,
      `${entry}(512, number:0x3, ${selected})`,
    ]);
  });

  test('let packets of recirculating ports come in again, and show none of them', async () => {
    const same = (reply: StfReply): StfReply => reply;
    const test = parseStf('packet 8 0200\npacket 1 0300\nexpect 2 0300\nno_packet', 'a.stf');
    const setUp = { recirculating: [9] };
    const verdict = await runStfOnTofinoModel(model.program, test, same, setUp);
    expect(verdict).toMatchObject({ kind: 'pass' });
    expect(model.commands()).toContain('wire 9 -> 9');
  });

  test('let time pass by packets of which no program sees anything', async () => {
    await run('wait\nwait 2 us');
    expect(model.commands()).toEqual(['load PIPE', 'source TIME']);
  });

  test('remove the only entry of a table: its default is put in its place, then the next one', async () => {
    await run(
      'add record standard_metadata.egress_port:2 set(number:7) = it\nremove it\n' +
        'add record standard_metadata.egress_port:2 set(number:8)',
    );
    const key = 'standard_metadata.egress_port:0x2';
    expect(model.commands().slice(1)).toEqual([
      `add egress.record ${key} egress.set(number:0x7)`,
      `add egress.record 0 ${key} egress.fall_back(number:0x7)`,
      `add egress.record 0 ${key} egress.set(number:0x8)`,
    ]);
  });

  test('say so where the place of an entry to remove is unknown', async () => {
    const removing = run(
      'add record standard_metadata.egress_port:2 set(number:7) = it\n' +
        'add record standard_metadata.egress_port:3 set(number:7)\nremove it',
    );
    await expect(removing).rejects.toThrow("the only one of a table: 'egress.record' has had 2");
  });

  test('have selectors take hashes as they are, if the set-up says so', async () => {
    const same = (reply: StfReply): StfReply => reply;
    const test = parseStf('wait', 'a.stf');
    await runStfOnTofinoModel(model.program, test, same, { plainHashes: true });
    expect(model.commands()).toEqual(['load PIPE', 'load REGISTERS']);
  });

  test('of a program for Tofino 2 go to the harness of its model', async () => {
    const second = fakeTofinoModel('tofino2');
    const same = (reply: StfReply): StfReply => reply;
    const test = parseStf('packet 1 0200\nexpect 2 0200 $', 'a.stf');
    const setUp = { plainHashes: true };
    const verdict = await runStfOnTofinoModel(second.program, test, same, setUp);
    expect(verdict).toMatchObject({ kind: 'pass' });
    expect(second.commands()).toEqual(['load PIPE', 'load REGISTERS', 'packet 1 0200', 'wait']);
    second.remove();
  });

  test('name the harness that a program needs', async () => {
    const second = fakeTofinoModel('tofino2');
    fs.rmSync(path.join(second.program, MODEL_CHIPS.tofino2.harness));
    const running = runStfOnTofinoModel(second.program, parseStf('wait', 'a.stf'));
    await expect(running).rejects.toThrow('needs jbay_test_harness on PATH');
    second.remove();
  });

  test('stop at what the harness refuses', async () => {
    await expect(run('add full.table port:1 NoAction()')).rejects.toThrow(
      "a.stf:1: the Tofino model refuses 'add full.table port:0x1 NoAction()': all ways in use",
    );
  });

  test.each([
    ['mc_mgrp_create 1\nmirroring_add_mc 5 1', 'makes no multicast group'],
    ['set_queue_rate 10 2', 'models no queue'],
    ['wait 101 us', 'lets no more than 100 us pass'],
    ['add watch 5 port:1 mark() = one\nremove one', 'removes no entry of a TCAM'],
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
