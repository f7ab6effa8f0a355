import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { interfaceFacts } from '../../../../../host-agent/io/net/interface-facts';
import { describeIf, isOnPath } from '../../../../support/requires';

const MODULE = path.resolve(__dirname, '../../../../../host-agent/io/net/interface-facts.js');

test('an interface that is not there is named', () => {
  expect(() => interfaceFacts('nowhere0')).toThrow("no network interface 'nowhere0'");
});

const hasNamespaces = process.getuid?.() === 0 && ['unshare', 'ip'].every(isOnPath);

describeIf(hasNamespaces, 'an interface', 'needs root, unshare and ip', () => {
  test("is asked of the kernel where /sys is another namespace's", () => {
    // As after `ip netns exec` without its mount, such as in a container: /sys stays the outer one.
    const script = [
      'ip link add first type veth peer name second mtu 1400 && ip link set first up mtu 1450',
      `&& test ! -e /sys/class/net/first && "$0" -e "$1"`,
    ].join(' ');
    const asks = `console.log(JSON.stringify(require(${JSON.stringify(MODULE)}).interfaceFacts('first')))`;
    const { stdout, stderr } = spawnSync('unshare', [
      '--net',
      'sh',
      '-c',
      script,
      process.execPath,
      asks,
    ]);
    expect(stderr.toString()).toBe('');
    // The rate that the kernel gives a veth.
    expect(JSON.parse(stdout.toString())).toMatchObject({ mtu: 1450, linkRate: 10e9 });
  });
});
