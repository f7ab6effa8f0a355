import { MulticastNodes } from '../../../../../switch/server/thrift/multicast-nodes';

describe('multicast nodes', () => {
  test('copy in order of association, and by ascending port inside a node', () => {
    const nodes = new MulticastNodes();
    nodes.createGroup(1);
    const first = nodes.createNode({ replicationId: 5, ports: [2, 3] });
    const second = nodes.createNode({ replicationId: 6, ports: [1] });
    nodes.associate(1, second);
    nodes.associate(1, first);
    expect(nodes.copies(1)).toEqual([
      { port: 1, replicationId: 6 },
      { port: 2, replicationId: 5 },
      { port: 3, replicationId: 5 },
    ]);
  });

  test('belong to one group at most', () => {
    const nodes = new MulticastNodes();
    nodes.createGroup(1);
    nodes.createGroup(2);
    const node = nodes.createNode({ replicationId: 5, ports: [2] });
    expect(nodes.associate(1, node)).toBeUndefined();
    expect(nodes.associate(2, node)).toBe('taken');
    expect(nodes.groupsOf(node)).toEqual([1]);
  });

  test('can be associated again after they were dissociated', () => {
    const nodes = new MulticastNodes();
    nodes.createGroup(1);
    const node = nodes.createNode({ replicationId: 5, ports: [2] });
    nodes.associate(1, node);
    expect(nodes.dissociate(1, node)).toBeUndefined();
    expect(nodes.dissociate(1, node)).toBe('unknown-node');
    expect(nodes.associate(1, node)).toBeUndefined();
  });

  test('of an unknown group or handle are reported', () => {
    const nodes = new MulticastNodes();
    nodes.createGroup(1);
    expect(nodes.associate(2, 0)).toBe('unknown-group');
    expect(nodes.associate(1, 0)).toBe('unknown-node');
    expect(nodes.updateNode(0, [])).toBe('unknown-node');
    expect(nodes.copies(9)).toEqual([]);
  });

  test('survive making their group a second time', () => {
    const nodes = new MulticastNodes();
    nodes.createGroup(1);
    const node = nodes.createNode({ replicationId: 5, ports: [2] });
    nodes.associate(1, node);
    nodes.createGroup(1);
    expect(nodes.copies(1)).toHaveLength(1);
  });
});
