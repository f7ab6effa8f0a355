import * as fc from 'fast-check';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4InfoIndex } from '../../../../../common/p4runtime/p4info';
import { MessageWriter } from '../../../../../common/protobuf/message-writer';
import type { ActionByName } from '../../../../../controller/entities/action';
import type { FieldMatch } from '../../../../../controller/entities/match';
import type { KeptEntity } from '../../../../../controller/entities/identity';
import type { NamedEntity } from '../../../../../controller/entities/named-entity';
import {
  canonicalEntity,
  decodeEntity,
  encodeEntity,
} from '../../../../../controller/p4runtime/entities/entity';
import { writeEntity } from '../../../../../controller/p4runtime/entities/plain-entities';
import { sampleP4Info } from '../../../../conformance/p4runtime-target';

const index = new P4InfoIndex(sampleP4Info());
const mark: ActionByName = { name: 'ingress.mark', arguments: { class: '5' } };
const acl = (match: Record<string, FieldMatch>, priority = 1): NamedEntity => ({
  kind: 'table-entry',
  table: 'acl',
  match: { 'hdr.ethernet.src_addr': { exact: 1 }, ...match },
  priority,
  action: { kind: 'action', action: mark },
});

/** Encodes and decodes an entity over the wire. */
function overTheWire(entity: NamedEntity): NamedEntity {
  const writer = new MessageWriter();
  writeEntity(writer, index, entity);
  const bytes = writer.getResultBuffer();
  expect(bytes).toEqual(encodeEntity(index, entity).serialize());
  return decodeEntity(index, p4.Entity.deserialize(bytes));
}

describe('entities by name', () => {
  test('names and values are completed and canonical after the wire', () => {
    expect(
      overTheWire(
        acl({
          'hdr.ipv4.src_addr': { ternary: ['10.0.0.0', '255.0.0.0'] },
          'hdr.udp.dst_port': { range: [1, '0x400'] },
          'hdr.ipv4.protocol': { optional: 17n },
        }),
      ),
    ).toEqual({
      kind: 'table-entry',
      table: 'ingress.acl',
      match: {
        'hdr.ethernet.src_addr': { exact: '00:00:00:00:00:01' },
        'hdr.ipv4.src_addr': { ternary: ['10.0.0.0', '255.0.0.0'] },
        'hdr.udp.dst_port': { range: ['1', '1024'] },
        'hdr.ipv4.protocol': { optional: '17' },
      },
      priority: 1,
      action: { kind: 'action', action: mark },
    });
  });

  test('what matches everything is left out, however it is written', () => {
    const entity = acl({
      'hdr.ipv4.src_addr': { ternary: [0, 0] },
      'hdr.udp.dst_port': { range: [0, 65535] },
    });
    expect(encodeEntity(index, entity).tableEntry.match).toHaveLength(1);
    const everything = encodeEntity(index, {
      kind: 'table-entry',
      table: 'ipv4_route',
      match: { 'hdr.ipv4.dst_addr': { lpm: ['0.0.0.0', 0] } },
      priority: 0,
      action: { kind: 'member', memberId: 1 },
    });
    expect(everything.tableEntry.match).toEqual([]);
  });

  const forward = (port: number): ActionByName => ({
    name: 'ingress.route.forward',
    arguments: { port: String(port), dst_mac: '02:00:00:00:00:01', src_mac: '02:00:00:00:00:02' },
  });
  test.each<[string, KeptEntity]>([
    [
      'members',
      {
        kind: 'member',
        actionProfile: 'ingress.route.ecmp',
        memberId: 4294967295,
        action: forward(511),
      },
    ],
    [
      'groups',
      {
        kind: 'group',
        actionProfile: 'ingress.route.ecmp',
        groupId: 7,
        members: [{ memberId: 1, weight: 3 }],
        maxSize: 9,
      },
    ],
    [
      'default entries',
      {
        kind: 'default-entry',
        table: 'ingress.route.ecmp_seed',
        action: { name: 'ingress.route.set_seed', arguments: { seed: '65535' } },
      },
    ],
    ['default entries without action', { kind: 'default-entry', table: 'ingress.acl' }],
    [
      'routes to groups',
      {
        kind: 'table-entry',
        table: 'ingress.route.ipv4_route',
        match: { 'hdr.ipv4.dst_addr': { lpm: ['10.0.1.0', 24] } },
        priority: 0,
        action: { kind: 'group', groupId: 7 },
      },
    ],
    [
      'one-shot routes',
      {
        kind: 'table-entry',
        table: 'ingress.route.ipv4_route',
        match: {},
        priority: 0,
        action: {
          kind: 'one-shot',
          actions: [
            { action: forward(1), weight: 1 },
            { action: forward(2), weight: 5 },
          ],
        },
      },
    ],
  ])('%s are the same after the wire', (_, entity) => {
    expect(overTheWire(entity)).toEqual(entity);
    expect(canonicalEntity(index, entity)).toEqual(entity);
  });

  test('64-bit arguments keep all their bits', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (cookie) => {
        const entity: NamedEntity = {
          kind: 'member',
          actionProfile: 'ingress.samples',
          memberId: 1,
          action: { name: 'ingress.sample', arguments: { cookie } },
        };
        const back = overTheWire(entity);
        expect(back.kind === 'member' && back.action.arguments['cookie']).toBe(String(cookie));
      }),
    );
  });

  test.each<[string, NamedEntity, string]>([
    [
      'an unknown table',
      { kind: 'default-entry', table: 'acls' },
      "no table 'acls'; the program has: ingress.route.ipv4_route,",
    ],
    [
      'an unknown profile',
      { kind: 'group', actionProfile: 'x', groupId: 1, members: [], maxSize: 0 },
      "no action profile 'x'; the program has: ingress.route.ecmp, ingress.samples",
    ],
    [
      'an unknown field',
      acl({ 'hdr.x': { exact: 1 } }),
      "table 'ingress.acl': no match field 'hdr.x'; it has: hdr.ethernet.src_addr,",
    ],
    [
      'a field of another kind',
      acl({ 'hdr.ipv4.src_addr': { exact: 1 } }),
      "table 'ingress.acl', field 'hdr.ipv4.src_addr': wanted a match of kind ternary, found exact",
    ],
    [
      'bits outside a mask',
      acl({ 'hdr.ipv4.src_addr': { ternary: [3, 1] } }),
      "table 'ingress.acl', field 'hdr.ipv4.src_addr': the value has bits outside its mask",
    ],
    [
      'an empty range',
      acl({ 'hdr.udp.dst_port': { range: [2, 1] } }),
      "table 'ingress.acl', field 'hdr.udp.dst_port': the range 2..1 is empty",
    ],
    ['a missing priority', acl({}, 0), "table 'ingress.acl': wanted a priority above 0, found 0"],
    [
      'a missing exact field',
      {
        kind: 'table-entry',
        table: 'port_record',
        match: {},
        priority: 0,
        action: { kind: 'member', memberId: 1 },
      },
      "table 'egress.port_record', field 'standard_metadata.egress_port': an exact field must be given",
    ],
    [
      'a needless priority',
      {
        kind: 'table-entry',
        table: 'port_record',
        match: {},
        priority: 1,
        action: { kind: 'member', memberId: 1 },
      },
      "table 'egress.port_record': wanted no priority, found 1",
    ],
    [
      'an unknown action',
      { kind: 'default-entry', table: 'acl', action: { name: 'forward', arguments: {} } },
      "table 'ingress.acl': no action 'forward'; it has: ingress.mark, ingress.deny, NoAction",
    ],
    [
      'an unknown parameter',
      { kind: 'default-entry', table: 'acl', action: { name: 'mark', arguments: { colour: 1 } } },
      "table 'ingress.acl', action 'ingress.mark': no parameter 'colour'; it has: class",
    ],
    [
      'a missing parameter',
      { kind: 'default-entry', table: 'acl', action: { name: 'mark', arguments: {} } },
      "table 'ingress.acl', action 'ingress.mark', parameter 'class' is missing",
    ],
    [
      'a value that is too large',
      { kind: 'default-entry', table: 'acl', action: { name: 'mark', arguments: { class: 8 } } },
      "table 'ingress.acl', action 'ingress.mark', parameter 'class': 8 does not fit in 3 bits",
    ],
    [
      'groups without selector',
      { kind: 'group', actionProfile: 'samples', groupId: 1, members: [], maxSize: 0 },
      "action profile 'ingress.samples': without a selector it has no groups",
    ],
  ])('%s is refused before anything is sent', (_, entity, message) => {
    expect(() => encodeEntity(index, entity)).toThrow(message);
  });

  test.each<[string, p4.Entity, string]>([
    [
      'an unknown table',
      new p4.Entity({ tableEntry: new p4.TableEntry({ tableId: 1 }) }),
      'P4Info has no table 1',
    ],
    [
      'an unknown profile',
      new p4.Entity({ actionProfileMember: new p4.ActionProfileMember({ actionProfileId: 1 }) }),
      'P4Info has no action profile 1',
    ],
    [
      'an unknown profile of a group',
      new p4.Entity({ actionProfileGroup: new p4.ActionProfileGroup({ actionProfileId: 1 }) }),
      'P4Info has no action profile 1',
    ],
    [
      'another kind',
      new p4.Entity({ counterEntry: new p4.CounterEntry({}) }),
      'from the switch: P4Info has no counter 0',
    ],
  ])('%s from a switch is an error of the switch', (_, message, text) => {
    expect(() => decodeEntity(index, message)).toThrow(text);
  });
});
