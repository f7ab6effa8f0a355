import { parseP4Info } from '../../../../common/p4runtime/load-p4info';
import { P4InfoIndex } from '../../../../common/p4runtime/p4info';
import { parseCommand } from '../../../../controller/shell/command';
import type { ShellCommand } from '../../../../controller/shell/command';
import { complete } from '../../../../controller/shell/complete';

const entry = (changes: object): object => ({
  kind: 'table-entry',
  table: 'route',
  match: {},
  priority: 0,
  ...changes,
});

describe('a line of the shell', () => {
  test.each<[string, object]>([
    ['', { kind: 'nothing' }],
    ['  help ', { kind: 'help' }],
    ['use s1', { kind: 'use', switch: 's1' }],
    ['read route', { kind: 'read', object: 'route' }],
    [
      'insert route dst=10.0.0.0/8 forward(port=1, mac=02:00:00:00:00:01)',
      {
        kind: 'insert',
        entity: entry({
          match: { dst: '10.0.0.0/8' },
          action: {
            kind: 'action',
            action: { name: 'forward', arguments: { port: '1', mac: '02:00:00:00:00:01' } },
          },
        }),
      },
    ],
    [
      'modify route a=1 b=2&&&3 priority=7 deny()',
      {
        kind: 'modify',
        entity: entry({
          match: { a: '1', b: '2&&&3' },
          priority: 7,
          action: { kind: 'action', action: { name: 'deny', arguments: {} } },
        }),
      },
    ],
    [
      'insert route dst=1 group=3',
      {
        kind: 'insert',
        entity: entry({ match: { dst: '1' }, action: { kind: 'group', groupId: 3 } }),
      },
    ],
    [
      'default seed set(seed=4)',
      {
        kind: 'default',
        entity: {
          kind: 'default-entry',
          table: 'seed',
          action: { name: 'set', arguments: { seed: '4' } },
        },
      },
    ],
  ])('%s', (line, command) => {
    expect(parseCommand(line)).toEqual(command as ShellCommand);
  });

  test.each([
    [
      'frobnicate',
      "wanted one of help, switches, use, tables, actions, read, insert, modify, delete, default, plan, apply, found 'frobnicate'",
    ],
    ['use', 'wanted the name of a switch, found nothing'],
    ['insert', 'wanted an action as in forward(port=1), member=1 or group=1, found nothing'],
    ['insert route dst', "wanted NAME=VALUE, found 'dst'"],
    [
      'insert route dst=1',
      'wanted an action as in forward(port=1), member=1 or group=1, found nothing',
    ],
    ['insert route priority=x drop()', 'wanted a whole number as priority'],
    ['default seed', 'wanted an action, as in drop(), found nothing'],
  ])('%s is refused', (line, message) => {
    expect(() => parseCommand(line)).toThrow(message);
  });
});

describe('completion', () => {
  const table = (id: number, name: string): string => `tables {
    preamble { id: ${id} name: "ingress.${name}" alias: "${name}" }
    match_fields { id: 1 name: "hdr.dst" bitwidth: 32 match_type: LPM }
    action_refs { id: 10 }
  }`;
  const p4info = `${table(1, 'route')} ${table(2, 'rate')} actions {
    preamble { id: 10 name: "ingress.forward" alias: "forward" }
    params { id: 1 name: "port" bitwidth: 9 } params { id: 2 name: "mac" bitwidth: 48 }
  }
  counters { preamble { id: 20 name: "egress.tx_bytes" alias: "tx_bytes" } size: 4 }`;
  const words = {
    switches: ['s1', 's2', 'leaf'],
    program: new P4InfoIndex(parseP4Info(Buffer.from(p4info), 'text')),
  };

  test.each([
    ['in', ['insert']],
    ['use s', ['s1', 's2']],
    ['insert r', ['rate', 'route']],
    ['read t', ['tx_bytes']],
    ['read m', ['members', 'multicast']],
    ['insert route ', ['forward(', 'hdr.dst=']],
    ['delete route ', ['hdr.dst=']],
    ['default route ', ['forward(']],
    ['insert route hdr.dst=1 forward(', ['mac=', 'port=']],
    ['insert route hdr.dst=1 forward(port=1, m', ['mac=']],
    ['insert nosuch ', []],
    ['plan x', []],
  ])('%s', (line, candidates) => {
    expect(complete(line, words)[0]).toEqual(candidates);
  });
});
