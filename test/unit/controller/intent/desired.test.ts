import { gigabitsPerSecond } from '../../../../common/units/units';
import { parseNetwork } from '../../../../controller/document/load';
import { networkSpec } from '../../../../controller/document/network';
import { topologyDocument } from '../../../../controller/document/topology-document';
import type { NamedEntity } from '../../../../controller/entities/named-entity';
import { desiredState } from '../../../../controller/intent/desired';
import { fabricProgram } from '../../../support/controller/fabric-program';
import { leafSpine, line } from '../../../support/topologies';

type OfKind<Kind> = Extract<NamedEntity, { kind: Kind }>;

/** Entities that a switch shall hold, in order. */
const desired = (topology = line(), name = 's1', ecmpSeed = 0): readonly NamedEntity[] => {
  const text = JSON.stringify({ ...topologyDocument(topology), ecmpSeed });
  const states = desiredState(networkSpec(parseNetwork(text, 'test')), () => fabricProgram.index);
  const found = states.find(({ spec }) => spec.node.name === name);
  if (found === undefined) throw new Error(`no switch ${name}`);
  return found.entities;
};

const ofKind = <Kind extends NamedEntity['kind']>(
  entities: readonly NamedEntity[],
  kind: Kind,
): OfKind<Kind>[] => entities.filter((each): each is OfKind<Kind> => each.kind === kind);

const entriesOf = (entities: readonly NamedEntity[], table: string): OfKind<'table-entry'>[] =>
  ofKind(entities, 'table-entry').filter((each) => each.table.endsWith(table));

const seedOf = (entities: readonly NamedEntity[]): unknown =>
  ofKind(entities, 'default-entry').map(({ action }) => action?.arguments);

describe('what the switches of a network shall hold', () => {
  test('every port that leads somewhere is a member with its own and the far MAC address', () => {
    expect(ofKind(desired(), 'member')).toEqual([
      {
        kind: 'member',
        actionProfile: 'ingress.ecmp',
        memberId: 2,
        action: {
          name: 'ingress.forward',
          arguments: { port: 1, dst_mac: '02:01:00:00:00:01', src_mac: '02:00:00:01:00:01' },
        },
      },
      {
        kind: 'member',
        actionProfile: 'ingress.ecmp',
        memberId: 3,
        action: {
          name: 'ingress.forward',
          arguments: { port: 2, dst_mac: '02:00:00:02:00:02', src_mac: '02:00:00:01:00:02' },
        },
      },
    ]);
  });

  test('a host with one next hop gets a route to the member, without groups', () => {
    expect(ofKind(desired(), 'group')).toEqual([]);
    expect(entriesOf(desired(), 'ipv4_route')[1]).toEqual({
      kind: 'table-entry',
      table: 'ingress.ipv4_route',
      match: { 'hdr.ipv4.dst_addr': { lpm: ['10.0.0.2', 32] } },
      priority: 0,
      action: { kind: 'member', memberId: 3 },
    });
  });

  test('hosts behind the same set of ports share a group', () => {
    const entities = desired(leafSpine());
    expect(ofKind(entities, 'group')).toEqual([
      {
        kind: 'group',
        actionProfile: 'ingress.ecmp',
        groupId: 1,
        members: [
          { memberId: 4, weight: 1 },
          { memberId: 5, weight: 1 },
        ],
        maxSize: 0,
      },
    ]);
    const actions = entriesOf(entities, 'ipv4_route').map(({ action }) => action);
    expect(actions).toEqual([
      { kind: 'member', memberId: 2 },
      { kind: 'member', memberId: 3 },
      { kind: 'group', groupId: 1 },
      { kind: 'group', groupId: 1 },
    ]);
  });

  test('every port has a record of what the data plane cannot measure', () => {
    const [first] = entriesOf(desired(), 'port_record');
    expect(first).toMatchObject({
      match: { 'standard_metadata.egress_port': { exact: 1 } },
      action: {
        kind: 'action',
        action: {
          name: 'set_port_record',
          arguments: {
            node_id: 1,
            capacity_mbps: 100_000,
            queue_unit_bytes: 1500,
            clock_unit_ns: 1000,
            mtu: 1500,
            tx_unit_bytes: 1,
          },
        },
      },
    });
  });

  test('switches have different hash seeds, and another seed changes them all', () => {
    const seeds = [0, 7].flatMap((ecmpSeed) =>
      ['s1', 's2', 's3', 's4'].map((name) =>
        JSON.stringify(seedOf(desired(leafSpine(), name, ecmpSeed))),
      ),
    );
    expect(new Set(seeds).size).toBe(8);
    expect(seeds[0]).toMatch(/^\[\{"seed":\d{1,5}\}\]$/);
  });

  test('the same topology gives the same state', () => {
    expect(desired(leafSpine(), 's1', 3)).toEqual(desired(leafSpine(), 's1', 3));
  });

  test('entities come before those that refer to them', () => {
    const kinds = desired(leafSpine()).map((each) => each.kind);
    expect(kinds.lastIndexOf('member')).toBeLessThan(kinds.indexOf('group'));
    expect(kinds.lastIndexOf('group')).toBeLessThan(kinds.indexOf('table-entry'));
  });

  test.each([
    [0.0005, 1],
    [0.0000015, 1],
    [0.0015, 1],
    [0.0025, 2],
    [2.3, 2300],
    [107.3741824, 107374],
  ])('a rate of %d Gb/s is %d Mb/s in telemetry', (gbps, mbps) => {
    const [first, ...others] = line().links;
    if (first === undefined) throw new Error('a line has links');
    const slow = { ...line(), links: [{ ...first, rate: gigabitsPerSecond(gbps) }, ...others] };
    expect(JSON.stringify(desired(slow))).toContain(`"capacity_mbps":${mbps},`);
  });
});
