import { CloneSessions } from '../../../../switch/v1model/packet-flow';
import { MulticastGroups } from '../../../../switch/state/multicast-groups';

describe('a multicast group', () => {
  test('that nobody has made has no copies', () => {
    expect(new MulticastGroups().replicas(1)).toEqual([]);
  });

  test('keeps the order of replicas that are set as a whole', () => {
    const groups = new MulticastGroups();
    const replicas = [
      { port: 5, instance: 1 },
      { port: 2, instance: 9 },
    ];
    groups.setGroup(1, replicas);
    expect(groups.replicas(1)).toEqual(replicas);
    expect([...groups.groups()]).toEqual([{ groupId: 1, replicas }]);
    groups.deleteGroup(1);
    expect(groups.replicas(1)).toEqual([]);
  });

  test('copies node by node in order of association, ports ascending, then lags', () => {
    const groups = new MulticastGroups();
    groups.createGroup(1);
    const late = groups.createNode({ instance: 7, ports: [9, 1, 9], lags: [3] });
    const first = groups.createNode({ instance: 8, ports: [4], lags: [] });
    groups.associate(1, first);
    groups.associate(1, late);
    // 255 mod 2 is 1: the second port in ascending order.
    groups.setLag(3, [30, 20]);
    const copies = groups.replicas(1).map(({ port, instance }) => [port, instance]);
    expect(copies).toEqual([
      [4, 8],
      [1, 7],
      [9, 7],
      [30, 7],
    ]);
  });

  test('skips a lag without ports', () => {
    const groups = new MulticastGroups();
    groups.createGroup(1);
    groups.associate(1, groups.createNode({ instance: 0, ports: [], lags: [3] }));
    expect(groups.replicas(1)).toEqual([]);
  });

  test('follows its nodes', () => {
    const groups = new MulticastGroups();
    groups.createGroup(1);
    const node = groups.createNode({ instance: 7, ports: [1], lags: [] });
    groups.associate(1, node);
    groups.updateNode(node, { ports: [2], lags: [] });
    expect(groups.replicas(1)).toEqual([{ port: 2, instance: 7 }]);
    groups.dissociate(1, node);
    expect(groups.replicas(1)).toEqual([]);
    groups.associate(1, node);
    groups.destroyNode(node);
    expect(groups.replicas(1)).toEqual([]);
    groups.destroyGroup(1);
    expect([...groups.groups()]).toEqual([]);
  });

  test('refuses what is there already or not at all', () => {
    const groups = new MulticastGroups();
    groups.createGroup(1);
    const node = groups.createNode({ instance: 7, ports: [1], lags: [] });
    groups.associate(1, node);
    expect(() => groups.createGroup(1)).toThrow('multicast group 1 exists');
    expect(() => groups.associate(1, node)).toThrow('group 1 has node 0');
    expect(() => groups.destroyGroup(2)).toThrow('no multicast group 2');
    expect(() => groups.associate(1, 5)).toThrow('no multicast node 5');
    expect(() => groups.dissociate(1, 5)).toThrow('group 1 has no node 5');
    expect(() => groups.destroyNode(5)).toThrow('no multicast node 5');
    expect(() => groups.updateNode(5, { ports: [], lags: [] })).toThrow('no multicast node 5');
  });

  test('is gone after clearing, and handles begin again', () => {
    const groups = new MulticastGroups();
    groups.setGroup(1, [{ port: 1, instance: 0 }]);
    groups.createNode({ instance: 0, ports: [], lags: [] });
    groups.clear();
    expect(groups.replicas(1)).toEqual([]);
    expect(groups.createNode({ instance: 0, ports: [], lags: [] })).toBe(0);
  });
});

describe('a clone session', () => {
  const session = { replicas: [{ port: 1, instance: 0 }], packetLengthMax: undefined };

  test('is what was set, until it is deleted', () => {
    const sessions = new CloneSessions();
    sessions.setSession(0, session);
    sessions.setSession(32_767, session);
    expect(sessions.session(0)).toBe(session);
    sessions.deleteSession(0);
    expect(sessions.session(0)).toBeUndefined();
    sessions.clear();
    expect(sessions.session(32_767)).toBeUndefined();
  });

  test.each([-1, 32_768, 1.5])('has no id %d', (id) => {
    expect(() => new CloneSessions().setSession(id, session)).toThrow('from 0 to 32767');
  });
});
