import { addEntryText, commandText, entryText } from '../../../../../switch/io/bmv2/command-text';
import type { EntryIdentity, EntryTarget } from '../../../../../switch/stf/run/requests';

const call = { action: 'i.send', actionId: 3, arguments: [9n, 0xffn] };

const entry = (priority: number): EntryIdentity => ({
  table: 'i.t',
  priority,
  key: [
    { kind: 'exact', value: 10n },
    { kind: 'lpm', value: 0x0a00n, prefixLength: 8 },
    { kind: 'ternary', value: 1n, mask: 0xfn },
    { kind: 'range', low: 2n, high: 5n },
  ],
});
const KEY = '0xa 0xa00/8 0x1&&&0xf 0x2->0x5';

describe("the text of bmv2's command line", () => {
  test.each<[EntryTarget, number, string]>([
    [{ kind: 'call', ...call }, 0, `table_add i.t i.send ${KEY} => 0x9 0xff`],
    // The larger priority of a test becomes the smaller number of bmv2.
    [{ kind: 'call', ...call }, 10, `table_add i.t i.send ${KEY} => 0x9 0xff 9990`],
    [{ kind: 'member', handle: 4 }, 0, `table_indirect_add i.t ${KEY} => 4`],
    [{ kind: 'group', handle: 2 }, 1, `table_indirect_add_with_group i.t ${KEY} => 2 9999`],
  ])('adds an entry for %j', (target, priority, text) => {
    expect(addEntryText({ kind: 'add-entry', entry: entry(priority), target })).toBe(text);
  });

  test('tells entries apart by table, key and priority', () => {
    expect(entryText(entry(3))).toBe(`i.t ${KEY} 3`);
  });

  test.each<[Parameters<typeof commandText>[0], string]>([
    [{ kind: 'set-default', table: 'i.t', call }, 'table_set_default i.t i.send 0x9 0xff'],
    [{ kind: 'create-member', profile: 'i.p', call }, 'act_prof_create_member i.p i.send 0x9 0xff'],
    [{ kind: 'mirror', session: 5, to: { port: 1 } }, 'mirroring_add 5 1'],
    [{ kind: 'mirror', session: 5, to: { group: 7 } }, 'mirroring_add_mc 5 7'],
    [{ kind: 'mirror', session: 5, to: undefined }, 'mirroring_delete 5'],
    [{ kind: 'mc-group-create', group: 7 }, 'mc_mgrp_create 7'],
    [{ kind: 'mc-node-create', rid: 4, ports: [1, 2] }, 'mc_node_create 4 1 2'],
    [{ kind: 'mc-node-update', node: 0, ports: [3] }, 'mc_node_update 0 3'],
    [{ kind: 'mc-node-associate', group: 7, node: 0 }, 'mc_node_associate 7 0'],
    [
      { kind: 'counter-write', counter: 'c', index: 1, bytes: 20n, packets: 3n },
      'counter_write c 1 20 3',
    ],
    [{ kind: 'register-write', register: 'r', index: 1, value: 255n }, 'register_write r 1 255'],
    [{ kind: 'register-reset', register: 'r' }, 'register_reset r'],
    [
      { kind: 'meter-set-rates', meter: 'm', index: 1, rates: [{ perMicrosecond: 0.5, burst: 3 }] },
      'meter_set_rates m 1 0.5:3',
    ],
    [
      {
        kind: 'meter-set-rates',
        meter: 'm',
        index: undefined,
        rates: [{ perMicrosecond: 2, burst: 9 }],
      },
      'meter_array_set_rates m 2:9',
    ],
    [{ kind: 'value-set-add', valueSet: 'v', value: 0x88n }, 'pvs_add v 0x88'],
    [{ kind: 'set-queue-rate', packetsPerSecond: 10, port: undefined }, 'set_queue_rate 10'],
    [{ kind: 'set-queue-depth', packets: 10, port: 2 }, 'set_queue_depth 10 2'],
  ])('says %j', (request, text) => {
    expect(commandText(request)).toBe(text);
  });
});
