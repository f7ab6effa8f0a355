import { execFileSync } from 'node:child_process';
import { LinkTable } from '../../../../../common/io/net/link-table';
import { canMakeNamespaces, makeLeg, removeLeg } from '../../../../support/live-network';
import { describeIf } from '../../../../support/requires';
import type { Leg } from '../../../../../bench/live/test-bed';

const onLinux = process.platform === 'linux';

describeIf(onLinux, 'links', 'needs Linux', () => {
  let links: LinkTable;

  beforeEach(() => {
    links = new LinkTable();
  });

  afterEach(() => links.close());

  test('are found by name', () => {
    expect(links.find('lo')).toMatchObject({ name: 'lo', index: 1 });
  });

  test.each(['nosuch0', '', 'a/b', '%d', 'a name that is longer than the kernel takes'])(
    'are not found by the name %p',
    (name) => {
      expect(links.find(name)).toBeUndefined();
      expect(links.find('lo')).toMatchObject({ index: 1 });
    },
  );
});

describeIf(
  canMakeNamespaces(),
  'links of cables',
  'needs root and the ip command to make network namespaces',
  () => {
    let leg: Leg;
    let links: LinkTable;

    beforeEach(() => {
      leg = makeLeg();
      links = new LinkTable();
    });

    afterEach(() => {
      links.close();
      removeLeg(leg);
    });

    const ip = (...args: readonly string[]): void => void execFileSync('ip', args);

    test('lose their carrier with the other end, at once', () => {
      expect(links.find(leg.outer)).toMatchObject({ isUp: true, hasCarrier: true });
      for (let round = 0; round < 3; round++) {
        ip('-n', leg.namespace, 'link', 'set', leg.inner, 'down');
        expect(links.find(leg.outer)).toMatchObject({ isUp: true, hasCarrier: false });
        ip('-n', leg.namespace, 'link', 'set', leg.inner, 'up');
        expect(links.find(leg.outer)).toMatchObject({ isUp: true, hasCarrier: true });
      }
      ip('link', 'set', leg.outer, 'down');
      expect(links.find(leg.outer)).toMatchObject({ isUp: false, hasCarrier: false });
    });

    test('are gone when deleted, and have another index when made again', () => {
      const first = links.find(leg.outer);
      ip('link', 'del', leg.outer);
      expect(links.find(leg.outer)).toBeUndefined();
      const peer = ['peer', 'name', leg.inner, 'netns', leg.namespace];
      ip('link', 'add', leg.outer, 'type', 'veth', ...peer);
      const second = links.find(leg.outer);
      expect(second).toMatchObject({ name: leg.outer, isUp: false, operationalState: 'down' });
      expect(second?.index).not.toBe(first?.index);
    });
  },
);
