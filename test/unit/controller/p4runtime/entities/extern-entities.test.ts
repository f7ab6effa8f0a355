import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { describePlace } from '../../../../../controller/entities/describe';
import type { NamedEntity } from '../../../../../controller/entities/named-entity';
import { decodeEntity, encodeEntity } from '../../../../../controller/p4runtime/entities/entity';
import { ENTITIES_INDEX as index } from '../support/entities-p4info';

const overTheWire = (entity: NamedEntity): NamedEntity =>
  decodeEntity(index, p4.Entity.deserialize(encodeEntity(index, entity).serialize()));

const forward = { name: 'ingress.forward', arguments: { port: '3' } };
const key = {
  table: 'ingress.dmac',
  match: { 'hdr.ethernet.dst_addr': { ternary: ['00:00:00:00:00:01', '00:00:00:00:00:ff'] } },
  priority: 2,
} as const;
const source = { 'hdr.ethernet.src_addr': { exact: '00:00:00:00:00:01' } };
const large = 2n ** 63n - 1n;
const data = { packets: 7n, bytes: large };
const rates = { cir: 1n, cburst: 2n, pir: large, pburst: 4n };

describe('entities beside tables by name', () => {
  test.each<[string, NamedEntity]>([
    ['a counter', { kind: 'counter', counter: 'ingress.rx', index: 7, data }],
    ['all cells of a counter', { kind: 'counter', counter: 'ingress.rx' }],
    ['a meter', { kind: 'meter', meter: 'ingress.police', index: 0, config: rates }],
    [
      'a meter with an excess burst',
      { kind: 'meter', meter: 'ingress.police', config: { ...rates, eburst: 9n } },
    ],
    ['a meter to be reset', { kind: 'meter', meter: 'ingress.police', index: 1 }],
    ['a direct counter', { kind: 'direct-counter', ...key, data }],
    ['a direct meter', { kind: 'direct-meter', ...key, config: rates }],
    [
      'a register of addresses',
      {
        kind: 'register',
        register: 'ingress.last_source',
        index: 7,
        value: '0a:0b:0c:0d:0e:0f',
      },
    ],
    [
      'a signed register',
      { kind: 'register', register: 'ingress.balance', index: 3, value: '-32768' },
    ],
    [
      'a register of structs',
      {
        kind: 'register',
        register: 'ingress.flows',
        index: 1,
        value: { address: '10.0.0.1', delta: '-1' },
      },
    ],
    [
      'a register of tuples',
      { kind: 'register', register: 'ingress.pairs', index: 1, value: [true, '15'] },
    ],
    [
      'a multicast group',
      {
        kind: 'multicast-group',
        groupId: 1,
        replicas: [
          { port: 1, instance: 0 },
          { port: 0, instance: 5 },
          { port: 4294967295, instance: 65535, backups: [{ port: 2, instance: 1 }] },
        ],
        metadata: Uint8Array.of(1, 2),
      },
    ],
    [
      'a clone session',
      {
        kind: 'clone-session',
        sessionId: 5,
        replicas: [{ port: 510, instance: 1 }],
        classOfService: 3,
        packetLengthBytes: 128,
      },
    ],
    ['a digest with defaults', { kind: 'digest', digest: 'learnt_t' }],
    [
      'a digest with its settings',
      {
        kind: 'digest',
        digest: 'learnt_t',
        config: { maxTimeoutNs: large, maxListSize: 2147483647, ackTimeoutNs: 1n },
      },
    ],
    [
      'a value set',
      {
        kind: 'value-set',
        valueSet: 'trusted_types',
        members: [{ '': { exact: '2048' } }, { '': { exact: '34525' } }],
      },
    ],
    [
      'an extern of an architecture',
      {
        kind: 'extern',
        externType: 'Hash',
        extern: 'ingress.flow_hash',
        entry: { typeUrl: 'type.googleapis.com/x.Seed', value: Uint8Array.of(8, 1) },
      },
    ],
    [
      'an entry with everything that belongs to it',
      {
        kind: 'table-entry',
        ...key,
        action: { kind: 'action', action: forward },
        counter: data,
        meter: rates,
        metadata: Uint8Array.of(255),
        controllerMetadata: 2n ** 64n - 1n,
      },
    ],
    [
      'an entry with a time to live',
      {
        kind: 'table-entry',
        table: 'ingress.smac',
        match: source,
        priority: 0,
        action: { kind: 'action', action: { name: 'NoAction', arguments: {} } },
        idleTimeoutNs: 5_000_000_000n,
      },
    ],
  ])('%s is the same after the wire', (_, entity) => {
    expect(overTheWire(entity)).toEqual(entity);
  });

  test('short names and other notations become full names and canonical text', () => {
    expect(
      overTheWire({ kind: 'register', register: 'last_source', index: 0, value: 0x0a0bn }),
    ).toEqual({
      kind: 'register',
      register: 'ingress.last_source',
      index: 0,
      value: '00:00:00:00:0a:0b',
    });
    expect(overTheWire({ kind: 'register', register: 'flows', value: [1, '-0x80'] })).toEqual({
      kind: 'register',
      register: 'ingress.flows',
      value: { address: '0.0.0.1', delta: '-128' },
    });
  });

  test('what only switches tell is read', () => {
    const count = new p4.CounterData({ packetCount: '1', byteCount: '64' });
    const counterData = new p4.MeterCounterData({ green: count, red: count });
    const meter = new p4.MeterEntry({ meterId: 335544321, counterData });
    const [none, one] = [
      { packets: 0n, bytes: 0n },
      { packets: 1n, bytes: 64n },
    ];
    expect(decodeEntity(index, new p4.Entity({ meterEntry: meter }))).toEqual({
      kind: 'meter',
      meter: 'ingress.police',
      counters: { green: one, yellow: none, red: one },
    });
    const { tableEntry } = encodeEntity(index, {
      kind: 'table-entry',
      table: 'smac',
      match: { src_addr: 1 },
      priority: 0,
      action: { kind: 'action', action: { name: 'NoAction', arguments: {} } },
    });
    tableEntry.timeSinceLastHit = new p4.TableEntryIdleTimeout({ elapsedNs: '12' });
    tableEntry.meterCounterData = counterData;
    tableEntry.isConst = true;
    expect(decodeEntity(index, new p4.Entity({ tableEntry }))).toMatchObject({
      idleForNs: 12n,
      isConst: true,
      meterCounters: { green: one, yellow: none, red: one },
    });
  });

  test.each<[NamedEntity, string]>([
    [{ kind: 'counter', counter: 'ingress.rx', index: 8 }, 'ingress.rx[8]'],
    [{ kind: 'meter', meter: 'police' }, 'police[*]'],
    [{ kind: 'register', register: 'flows', index: 0 }, 'flows[0]'],
    [
      { kind: 'direct-counter', ...key },
      'counter of ingress.dmac (hdr.ethernet.dst_addr = 00:00:00:00:00:01&&&00:00:00:00:00:ff) at priority 2',
    ],
    [{ kind: 'direct-meter', ...key, match: {} }, 'meter of ingress.dmac (any) at priority 2'],
    [{ kind: 'multicast-group', groupId: 1, replicas: [] }, 'multicast group 1'],
    [{ kind: 'digest', digest: 'learnt_t' }, 'digest learnt_t'],
    [{ kind: 'value-set', valueSet: 'v', members: [] }, 'value set v'],
    [
      {
        kind: 'extern',
        externType: 'Hash',
        extern: 'h',
        entry: { typeUrl: '', value: Uint8Array.of() },
      },
      'Hash h',
    ],
  ])('%j is described by what identifies it', (entity, expected) => {
    expect(describePlace(entity)).toBe(expected);
  });

  const cell = (value: unknown, register = 'balance'): NamedEntity =>
    ({ kind: 'register', register, index: 0, value }) as NamedEntity;
  test.each<[string, NamedEntity, string]>([
    [
      'an index behind the end',
      { kind: 'counter', counter: 'rx', index: 8 },
      "counter 'ingress.rx': wanted an index from 0 to 7, found 8",
    ],
    [
      'half an index',
      { kind: 'meter', meter: 'police', index: 0.5 },
      "meter 'ingress.police': wanted an index from 0 to 7, found 0.5",
    ],
    [
      'a negative count',
      { kind: 'counter', counter: 'rx', index: 0, data: { packets: -1n, bytes: 0n } },
      "counter 'ingress.rx', packets: wanted a number from 0 to 9223372036854775807, found -1",
    ],
    [
      'a rate of more than 63 bits',
      { kind: 'meter', meter: 'police', index: 0, config: { ...rates, pir: 2n ** 63n } },
      "meter 'ingress.police', pir: wanted a number from 0 to 9223372036854775807, found 9223372036854775808",
    ],
    [
      'a number that signed bits cannot hold',
      cell(32768),
      "register 'ingress.balance': wanted a number of 16 signed bits, found 32768",
    ],
    [
      'a truth where a number belongs',
      cell(true),
      "register 'ingress.balance': wanted a number of 16 signed bits, found true",
    ],
    [
      'a number where a truth belongs',
      cell([1, 1], 'pairs'),
      "register 'ingress.pairs', member '0': wanted true or false, found 1",
    ],
    [
      'an unknown member',
      cell({ address: 1, delta: 1, x: 1 }, 'flows'),
      "register 'ingress.flows': no member 'x'; it has: address, delta",
    ],
    [
      'a missing member',
      cell({ address: 1 }, 'flows'),
      "register 'ingress.flows': member 'delta' is missing",
    ],
    [
      'a short tuple',
      cell([true], 'pairs'),
      "register 'ingress.pairs': wanted 2 members, found [true]",
    ],
    [
      'a counter of a table without',
      { kind: 'direct-meter', table: 'smac', match: source, priority: 0 },
      "table 'ingress.smac': it has no direct meter",
    ],
    [
      'multicast group 0',
      { kind: 'multicast-group', groupId: 0, replicas: [] },
      'multicast group 0: wanted a number from 1',
    ],
    [
      'a port of more than 32 bits',
      { kind: 'multicast-group', groupId: 1, replicas: [{ port: 2 ** 32, instance: 0 }] },
      'multicast group 1: wanted a port of 32 bits, found 4294967296',
    ],
    [
      'a time to live where there is none',
      {
        kind: 'table-entry',
        ...key,
        action: { kind: 'action', action: forward },
        idleTimeoutNs: 1n,
      },
      "table 'ingress.dmac': its entries have no idle timeout",
    ],
    [
      'a value set member of another shape',
      { kind: 'value-set', valueSet: 'trusted_types', members: [{ type: 1 }] },
      "value set 'trusted_types': no match field 'type'",
    ],
    [
      'a negative list size',
      {
        kind: 'digest',
        digest: 'learnt_t',
        config: { maxTimeoutNs: 0n, maxListSize: -1, ackTimeoutNs: 0n },
      },
      "digest 'learnt_t': wanted a list size from 0, found -1",
    ],
    [
      'a weight of nothing',
      {
        kind: 'table-entry',
        ...key,
        action: { kind: 'one-shot', actions: [{ action: forward, weight: 0 }] },
      },
      "table 'ingress.dmac': wanted an action, found one-shot",
    ],
  ])('%s is refused before anything is sent', (_, entity, message) => {
    expect(() => encodeEntity(index, entity)).toThrow(message);
  });

  test.each<[string, p4.Entity, string]>([
    ['nothing', new p4.Entity({}), 'an entity of no kind'],
    [
      'an unknown register',
      new p4.Entity({ registerEntry: new p4.RegisterEntry({ registerId: 1 }) }),
      'from the switch: P4Info has no register 1',
    ],
    [
      'an unknown extern',
      new p4.Entity({ externEntry: new p4.ExternEntry({ externTypeId: 1 }) }),
      'from the switch: P4Info has no extern type 1',
    ],
  ])('%s from a switch is an error of the switch', (_, message, expected) => {
    expect(() => decodeEntity(index, message)).toThrow(expected);
  });
});
