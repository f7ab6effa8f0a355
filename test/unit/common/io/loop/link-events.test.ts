import { execFileSync } from 'node:child_process';
import { LinkEvents } from '../../../../../common/io/loop/link-events';
import { LinkTable } from '../../../../../common/io/net/link-table';
import { canMakeNamespaces, makeLeg, removeLeg } from '../../../../support/live-network';
import { describeIf } from '../../../../support/requires';
import type { Leg } from '../../../../../bench/live/test-bed';

describeIf(
  canMakeNamespaces(),
  'events of links',
  'needs root and the ip command to make network namespaces',
  () => {
    let leg: Leg;
    let links: LinkTable;
    let events: LinkEvents | undefined;

    beforeEach(() => {
      leg = makeLeg();
      links = new LinkTable();
    });

    afterEach(() => {
      events?.close();
      events = undefined;
      links.close();
      removeLeg(leg);
    });

    const ip = (...args: readonly string[]): void => void execFileSync('ip', args);

    /** Resolves when an event finds the carrier of the leg as wanted. */
    const carrierOf = (wanted: boolean): Promise<boolean> =>
      new Promise((resolve) => {
        events?.close();
        events = new LinkEvents(() => {
          if (links.find(leg.outer)?.hasCarrier === wanted) resolve(wanted);
        });
      });

    test('come when the other end goes down and up', async () => {
      for (const wanted of [false, true, false]) {
        const told = carrierOf(wanted);
        ip('-n', leg.namespace, 'link', 'set', leg.inner, wanted ? 'up' : 'down');
        expect(await told).toBe(wanted);
      }
    });

    test('of many changes come together, and none come when closed', async () => {
      let told = 0;
      events = new LinkEvents(() => told++);
      for (let i = 0; i < 50; i++) ip('link', 'set', leg.outer, i % 2 === 0 ? 'down' : 'up');
      await new Promise((resolve) => setTimeout(resolve, 50));
      // No message was read while the commands ran, so one reading finds all that the socket kept.
      expect(told).toBeGreaterThan(0);
      expect(told).toBeLessThan(20);
      events.close();
      events = undefined;
      const before = told;
      ip('link', 'set', leg.outer, 'down');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(told).toBe(before);
    });
  },
);
